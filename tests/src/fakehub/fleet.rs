//! Many repositories with many pull requests, to count what reading them costs.

use std::path::Path;
use std::sync::{Arc, Mutex};

use governance_bot::facts::{PullFacts, pull_facts, repository_facts};
use governance_bot::forge::{Actor, AppKey, Client, Credentials, Failure, Tally};
use ontology::Timestamp;

use super::Hub;
use super::bare::Bare;
use super::people::{APP_KEY, NewCheck, NewPull, commit_stream};
use super::wire::HubWire;

/// A fleet and a client of it.
#[derive(Debug)]
pub struct Fleet {
    /// The hub.
    pub hub: Arc<Mutex<Hub>>,
    /// The client.
    pub client: Client<HubWire>,
    actor: Actor,
    names: Vec<String>,
}

impl Fleet {
    /// So many repositories with so many open pull requests each, of two commits, with checks, a label, a review and a
    /// plan, the objects in `folder`.
    ///
    /// # Panics
    /// When git does not make them.
    #[must_use]
    pub fn of(repositories: usize, pulls: u64, folder: &Path) -> Self {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().expect("a time");
        let mut hub = Hub::empty(now);
        hub.limits.per_hour = 100_000;
        let bare = Bare::make(&folder.join("fleet.git"));
        let marks = bare.import(&commits(now, pulls));
        let acme = hub.account("acme", "Organization");
        let (alice, bob) = (hub.person("alice"), hub.person("bob"));
        let (app, pipeline) = (hub.app_called("merge-gate"), hub.app_called("pipeline"));
        let installation = hub.install(app, acme);
        let mut names = Vec::new();
        for at in 0..repositories {
            let name = format!("service-{at:03}");
            let repository = hub.repository_of(acme, &name, bare.shared(), &marks[&1]);
            hub.protect(repository, "main", &[("build", Some(pipeline))]);
            for number in 1..=pulls {
                let (branch, head) = (format!("topic-{number}"), &marks[&(number * 2 + 1)]);
                hub.push(repository, &branch, head, bob);
                let number = hub.open_pull(
                    repository,
                    &NewPull {
                        head_repository: repository,
                        head_branch: &branch,
                        base_branch: "main",
                        title: "Change a service",
                        body: "See the plan.",
                        author: bob,
                        draft: false,
                    },
                );
                for name in ["build", "test", "lint"] {
                    hub.check(
                        repository,
                        &NewCheck { app: pipeline, head, name, conclusion: Some("success") },
                    );
                }
                hub.label(repository, number, "ready-to-merge", alice);
                hub.comment_by(repository, number, bob, "Please look.");
                hub.review_by(repository, number, alice, "APPROVED", "Good.");
                hub.attach(repository, bob, head, ".github/workflows/plan.yml", "arb-plan", b"{}");
            }
            names.push(format!("acme/{name}"));
        }
        let base = hub.base.clone();
        let hub = Arc::new(Mutex::new(hub));
        let key = AppKey::from_pem(app.to_string(), APP_KEY).expect("the fake's key is a key");
        let client = Client::new(HubWire::to(&hub), base, Credentials::App(key));
        Self { hub, client, actor: Actor::Installation(installation), names }
    }

    /// Reads everything once. Returns the facts and what they cost.
    ///
    /// # Errors
    /// When something cannot be read.
    pub async fn read(&self) -> Result<(Vec<PullFacts>, Tally), Failure> {
        let before = self.client.tally();
        let mut all = Vec::new();
        for name in &self.names {
            let repository = repository_facts(&self.client, self.actor, name, Some("arb-plan")).await?;
            for pull in &repository.pulls.items {
                all.push(pull_facts(&self.client, self.actor, &repository, pull.number).await?);
            }
        }
        let after = self.client.tally();
        let cost = Tally {
            calls: after.calls - before.calls,
            not_modified: after.not_modified - before.not_modified,
            bytes: after.bytes - before.bytes,
            waited_ms: after.waited_ms - before.waited_ms,
            by_operation: after.by_operation,
        };
        Ok((all, cost))
    }
}

/// Two commits for each pull request, each in a file of its own.
fn commits(now: Timestamp, pulls: u64) -> String {
    let mut stream = commit_stream(1, None, "alice", now, "Begin\n", &[("main.tf", Some("a = 1\n"))]);
    for number in 1..=pulls {
        let path = format!("services/{number}.tf");
        let message = "Change a service\n\nAgent-ID: helper\nAgent-Model: n/a\nAgent-Session: s\nIssue: #1\n";
        let (first, second) = (number * 2, number * 2 + 1);
        stream.push_str(&commit_stream(first, Some(":1"), "bob", now, message, &[(&path, Some("a = 1\n"))]));
        let parent = format!(":{first}");
        stream.push_str(&commit_stream(
            second,
            Some(&parent),
            "bob",
            now,
            message,
            &[(&path, Some("a = 2\n"))],
        ));
    }
    stream
}
