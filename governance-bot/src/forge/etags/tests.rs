use super::*;

fn kept(text: &str) -> Kept {
    Kept { etag: format!("W/\"{text}\""), evidence: Evidence::keep(text.as_bytes()), link: None }
}

#[test]
fn what_was_not_used_for_longest_goes_first_and_the_bound_holds() {
    let one = kept("first").evidence.kept_bytes();
    let mut store = Etags::new(one * 3 + 2);
    for name in ["first", "other", "third"] {
        store.put(Actor::App, name, kept(name));
    }
    assert!(store.get(Actor::App, "first").is_some(), "used again");
    store.put(Actor::App, "added", kept("added"));
    assert!(store.get(Actor::App, "other").is_none(), "the one not used for longest went");
    assert_eq!(store.get(Actor::App, "first").map(|kept| kept.evidence.body()), Some(b"first".to_vec()));
    assert!(store.bytes() <= one * 3 + 2);
    store.put(Actor::App, "huge", Kept { evidence: Evidence::keep(&noise()), ..kept("huge") });
    assert!(store.get(Actor::App, "huge").is_none());
}

/// Bytes that do not compress.
fn noise() -> Vec<u8> {
    (0..4_000u32).flat_map(|at| ontology::Digest::of(&at.to_le_bytes()).hex().into_bytes()).collect()
}

#[test]
fn what_one_installation_may_see_is_not_kept_for_another() {
    let mut store = Etags::new(1 << 20);
    store.put(Actor::Installation(1), "/repos/a/b", kept("private"));
    assert!(store.get(Actor::Installation(2), "/repos/a/b").is_none());
    assert!(store.get(Actor::Installation(1), "/repos/a/b").is_some());
}
