//! The same suite against the fake and against a real host: `GITHUB_API_URL`, `GITHUB_TOKEN` and `ARB_FORGE_REPOSITORY` (`owner/name`)
//! name one. It only reads.

use governance_bot::facts::{pull_facts, repository_facts};
use governance_bot::forge::{Actor, Client, Credentials, Https, Secret};
use tests::fakehub::demo::OWNER_TOKEN;

/// A client of the host that is named, or of the fake; and a repository on it.
async fn host(folder: &std::path::Path) -> (Client<Https>, String) {
    let named =
        ["GITHUB_API_URL", "GITHUB_TOKEN", "ARB_FORGE_REPOSITORY"].map(|name| std::env::var(name).ok());
    let (base, token, repository) = match named {
        [Some(base), Some(token), Some(repository)] => (base, token, repository),
        _ => (super::served::start(folder).await.2, OWNER_TOKEN.to_owned(), "acme/shop".to_owned()),
    };
    let client = Client::new(Https::new(&base).unwrap(), &base, Credentials::Token(Secret::new(token)));
    (client, repository)
}

#[tokio::test]
async fn a_host_is_read_and_again_unchanged_and_everything_that_is_whole_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let (client, name) = host(folder.path()).await;
    let actor = Actor::Installation(0);
    let repository = repository_facts(&client, actor, &name, Some("arb-plan")).await.unwrap();
    assert_eq!(repository.repository.full_name.to_lowercase(), name.to_lowercase());
    let default = repository.repository.default_branch.clone().unwrap();
    assert_eq!(repository.branches[&default].head.len(), 40);
    for pull in repository.pulls.items.iter().take(5) {
        let facts = pull_facts(&client, actor, &repository, pull.number).await.unwrap();
        let content = &facts.content;
        assert!(
            facts.sources.len() <= 10
                || content.commits.items.len() > 100
                || content.timeline.items.len() > 100
        );
        assert!(facts.sources.iter().all(|source| source.request_id.is_some() && source.etag.is_some()));
        let Some(whole) = facts.complete() else { continue };
        assert_eq!(whole.content.pull.changed_files, Some(whole.content.files.items.len() as u64));
        assert!(whole.content.commits.items.iter().any(|commit| commit.sha == whole.content.pull.head.sha));
        assert!(whole.content.check_runs.items.iter().all(|run| run.head_sha == whole.content.pull.head.sha));
        let again = pull_facts(&client, actor, &repository, pull.number).await.unwrap();
        assert_eq!(again.content.commits, whole.content.commits);
    }
}
