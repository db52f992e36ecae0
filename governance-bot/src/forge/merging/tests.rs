use super::*;

#[test]
fn b54_b55_b56_b59_b61_one_status_has_several_reasons_and_words_tell_them_apart() {
    let check = |status, message: &str, expect: MergeRefusal, transient: bool| {
        let reason = MergeRefusal::of(status, message);
        assert_eq!((reason, reason.is_transient()), (expect, transient), "{status} {message}");
    };
    check(405, "Base branch was modified. Review and try the merge again.", MergeRefusal::BaseMoved, true);
    check(405, "Pull Request is not mergeable", MergeRefusal::NotMergeable, false);
    check(405, "Merge already in progress", MergeRefusal::InProgress, true);
    check(405, "Pull Request is still a draft", MergeRefusal::Draft, false);
    check(405, "Required status check \"build\" is expected.", MergeRefusal::RuleUnmet, false);
    check(405, "Repository rule violations found", MergeRefusal::RuleUnmet, false);
    check(405, "Squash merges are not allowed on this repository.", MergeRefusal::MethodNotAllowed, false);
    check(409, "Head branch was modified. Review and try the merge again.", MergeRefusal::HeadMoved, true);
    check(409, "You're not authorized to push to this branch.", MergeRefusal::NotPermitted, false);
    check(403, "Resource not accessible by integration", MergeRefusal::NotPermitted, false);
    check(405, "Something that nobody has said before", MergeRefusal::Other, false);
    check(422, "Validation Failed", MergeRefusal::Other, false);
}
