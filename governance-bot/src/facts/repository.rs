//! Facts of a repository: what its pull requests have in common, read once for all of them.

use std::collections::{BTreeMap, BTreeSet};

use ontology::Timestamp;

use super::branch::keep;
use super::{BranchFacts, Gap};
use crate::forge::view::{Artifact, Issue, Pull, Repository};
use crate::forge::{Actor, Call, Client, Evidence, Failure, Listing, Operation, Shortfall, Source, Wire};

/// A repository, at one time.
#[derive(Debug, Clone)]
pub struct RepositoryFacts {
    /// The repository.
    pub repository: Repository,
    /// Its open pull requests, oldest first.
    pub pulls: Listing<Pull>,
    /// Its open issues, pull requests among them: reactions are counted here.
    pub issues: Listing<Issue>,
    /// Artifacts with the name under which plans are attached; none is read where none is named.
    pub artifacts: Listing<Artifact>,
    /// The default branch and the bases of all pull requests. One that could not be read is not here.
    pub branches: BTreeMap<String, BranchFacts>,
    /// What is not whole.
    pub gaps: Vec<Gap>,
    /// When reading began, by the forge's clock.
    pub began_at: Timestamp,
    /// The exchanges.
    pub sources: Vec<Source>,
    /// The bodies, as they came.
    pub evidence: Vec<Evidence>,
}

/// Reads a repository: four calls, and three for each base.
///
/// # Errors
/// When the repository itself cannot be read.
pub async fn repository_facts<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    full_name: &str,
    plan_artifact: Option<&str>,
) -> Result<RepositoryFacts, Failure> {
    let began_at = client.server_now();
    let about = |operation| Call::of(operation, full_name);
    let answer = client.call(actor, &about(Operation::GET_REPOSITORY)).await?;
    let repository: Repository = answer.view(Operation::GET_REPOSITORY)?;
    let (mut sources, mut evidence) = (vec![answer.source], vec![answer.evidence]);
    let oldest_first =
        |call: Call| call.with("state", "open").with("sort", "created").with("direction", "asc");
    let call = oldest_first(about(Operation::LIST_PULLS));
    let mut pulls = keep(client.list::<Pull>(actor, &call).await, &mut sources, &mut evidence);
    let call = oldest_first(about(Operation::LIST_ISSUES));
    let issues = keep(client.list::<Issue>(actor, &call).await, &mut sources, &mut evidence);
    let artifacts = match plan_artifact {
        Some(name) => {
            let call = about(Operation::LIST_ARTIFACTS).with("name", name);
            keep(client.list::<Artifact>(actor, &call).await, &mut sources, &mut evidence)
        }
        None => Listing::whole(Vec::new()),
    };
    // Two listings of the same things: neither states a count, so each is the other's proof.
    let listed: BTreeSet<u64> = pulls.items.iter().map(|pull| pull.number).collect();
    let as_issues: BTreeSet<u64> =
        issues.items.iter().filter(|issue| issue.pull_request.is_some()).map(|issue| issue.number).collect();
    if listed != as_issues {
        pulls.fall_short(Shortfall::Disagrees { with: "the open issues".to_owned() });
    }
    let bases = pulls.items.iter().map(|pull| pull.base.branch.clone());
    let bases: BTreeSet<String> = bases.chain(repository.default_branch.clone()).collect();
    let mut gaps = Vec::new();
    let mut branches = BTreeMap::new();
    for branch in bases {
        match BranchFacts::read(client, actor, full_name, &branch).await {
            Ok(facts) => drop(branches.insert(branch, facts)),
            Err(failure) => gaps.push(Gap::of(
                &format!("branches/{branch}"),
                Shortfall::Unreadable { why: failure.to_string() },
            )),
        }
    }
    let lists = [("pulls", &pulls.shortfall), ("artifacts", &artifacts.shortfall)];
    gaps.extend(
        lists.into_iter().filter_map(|(part, short)| short.clone().map(|short| Gap::of(part, short))),
    );
    Ok(RepositoryFacts { repository, pulls, issues, artifacts, branches, gaps, began_at, sources, evidence })
}
