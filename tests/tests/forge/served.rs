//! The fake over HTTP, as people and programs use it: its page, the client on sockets, git.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use governance_bot::facts::{pull_facts, repository_facts};
use governance_bot::forge::{Actor, AppKey, Client, Credentials, Https, Secret};
use governance_bot::git::{Mirror, Prediction};
use tests::fakehub::demo::{Demo, OWNER_TOKEN, demo};
use tests::fakehub::faults::Fault;
use tests::fakehub::people::APP_KEY;
use tests::fakehub::{Hub, serve::serve};

const PAGE: &str = include_str!("../../../docs/fakehub.md");
const PAGE_BASE: &str = "http://127.0.0.1:4000";

/// The program, ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn page_commands() -> Vec<&'static str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in PAGE.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            found.push(command);
        }
    }
    found
}

#[test]
fn the_commands_of_the_fakes_page_work_as_they_stand() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fakehub"))
        .arg("127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let _running = Running(child);
    let first = lines.next().unwrap().unwrap();
    let base = first.strip_prefix("fakehub serves ").unwrap().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let has_gh = Command::new("gh").arg("--version").stdout(Stdio::null()).status().is_ok();
    let (mut curls, mut others) = (0, 0);
    for command in page_commands() {
        if command.starts_with("cargo ") {
            assert_eq!(command, "cargo run -p tests --bin fakehub");
            continue;
        }
        if command.contains("gh ") && !has_gh {
            note_skipped("the gh commands of docs/fakehub.md: gh is not installed");
            continue;
        }
        let ran = Command::new("sh")
            .args(["-c", &command.replace(PAGE_BASE, &base)])
            .current_dir(folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GH_CONFIG_DIR", folder.path())
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success(), "{command}\n{out}\n{err}");
        curls += usize::from(command.starts_with("curl "));
        others += usize::from(!command.starts_with("curl "));
        if command.starts_with("curl ") && !command.contains("-sfi") {
            assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{command}\n{out}");
        }
    }
    assert!(curls >= 8 && others >= 1, "{curls} commands of curl, {others} others");
}

/// What could not be tried is said in the summary of `scripts/test`.
fn note_skipped(line: &str) {
    println!("skipped: {line}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpora");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("skipped");
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    if !known.contains(line) {
        std::fs::write(file, format!("{known}{line}\n")).unwrap();
    }
}

/// The demo, served: every exchange is held against the description.
pub(crate) async fn start(folder: &Path) -> (Arc<Mutex<Hub>>, Demo, String) {
    let (mut hub, held) = demo(folder, "2026-11-30T12:00:00Z".parse().unwrap());
    hub.observe(Box::new(|operation, sending, reply| {
        let found = super::conformance::faults(operation, sending, reply);
        assert!(found.is_empty(), "{found:?}");
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let hub = Arc::new(Mutex::new(hub));
    tokio::spawn(serve(Arc::clone(&hub), listener));
    (hub, held, base)
}

/// The same, with a client of the App.
async fn served(folder: &Path) -> (Arc<Mutex<Hub>>, Demo, Client<Https>, String) {
    let (hub, held, base) = start(folder).await;
    let key = AppKey::from_pem(held.app.to_string(), APP_KEY).unwrap();
    let client = Client::new(Https::new(&base).unwrap(), &base, Credentials::App(key));
    (hub, held, client, base)
}

#[tokio::test]
async fn the_client_reads_facts_over_http_and_again_with_304s_only() {
    let folder = tempfile::tempdir().unwrap();
    let (_hub, held, client, _) = served(folder.path()).await;
    let actor = Actor::Installation(held.installation);
    let mut digests = Vec::new();
    for _ in 0..3 {
        let before = client.tally();
        let repository = repository_facts(&client, actor, "acme/shop", Some("arb-plan")).await.unwrap();
        assert_eq!(repository.gaps, []);
        let facts = pull_facts(&client, actor, &repository, 1).await.unwrap();
        assert_eq!(facts.gaps(), []);
        let after = client.tally();
        digests
            .push((facts.digest(), after.calls - before.calls == after.not_modified - before.not_modified));
    }
    assert_eq!(digests[1].0, digests[2].0);
    assert!(digests[2].1, "only 304s");
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_a_loss_and_a_host_that_is_down_is_known_not_to_have_heard() {
    use governance_bot::forge::{Call, Failure, Operation};
    let folder = tempfile::tempdir().unwrap();
    let (hub, held, client, _) = served(folder.path()).await;
    let actor = Actor::Installation(held.installation);
    let call = Call::of(Operation::CREATE_COMMENT, "acme/shop").at("issue_number", 1);
    let call = call.sending(serde_json::json!({ "body": "x" }));
    hub.lock().unwrap().faults.plan("issues/create-comment", 0, 1, Fault::LoseReply);
    let lost = client.call(actor, &call).await.unwrap_err();
    assert!(matches!(lost, Failure::InDoubt { .. }), "{lost}");
    let down = Client::new(
        Https::new("http://127.0.0.1:1").unwrap(),
        "http://127.0.0.1:1",
        Credentials::Token(Secret::new("canary")),
    );
    let read = Call::new(Operation::GET_RATE_LIMIT);
    let failure =
        tokio::time::timeout(std::time::Duration::from_secs(30), down.call(Actor::App, &read)).await;
    let failure = failure.unwrap().unwrap_err();
    assert!(matches!(failure, Failure::Unreachable { attempts: 4, .. }), "{failure}");
    assert!(!failure.to_string().contains("canary") && !format!("{down:?}").contains("canary"));
}

#[tokio::test]
async fn a_mirror_is_fetched_over_http_with_the_installations_token() {
    let folder = tempfile::tempdir().unwrap();
    let (hub, held, client, base) = served(folder.path()).await;
    hub.lock().unwrap().world.repositories.get_mut(&held.shop).unwrap().private = true;
    let actor = Actor::Installation(held.installation);
    let (token, _) = client.token(actor).await.unwrap();
    let origin = format!("{base}/acme/shop.git");
    let bare = Mirror::open(&folder.path().join("without.git"), &origin, None).await.unwrap();
    assert!(bare.fetch("main", &[1]).await.is_err(), "it is private");
    let mirror = Mirror::open(&folder.path().join("with.git"), &origin, Some(&token)).await.unwrap();
    mirror.fetch("main", &[1, 2]).await.unwrap();
    let repository = repository_facts(&client, actor, "acme/shop", None).await.unwrap();
    let base_head = repository.branches["main"].head.clone();
    for (number, conflicts) in [(1, false), (2, true)] {
        let facts = pull_facts(&client, actor, &repository, number).await.unwrap();
        let git = mirror.facts(&base_head, &facts.content.pull.head.sha).await.unwrap();
        assert_eq!(matches!(git.prediction, Prediction::Conflict(_)), conflicts);
        assert!(facts.with_git(git).complete().is_some());
    }
}

#[tokio::test]
async fn what_somebody_pushes_with_git_moves_the_pull_request() {
    let folder = tempfile::tempdir().unwrap();
    let (hub, held, _client, base) = served(folder.path()).await;
    let before = hub.lock().unwrap().world.repositories[&held.shop].pulls[&1].head.clone();
    let url = base.replace("http://", &format!("http://alice:{OWNER_TOKEN}@"));
    let script = format!(
        "git clone -q {url}/acme/shop.git shop && cd shop && git checkout -q scale-orders && echo 'b = 1' > b.tf && \
         git add b.tf && git -c user.name=a -c user.email=a@b commit -qm 'Add b' && git push -q origin scale-orders"
    );
    let path = folder.path().to_owned();
    let ran = tokio::task::spawn_blocking(move || {
        Command::new("sh")
            .args(["-c", &script])
            .current_dir(path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap()
    });
    let ran = ran.await.unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let hub = hub.lock().unwrap();
    assert_ne!(hub.world.repositories[&held.shop].pulls[&1].head, before);
}
