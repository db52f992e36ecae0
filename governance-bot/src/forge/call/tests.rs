use super::*;

#[test]
fn a_target_encodes_what_could_end_or_split_a_segment() {
    let check = |call: Call, expect: &str| assert_eq!(call.target(), expect);
    check(Call::of(Operation::GET_PULL, "acme/shop").at("pull_number", 7), "/repos/acme/shop/pulls/7");
    check(
        Call::of(Operation::GET_REF, "acme/shop").at("ref", "heads/feature/a b"),
        "/repos/acme/shop/git/ref/heads/feature/a%20b",
    );
    check(
        Call::of(Operation::GET_BRANCH, "acme/shop").at("branch", "feature/x"),
        "/repos/acme/shop/branches/feature%2Fx",
    );
    check(
        Call::of(Operation::REMOVE_LABEL, "acme/shop").at("issue_number", 1).at("name", "decision:held?/#1"),
        "/repos/acme/shop/issues/1/labels/decision%3Aheld%3F%2F%231",
    );
    check(
        Call::of(Operation::COMPARE, "acme/shop").at("base", "aa").at("head", "bb").with("per_page", 100),
        "/repos/acme/shop/compare/aa...bb?per_page=100",
    );
    check(
        Call::of(Operation::GET_CONTENT, "acme/shop").at("path", "../../etc").with("ref", "a&b=c"),
        "/repos/acme/shop/contents/%252E?ref=a%26b%3Dc",
    );
}

#[test]
fn every_parameter_of_every_path_has_a_name_that_a_call_can_set() {
    for operation in Operation::ALL {
        let mut call = Call::new(*operation);
        let names = operation.path.split('{').skip(1).filter_map(|part| part.split('}').next());
        for name in names {
            call = call.at(name, "x");
        }
        let target = call.target();
        assert!(!target.contains(['{', '}']), "{target}");
        assert!(!target.contains("//"), "{}: {target}", operation.name);
    }
}

#[test]
fn b78_a_text_is_cut_between_characters() {
    assert_eq!(cut("plan", DESCRIPTION_CHARS_MAX), "plan");
    assert_eq!(cut(&"é".repeat(200), DESCRIPTION_CHARS_MAX), "é".repeat(140));
    assert_eq!(cut("aé", 1), "a");
    assert_eq!(cut("aé", 0), "");
}
