//! Pull requests: reading, opening, editing, reviewing.

use serde_json::Value;

use super::super::bare::{GitCommit, GitFile};
use super::super::people::NewPull;
use super::super::world::Pull;
use super::super::{Asked, Hub, Said};

/// Commits that a pull request lists at most (fault 85).
const COMMITS_MAX: usize = 250;
/// Files that a pull request lists at most (fault 86).
const FILES_MAX: usize = 3_000;

impl Hub {
    pub(super) fn route_pulls(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        let number = asked.number("pull_number");
        match operation {
            "pulls/list" => return self.list_pulls(asked, repository),
            "pulls/create" => return self.create_pull(asked, repository),
            _ => {}
        }
        if !self.world.repositories[&repository].pulls.contains_key(&number) {
            return Said::missing();
        }
        match operation {
            "pulls/get" => {
                let said = Said::ok(self.pull(repository, number, true));
                self.look_at(repository, number);
                said
            }
            "pulls/list-commits" => {
                let commits =
                    self.commits_of(repository, &self.world.repositories[&repository].pulls[&number]);
                let shown = commits.iter().take(COMMITS_MAX);
                Said::list(shown.map(|commit| self.commit(repository, commit)).collect())
            }
            "pulls/list-files" => {
                let files = self.files_of(repository, &self.world.repositories[&repository].pulls[&number]);
                Said::list(files.iter().take(FILES_MAX).map(|file| self.file(repository, file)).collect())
            }
            "pulls/list-reviews" => {
                let reviews = &self.world.repositories[&repository].pulls[&number].reviews;
                Said::list(reviews.iter().map(|review| self.review(review)).collect())
            }
            "pulls/create-review" => self.create_review(asked, repository, number),
            "pulls/update" => self.update_pull(asked, repository, number),
            "pulls/update-branch" => self.update_branch(asked, repository, number),
            "pulls/merge" => self.merge(asked, repository, number),
            _ => Said::missing(),
        }
    }

    /// Commits of the head that the base lacks, as of the landing where it landed.
    pub(crate) fn commits_of(&self, repository: u64, pull: &Pull) -> Vec<GitCommit> {
        let found = &self.world.repositories[&repository];
        found.bare.commits(Some(&self.base_of(repository, pull)), &pull.head)
    }

    /// Files that differ from where head and base parted.
    pub(crate) fn files_of(&self, repository: u64, pull: &Pull) -> Vec<GitFile> {
        let found = &self.world.repositories[&repository];
        let parted = found.bare.merge_base(&self.base_of(repository, pull), &pull.head);
        parted.map(|parted| found.bare.files(&parted, &pull.head)).unwrap_or_default()
    }

    fn base_of(&self, repository: u64, pull: &Pull) -> String {
        let now = self.world.repositories[&repository].branches.get(&pull.base_branch);
        now.filter(|_| pull.merged.is_none()).unwrap_or(&pull.base).clone()
    }

    /// Looking at a pull request has its mergeability computed, which takes a while.
    fn look_at(&mut self, repository: u64, number: u64) {
        let after = self.behaviour.mergeable_after_reads;
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        let pull = found.pulls.get_mut(&number).expect("it was resolved");
        let base = found.branches.get(&pull.base_branch).unwrap_or(&pull.base).clone();
        match &mut pull.mergeability {
            Some((of_base, of_head, reads)) if *of_base == base && *of_head == pull.head => {
                *reads = reads.saturating_sub(1)
            }
            known => *known = Some((base, pull.head.clone(), after.saturating_sub(1))),
        }
    }

    fn list_pulls(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        let state = asked.query.get("state").map_or("open", String::as_str);
        let base = asked.query.get("base");
        let mut numbers: Vec<u64> = found
            .pulls
            .values()
            .filter(|pull| state == "all" || (state == "open") == found.issues[&pull.number].open)
            .filter(|pull| base.is_none_or(|base| *base == pull.base_branch))
            .map(|pull| pull.number)
            .collect();
        if asked.query.get("direction").is_none_or(|direction| direction == "desc") {
            numbers.reverse();
        }
        Said::list(numbers.into_iter().map(|number| self.pull(repository, number, false)).collect())
    }

    fn create_pull(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "pull_requests", "write") {
            return refusal;
        }
        let head = asked.text("head").unwrap_or_default();
        let (owner, branch) =
            head.split_once(':').map_or((None, head.as_str()), |(owner, branch)| (Some(owner), branch));
        let name = self.world.repositories[&repository].name.clone();
        let of_fork = owner.and_then(|owner| self.world.repository_id(owner, &name));
        let (head_repository, branch) = (of_fork.unwrap_or(repository), branch.to_owned());
        let base = asked.text("base").unwrap_or_default();
        let known = self.world.repositories[&head_repository].branches.contains_key(&branch)
            && self.world.repositories[&repository].branches.contains_key(&base);
        if !known {
            return Said::refused(422, "Validation Failed");
        }
        let author = self.world.actor(asked.who);
        let (title, body) = (asked.text("title").unwrap_or_default(), asked.text("body").unwrap_or_default());
        let draft = asked.body["draft"] == Value::Bool(true);
        let new = NewPull {
            head_repository,
            head_branch: &branch,
            base_branch: &base,
            title: &title,
            body: &body,
            author,
            draft,
        };
        let number = self.open_pull(repository, &new);
        Said::with(201, self.pull(repository, number, true))
    }

    fn create_review(&mut self, asked: &Asked<'_>, repository: u64, number: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "pull_requests", "write") {
            return refusal;
        }
        let state = match asked.text("event").as_deref() {
            Some("APPROVE") => "APPROVED",
            Some("REQUEST_CHANGES") => "CHANGES_REQUESTED",
            _ => "COMMENTED",
        };
        let actor = self.world.actor(asked.who);
        if state == "APPROVED" && self.world.repositories[&repository].issues[&number].author == actor {
            return Said::refused(422, "Review Can not approve your own pull request");
        }
        let id = self.review_by(repository, number, actor, state, &asked.text("body").unwrap_or_default());
        let reviews = &self.world.repositories[&repository].pulls[&number].reviews;
        let review = reviews.iter().find(|review| review.id == id).expect("it was just made");
        Said::ok(self.review(review))
    }

    fn update_pull(&mut self, asked: &Asked<'_>, repository: u64, number: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "pull_requests", "write") {
            return refusal;
        }
        let actor = self.world.actor(asked.who);
        if let Some(base) = asked.text("base") {
            if !self.world.repositories[&repository].branches.contains_key(&base) {
                return Said::refused(422, "Validation Failed");
            }
            self.retarget(repository, number, &base, actor);
        }
        self.edit(repository, number, asked.text("title"), asked.text("body"), actor);
        if let Some(state) = asked.text("state") {
            self.set_open(repository, number, state == "open", actor);
        }
        Said::ok(self.pull(repository, number, true))
    }
}
