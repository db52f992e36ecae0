//! Facts of a pull request.

use ontology::{Digest, Timestamp};
use serde::{Deserialize, Serialize};

use super::Gap;
use crate::forge::view::{
    Artifact, ChangedFile, CheckRun, Commit, Pull, Reaction, Review, Status, TimelineEvent, WorkflowRun,
};
use crate::forge::{Evidence, Listing, Shortfall, Source};
use crate::git::GitFacts;

/// A pull request, at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PullFacts {
    /// What is known. Its digest changes when something of it does.
    pub content: PullContent,
    /// When reading began, by the forge's clock.
    pub began_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The exchanges: request ids, versions, digests of the bodies.
    pub sources: Vec<Source>,
    /// The bodies, as they came, in the order of the exchanges.
    #[serde(skip)]
    pub evidence: Vec<Evidence>,
}

/// What is known of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PullContent {
    /// The repository's numeric id.
    pub repository: u64,
    /// `owner/name`, for people and calls.
    pub full_name: String,
    /// The pull request itself.
    pub pull: Pull,
    /// The head of the base branch, read by us; absent when it could not be.
    pub base_head: Option<String>,
    /// Commits of the base that the head lacks: 0 is up to date (fault 68). Absent when it is not known.
    pub behind_by: Option<u64>,
    /// The newest commit that both have.
    pub merge_base: Option<String>,
    /// Commits of the head that the base lacks.
    pub commits: Listing<Commit>,
    /// Files that they change.
    pub files: Listing<ChangedFile>,
    /// Check runs of the head, superseded ones too.
    pub check_runs: Listing<CheckRun>,
    /// The newest status of each context of the head.
    pub statuses: Listing<Status>,
    /// Events, comments among them.
    pub timeline: Listing<TimelineEvent>,
    /// Reviews.
    pub reviews: Listing<Review>,
    /// Reactions to the pull request's text.
    pub reactions: Listing<Reaction>,
    /// Plan artifacts of the head.
    pub artifacts: Listing<Artifact>,
    /// Workflow runs of the head; read where there are artifacts.
    pub runs: Listing<WorkflowRun>,
    /// What git says of base and head; absent without a mirror.
    pub git: Option<GitFacts>,
    /// Whether anything moved while it was read.
    pub moved: Option<Shortfall>,
}

/// Proof that a snapshot is whole. Only [`PullFacts::complete`] makes one.
#[derive(Debug, Clone, Copy)]
pub struct Complete<'facts>(&'facts PullFacts);

impl std::ops::Deref for Complete<'_> {
    type Target = PullFacts;

    fn deref(&self) -> &PullFacts {
        self.0
    }
}

impl PullFacts {
    /// What is not whole, sorted. Each gap blocks.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let content = &self.content;
        let missing = |part: &str, is: bool| {
            let why = "it was not read".to_owned();
            (!is).then(|| Gap::of(part, Shortfall::Unreadable { why }))
        };
        let lists = [
            ("artifacts", &content.artifacts.shortfall),
            ("check_runs", &content.check_runs.shortfall),
            ("commits", &content.commits.shortfall),
            ("files", &content.files.shortfall),
            ("reactions", &content.reactions.shortfall),
            ("reviews", &content.reviews.shortfall),
            ("runs", &content.runs.shortfall),
            ("snapshot", &content.moved),
            ("statuses", &content.statuses.shortfall),
            ("timeline", &content.timeline.shortfall),
        ];
        let of_lists =
            lists.into_iter().filter_map(|(part, short)| short.clone().map(|short| Gap::of(part, short)));
        let of_values = [
            missing("base_head", content.base_head.is_some()),
            missing("behind_by", content.behind_by.is_some()),
        ];
        let mut gaps: Vec<Gap> = of_lists.chain(of_values.into_iter().flatten()).collect();
        gaps.sort();
        gaps
    }

    /// The snapshot as one that is whole, where it is.
    #[must_use]
    pub fn complete(&self) -> Option<Complete<'_>> {
        self.gaps().is_empty().then_some(Complete(self))
    }

    /// The digest of what is known: of its JSON, without times and exchanges. The same world gives the same digest.
    ///
    /// # Panics
    /// Never: the content has no map whose keys are not text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(
            &serde_json::to_vec(&self.content).expect("the content is made of lists, texts and numbers"),
        )
    }

    /// The same, with what git says. Facts of other commits than these are refused.
    #[must_use]
    pub fn with_git(mut self, git: GitFacts) -> Self {
        let content = &mut self.content;
        let agrees = git.head == content.pull.head.sha && Some(&git.base) == content.base_head.as_ref();
        let listed: Vec<&str> = content.commits.items.iter().map(|commit| commit.sha.as_str()).collect();
        let mut in_git: Vec<&str> = git.commits.iter().map(|commit| commit.sha.as_str()).collect();
        in_git.sort_unstable();
        let mut sorted = listed;
        sorted.sort_unstable();
        if !agrees {
            content.moved.get_or_insert(Shortfall::Disagrees { with: "git".to_owned() });
        } else if sorted != in_git || content.behind_by.is_some_and(|behind| behind != git.behind_by) {
            content.commits.fall_short(Shortfall::Disagrees { with: "git".to_owned() });
        }
        content.git = Some(git);
        self
    }
}
