//! What reading costs, counted. Times and memory are printed by `cargo run -p tests --example forge_costs`.

use tests::fakehub::fleet::Fleet;
use tests::ready::now;

#[test]
fn six_repositories_with_five_pull_requests_cost_what_is_written_down_and_then_only_304s() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = Fleet::of(6, 5, folder.path());
    let (facts, first) = now(fleet.read()).unwrap();
    assert_eq!(facts.len(), 30);
    assert!(facts.iter().all(|facts| facts.complete().is_some()));
    // One token; seven calls a repository; nine a pull request, for none has reactions.
    assert_eq!(first.calls, 1 + 6 * 7 + 30 * 9, "{:?}", first.by_operation);
    assert_eq!(first.waited_ms, 0);
    // The forge computes test merges after the first look; then nothing changes any more.
    now(fleet.read()).unwrap();
    let (again, second) = now(fleet.read()).unwrap();
    assert_eq!((second.calls, second.not_modified, second.bytes), (6 * 7 + 30 * 9, 6 * 7 + 30 * 9, 0));
    assert!(facts.iter().zip(&again).all(|(one, other)| one.content.pull.head == other.content.pull.head));
}

#[test]
fn a_change_of_one_pull_request_is_all_that_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = Fleet::of(2, 5, folder.path());
    for _ in 0..2 {
        now(fleet.read()).unwrap();
    }
    {
        let mut hub = fleet.hub.lock().unwrap();
        let repository = *hub.world.repositories.keys().next().unwrap();
        let alice = hub.world.account("alice").unwrap();
        hub.pass(60);
        hub.comment_by(repository, 1, alice, "One more.");
    }
    let (_, cost) = now(fleet.read()).unwrap();
    let changed = cost.calls - cost.not_modified;
    assert!(
        changed <= 4,
        "{changed}: the listings of pull requests and issues, the pull request, its timeline"
    );
}
