//! What git says, against what lands: predicted trees, patches across a rebase, raw commits.

use governance_bot::forge::{Merge, MergeMethod, MergeOutcome, graphql, merge};
use governance_bot::git::{Mirror, Prediction};
use tests::fakehub::people::commit_stream;

use super::stage::{CHANGE, CHANGE_MORE, MAIN_NEXT, MOVES, OTHER, ROOT, Stage, noon, objects, sha};

/// A repository of its own, in which refs are written, with the template's commits.
fn fetched() -> (tempfile::TempDir, Stage) {
    let folder = tempfile::tempdir().unwrap();
    let bare = tests::fakehub::bare::Bare::make(&folder.path().join("shop.git"));
    let alternates = folder.path().join("shop.git/objects/info");
    std::fs::create_dir_all(&alternates).unwrap();
    let objects = objects().folder().join("objects");
    std::fs::write(alternates.join("alternates"), format!("{}\n", objects.display())).unwrap();
    (folder, Stage::on(bare, |wire| wire))
}

async fn mirror(folder: &tempfile::TempDir) -> Mirror {
    let origin = folder.path().join("shop.git").display().to_string();
    Mirror::open(&folder.path().join("mirror.git"), origin, None).await.unwrap()
}

#[tokio::test]
async fn the_predicted_tree_is_what_every_way_of_merging_lands() {
    for method in [MergeMethod::Squash, MergeMethod::Rebase, MergeMethod::Merge] {
        for head in [CHANGE_MORE, MOVES] {
            let (folder, stage) = fetched();
            let number = stage.open("topic", head);
            stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
            let mirror = mirror(&folder).await;
            mirror.fetch("main", &[number]).await.unwrap();
            let facts = mirror.facts(sha(MAIN_NEXT), sha(head)).await.unwrap();
            let asked =
                Merge { full_name: "acme/shop", number, head: sha(head), method, title: "t", message: "m" };
            let outcome = merge(&stage.client, stage.actor, &asked).await.unwrap();
            let MergeOutcome::Landed { sha: landed } = outcome else { panic!("{outcome:?}") };
            mirror.fetch("main", &[]).await.unwrap();
            let tree = mirror.tree_of(&landed).await.unwrap();
            assert_eq!(facts.prediction, Prediction::Tree(tree), "{method:?}");
        }
    }
}

#[tokio::test]
async fn b63_a_landed_tree_that_is_not_the_predicted_one_shows() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE);
    stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
    stage.hub().behaviour.lands_wrong_tree = true;
    let mirror = mirror(&folder).await;
    mirror.fetch("main", &[number]).await.unwrap();
    let predicted = mirror.predict(sha(MAIN_NEXT), sha(CHANGE)).await.unwrap();
    let method = MergeMethod::Squash;
    let asked = Merge { full_name: "acme/shop", number, head: sha(CHANGE), method, title: "t", message: "m" };
    let outcome = merge(&stage.client, stage.actor, &asked).await.unwrap();
    let MergeOutcome::Landed { sha: landed } = outcome else { panic!("{outcome:?}") };
    mirror.fetch("main", &[]).await.unwrap();
    assert_ne!(predicted, Prediction::Tree(mirror.tree_of(&landed).await.unwrap()));
}

#[tokio::test]
async fn b45_b47_patches_keep_their_ids_across_a_rebase_by_us_and_messages_stay() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE_MORE);
    let mirror = mirror(&folder).await;
    mirror.fetch("main", &[number]).await.unwrap();
    let before = mirror.facts(sha(ROOT), sha(CHANGE_MORE)).await.unwrap();
    stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
    let node_id = stage.pull(number).content.pull.node_id.unwrap();
    let stale = graphql::rebase_branch(&stage.client, stage.actor, &node_id, sha(CHANGE)).await;
    assert!(stale.is_err(), "another head than expected");
    let head = graphql::rebase_branch(&stage.client, stage.actor, &node_id, sha(CHANGE_MORE))
        .await
        .unwrap()
        .unwrap();
    mirror.fetch("main", &[number]).await.unwrap();
    let after = mirror.facts(sha(MAIN_NEXT), &head).await.unwrap();
    let patches = |facts: &governance_bot::git::GitFacts| -> Vec<String> {
        facts.patch_ids.iter().map(|patch| patch.patch_id.clone()).collect()
    };
    assert_eq!(patches(&before).len(), 2);
    assert_eq!(patches(&before), patches(&after));
    let messages = |facts: &governance_bot::git::GitFacts| -> Vec<String> {
        facts.commits.iter().map(|commit| commit.message.clone()).collect()
    };
    assert_eq!(messages(&before), messages(&after));
    assert_eq!((before.behind_by, after.behind_by), (0, 0));
    assert_eq!(after.commits[0].trailers.len(), 3);
}

#[tokio::test]
async fn a_conflict_names_its_paths() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE);
    stage.hub().push(stage.shop, "main", sha(OTHER), stage.alice);
    let mirror = mirror(&folder).await;
    mirror.fetch("main", &[number]).await.unwrap();
    let predicted = mirror.predict(sha(OTHER), sha(CHANGE)).await.unwrap();
    assert_eq!(predicted, Prediction::Conflict(vec!["main.tf".to_owned()]));
}

#[tokio::test]
async fn b67_the_head_of_a_pull_request_is_held_against_its_branch_in_git() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE);
    stage.hub().behaviour.pulls_lag = true;
    stage.hub().push(stage.shop, "topic", sha(CHANGE_MORE), stage.bob);
    let mirror = mirror(&folder).await;
    let facts = stage.pull(number);
    let in_git = mirror.remote_ref("refs/heads/topic").await.unwrap();
    assert_eq!(facts.content.pull.head.sha, sha(CHANGE), "the API lags");
    assert_eq!(in_git.as_deref(), Some(sha(CHANGE_MORE)));
    stage.hub().settle();
    assert_eq!(stage.pull(number).content.pull.head.sha, sha(CHANGE_MORE));
    assert_eq!(mirror.remote_ref("refs/heads/none").await.unwrap(), None);
}

#[tokio::test]
async fn facts_of_git_join_those_of_the_forge_only_where_they_agree() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE_MORE);
    let mirror = mirror(&folder).await;
    mirror.fetch("main", &[number]).await.unwrap();
    let facts = stage.pull(number);
    let git = mirror.facts(sha(ROOT), sha(CHANGE_MORE)).await.unwrap();
    assert!(facts.clone().with_git(git.clone()).complete().is_some());
    let other = mirror.facts(sha(ROOT), sha(CHANGE)).await.unwrap();
    assert!(facts.clone().with_git(other).complete().is_none(), "of another head");
    let mut fewer = git;
    fewer.commits.pop();
    assert!(facts.with_git(fewer).complete().is_none(), "a commit that the forge lists and git does not");
}

#[tokio::test]
async fn b93_a_merge_is_known_by_the_parents_in_its_object() {
    let (folder, stage) = fetched();
    let number = stage.open("topic", CHANGE);
    stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
    let method = MergeMethod::Merge;
    let asked = Merge { full_name: "acme/shop", number, head: sha(CHANGE), method, title: "t", message: "m" };
    let outcome = merge(&stage.client, stage.actor, &asked).await.unwrap();
    let MergeOutcome::Landed { sha: landed } = outcome else { panic!("{outcome:?}") };
    let mirror = mirror(&folder).await;
    mirror.fetch("main", &[]).await.unwrap();
    let facts = mirror.facts(sha(MAIN_NEXT), &landed).await.unwrap();
    let merges: Vec<usize> = facts.commits.iter().map(|commit| commit.parents.len()).collect();
    assert_eq!(merges, [1, 2], "oldest first");
    assert_eq!(facts.patch_ids.len(), 1, "a merge has no patch of its own");
}

#[tokio::test]
async fn patches_and_trees_are_what_git_itself_says() {
    // Randomly shaped changes, each against git's own commands in another way.
    let folder = tempfile::tempdir().unwrap();
    let bare = tests::fakehub::bare::Bare::make(&folder.path().join("shop.git"));
    let mut random = fastrand::Rng::with_seed(7);
    let mut stream = commit_stream(
        1,
        None,
        "a",
        noon(),
        "root\n",
        &[("f0", Some("0\n")), ("f1", Some("1\n")), ("d/f2", Some("2\n"))],
    );
    for mark in 2..40 {
        let parent = format!(":{}", random.u64(1..mark));
        let (path, text) = (format!("f{}", random.u8(..4)), format!("{}\n{}\n", random.u8(..3), mark));
        let gone = random.u8(..6) == 0;
        let files = [(path.as_str(), (!gone).then_some(text.as_str())), ("log", Some(text.as_str()))];
        stream.push_str(&commit_stream(mark, Some(&parent), "a", noon(), "step\n", &files));
    }
    let marks = bare.import(&stream);
    bare.set_ref("refs/heads/main", Some(&marks[&39]));
    let mirror = Mirror::open(bare.folder(), "unused", None).await.unwrap();
    let git = governance_bot::git::Git::within(bare.folder());
    for mark in 2..39 {
        let (base, head) = (&marks[&mark], &marks[&39]);
        let facts = mirror.facts(base, head).await.unwrap();
        let expected = bare.merged_tree(base, head);
        match &facts.prediction {
            Prediction::Tree(tree) => assert_eq!(Some(tree), expected.as_ref()),
            Prediction::Conflict(paths) => assert!(expected.is_none() && !paths.is_empty()),
        }
        for commit in &facts.commits {
            let patch = git.run(&["show", &commit.sha], b"").await.unwrap();
            let id = git.run(&["patch-id", "--stable"], &patch).await.unwrap();
            let id = String::from_utf8(id).unwrap();
            let ours = facts.patch_ids.iter().find(|patch| patch.commit == commit.sha);
            assert_eq!(ours.map(|patch| patch.patch_id.as_str()), id.split(' ').next());
        }
        assert_eq!(facts.commits.len(), bare.commits(Some(base), head).len());
    }
}

#[tokio::test]
async fn a_token_is_no_argument_of_a_process() {
    // The only place for it is the environment: the arguments are the same with and without.
    let folder = tempfile::tempdir().unwrap();
    let secret = governance_bot::forge::Secret::new("canary");
    let mirror = Mirror::open(folder.path(), "http://127.0.0.1:1/none.git", Some(&secret)).await.unwrap();
    let failure = mirror.fetch("main", &[1]).await.unwrap_err().to_string();
    assert!(!failure.contains("canary"), "{failure}");
    assert!(!format!("{mirror:?}").contains("canary"));
    let config = std::fs::read_to_string(folder.path().join("config")).unwrap();
    assert!(!config.contains("extraHeader"), "{config}");
}
