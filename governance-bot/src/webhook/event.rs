//! What a webhook says: which place changed. Any event is one; an unknown one names its repository at least.

use serde_json::Value;

/// An event, read leniently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// `x-github-delivery`: the same for every redelivery.
    pub delivery: String,
    /// `x-github-event`.
    pub name: String,
    /// Its action, where it has one.
    pub action: Option<String>,
    /// The installation that it was sent for.
    pub installation: Option<u64>,
    /// The repository that it is about, by number and name.
    pub repository: Option<(u64, String)>,
    /// What to look at.
    pub touched: Vec<Touched>,
}

/// A place to look at again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// A pull request (or issue: the number does not tell).
    Pull(u64),
    /// Every pull request with this head: a fork's check names none, and may name some of other repositories (fault
    /// 75).
    Head(String),
    /// A branch: its head, its protection, and every pull request into it.
    Branch(String),
    /// The repository's settings: rulesets, default branch, labels.
    Repository,
    /// The installation: its repositories or permissions changed.
    Installation,
}

impl Event {
    /// From the headers and the body. None when the body is no JSON object.
    #[must_use]
    pub fn read(delivery: &str, name: &str, body: &[u8]) -> Option<Self> {
        let body: Value = serde_json::from_slice(body).ok().filter(Value::is_object)?;
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        let repository = body.get("repository").and_then(|repository| {
            Some((repository.get("id")?.as_u64()?, text(repository.get("full_name")?)?))
        });
        let mut touched = touched(name, &body);
        touched.sort();
        touched.dedup();
        Some(Self {
            delivery: delivery.to_owned(),
            name: name.to_owned(),
            action: text(&body["action"]),
            installation: body["installation"]["id"].as_u64(),
            repository,
            touched,
        })
    }
}

/// Places that an event names, in whatever order events arrive: a state is read, never taken from here (fault 73).
fn touched(name: &str, body: &Value) -> Vec<Touched> {
    let sha = |value: &Value| value.as_str().map(|sha| Touched::Head(sha.to_owned()));
    let number = |value: &Value| value.as_u64().map(Touched::Pull);
    let branch = |value: &Value| {
        let name = value.as_str()?;
        Some(Touched::Branch(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()))
    };
    let found: Vec<Option<Touched>> = match name {
        "pull_request"
        | "pull_request_review"
        | "pull_request_review_comment"
        | "pull_request_review_thread" => {
            let old_base = &body["changes"]["base"]["ref"]["from"];
            vec![number(&body["pull_request"]["number"]), branch(old_base)]
        }
        "issue_comment" | "issues" => vec![number(&body["issue"]["number"])],
        "check_run" => vec![sha(&body["check_run"]["head_sha"])],
        "check_suite" => vec![sha(&body["check_suite"]["head_sha"])],
        "workflow_run" => vec![sha(&body["workflow_run"]["head_sha"])],
        "workflow_job" => vec![sha(&body["workflow_job"]["head_sha"])],
        "status" => vec![sha(&body["sha"])],
        "push" => vec![branch(&body["ref"])],
        "create" | "delete" if body["ref_type"] == "branch" => vec![branch(&body["ref"])],
        "merge_group" => {
            vec![sha(&body["merge_group"]["head_sha"]), branch(&body["merge_group"]["base_ref"])]
        }
        "branch_protection_rule"
        | "branch_protection_configuration"
        | "repository_ruleset"
        | "repository"
        | "label"
        | "member"
        | "public" => vec![Some(Touched::Repository)],
        "installation" | "installation_repositories" | "installation_target" => {
            vec![Some(Touched::Installation)]
        }
        _ => Vec::new(),
    };
    let mut touched: Vec<Touched> = found.into_iter().flatten().collect();
    // An event of a repository that names no place known here may have changed anything in it.
    if touched.is_empty() && body.get("repository").is_some() {
        touched.push(Touched::Repository);
    }
    touched
}
