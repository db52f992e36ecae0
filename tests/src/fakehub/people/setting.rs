//! Setting the scene: accounts, Apps, installations, repositories.

use std::collections::{BTreeMap, BTreeSet};

use ontology::Timestamp;

use super::super::Hub;
use super::super::bare::Bare;
use super::super::world::{Account, App, Installation, Repository, Token, Who, World};

/// The private key of the fake's App. It guards nothing: the fake holds nothing.
pub const APP_KEY: &str = include_str!("../../../github/app-key.pem");
/// The public half, PKCS#1 DER.
pub const APP_PUBLIC_KEY: &[u8] = include_bytes!("../../../github/app-key.pub.der");

/// Permissions of an installation that may do all that the gate does.
const PERMISSIONS: [(&str, &str); 8] = [
    ("actions", "read"),
    ("administration", "read"),
    ("checks", "write"),
    ("contents", "write"),
    ("issues", "write"),
    ("metadata", "read"),
    ("pull_requests", "write"),
    ("statuses", "write"),
];

impl Hub {
    /// A hub with nothing in it, at a time.
    #[must_use]
    pub fn empty(now: Timestamp) -> Self {
        Self::new(World { now, last_id: 1_000, ..World::default() })
    }

    /// An account.
    pub fn account(&mut self, login: &str, kind: &'static str) -> u64 {
        let id = self.world.id();
        self.world.accounts.insert(id, Account { id, login: login.to_owned(), kind });
        id
    }

    /// A person.
    pub fn person(&mut self, login: &str) -> u64 {
        self.account(login, "User")
    }

    /// A token of a person, which does not end.
    pub fn token_of(&mut self, person: u64, token: &str) {
        self.world.tokens.insert(token.to_owned(), Token { who: Who::Person(person), expires_at: None });
    }

    /// An App whose key is [`APP_KEY`].
    pub fn app_called(&mut self, slug: &str) -> u64 {
        let bot = self.account(&format!("{slug}[bot]"), "Bot");
        let id = self.world.id();
        self.world
            .apps
            .insert(id, App { id, slug: slug.to_owned(), public_key: APP_PUBLIC_KEY.to_vec(), bot });
        id
    }

    /// Installs an App on an account, with all permissions that the gate uses.
    pub fn install(&mut self, app: u64, account: u64) -> u64 {
        let id = self.world.id();
        let permissions = PERMISSIONS.map(|(name, level)| (name.to_owned(), level.to_owned()));
        let permissions = BTreeMap::from(permissions);
        self.world.installations.insert(id, Installation { id, app, account, permissions });
        id
    }

    /// A repository whose `main` is `head`.
    pub fn repository_of(&mut self, owner: u64, name: &str, bare: Bare, head: &str) -> u64 {
        let id = self.world.id();
        bare.set_ref("refs/heads/main", Some(head));
        let repository = Repository {
            id,
            owner,
            name: name.to_owned(),
            fork_of: None,
            default_branch: "main".to_owned(),
            private: true,
            merge_methods: BTreeSet::from(["merge", "rebase", "squash"]),
            offers_protection: true,
            bare,
            branches: BTreeMap::from([("main".to_owned(), head.to_owned())]),
            issues: BTreeMap::new(),
            pulls: BTreeMap::new(),
            check_runs: BTreeMap::new(),
            statuses: Vec::new(),
            protection: BTreeMap::new(),
            rules: BTreeMap::new(),
            runs: BTreeMap::new(),
            artifacts: BTreeMap::new(),
        };
        self.world.repositories.insert(id, repository);
        id
    }

    /// A fork of a repository, with its branches and objects.
    pub fn fork(&mut self, of: u64, owner: u64) -> u64 {
        let id = self.world.id();
        let original = &self.world.repositories[&of];
        let fork = Repository {
            id,
            owner,
            fork_of: Some(of),
            // One network of objects, as on the forge; branches of forks stay out of the folder.
            bare: original.bare.shared(),
            issues: BTreeMap::new(),
            pulls: BTreeMap::new(),
            check_runs: BTreeMap::new(),
            statuses: Vec::new(),
            protection: BTreeMap::new(),
            rules: BTreeMap::new(),
            ..original.clone()
        };
        self.world.repositories.insert(id, fork);
        id
    }

    /// Protects a branch the classic way: required checks with their App, or with anybody.
    pub fn protect(&mut self, repository: u64, branch: &str, checks: &[(&str, Option<u64>)]) {
        let url = self.base.clone();
        let listed: Vec<_> = checks
            .iter()
            .map(|(name, app)| serde_json::json!({ "context": name, "app_id": app.map_or(-1, u64::cast_signed) }))
            .collect();
        let names: Vec<_> = checks.iter().map(|(name, _)| *name).collect();
        let on = |enabled: bool| serde_json::json!({ "url": url, "enabled": enabled });
        let protection = serde_json::json!({
            "url": url,
            "required_status_checks": { "url": url, "strict": true, "contexts": names, "contexts_url": url, "checks": listed },
            "enforce_admins": on(true), "allow_force_pushes": { "enabled": false },
        });
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.protection.insert(branch.to_owned(), protection);
    }

    /// Rules a branch: required checks of a ruleset.
    pub fn rule(&mut self, repository: u64, branch: &str, checks: &[(&str, Option<u64>)]) {
        let ruleset = self.world.id();
        let listed: Vec<_> = checks
            .iter()
            .map(|(name, app)| match app {
                Some(app) => serde_json::json!({ "context": name, "integration_id": app }),
                None => serde_json::json!({ "context": name }),
            })
            .collect();
        let rule = serde_json::json!({
            "type": "required_status_checks", "ruleset_source_type": "Repository",
            "ruleset_source": self.world.full_name(repository), "ruleset_id": ruleset,
            "parameters": { "required_status_checks": listed, "strict_required_status_checks_policy": true },
        });
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.rules.entry(branch.to_owned()).or_default().push(rule);
    }
}
