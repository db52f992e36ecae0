//! The few operations that REST does not have: a rebase of a branch with an expected head, and what the forge itself
//! requires of a head.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::call::Call;
use super::client::{Actor, Client};
use super::failure::Failure;
use super::limits::PAGES_MAX;
use super::operation::Operation;
use super::pages::{Listing, Shortfall};
use super::retry::message;
use super::wire::{Reply, Wire};

/// Rebases the branch of a pull request: REST's `update-branch` can only merge.
pub const REBASE_BRANCH: &str = "mutation ($pull: ID!, $head: GitObjectID!) {
  updatePullRequestBranch(input: {pullRequestId: $pull, expectedHeadOid: $head, updateMethod: REBASE}) {
    pullRequest { id headRefOid }
  }
}";

/// Which checks of a head the forge requires for this pull request: it may refuse what looks green (fault 16).
pub const REQUIRED_OF_HEAD: &str = "query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      headRefOid
      statusCheckRollup {
        contexts(first: 100, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes {
            __typename
            ... on CheckRun { databaseId name isRequired(pullRequestNumber: $number) conclusion status }
            ... on StatusContext { context isRequired(pullRequestNumber: $number) state }
          }
        }
      }
    }
  }
}";

/// A check or status of the head, and whether the forge requires it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadCheck {
    /// Its name.
    pub name: String,
    /// The check run; absent for a status.
    pub check_run: Option<u64>,
    /// Whether the forge requires it for this pull request.
    pub required: bool,
}

/// Sends an operation and returns its data. Errors beside data are a refusal: half an answer is none.
async fn ask<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    operation: Operation,
    query: &str,
    variables: Value,
) -> Result<Value, Failure> {
    let call = Call::new(operation).sending(json!({ "query": query, "variables": variables }));
    let answer = client.call(actor, &call).await?;
    let mut body: Value = answer.view(operation)?;
    if let Some(error) = body.get("errors").and_then(|errors| errors.get(0)) {
        let reply = Reply { body: error.to_string().into_bytes(), ..Reply::default() };
        let request_id = answer.source.request_id;
        return Err(Failure::Refused {
            operation: operation.name,
            status: 200,
            message: message(&reply),
            request_id,
        });
    }
    Ok(body["data"].take())
}

/// Rebases the branch of the pull request `node_id` onto its base, if its head is still `expected_head`. Messages and
/// trailers stay. Returns the new head, where the forge says it at once. Never sent twice.
///
/// # Errors
/// When the head moved, the rebase conflicts, or the outcome is in doubt.
pub async fn rebase_branch<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    node_id: &str,
    expected_head: &str,
) -> Result<Option<String>, Failure> {
    let variables = json!({ "pull": node_id, "head": expected_head });
    let data = ask(client, actor, Operation::GRAPHQL_MUTATION, REBASE_BRANCH, variables).await?;
    let head = data["updatePullRequestBranch"]["pullRequest"]["headRefOid"].as_str();
    Ok(head.map(ToOwned::to_owned))
}

/// What the forge requires of the head of a pull request, and the head that this is about.
///
/// # Errors
/// When it cannot be read.
pub async fn required_of_head<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    full_name: &str,
    number: u64,
) -> Result<(String, Listing<HeadCheck>), Failure> {
    let (owner, name) = full_name.split_once('/').unwrap_or((full_name, ""));
    let operation = Operation::GRAPHQL_QUERY;
    let (mut listing, mut head, mut after) = (Listing::whole(Vec::new()), None, Value::Null);
    for _ in 0..PAGES_MAX {
        let variables = json!({ "owner": owner, "name": name, "number": number, "after": after });
        let data = ask(client, actor, operation, REQUIRED_OF_HEAD, variables).await?;
        let pull = &data["repository"]["pullRequest"];
        let now = pull["headRefOid"].as_str().map(ToOwned::to_owned);
        if head.is_some() && head != now {
            listing.fall_short(Shortfall::Changed);
        }
        head = now;
        let contexts = &pull["statusCheckRollup"]["contexts"];
        listing.items.extend(contexts["nodes"].as_array().into_iter().flatten().filter_map(head_check));
        if contexts["pageInfo"]["hasNextPage"] != json!(true) {
            listing.hold_against(contexts["totalCount"].as_u64());
            let why = "the pull request has no head".to_owned();
            return Ok((head.ok_or(Failure::Unreadable { operation: operation.name, why })?, listing));
        }
        after = contexts["pageInfo"]["endCursor"].clone();
    }
    let listed = listing.items.len();
    listing.fall_short(Shortfall::Capped { cap: listed, listed });
    Ok((head.unwrap_or_default(), listing))
}

fn head_check(node: &Value) -> Option<HeadCheck> {
    let name = node.get("name").or_else(|| node.get("context"))?.as_str()?.to_owned();
    let required = node["isRequired"].as_bool()?;
    Some(HeadCheck { name, check_run: node["databaseId"].as_u64(), required })
}
