use proptest::prelude::*;

use super::*;

const BASE: &str = "https://api.example.org";

#[test]
fn b81_the_next_page_is_on_the_same_forge_or_nowhere() {
    let check = |link: &str, expect: Result<Option<&str>, ()>| {
        let found = next_page(Some(link), BASE);
        assert_eq!(found.as_ref().map(Option::as_deref).map_err(drop), expect, "{link}");
    };
    check(
        "<https://api.example.org/a?page=2>; rel=\"next\", <https://api.example.org/a?page=9>; rel=\"last\"",
        Ok(Some("/a?page=2")),
    );
    check("<https://api.example.org/a?page=1>; rel=\"prev\"", Ok(None));
    check("<https://api.example.org/a?cursor=x,y>; rel=\"next\"", Ok(Some("/a?cursor=x,y")));
    check("<https://evil.example/a?page=2>; rel=\"next\"", Err(()));
    check("<https://api.example.org.evil.example/a>; rel=\"next\"", Err(()));
    check("", Ok(None));
    assert_eq!(next_page(None, BASE), Ok(None));
}

#[test]
fn b28_a_list_is_held_against_its_count_and_the_first_reason_stays() {
    let mut list = Listing::whole(vec![1, 2, 3]);
    list.hold_against(Some(3));
    list.hold_against(None);
    assert_eq!(list.shortfall, None);
    list.hold_against(Some(4));
    assert_eq!(list.shortfall, Some(Shortfall::Counted { counted: 4, listed: 3 }));
    list.cap_at(3);
    assert_eq!(list.shortfall, Some(Shortfall::Counted { counted: 4, listed: 3 }));
}

#[test]
fn b27_a_cap_that_is_reached_exactly_is_a_shortfall() {
    let mut list = Listing::whole(vec![(); 250]);
    list.cap_at(251);
    assert_eq!(list.shortfall, None);
    list.cap_at(250);
    assert_eq!(list.shortfall, Some(Shortfall::Capped { cap: 250, listed: 250 }));
}

#[test]
fn an_envelope_says_how_many_there_are() {
    let read = |body: &str, name| items::<u32>(body.as_bytes(), name);
    assert_eq!(read("[1,2]", None), Ok((vec![1, 2], None)));
    assert_eq!(read(r#"{"total_count":9,"runs":[1]}"#, Some("runs")), Ok((vec![1], Some(9))));
    assert_eq!(read(r#"{"total_commits":2,"commits":[1,2]}"#, Some("commits")), Ok((vec![1, 2], Some(2))));
    assert!(read(r#"{"total_count":9}"#, Some("runs")).is_err());
    assert!(read("<html>", None).is_err());
}

proptest! {
    #[test]
    fn no_link_and_no_page_panics(link in ".{0,80}", body in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = next_page(Some(&link), BASE);
        let _ = items::<serde_json::Value>(&body, Some("x"));
        let _ = items::<serde_json::Value>(&body, None);
    }
}
