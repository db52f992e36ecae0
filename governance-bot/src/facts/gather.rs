//! Reading a pull request: at most ten calls, the last two of which prove that nothing moved meanwhile.

use std::collections::BTreeSet;

use super::branch::{commit_checks, keep};
use super::{PullContent, PullFacts, RepositoryFacts};
use crate::forge::client::Listed;
use crate::forge::limits::{COMPARED_FILES_CAP, FILES_CAP};
use crate::forge::view::{
    Artifact, ChangedFile, Commit, Comparison, Pull, Reaction, Review, TimelineEvent, WorkflowRun,
};
use crate::forge::{
    Actor, Answer, Call, Client, Evidence, Failure, Listing, Operation, Shortfall, Source, Wire,
};
use crate::git::trailers;

/// How often a pull request is read anew when it moved while it was read. One that moves faster is not ready anyway.
pub const GATHER_ATTEMPTS_MAX: u32 = 2;

/// Reads pull request `number`. What cannot be read is a gap of the snapshot.
///
/// # Errors
/// When the pull request itself cannot be read: without its head nothing about it is known.
pub async fn pull_facts<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    repository: &RepositoryFacts,
    number: u64,
) -> Result<PullFacts, Failure> {
    let mut attempt = 1;
    loop {
        let facts = Reading::new(client, actor, repository, number).read().await?;
        if facts.content.moved != Some(Shortfall::Changed) || attempt >= GATHER_ATTEMPTS_MAX {
            return Ok(facts);
        }
        attempt += 1;
    }
}

/// One reading of a pull request.
struct Reading<'a, W> {
    client: &'a Client<W>,
    actor: Actor,
    repository: &'a RepositoryFacts,
    number: u64,
    sources: Vec<Source>,
    evidence: Vec<Evidence>,
}

/// What a comparison says.
struct Compared {
    behind_by: Option<u64>,
    merge_base: Option<String>,
    commits: Listing<Commit>,
    files: Listing<ChangedFile>,
}

impl<'a, W: Wire> Reading<'a, W> {
    const fn new(client: &'a Client<W>, actor: Actor, repository: &'a RepositoryFacts, number: u64) -> Self {
        Self { client, actor, repository, number, sources: Vec::new(), evidence: Vec::new() }
    }

    fn about(&self, operation: Operation) -> Call {
        Call::of(operation, &self.repository.repository.full_name)
            .at("pull_number", self.number)
            .at("issue_number", self.number)
    }

    fn keep<T>(&mut self, listed: Result<Listed<T>, Failure>) -> Listing<T> {
        keep(listed, &mut self.sources, &mut self.evidence)
    }

    async fn read(mut self) -> Result<PullFacts, Failure> {
        let began_at = self.client.server_now();
        let call = self.about(Operation::GET_PULL);
        let answer = self.client.call(self.actor, &call).await?;
        let mut pull: Pull = answer.view(Operation::GET_PULL)?;
        self.sources.push(answer.source);
        self.evidence.push(answer.evidence);

        let base_head = self.repository.branches.get(&pull.base.branch).map(|branch| branch.head.clone());
        let compared = self.compare(&pull, base_head.as_deref()).await;
        let name = &self.repository.repository.full_name;
        let checks = commit_checks(self.client, self.actor, name, &pull.head.sha).await;
        self.sources.extend(checks.sources);
        self.evidence.extend(checks.evidence);
        let call = self.about(Operation::LIST_TIMELINE);
        let listed = self.client.list::<TimelineEvent>(self.actor, &call).await;
        let timeline_pages = listed.as_ref().map(|listed| listed.pages.clone()).unwrap_or_default();
        let mut timeline = self.keep(listed);
        let call = self.about(Operation::LIST_REVIEWS);
        let listed = self.client.list::<Review>(self.actor, &call).await;
        let mut reviews = self.keep(listed);
        let reactions = self.reactions().await;
        let artifacts = self.artifacts(&pull);
        let runs = self.runs(&pull, &artifacts).await;
        cross_check(&pull, &mut timeline, &mut reviews);
        let moved = self.moved(&mut pull, &timeline_pages, &mut timeline).await;
        let content = PullContent {
            repository: self.repository.repository.id,
            full_name: name.clone(),
            base_head,
            behind_by: compared.behind_by,
            merge_base: compared.merge_base,
            commits: compared.commits,
            files: compared.files,
            check_runs: checks.check_runs,
            statuses: checks.statuses,
            timeline,
            reviews,
            reactions,
            artifacts,
            runs,
            git: None,
            moved,
            pull,
        };
        let ended_at = self.client.server_now();
        Ok(PullFacts { content, began_at, ended_at, sources: self.sources, evidence: self.evidence })
    }

    /// Commits and files, by SHA: a branch that moves meanwhile changes nothing of it.
    async fn compare(&mut self, pull: &Pull, base_head: Option<&str>) -> Compared {
        let unread = |why: String| Compared {
            behind_by: None,
            merge_base: None,
            commits: Listing::unreadable(&why),
            files: Listing::unreadable(&why),
        };
        let Some(base_head) = base_head else { return unread("the base branch was not read".to_owned()) };
        let call = self.about(Operation::COMPARE).at("base", base_head).at("head", &pull.head.sha);
        let listed = match self.client.list::<Commit>(self.actor, &call).await {
            Ok(listed) => listed,
            Err(failure) => return unread(failure.to_string()),
        };
        let first: Result<Comparison, _> =
            listed.pages.first().map_or_else(|| Err(missing_page()), |page| page.view(Operation::COMPARE));
        let mut commits = self.keep(Ok(listed));
        let comparison = match first {
            Ok(comparison) => comparison,
            Err(failure) => return unread(failure.to_string()),
        };
        for commit in &mut commits.items {
            commit.trailers = trailers::parse(&commit.commit.message);
        }
        if commits.items.len() as u64 != comparison.ahead_by {
            let counted = comparison.ahead_by;
            commits.fall_short(Shortfall::Counted { counted, listed: commits.items.len() });
        }
        let mut files = match comparison.files {
            Some(files) if files.len() < COMPARED_FILES_CAP => Listing::whole(files),
            Some(_) | None => {
                let call = self.about(Operation::LIST_PULL_FILES);
                let listed = self.client.list::<ChangedFile>(self.actor, &call).await;
                self.keep(listed)
            }
        };
        files.cap_at(FILES_CAP);
        files.hold_against(pull.changed_files);
        let merge_base = comparison.merge_base_commit.map(|commit| commit.sha);
        Compared { behind_by: Some(comparison.behind_by), merge_base, commits, files }
    }

    /// Reactions, held against the count that the repository's issues state. None counted is none read.
    async fn reactions(&mut self) -> Listing<Reaction> {
        let issue = self.repository.issues.items.iter().find(|issue| issue.number == self.number);
        let counted = issue.and_then(|issue| issue.reactions.as_ref()).map(|counts| counts.total_count);
        if counted == Some(0) {
            return Listing::whole(Vec::new());
        }
        let call = self.about(Operation::LIST_REACTIONS);
        let listed = self.client.list::<Reaction>(self.actor, &call).await;
        let mut reactions = self.keep(listed);
        match counted {
            Some(counted) => reactions.hold_against(Some(counted)),
            None => reactions.fall_short(Shortfall::Disagrees { with: "the open issues".to_owned() }),
        }
        reactions
    }

    /// Plan artifacts that say that they were made for this head.
    fn artifacts(&self, pull: &Pull) -> Listing<Artifact> {
        let all = &self.repository.artifacts;
        let of_head = all.items.iter().filter(|artifact| {
            let run = artifact.workflow_run.as_ref();
            run.and_then(|run| run.head_sha.as_ref()) == Some(&pull.head.sha)
        });
        Listing { items: of_head.cloned().collect(), shortfall: all.shortfall.clone() }
    }

    /// Runs of the head, where an artifact names one: what a plan comes from.
    async fn runs(&mut self, pull: &Pull, artifacts: &Listing<Artifact>) -> Listing<WorkflowRun> {
        if artifacts.items.is_empty() {
            return Listing::whole(Vec::new());
        }
        let call = self.about(Operation::LIST_RUNS).with("head_sha", &pull.head.sha);
        let listed = self.client.list::<WorkflowRun>(self.actor, &call).await;
        let mut runs = self.keep(listed);
        let known: BTreeSet<u64> = runs.items.iter().map(|run| run.id).collect();
        let named = artifacts.items.iter().filter_map(|artifact| artifact.workflow_run.as_ref()?.id);
        if named.into_iter().any(|id| !known.contains(&id)) {
            runs.fall_short(Shortfall::Disagrees { with: "artifacts".to_owned() });
        }
        runs
    }

    /// Whether the pull request or its events changed since they were read.
    async fn moved(
        &mut self,
        pull: &mut Pull,
        timeline_pages: &[Answer],
        timeline: &mut Listing<TimelineEvent>,
    ) -> Option<Shortfall> {
        // A listing of several pages has been read twice by its proof.
        if let [page] = timeline_pages {
            let again = self.about(Operation::LIST_TIMELINE).page(&page.source.target);
            match self.client.call(self.actor, &again).await {
                Ok(again) if again.source.digest == page.source.digest => {}
                Ok(_) => return Some(Shortfall::Changed),
                Err(why) => timeline.fall_short(Shortfall::Unreadable { why: why.to_string() }),
            }
        }
        let answer = match self.client.call(self.actor, &self.about(Operation::GET_PULL)).await {
            Ok(answer) => answer,
            Err(why) => return Some(Shortfall::Unreadable { why: why.to_string() }),
        };
        let again: Pull = match answer.view(Operation::GET_PULL) {
            Ok(again) => again,
            Err(why) => return Some(Shortfall::Unreadable { why: why.to_string() }),
        };
        self.sources.push(answer.source);
        self.evidence.push(answer.evidence);
        let changed = still(pull) != still(&again);
        // Reading it made the forge compute whether it merges (fault 65): the second answer may know.
        *pull = again;
        changed.then_some(Shortfall::Changed)
    }
}

/// A pull request without what changes while nothing happens to it: the forge computes its test merge when it likes.
fn still(pull: &Pull) -> Pull {
    Pull { mergeable: None, mergeable_state: None, merge_commit_sha: None, updated_at: None, ..pull.clone() }
}

fn missing_page() -> Failure {
    Failure::Unreadable { operation: Operation::COMPARE.name, why: "there is no first page".to_owned() }
}

/// Listings that state no count are held against each other: the timeline has every review and every comment.
fn cross_check(pull: &Pull, timeline: &mut Listing<TimelineEvent>, reviews: &mut Listing<Review>) {
    if timeline.shortfall.is_some() || reviews.shortfall.is_some() {
        return;
    }
    let events = |kind: &str| -> BTreeSet<u64> {
        timeline.items.iter().filter(|event| event.is(kind)).filter_map(|event| event.id).collect()
    };
    let reviewed: BTreeSet<u64> = reviews.items.iter().map(|review| review.id).collect();
    let (in_timeline, commented) = (events("reviewed"), events("commented"));
    if !in_timeline.is_subset(&reviewed) {
        reviews.fall_short(Shortfall::Disagrees { with: "the timeline".to_owned() });
    }
    if !reviewed.is_subset(&in_timeline) {
        timeline.fall_short(Shortfall::Disagrees { with: "the reviews".to_owned() });
    }
    if let Some(counted) = pull.comments.filter(|counted| *counted != commented.len() as u64) {
        timeline.fall_short(Shortfall::Counted { counted, listed: commented.len() });
    }
}
