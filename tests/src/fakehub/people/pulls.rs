//! What happens to pull requests and issues.

use serde_json::{Value, json};

use super::super::Hub;
use super::super::world::{Artifact, CheckRun, Comment, Issue, Pull, Reaction, Review, Run, Status};

/// A pull request to be opened.
#[derive(Debug, Clone, Copy)]
pub struct NewPull<'a> {
    /// The repository of the head.
    pub head_repository: u64,
    /// Its branch.
    pub head_branch: &'a str,
    /// The base branch.
    pub base_branch: &'a str,
    /// The title.
    pub title: &'a str,
    /// The text.
    pub body: &'a str,
    /// Who opens it.
    pub author: u64,
    /// Whether it is a draft.
    pub draft: bool,
}

/// A check run to be published.
#[derive(Debug, Clone, Copy)]
pub struct NewCheck<'a> {
    /// The App.
    pub app: u64,
    /// The commit.
    pub head: &'a str,
    /// The name.
    pub name: &'a str,
    /// The conclusion; queued without.
    pub conclusion: Option<&'a str>,
}

impl Hub {
    fn next_number(&self, repository: u64) -> u64 {
        self.world.repositories[&repository].issues.keys().next_back().map_or(1, |last| last + 1)
    }

    /// Opens an issue.
    pub fn open_issue(&mut self, repository: u64, title: &str, body: &str, author: u64) -> u64 {
        let number = self.next_number(repository);
        self.insert_issue(repository, number, title, body, author);
        self.emit("issues", Some("opened"), Some(repository), json!({ "issue": { "number": number } }));
        number
    }

    fn insert_issue(&mut self, repository: u64, number: u64, title: &str, body: &str, author: u64) {
        let (id, now) = (self.world.id(), self.world.now);
        let issue = Issue {
            id,
            number,
            title: title.to_owned(),
            body: body.to_owned(),
            author,
            open: true,
            labels: Vec::new(),
            assignees: Vec::new(),
            comments: Vec::new(),
            events: Vec::new(),
            reactions: Vec::new(),
            created_at: now,
            updated_at: now,
        };
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.issues.insert(number, issue);
    }

    /// Opens a pull request.
    ///
    /// # Panics
    /// When a branch is not there.
    pub fn open_pull(&mut self, repository: u64, new: &NewPull<'_>) -> u64 {
        let number = self.next_number(repository);
        let head = self.world.repositories[&new.head_repository].branches[new.head_branch].clone();
        let base = self.world.repositories[&repository].branches[new.base_branch].clone();
        self.insert_issue(repository, number, new.title, new.body, new.author);
        let id = self.world.id();
        let pull = Pull {
            id,
            number,
            head_repository: Some(new.head_repository),
            head_branch: new.head_branch.to_owned(),
            head: head.clone(),
            base_branch: new.base_branch.to_owned(),
            base,
            draft: new.draft,
            merged: None,
            reviews: Vec::new(),
            mergeability: None,
        };
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.pulls.insert(number, pull);
        found.bare.set_ref(&format!("refs/pull/{number}/head"), Some(&head));
        self.emit_pull(repository, number, "opened", json!({}));
        number
    }

    fn emit_pull(&mut self, repository: u64, number: u64, action: &str, more: Value) {
        let mut payload = more;
        payload["number"] = json!(number);
        payload["pull_request"] = self.pull(repository, number, true);
        self.emit("pull_request", Some(action), Some(repository), payload);
    }

    /// Moves a branch, and every pull request whose head it is.
    pub fn push(&mut self, repository: u64, branch: &str, sha: &str, actor: u64) {
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        let before = found.branches.insert(branch.to_owned(), sha.to_owned());
        found.bare.set_ref(&format!("refs/heads/{branch}"), Some(sha));
        let before = before.unwrap_or_else(|| "0".repeat(40));
        let actor_json = self.user(actor);
        let payload = json!({ "ref": format!("refs/heads/{branch}"), "before": before, "after": sha, "sender": actor_json });
        self.emit("push", None, Some(repository), payload);
        if !self.behaviour.pulls_lag {
            self.settle_branch(repository, branch, actor);
        }
    }

    /// Lets every pull request see its branch (fault 67).
    pub fn settle(&mut self) {
        let all: Vec<(u64, String)> = self
            .world
            .repositories
            .values()
            .flat_map(|found| found.branches.keys().map(|branch| (found.id, branch.clone())))
            .collect();
        for (repository, branch) in all {
            self.settle_branch(repository, &branch, 0);
        }
    }

    fn settle_branch(&mut self, head_repository: u64, branch: &str, actor: u64) {
        let sha = self.world.repositories[&head_repository].branches[branch].clone();
        let behind: Vec<(u64, u64, String)> = self
            .world
            .repositories
            .values()
            .flat_map(|found| found.pulls.values().map(move |pull| (found, pull)))
            .filter(|(found, pull)| {
                pull.head_repository == Some(head_repository)
                    && pull.head_branch == branch
                    && pull.head != sha
                    && found.issues[&pull.number].open
            })
            .map(|(found, pull)| (found.id, pull.number, pull.head.clone()))
            .collect();
        for (repository, number, old) in behind {
            let found = self.world.repositories.get_mut(&repository).expect("it was listed");
            let forward = found.bare.merge_base(&old, &sha).as_deref() == Some(old.as_str());
            let base = found.branches.get(&found.pulls[&number].base_branch).cloned();
            let pull = found.pulls.get_mut(&number).expect("it was listed");
            pull.head.clone_from(&sha);
            pull.base = base.unwrap_or_else(|| pull.base.clone());
            found.bare.set_ref(&format!("refs/pull/{number}/head"), Some(&sha));
            self.touch(repository, number);
            if !forward {
                self.record(repository, number, "head_ref_force_pushed", actor, None, Some(sha.clone()));
            }
            self.emit_pull(repository, number, "synchronize", json!({ "before": old, "after": sha }));
        }
    }

    /// Writes a comment.
    pub fn comment_by(&mut self, repository: u64, number: u64, author: u64, body: &str) -> u64 {
        let (id, now) = (self.world.id(), self.world.now);
        let comment = Comment { id, author, body: body.to_owned(), created_at: now, updated_at: now };
        self.touch(repository, number).comments.push(comment);
        self.emit(
            "issue_comment",
            Some("created"),
            Some(repository),
            json!({ "issue": { "number": number } }),
        );
        id
    }

    /// Submits a review of the head.
    pub fn review_by(&mut self, repository: u64, number: u64, author: u64, state: &str, body: &str) -> u64 {
        let (id, at) = (self.world.id(), self.world.now);
        self.touch(repository, number);
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        let pull = found.pulls.get_mut(&number).expect("a pull request that is there");
        let commit = pull.head.clone();
        pull.reviews.push(Review { id, author, state: state.to_owned(), body: body.to_owned(), commit, at });
        let payload = json!({ "pull_request": { "number": number }, "review": { "id": id } });
        self.emit("pull_request_review", Some("submitted"), Some(repository), payload);
        id
    }

    /// Sets a label.
    pub fn label(&mut self, repository: u64, number: u64, name: &str, actor: u64) {
        let issue = self.touch(repository, number);
        if issue.labels.iter().any(|label| label == name) {
            return;
        }
        issue.labels.push(name.to_owned());
        self.record(repository, number, "labeled", actor, Some(name.to_owned()), None);
        self.emit_labels(repository, number, "labeled");
    }

    /// Takes a label away. False when it is not there.
    pub fn unlabel(&mut self, repository: u64, number: u64, name: &str, actor: u64) -> bool {
        let issue = self.touch(repository, number);
        let before = issue.labels.len();
        issue.labels.retain(|label| label != name);
        if issue.labels.len() == before {
            return false;
        }
        self.record(repository, number, "unlabeled", actor, Some(name.to_owned()), None);
        self.emit_labels(repository, number, "unlabeled");
        true
    }

    fn emit_labels(&mut self, repository: u64, number: u64, action: &str) {
        if self.world.repositories[&repository].pulls.contains_key(&number) {
            self.emit_pull(repository, number, action, json!({}));
        } else {
            self.emit("issues", Some(action), Some(repository), json!({ "issue": { "number": number } }));
        }
    }

    /// Reacts to the text. No webhook tells of it.
    pub fn react(&mut self, repository: u64, number: u64, author: u64, content: &str) {
        let (id, at) = (self.world.id(), self.world.now);
        let content = content.to_owned();
        self.touch(repository, number).reactions.push(Reaction { id, author, content, at });
    }

    /// Changes title or text.
    pub fn edit(
        &mut self,
        repository: u64,
        number: u64,
        title: Option<String>,
        body: Option<String>,
        actor: u64,
    ) {
        if let Some(title) = title {
            let old = std::mem::replace(&mut self.touch(repository, number).title, title.clone());
            self.record(repository, number, "renamed", actor, None, None);
            let renamed = self.touch(repository, number).events.last_mut();
            renamed.expect("it was just recorded").rename = Some((old, title));
        }
        if let Some(body) = body {
            self.touch(repository, number).body = body;
        }
    }

    /// Opens or closes it.
    pub fn set_open(&mut self, repository: u64, number: u64, open: bool, actor: u64) {
        let issue = self.touch(repository, number);
        if std::mem::replace(&mut issue.open, open) == open {
            return;
        }
        let (kind, action) = if open { ("reopened", "reopened") } else { ("closed", "closed") };
        self.record(repository, number, kind, actor, None, None);
        self.emit_labels(repository, number, action);
    }

    /// Changes the base (fault 49).
    pub fn retarget(&mut self, repository: u64, number: u64, base: &str, actor: u64) {
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        let sha = found.branches[base].clone();
        let pull = found.pulls.get_mut(&number).expect("a pull request that is there");
        let old = std::mem::replace(&mut pull.base_branch, base.to_owned());
        pull.base = sha;
        self.record(repository, number, "base_ref_changed", actor, None, None);
        self.emit_pull(
            repository,
            number,
            "edited",
            json!({ "changes": { "base": { "ref": { "from": old } } } }),
        );
    }

    /// Makes it a draft, or ready.
    pub fn set_draft(&mut self, repository: u64, number: u64, draft: bool, actor: u64) {
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.pulls.get_mut(&number).expect("a pull request that is there").draft = draft;
        let kind = if draft { "convert_to_draft" } else { "ready_for_review" };
        self.record(repository, number, kind, actor, None, None);
        self.emit_pull(repository, number, if draft { "converted_to_draft" } else { kind }, json!({}));
    }

    /// Publishes a check run. Runs of one App and commit share a suite.
    pub fn check(&mut self, repository: u64, new: &NewCheck<'_>) -> u64 {
        let known = self.world.repositories[&repository].check_runs.values();
        let suite = known.rev().find(|run| run.app == new.app && run.head == new.head).map(|run| run.suite);
        let (id, now) = (self.world.id(), self.world.now);
        let suite = suite.unwrap_or_else(|| self.world.id());
        let done = new.conclusion.is_some();
        let run = CheckRun {
            id,
            suite,
            app: new.app,
            name: new.name.to_owned(),
            head: new.head.to_owned(),
            status: if done { "completed" } else { "queued" }.to_owned(),
            conclusion: new.conclusion.map(ToOwned::to_owned),
            started_at: now,
            completed_at: done.then(|| now.plus_seconds(30)),
            output: (None, None),
            external_id: String::new(),
        };
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.check_runs.insert(id, run);
        let action = if done { "completed" } else { "created" };
        let payload = json!({ "check_run": { "id": id, "head_sha": new.head, "pull_requests": [] } });
        self.emit("check_run", Some(action), Some(repository), payload);
        id
    }

    /// Sets a status.
    pub fn set_status(
        &mut self,
        repository: u64,
        author: u64,
        head: &str,
        context: &str,
        state: &str,
        description: Option<&str>,
    ) {
        let (id, at) = (self.world.id(), self.world.now);
        let status = Status {
            id,
            author,
            head: head.to_owned(),
            context: context.to_owned(),
            state: state.to_owned(),
            description: description.map(ToOwned::to_owned),
            at,
        };
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found.statuses.push(status);
        self.emit(
            "status",
            None,
            Some(repository),
            json!({ "sha": head, "context": context, "state": state }),
        );
    }

    /// A workflow runs on a commit and attaches an artifact.
    pub fn attach(
        &mut self,
        repository: u64,
        actor: u64,
        head: &str,
        path: &str,
        name: &str,
        bytes: &[u8],
    ) -> u64 {
        let (run, id, at) = (self.world.id(), self.world.id(), self.world.now);
        let event = "pull_request".to_owned();
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        found
            .runs
            .insert(run, Run { id: run, path: path.to_owned(), event, head: head.to_owned(), actor, at });
        found.artifacts.insert(id, Artifact { id, name: name.to_owned(), run, bytes: bytes.to_vec(), at });
        let payload = json!({ "workflow_run": { "id": run, "head_sha": head } });
        self.emit("workflow_run", Some("completed"), Some(repository), payload);
        id
    }
}
