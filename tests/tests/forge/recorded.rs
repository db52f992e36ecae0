//! Traffic that nobody here wrote: recorded exchanges of two other clients, and GitHub's own examples of webhooks.
//! Nothing from 2018 on may fail to be read, and nothing at all may panic.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use governance_bot::forge::view::{
    Account, Artifact, Branch, ChangedFile, CheckRun, CommentEvent, Commit, Comparison, Delivery,
    Installation, Issue, Protection, Pull, Reaction, Repository, Review, Rule, Status, TimelineEvent,
    WorkflowRun,
};
use governance_bot::forge::{Class, Lost, Operation, Reply, pages, retry};
use governance_bot::webhook::{Event, Touched};
use ontology::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tests::fakehub::description::description;

/// The first year whose recordings must all be read: older shapes of the API are gone.
const SINCE: u32 = 2018;

/// The folder of a corpus. None when it could not be fetched: then `scripts/test` says so in its summary.
fn corpus(name: &str) -> Option<PathBuf> {
    static FETCHED: OnceLock<()> = OnceLock::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/corpora").join(name);
    if !folder.exists() {
        FETCHED.get_or_init(|| {
            let ran = Command::new("python3").arg(root.join("scripts/fetch-corpora")).status();
            if ran.is_err() {
                std::fs::create_dir_all(root.join("target/corpora")).unwrap();
                let line = "recorded traffic: there is no python3 to fetch it\n";
                std::fs::write(root.join("target/corpora/skipped"), line).unwrap();
            }
        });
    }
    let found = folder.exists();
    if !found {
        println!("skipped: {name} could not be fetched");
    }
    found.then_some(folder)
}

/// Recordings that somebody shortened by hand: GitHub never answered so.
const SHORTENED: [(&str, &str); 5] = [
    ("PullRequest.testDeleteBranch.txt", "a branch without its commit"),
    ("PullRequest.testForceDeleteBranch.txt", "a branch without its commit"),
    ("PullRequest.testRestoreBranch.txt", "a branch without its commit"),
    ("PullRequest.testDeleteOnMerge.txt", "a branch without its commit"),
    ("PullRequest1682.test_string_parameters.txt", "runs of an id alone, under `total_counts`"),
];

/// A recorded exchange.
struct Recorded {
    place: String,
    method: String,
    target: String,
    reply: Reply,
    year: Option<u32>,
}

fn year_of(date: &str) -> Option<u32> {
    date.split_whitespace().find_map(|word| word.parse().ok().filter(|year| (2008..2100).contains(year)))
}

/// Records of ten lines: protocol, method, host, port, target, headers, input, status, headers, body.
fn pygithub(folder: &Path) -> Vec<Recorded> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        for (at, record) in lines.chunks(11).enumerate() {
            let &[_, method, _, _, target, _, _, status, headers, body, ..] = record else { continue };
            let Ok(status) = status.parse() else { continue };
            let lower = headers.to_lowercase();
            let header = |name: &str| {
                let start = lower.find(&format!("'{name}', '"))? + name.len() + 5;
                let end = lower[start..].find('\'')?;
                headers.get(start..start + end).map(ToOwned::to_owned)
            };
            let year = header("date").and_then(|date| year_of(&date));
            let kept = ["date", "etag", "link", "retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"];
            let headers =
                kept.into_iter().filter_map(|name| Some((name.to_owned(), header(name)?))).collect();
            let place = format!("{}#{at}", path.file_name().unwrap().to_string_lossy());
            let reply = Reply { status, headers, body: body.as_bytes().to_vec() };
            found.push(Recorded { place, method: method.to_owned(), target: target.to_owned(), reply, year });
        }
    }
    found
}

/// Cassettes: JSON, bodies often compressed.
fn github3(folder: &Path) -> Vec<Recorded> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(cassette) = serde_json::from_slice::<Value>(&std::fs::read(&path).unwrap()) else { continue };
        for (at, exchange) in cassette["http_interactions"].as_array().into_iter().flatten().enumerate() {
            let (request, response) = (&exchange["request"], &exchange["response"]);
            let uri = request["uri"].as_str().unwrap_or_default();
            let target = uri.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap_or_default();
            let body = &response["body"];
            let body = match body["base64_string"].as_str() {
                Some(text) => {
                    let packed = STANDARD.decode(text).unwrap_or_default();
                    let mut plain = Vec::new();
                    let read = flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut plain);
                    if read.is_ok() { plain } else { packed }
                }
                None => body["string"].as_str().unwrap_or_default().as_bytes().to_vec(),
            };
            let header = |name: &str| {
                let headers = response["headers"].as_object()?;
                let value = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?.1;
                value.as_str().or_else(|| value[0].as_str()).map(ToOwned::to_owned)
            };
            let year = header("date").and_then(|date| year_of(&date));
            let headers = ["date", "etag", "link", "retry-after", "x-ratelimit-remaining"];
            let headers =
                headers.into_iter().filter_map(|name| Some((name.to_owned(), header(name)?))).collect();
            let status =
                response["status"]["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(0);
            let place = format!("{}#{at}", path.file_name().unwrap().to_string_lossy());
            let method = request["method"].as_str().unwrap_or_default().to_owned();
            found.push(Recorded { place, method, target, reply: Reply { status, headers, body }, year });
        }
    }
    found
}

fn one<T: DeserializeOwned>(body: &[u8]) -> Result<usize, String> {
    serde_json::from_slice::<T>(body).map(|_| 1).map_err(|why| why.to_string())
}

fn many<T: DeserializeOwned>(body: &[u8], envelope: Option<&str>) -> Result<usize, String> {
    pages::items::<T>(body, envelope).map(|(items, _)| items.len())
}

/// Reads a body as the client would; none where the client has no view of it.
fn read(operation: &str, body: &[u8]) -> Option<Result<usize, String>> {
    let envelope =
        Operation::ALL.iter().find(|known| known.name == operation).and_then(|known| known.envelope);
    Some(match operation {
        "pulls/get" | "pulls/update" | "pulls/create" => one::<Pull>(body),
        "pulls/list" | "repos/list-pull-requests-associated-with-commit" => many::<Pull>(body, None),
        "pulls/list-commits" | "repos/list-commits" => many::<Commit>(body, None),
        "repos/get-commit" => one::<Commit>(body),
        "repos/compare-commits" => one::<Comparison>(body).and(many::<Commit>(body, envelope)),
        "pulls/list-files" => many::<ChangedFile>(body, None),
        "pulls/list-reviews" => many::<Review>(body, None),
        "pulls/create-review" => one::<Review>(body),
        "issues/get" | "issues/update" | "issues/create" => one::<Issue>(body),
        "issues/list-for-repo" => many::<Issue>(body, None),
        "issues/list-comments" => many::<CommentEvent>(body, None),
        "issues/create-comment" | "issues/update-comment" => one::<CommentEvent>(body),
        "issues/list-events-for-timeline" => many::<TimelineEvent>(body, None),
        "reactions/list-for-issue" => many::<Reaction>(body, None),
        "checks/list-for-ref" => many::<CheckRun>(body, envelope),
        "checks/create" | "checks/update" => one::<CheckRun>(body),
        "repos/get-combined-status-for-ref" => many::<Status>(body, envelope),
        "repos/create-commit-status" => one::<Status>(body),
        "actions/list-workflow-runs-for-repo" => many::<WorkflowRun>(body, envelope),
        "actions/list-artifacts-for-repo" | "actions/list-workflow-run-artifacts" => {
            many::<Artifact>(body, Some("artifacts"))
        }
        "repos/get" => one::<Repository>(body),
        "repos/get-branch" => one::<Branch>(body),
        "repos/get-branch-protection" => one::<Protection>(body),
        "repos/get-branch-rules" => many::<Rule>(body, None),
        "apps/list-installations" => many::<Installation>(body, None),
        "apps/list-webhook-deliveries" => many::<Delivery>(body, None),
        "apps/list-repos-accessible-to-installation" => many::<Repository>(body, envelope),
        "teams/list-members-in-org" => many::<Account>(body, None),
        "users/get-authenticated" => one::<Account>(body),
        _ => return None,
    })
}

/// Reads everything; fails on what the client cannot read. Returns how many exchanges were read, by operation.
fn read_all(recorded: &[Recorded]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for exchange in recorded {
        let outcome: Result<Reply, Lost> = Ok(exchange.reply.clone());
        for class in [Class::Read, Class::Repeatable, Class::Marked, Class::Once] {
            let _ = retry::next(class, 0, &outcome, Timestamp::default());
        }
        let _ = pages::next_page(exchange.reply.header("link"), "https://api.github.com");
        let path = exchange.target.split('?').next().unwrap_or_default();
        let path = path.strip_prefix("/api/v3").unwrap_or(path);
        let Some((operation, parameters)) = description().route(&exchange.method, path) else { continue };
        // Operations that the client does not use, below those that it does: `/commits/SHA/comments`, `/issues/events`.
        let is_other = parameters.iter().any(|(name, value)| {
            (operation == "repos/get-commit" && value.contains('/'))
                || (name.ends_with("_number") && value.parse::<u64>().is_err())
        });
        let is_shortened =
            SHORTENED.iter().any(|(file, _)| exchange.place.starts_with(&file[..file.len() - 4]));
        if is_other || is_shortened {
            continue;
        }
        let body = &exchange.reply.body;
        let is_json = matches!(body.first(), Some(b'{' | b'['));
        if !(200..300).contains(&exchange.reply.status) || !is_json {
            continue;
        }
        match read(operation, body) {
            Some(Ok(_)) => *counts.entry(operation.to_owned()).or_default() += 1,
            Some(Err(why)) if exchange.year.is_none_or(|year| year >= SINCE) => {
                let start: String = String::from_utf8_lossy(body).chars().take(120).collect();
                faults.push(format!("{} {operation} ({:?}): {why}: {start}", exchange.place, exchange.year));
            }
            Some(Err(_)) | None => {}
        }
    }
    assert!(faults.is_empty(), "{} recordings are not read:\n{}", faults.len(), faults.join("\n"));
    counts
}

#[test]
fn recordings_of_pygithub_are_read() {
    let Some(folder) = corpus("pygithub") else { return };
    let recorded = pygithub(&folder);
    let counts = read_all(&recorded);
    println!("{} exchanges, {} read: {counts:?}", recorded.len(), counts.values().sum::<usize>());
    assert!(recorded.len() >= 2_000 && counts.values().sum::<usize>() >= 500 && counts.len() >= 20);
}

#[test]
fn recordings_of_github3_are_read() {
    let Some(folder) = corpus("github3") else { return };
    let recorded = github3(&folder);
    let counts = read_all(&recorded);
    println!("{} exchanges, {} read: {counts:?}", recorded.len(), counts.values().sum::<usize>());
    assert!(recorded.len() >= 400 && counts.values().sum::<usize>() >= 200);
}

#[test]
fn githubs_own_examples_of_webhooks_are_read() {
    let Some(folder) = corpus("webhooks") else { return };
    let index: Value = serde_json::from_slice(&std::fs::read(folder.join("index.json")).unwrap()).unwrap();
    let (mut examples, mut faults) = (0, Vec::new());
    for event in index.as_array().unwrap() {
        let name = event["name"].as_str().unwrap();
        for payload in event["examples"].as_array().unwrap() {
            examples += 1;
            let body = payload.to_string();
            let Some(read) = Event::read("delivery", name, body.as_bytes()) else {
                faults.push(format!("{name}: not read"));
                continue;
            };
            if payload.get("repository").is_some_and(Value::is_object) && read.touched.is_empty() {
                faults.push(format!("{name}: names no place"));
            }
            if name == "pull_request" && !read.touched.iter().any(|place| matches!(place, Touched::Pull(_))) {
                faults.push("pull_request: names no pull request".to_owned());
            }
            assert_eq!(read.action.as_deref(), payload["action"].as_str());
            let views = [
                ("pull_request", one::<Pull> as fn(&[u8]) -> Result<usize, String>),
                ("issue", one::<Issue>),
                ("check_run", one::<CheckRun>),
                ("workflow_run", one::<WorkflowRun>),
                ("repository", one::<Repository>),
                ("sender", one::<Account>),
            ];
            for (part, view) in views {
                // A review's event has a shorter pull request; what is there must be read.
                if let Some(value) = payload.get(part).filter(|value| value.is_object())
                    && let Err(why) = view(value.to_string().as_bytes())
                {
                    faults.push(format!("{name}.{part}: {why}"));
                }
            }
        }
    }
    assert!(examples >= 300, "{examples} examples");
    faults.dedup();
    assert!(faults.is_empty(), "{} parts are not read:\n{}", faults.len(), faults.join("\n"));
}
