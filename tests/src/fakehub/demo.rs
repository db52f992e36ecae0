//! A small organisation to look at: nothing in it is real.

use std::path::Path;

use ontology::Timestamp;

use super::Hub;
use super::bare::Bare;
use super::people::{NewCheck, NewPull, commit_stream};

/// The token of `alice`, who owns the repositories.
pub const OWNER_TOKEN: &str = "alice-token";
/// The token of `bob`, who contributes.
pub const CONTRIBUTOR_TOKEN: &str = "bob-token";

/// What the demo holds.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// The repository `acme/shop`.
    pub shop: u64,
    /// The App of the gate.
    pub app: u64,
    /// Its installation on `acme`.
    pub installation: u64,
    /// The App of the pipeline.
    pub pipeline: u64,
}

/// Fills a folder and a hub: `acme/shop` with four pull requests, each in another state.
#[must_use]
pub fn demo(folder: &Path, now: Timestamp) -> (Hub, Demo) {
    let mut hub = Hub::empty(now);
    let acme = hub.account("acme", "Organization");
    let (alice, bob) = (hub.person("alice"), hub.person("bob"));
    hub.token_of(alice, OWNER_TOKEN);
    hub.token_of(bob, CONTRIBUTOR_TOKEN);
    hub.world.teams.insert(("acme".to_owned(), "owners".to_owned()), vec![alice]);
    let app = hub.app_called("merge-gate");
    let pipeline = hub.app_called("pipeline");
    let installation = hub.install(app, acme);
    let bare = Bare::make(&folder.join("acme-shop.git"));
    let marks = bare.import(&commits(now));
    let shop = hub.repository_of(acme, "shop", bare, &marks[&1]);
    hub.world.repositories.get_mut(&shop).expect("it was just made").private = false;
    hub.protect(shop, "main", &[("build", Some(pipeline))]);
    let branches = [("scale-orders", 2), ("queue", 3), ("notes", 5)];
    for (branch, mark) in branches {
        hub.push(shop, branch, &marks[&mark], bob);
    }
    let fork = hub.fork(shop, bob);
    let open = |hub: &mut Hub, head_repository, head_branch, title, draft| {
        let new = NewPull {
            head_repository,
            head_branch,
            base_branch: "main",
            title,
            body: "See the plan.",
            author: bob,
            draft,
        };
        hub.open_pull(shop, &new)
    };
    let ready = open(&mut hub, shop, "scale-orders", "Scale orders out", false);
    let conflicting = open(&mut hub, shop, "queue", "Change the queue", false);
    let draft = open(&mut hub, shop, "notes", "Move the notes", true);
    let forked = open(&mut hub, fork, "scale-orders", "Scale orders out, from a fork", false);
    hub.push(shop, "main", &marks[&4], alice);
    hub.pass(60);
    for (mark, conclusion) in [(2, Some("success")), (3, Some("failure")), (5, None)] {
        hub.check(shop, &NewCheck { app: pipeline, head: &marks[&mark], name: "build", conclusion });
    }
    hub.set_status(shop, alice, &marks[&2], "licences", "success", Some("all known"));
    hub.label(shop, ready, "ready-to-merge", alice);
    hub.label(shop, conflicting, "ready-to-merge", bob);
    hub.comment_by(shop, conflicting, alice, "This conflicts with what landed today.");
    hub.review_by(shop, ready, alice, "APPROVED", "Good.");
    hub.react(shop, ready, alice, "+1");
    hub.comment_by(shop, draft, bob, "Not done yet.");
    hub.comment_by(shop, forked, bob, "The same from my fork.");
    hub.attach(shop, bob, &marks[&2], ".github/workflows/plan.yml", "arb-plan", b"{}");
    (hub, Demo { shop, app, installation, pipeline })
}

/// What the demo's branches are made of.
fn commits(now: Timestamp) -> String {
    let trailers = "Agent-ID: helper\nAgent-Model: n/a\nAgent-Session: s-1\nIssue: #1\nReviewed-Plan: none";
    let message = |subject: &str| format!("{subject}\n\n{trailers}\n");
    [
        commit_stream(
            1,
            None,
            "alice",
            now,
            "Begin the shop\n",
            &[("main.tf", Some("a = 1\n")), ("README.md", Some("shop\n"))],
        ),
        commit_stream(
            2,
            Some(":1"),
            "bob",
            now,
            &message("Scale orders out"),
            &[("orders.tf", Some("count = 4\n"))],
        ),
        commit_stream(
            3,
            Some(":1"),
            "bob",
            now,
            &message("Change the queue"),
            &[("main.tf", Some("a = 2\n"))],
        ),
        commit_stream(4, Some(":1"), "alice", now, "Correct the queue\n", &[("main.tf", Some("a = 3\n"))]),
        commit_stream(
            5,
            Some(":4"),
            "bob",
            now,
            &message("Move the notes"),
            &[("README.md", None), ("docs/README.md", Some("shop\n"))],
        ),
    ]
    .concat()
}
