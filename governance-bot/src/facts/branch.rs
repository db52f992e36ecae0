//! Facts of a branch: its head, what protects it, and its commits back to an anchor.

use std::collections::BTreeSet;

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Gap, Known, RequiredCheck, required_checks};
use crate::forge::client::Listed;
use crate::forge::limits::{BRANCH_PAGES_MAX, CHECK_SUITES_CAP};
use crate::forge::view::{Branch, CheckRun, Commit, Protection, Rule, Status};
use crate::forge::{Actor, Call, Client, Evidence, Failure, Listing, Operation, Shortfall, Source, Wire};
use crate::git::trailers;

/// What GitHub answers for a branch that classic protection knows nothing of. A bare `Not Found` may be a missing
/// permission.
const NOT_PROTECTED: &str = "Branch not protected";
/// What it answers where the plan has no protection at all (fault 84).
const NOT_OFFERED: &str = "Upgrade to GitHub";

/// A branch, at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchFacts {
    /// Its name.
    pub name: String,
    /// Its head, read by us.
    pub head: String,
    /// Whether the forge says that anything protects it.
    pub protected: bool,
    /// Classic protection.
    pub protection: Known<Protection>,
    /// Rules of rulesets in force.
    pub rules: Listing<Rule>,
    /// Required checks of both.
    pub required: Known<BTreeSet<RequiredCheck>>,
    /// When it was read.
    pub at: Timestamp,
    /// The exchanges.
    pub sources: Vec<Source>,
    /// The bodies, as they came.
    #[serde(skip)]
    pub evidence: Vec<Evidence>,
}

impl BranchFacts {
    /// Reads a branch: three calls.
    ///
    /// # Errors
    /// When its head cannot be read: without it nothing about it is known.
    pub async fn read<W: Wire>(
        client: &Client<W>,
        actor: Actor,
        full_name: &str,
        branch: &str,
    ) -> Result<Self, Failure> {
        let about = |operation| Call::of(operation, full_name).at("branch", branch);
        let answer = client.call(actor, &about(Operation::GET_BRANCH)).await?;
        let read: Branch = answer.view(Operation::GET_BRANCH)?;
        let (mut sources, mut evidence) = (vec![answer.source], vec![answer.evidence]);
        let protection = match client.call(actor, &about(Operation::GET_PROTECTION)).await {
            Ok(answer) => {
                let protection = answer.view::<Protection>(Operation::GET_PROTECTION);
                sources.push(answer.source);
                evidence.push(answer.evidence);
                protection
            }
            Err(failure) => Err(failure),
        };
        let protection = Known::of(protection, &[NOT_PROTECTED, NOT_OFFERED]);
        let rules = match client.list::<Rule>(actor, &about(Operation::LIST_BRANCH_RULES)).await {
            Ok(Listed { listing, pages }) => {
                for page in pages {
                    sources.push(page.source);
                    evidence.push(page.evidence);
                }
                listing
            }
            Err(failure) if failure.refusal().is_some_and(|(_, words)| words.starts_with(NOT_OFFERED)) => {
                Listing::whole(Vec::new())
            }
            Err(failure) => Listing::unreadable(failure),
        };
        let required = required_checks(&protection, &rules);
        let (name, head, protected) = (read.name, read.commit.sha, read.protected);
        let at = client.server_now();
        Ok(Self { name, head, protected, protection, rules, required, at, sources, evidence })
    }

    /// What is not known of it.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let unreadable = |why: &str| Shortfall::Unreadable { why: why.to_owned() };
        let protection = self.protection.unknown().map(|why| Gap::of("protection", unreadable(why)));
        let rules = self.rules.shortfall.clone().map(|shortfall| Gap::of("rules", shortfall));
        protection.into_iter().chain(rules).collect()
    }
}

/// How far back the commits of a branch were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// To the anchor, which is not among them.
    Anchor,
    /// To the branch's first commit: the anchor is no part of it any more.
    Beginning,
    /// To the bound: the anchor may be further back.
    Bound,
}

/// The commits of a branch, newest first, back to an anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchHistory {
    /// The commits. Pinned to the head: pages cannot shift while they are read.
    pub commits: Listing<Commit>,
    /// How far they go.
    pub reached: Reached,
    /// The exchanges.
    pub sources: Vec<Source>,
}

/// Reads the commits of a branch from `head` back to `anchor`, at most 1000 (research 1.14).
///
/// # Errors
/// When the first page cannot be read.
pub async fn branch_history<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    full_name: &str,
    head: &str,
    anchor: Option<&str>,
) -> Result<BranchHistory, Failure> {
    let call = Call::of(Operation::LIST_COMMITS, full_name).with("sha", head);
    let is_anchor = |commit: &Commit| Some(commit.sha.as_str()) == anchor;
    let enough = |commits: &[Commit]| commits.iter().any(is_anchor);
    let Listed { mut listing, pages } = client.list_until(actor, &call, BRANCH_PAGES_MAX, enough).await?;
    let at = listing.items.iter().position(is_anchor);
    let reached = match (at, &listing.shortfall) {
        (Some(at), _) => {
            listing.items.truncate(at);
            Reached::Anchor
        }
        (None, Some(_)) => Reached::Bound,
        (None, None) => Reached::Beginning,
    };
    for commit in &mut listing.items {
        commit.trailers = trailers::parse(&commit.commit.message);
    }
    let sources = pages.into_iter().map(|page| page.source).collect();
    Ok(BranchHistory { commits: listing, reached, sources })
}

/// Check runs and statuses of a commit.
#[derive(Debug, Clone)]
pub struct CommitChecks {
    /// Check runs, superseded ones too.
    pub check_runs: Listing<CheckRun>,
    /// The newest status of each context.
    pub statuses: Listing<Status>,
    /// The exchanges.
    pub sources: Vec<Source>,
    /// The bodies, as they came.
    pub evidence: Vec<Evidence>,
}

/// Reads check runs and statuses of a commit: two calls. What cannot be read falls short.
pub async fn commit_checks<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    full_name: &str,
    sha: &str,
) -> CommitChecks {
    let about = |operation| Call::of(operation, full_name).at("ref", sha);
    let (mut sources, mut evidence) = (Vec::new(), Vec::new());
    let all = about(Operation::LIST_CHECK_RUNS).with("filter", "all");
    let mut check_runs = keep(client.list::<CheckRun>(actor, &all).await, &mut sources, &mut evidence);
    let suites: BTreeSet<u64> =
        check_runs.items.iter().filter_map(|run| run.check_suite.as_ref()).map(|suite| suite.id).collect();
    if suites.len() >= CHECK_SUITES_CAP {
        check_runs.fall_short(Shortfall::Capped { cap: CHECK_SUITES_CAP, listed: suites.len() });
    }
    if check_runs.items.iter().any(|run| run.head_sha != sha) {
        check_runs.fall_short(Shortfall::Disagrees { with: "the head".to_owned() });
    }
    let call = about(Operation::GET_STATUS);
    let statuses = keep(client.list::<Status>(actor, &call).await, &mut sources, &mut evidence);
    CommitChecks { check_runs, statuses, sources, evidence }
}

/// Keeps the exchanges of a listing. One that could not be read falls short.
pub(super) fn keep<T>(
    listed: Result<Listed<T>, Failure>,
    sources: &mut Vec<Source>,
    evidence: &mut Vec<Evidence>,
) -> Listing<T> {
    match listed {
        Ok(Listed { listing, pages }) => {
            for page in pages {
                sources.push(page.source);
                evidence.push(page.evidence);
            }
            listing
        }
        Err(failure) => Listing::unreadable(failure),
    }
}
