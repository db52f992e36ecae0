//! People at a review: who may answer, with what identity, and what becomes of it (U9, U13).

use super::desk::{Desk, Ran, example};

/// Asks a person: it deletes a queue with messages in it.
const CHANGE: &str = "orders-db-new-key.json";

/// A key pair from one byte, and the private half on the desk as `ssh-keygen` would have written it.
fn key(desk: &Desk, seed: u8) -> (String, String) {
    let pair = ssh_key::private::Ed25519Keypair::from_seed(&[seed; 32]);
    let key = ssh_key::PrivateKey::from(pair);
    let public = key.public_key().to_openssh().unwrap();
    let path = desk.put(&format!("key-{seed}"), key.to_openssh(ssh_key::LineEnding::LF).unwrap().as_bytes());
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&path, mode).unwrap();
    (path, public)
}

/// The web shop's catalog with these people, on the desk.
fn catalog(desk: &Desk, people: &str) -> String {
    for name in ["catalog.yaml", "prices.yaml"] {
        let text = std::fs::read_to_string(example(&format!("webshop/catalog/{name}"))).unwrap();
        desk.put(&format!("catalog/{name}"), text);
    }
    for entry in std::fs::read_dir(example("webshop/catalog/constraints")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        desk.put(&format!("catalog/constraints/{name}"), std::fs::read(path).unwrap());
    }
    desk.put("catalog/people.yaml", format!("arb: people/1\n{people}"));
    desk.text("catalog")
}

/// A review that asks a person, in the shop with these people.
fn asked(desk: &Desk, people: &str) -> String {
    let (change, model) = (desk.timeless(CHANGE), example("webshop/model"));
    let (catalog, dir) = (catalog(desk, people), desk.text("data"));
    let arguments = ["submit-change", &change, "--model", &model, "--catalog", &catalog, "--dir", &dir];
    let ran = desk.run(&[&arguments[..], &["--output", "json"]].concat());
    assert_eq!(ran.code, 11, "{}{}", ran.out, ran.err);
    ran.json()["short"].as_str().unwrap().to_owned()
}

fn say(desk: &Desk, arguments: &[&str]) -> Ran {
    let dir = desk.text("data");
    desk.run(&[arguments, &["--dir", &dir]].concat())
}

fn mina(public: &str) -> String {
    format!("people: [{{ id: mina, ssh: [\"{public}\"] }}]\nroles: {{ approver: [mina] }}\n")
}

#[test]
fn u13_a_signed_approval_closes_the_review_and_anybody_can_check_the_signature() {
    let desk = Desk::new();
    let (path, public) = key(&desk, 7);
    let review = asked(&desk, &mina(&public));
    let waiting = say(&desk, &["status", &review]);
    assert!(waiting.out.contains("who     1 of approver: mina"), "{}", waiting.out);
    assert!(waiting.out.contains(&format!("arbctl approve {review}")), "{}", waiting.out);

    let ran = say(&desk, &["approve", &review, "--key", &path, "--because", "seen with the team"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("APPROVED"), "{}", ran.out);
    assert!(ran.out.contains("said    mina approved: seen with the team"), "{}", ran.out);

    let report = say(&desk, &["status", &review, "--output", "json"]).json();
    assert_eq!(report["outcome"], "approved");
    assert_eq!(report["approval"]["state"], "approved");
    assert_eq!(report["approval"]["answers"][0]["signed"], true);
    assert_eq!(say(&desk, &["trace", &review]).code, 0);
    assert_eq!(say(&desk, &["replay", "--all"]).code, 0);
}

#[test]
fn u13_who_asked_is_told_why_the_answer_does_not_count() {
    let desk = Desk::new();
    let user = runtime::door::this_user().principal.subject;
    let review = asked(
        &desk,
        &format!(
            "people: [{{ id: me, unix: [\"{user}\"] }}, {{ id: kim }}]\nroles: {{ approver: [me, kim] }}\n"
        ),
    );
    let ran = say(&desk, &["approve", &review]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.starts_with("error[refused]: "), "{}", ran.err);
    assert!(ran.err.contains("me asked for this") && ran.err.contains("somebody else"), "{}", ran.err);
    let status = say(&desk, &["status", &review]);
    assert_eq!(status.code, 11);
    assert!(status.out.contains("me approved (does not count: me asked for this"), "{}", status.out);
    assert!(status.out.contains("who     1 of approver: kim"), "{}", status.out);
}

#[test]
fn u13_strangers_and_signatures_of_something_else_are_refused_and_leave_no_trace() {
    let desk = Desk::new();
    let ((_, minas), (strangers, _)) = (key(&desk, 7), key(&desk, 8));
    let review = asked(&desk, &mina(&minas));
    let refused = |arguments: &[&str], words: &str| {
        let ran = say(&desk, arguments);
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.contains(words), "{}", ran.err);
    };
    refused(&["approve", &review], "is nobody in the catalog's people.yaml");
    refused(&["approve", &review, "--key", &strangers], "is nobody in the catalog's people.yaml");
    refused(&["approve", &review, "--key", &desk.text("no-key")], "ssh-keygen did not sign");
    refused(&["approve", &review, "--because", " "], "--because says nothing");
    refused(&["revoke", &review, "--key", &desk.text("key-7")], "nothing was approved");
    let report = say(&desk, &["status", &review, "--output", "json"]).json();
    assert_eq!(report["approval"]["answers"].as_array().map(Vec::len), Some(0));
}

#[test]
fn u13_a_rejection_is_final_for_the_request_and_a_revocation_asks_anew() {
    let desk = Desk::new();
    let (path, public) = key(&desk, 7);
    let review = asked(&desk, &mina(&public));
    assert_eq!(say(&desk, &["approve", &review, "--key", &path]).code, 0);
    assert_eq!(say(&desk, &["approve", &review, "--key", &path]).code, 2, "the request has ended");
    let back = say(&desk, &["revoke", &review, "--key", &path, "--because", "the window moved"]);
    assert_eq!(back.code, 11, "{}{}", back.out, back.err);
    let no = say(&desk, &["reject", &review, "--key", &path]);
    assert_eq!(no.code, 13, "{}{}", no.out, no.err);
    assert!(no.out.starts_with("REJECTED"), "{}", no.out);
    assert!(
        say(&desk, &["approve", &review, "--key", &path]).err.contains("the request has ended: rejected")
    );
    assert_eq!(say(&desk, &["replay", "--all"]).code, 0);
}

#[test]
fn u9_a_gap_is_accepted_by_somebody_else_with_one_answer() {
    let desk = Desk::new();
    let (path, public) = key(&desk, 7);
    let (change, model) = (desk.timeless("refunds-timeout.json"), example("webshop/model"));
    let (catalog, dir) = (catalog(&desk, &mina(&public)), desk.text("data"));
    let arguments = ["submit-change", &change, "--model", &model, "--catalog", &catalog, "--dir", &dir];
    let held = desk.run(&[&arguments[..], &["--output", "json"]].concat());
    assert_eq!(held.code, 12, "{}{}", held.out, held.err);
    let report = held.json();
    let review = report["short"].as_str().unwrap();
    let holding: Vec<&str> = report["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|reason| reason["effect"] == "held")
        .map(|reason| reason["code"].as_str().unwrap())
        .collect();
    let gap = |code: &str, until: &str| {
        let words =
            ["accept-gap", review, "--reason", code, "--until", until, "--because", "known, and small"];
        say(&desk, &words)
    };
    let wrong = gap("plan_drift", "14d");
    assert!(wrong.err.contains("plan_drift does not hold this review; what does: "), "{}", wrong.err);
    assert!(gap("plan_drift", "2020-01-01").err.contains("that is over"));
    assert!(gap("vibes", "14d").err.contains("there is no code"));
    let mut last = None;
    for code in holding {
        if last.as_ref().is_none_or(|ran: &Ran| ran.code == 12) {
            last = Some(gap(code, "14d"));
        }
    }
    let asks = last.unwrap();
    assert_eq!(asks.code, 11, "{}{}", asks.out, asks.err);
    let granted = say(&desk, &["approve", review, "--key", &path]);
    assert_eq!(granted.code, 0, "{}{}", granted.out, granted.err);
    assert_eq!(say(&desk, &["replay", "--all"]).code, 0);
}
