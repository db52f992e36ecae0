//! What people, their tools and their pipelines do: the same functions serve requests, stories of tests and the demo.

mod pulls;
mod setting;

pub use pulls::{NewCheck, NewPull};
pub use setting::{APP_KEY, APP_PUBLIC_KEY};

use ontology::Timestamp;

use super::Hub;
use super::world::{Event, Issue};

impl Hub {
    /// Time passes.
    pub fn pass(&mut self, seconds: i64) {
        self.world.now = self.world.now.plus_seconds(seconds);
    }

    /// An issue, and what every event about it changes.
    pub(crate) fn touch(&mut self, repository: u64, number: u64) -> &mut Issue {
        let now = self.world.now;
        let found = self.world.repositories.get_mut(&repository).expect("a repository that is there");
        let issue = found.issues.get_mut(&number).expect("an issue that is there");
        issue.updated_at = now;
        issue
    }

    /// Records an event of a timeline.
    pub(crate) fn record(
        &mut self,
        repository: u64,
        number: u64,
        kind: &'static str,
        actor: u64,
        label: Option<String>,
        commit: Option<String>,
    ) {
        let (id, at) = (self.world.id(), self.world.now);
        self.touch(repository, number).events.push(Event {
            id,
            kind,
            actor,
            at,
            label,
            commit,
            rename: None,
        });
    }

    /// A commit on top of `parent` by `author`: paths with their new text, or none where they go.
    ///
    /// # Panics
    /// When `parent` is not there.
    pub fn write_commit(
        &self,
        repository: u64,
        parent: &str,
        author: u64,
        message: &str,
        files: &[(&str, Option<&str>)],
    ) -> String {
        let bare = &self.world.repositories[&repository].bare;
        let stream = commit_stream(
            1,
            Some(parent),
            &self.world.accounts[&author].login,
            self.world.now,
            message,
            files,
        );
        bare.import(&stream)[&1].clone()
    }
}

/// One commit of a stream for `git fast-import`. `parent` is a SHA or `:MARK`.
#[must_use]
pub fn commit_stream(
    mark: u64,
    parent: Option<&str>,
    login: &str,
    at: Timestamp,
    message: &str,
    files: &[(&str, Option<&str>)],
) -> String {
    let date = super::bare::git_date(at);
    let mut stream = format!(
        "commit refs/fakehub/import\nmark :{mark}\nauthor {login} <{login}@users.example> {date}\n\
         committer {login} <{login}@users.example> {date}\ndata {}\n{message}\n",
        message.len()
    );
    if let Some(parent) = parent {
        stream.push_str(&format!("from {parent}\n"));
    }
    for (path, text) in files {
        match text {
            Some(text) => stream.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len())),
            None => stream.push_str(&format!("D {path}\n")),
        }
    }
    // A commit without a parent begins the import's branch anew.
    if parent.is_none() { format!("reset refs/fakehub/import\n{stream}\n") } else { format!("{stream}\n") }
}
