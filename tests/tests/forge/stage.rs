//! A stage: a world with one repository, and a client of it. Objects of git are made once in a process.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use governance_bot::facts::{PullFacts, RepositoryFacts, pull_facts, repository_facts};
use governance_bot::forge::{Actor, AppKey, Client, Credentials};
use ontology::Timestamp;
use tests::fakehub::Hub;
use tests::fakehub::bare::Bare;
use tests::fakehub::people::{APP_KEY, NewCheck, NewPull, commit_stream};
use tests::fakehub::wire::HubWire;
use tests::ready::now;

/// Commits of the template, by what they are.
pub(crate) const ROOT: u64 = 1;
/// On the root: one file, trailers.
pub(crate) const CHANGE: u64 = 2;
/// On the change: a second commit.
pub(crate) const CHANGE_MORE: u64 = 3;
/// Another change of the same file on the root.
pub(crate) const OTHER: u64 = 4;
/// On the root: what `main` becomes.
pub(crate) const MAIN_NEXT: u64 = 5;
/// On the root: renames a file and removes one.
pub(crate) const MOVES: u64 = 6;
/// First of 1010 commits on the root.
pub(crate) const LONG: u64 = 1_000;
/// On the root: 320 files.
pub(crate) const WIDE: u64 = 7;
/// On the root: 3000 files.
pub(crate) const VERY_WIDE: u64 = 8;
/// How many commits the long branch has.
pub(crate) const LONG_COMMITS: u64 = 1_010;

/// Noon of the day on which stages begin.
pub(crate) fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

struct Template {
    bare: Bare,
    marks: HashMap<u64, String>,
    _folder: tempfile::TempDir,
}

static TEMPLATE: LazyLock<Template> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let bare = Bare::make(&folder.path().join("template.git"));
    let at = noon();
    let trailers = "Agent-ID: helper\nAgent-Model: n/a\nIssue: #1";
    let files = |count: u64| -> Vec<(String, String)> {
        (0..count).map(|at| (format!("many/{at:04}.tf"), format!("a = {at}\n"))).collect()
    };
    let wide = |mark: u64, count: u64| {
        let files = files(count);
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), Some(text.as_str()))).collect();
        commit_stream(mark, Some(":1"), "bob", at, "Add many files\n", &files)
    };
    let mut stream = vec![
        commit_stream(
            ROOT,
            None,
            "alice",
            at,
            "Begin\n",
            &[
                ("main.tf", Some("a = 1\n")),
                ("guarded/rules.tf", Some("b = 1\nb = 2\nb = 3\n")),
                ("old.tf", Some("c = 1\n")),
            ],
        ),
        commit_stream(
            CHANGE,
            Some(":1"),
            "bob",
            at,
            &format!("Change a\n\n{trailers}\n"),
            &[("main.tf", Some("a = 2\n"))],
        ),
        commit_stream(
            CHANGE_MORE,
            Some(":2"),
            "bob",
            at,
            &format!("Add d\n\n{trailers}\n"),
            &[("d.tf", Some("d = 1\n"))],
        ),
        commit_stream(OTHER, Some(":1"), "bob", at, "Change a otherwise\n", &[("main.tf", Some("a = 9\n"))]),
        commit_stream(MAIN_NEXT, Some(":1"), "alice", at, "Add e\n", &[("e.tf", Some("e = 1\n"))]),
        commit_stream(
            MOVES,
            Some(":1"),
            "bob",
            at,
            "Move the rules out\n",
            &[("guarded/rules.tf", None), ("free/rules.tf", Some("b = 1\nb = 2\nb = 3\n")), ("old.tf", None)],
        ),
        wide(WIDE, 320),
        wide(VERY_WIDE, 3_000),
    ];
    for at_commit in 0..LONG_COMMITS {
        let parent = if at_commit == 0 { ":1".to_owned() } else { format!(":{}", LONG + at_commit - 1) };
        let text = format!("n = {at_commit}\n");
        let message = format!("Step {at_commit}\n");
        stream.push(commit_stream(
            LONG + at_commit,
            Some(&parent),
            "bob",
            at,
            &message,
            &[("long.tf", Some(&text))],
        ));
    }
    let marks = bare.import(&stream.concat());
    Template { bare, marks, _folder: folder }
});

/// The SHA of a commit of the template.
pub(crate) fn sha(mark: u64) -> &'static str {
    &TEMPLATE.marks[&mark]
}

/// The template's objects, refs in memory.
pub(crate) fn objects() -> Bare {
    TEMPLATE.bare.shared()
}

/// A world with `acme/shop`, and a client of it.
pub(crate) struct Stage {
    hub: Arc<Mutex<Hub>>,
    pub(crate) client: Client<HubWire>,
    pub(crate) actor: Actor,
    pub(crate) shop: u64,
    pub(crate) alice: u64,
    pub(crate) bob: u64,
    pub(crate) pipeline: u64,
    pub(crate) app: u64,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Stage {
    /// A stage on which everything that is said is held against the description.
    pub(crate) fn set() -> Self {
        Self::on(objects(), |wire| wire)
    }

    /// A stage of which nothing is held against the description: the same exchanges are, elsewhere.
    pub(crate) fn unwatched() -> Self {
        Self::build(objects(), |wire| wire, false)
    }

    /// The same as [`Self::set`], on other objects and another wire.
    pub(crate) fn on(bare: Bare, wire: impl FnOnce(HubWire) -> HubWire) -> Self {
        Self::build(bare, wire, true)
    }

    fn build(bare: Bare, wire: impl FnOnce(HubWire) -> HubWire, watched: bool) -> Self {
        let mut hub = Hub::empty(noon());
        let acme = hub.account("acme", "Organization");
        let (alice, bob) = (hub.person("alice"), hub.person("bob"));
        let (app, pipeline) = (hub.app_called("merge-gate"), hub.app_called("pipeline"));
        let installation = hub.install(app, acme);
        let shop = hub.repository_of(acme, "shop", bare, sha(ROOT));
        let faults: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&faults);
        if watched {
            hub.observe(Box::new(move |operation, sending, reply| {
                seen.lock().unwrap().extend(super::conformance::faults(operation, sending, reply));
            }));
        }
        let base = hub.base.clone();
        let hub = Arc::new(Mutex::new(hub));
        let key = AppKey::from_pem(app.to_string(), APP_KEY).unwrap();
        let client = Client::new(wire(HubWire::to(&hub)), base, Credentials::App(key));
        Self {
            hub,
            client,
            actor: Actor::Installation(installation),
            shop,
            alice,
            bob,
            pipeline,
            app,
            faults,
        }
    }

    /// The world, to change it.
    pub(crate) fn hub(&self) -> MutexGuard<'_, Hub> {
        self.hub.lock().unwrap()
    }

    /// The client's wire.
    pub(crate) fn client_wire(&self) -> &HubWire {
        self.client.wire()
    }

    /// The hub, to share it.
    pub(crate) fn shared(&self) -> Arc<Mutex<Hub>> {
        Arc::clone(&self.hub)
    }

    /// Opens a pull request of a new branch at a commit of the template.
    pub(crate) fn open(&self, branch: &str, head: u64) -> u64 {
        let mut hub = self.hub();
        hub.push(self.shop, branch, sha(head), self.bob);
        let new = NewPull {
            head_repository: self.shop,
            head_branch: branch,
            base_branch: "main",
            title: "Change a",
            body: "See the plan.",
            author: self.bob,
            draft: false,
        };
        let number = hub.open_pull(self.shop, &new);
        hub.pass(60);
        number
    }

    /// Publishes a check run of the pipeline.
    pub(crate) fn check(&self, head: u64, name: &str, conclusion: Option<&str>) -> u64 {
        self.hub().check(self.shop, &NewCheck { app: self.pipeline, head: sha(head), name, conclusion })
    }

    /// Facts of the repository.
    pub(crate) fn repository(&self) -> RepositoryFacts {
        now(repository_facts(&self.client, self.actor, "acme/shop", Some("arb-plan"))).unwrap()
    }

    /// Facts of a pull request, the repository's read before.
    pub(crate) fn pull(&self, number: u64) -> PullFacts {
        now(pull_facts(&self.client, self.actor, &self.repository(), number)).unwrap()
    }

    /// How often an operation was carried out.
    pub(crate) fn carried_out(&self, operation: &str) -> u64 {
        self.hub().carried_out.get(operation).copied().unwrap_or(0)
    }

    /// How often an operation was sent.
    pub(crate) fn sent(&self, operation: &'static str) -> u64 {
        self.client.tally().by_operation.get(operation).copied().unwrap_or(0)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let faults = self.faults.lock().map(|faults| faults.clone()).unwrap_or_default();
        if !std::thread::panicking() {
            assert!(
                faults.is_empty(),
                "{} exchanges are not as published:\n{}",
                faults.len(),
                faults.join("\n")
            );
        }
    }
}
