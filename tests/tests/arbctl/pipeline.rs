//! In a pipeline (U15): forms of the output, the review Action, and the question before apply.

use std::path::Path;
use std::process::Command;

use super::desk::{Desk, example, in_the_shop};
use tests::binaries::binary;

/// A plan whose values try to be markup, mentions and commands.
fn hostile(desk: &Desk) -> String {
    let change = "arb: change/1\nkind: infrastructure\ntargets:\n  - address: \"aws_db_instance.@everyone|](x)<b>failover\"\n    \
                  type: aws_db_instance\n    action: delete\n    before: { storage_encrypted: true }\n";
    desk.put("hostile.yaml", change)
}

#[test]
fn u15_markdown_is_a_comment_in_which_a_plan_says_nothing() {
    let desk = Desk::new();
    let ran = desk.run(&["review", &hostile(&desk), "--output", "markdown"]).ok();
    assert!(ran.out.starts_with("### "), "{}", ran.out);
    for (number, line) in ran.out.lines().enumerate() {
        // What is escaped is a letter like any other.
        let line =
            ["\\[", "\\]", "\\<", "\\>", "\\|"].iter().fold(line.to_owned(), |line, it| line.replace(it, ""));
        let outside: String = line.split('`').step_by(2).collect();
        assert!(!outside.contains("@everyone"), "line {number} mentions somebody: {line}");
        assert!(!outside.contains("<b>") && !outside.contains("](x)"), "line {number} has markup: {line}");
    }
    let shop = in_the_shop("orders-queue-delete.json");
    let mut arguments: Vec<&str> = shop.iter().map(String::as_str).collect();
    arguments.extend(["--output", "markdown", "--fail-on", "none"]);
    let ran = desk.run(&arguments).ok();
    assert!(ran.out.starts_with("### REJECTED: "), "{}", ran.out);
    assert!(ran.out.contains("| deny | ") && ran.out.contains("`no-delete-with-dependents`"), "{}", ran.out);
}

#[test]
fn u15_atlantis_finds_the_word_exactly_when_it_should() {
    let desk = Desk::new();
    let calm = desk.run(&["review", &hostile(&desk), "--output", "atlantis"]).ok();
    assert!(calm.out.starts_with("PASS - arb - "), "{}", calm.out);
    assert!(!calm.out.to_lowercase().contains("fail"), "{}", calm.out);
    let stopped = desk.run(&["review", &hostile(&desk), "--output", "atlantis", "--fail-on", "all"]);
    assert_ne!(stopped.code, 0);
    assert!(stopped.out.starts_with("FAIL - arb - "), "{}", stopped.out);
}

#[test]
fn u15_github_gets_annotations_a_summary_and_outputs() {
    let desk = Desk::new();
    let (summary, outputs) = (desk.text("summary.md"), desk.text("outputs"));
    let desk = desk.with("GITHUB_STEP_SUMMARY", &summary).with("GITHUB_OUTPUT", &outputs);
    let ran = desk.run(&["review", &hostile(&desk), "--output", "github"]).ok();
    assert!(ran.out.lines().all(|line| line.starts_with("::")), "{}", ran.out);
    assert!(ran.out.starts_with("::warning title=arb%3A HELD::"), "{}", ran.out);
    let said = std::fs::read_to_string(outputs).unwrap();
    let keys: Vec<&str> = said.lines().map(|line| line.split_once('=').unwrap().0).collect();
    assert_eq!(keys, ["review", "revision", "outcome", "exit", "change"]);
    assert!(said.contains("outcome=held\nexit=0\n"), "{said}");
    assert!(std::fs::read_to_string(summary).unwrap().starts_with("### HELD"));
}

#[test]
fn u15_only_what_was_reviewed_and_let_through_is_admitted() {
    let desk = Desk::new();
    let (change, dir) = (desk.timeless("orders-scale-out.json"), desk.text("data"));
    let (model, catalog) = (example("webshop/model"), example("webshop/catalog"));
    let arguments = ["submit-change", &change, "--model", &model, "--catalog", &catalog, "--dir", &dir];
    let report = desk.run(&[&arguments[..], &["--output", "json"]].concat()).ok().json();
    let review = report["short"].as_str().unwrap();
    let admit = |review: &str, plan: &str| desk.run(&["admit", review, plan, "--dir", &dir]);

    let yes = admit(review, &change).ok();
    assert!(yes.out.starts_with("ADMITTED"), "{}", yes.out);
    let other = desk.timeless("refunds-timeout.json");
    let no = admit(review, &other);
    assert_eq!(no.code, 12, "{}", no.out);
    assert!(no.out.contains("does something else than what was reviewed"), "{}", no.out);

    let arguments = ["submit-change", &other, "--model", &model, "--catalog", &catalog, "--dir", &dir];
    let held = desk.run(&[&arguments[..], &["--output", "json"]].concat()).json();
    let no = admit(held["short"].as_str().unwrap(), &other);
    assert_eq!(no.code, 12, "{}", no.out);
    assert!(no.out.contains("ended held"), "{}", no.out);
    assert_eq!(admit("rv-zzzz", &change).code, 2);
}

/// The scripts of the Action's steps, in order.
fn scripts() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../review/action.yml");
    let text = std::fs::read(path).unwrap();
    let action: serde_json::Value = agents::input::yaml::parse("action.yml", &text).unwrap();
    let steps = action["runs"]["steps"].as_array().unwrap();
    steps.iter().map(|step| step["run"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn u15_the_action_downloads_checks_and_reviews_and_never_compiles() {
    let desk = Desk::new();
    let scripts = scripts();
    for script in &scripts {
        assert!(
            !script.contains("cargo") && !script.contains("${{"),
            "inputs reach a shell as variables only"
        );
    }
    // A release as it would be served: the very binary, in an archive of its own.
    let (releases, temp) = (desk.path("releases"), desk.path("runner"));
    std::fs::create_dir_all(&releases).unwrap();
    std::fs::create_dir_all(&temp).unwrap();
    std::fs::copy(binary("arbctl"), releases.join("arbctl")).unwrap();
    let archive = releases.join(format!("arbctl-0.1.0-{}-linux.tar.gz", std::env::consts::ARCH));
    let packed =
        Command::new("tar").arg("-C").arg(&releases).arg("-czf").arg(&archive).arg("arbctl").status();
    assert!(packed.unwrap().success());
    let digest = ontology::Digest::of(&std::fs::read(&archive).unwrap()).hex();
    let run = |script: &str, sha256: &str, paths: &str| {
        let mut command = Command::new("bash");
        command.args(["-c", script]).env("PATH", format!("{paths}{}", std::env::var("PATH").unwrap()));
        for (name, value) in [
            ("VERSION", "0.1.0"),
            ("SHA256", sha256),
            ("BASE_URL", &format!("file://{}", releases.display())),
            ("RUNNER_TEMP", &temp.display().to_string()),
            ("GITHUB_PATH", &desk.text("path")),
            ("GITHUB_OUTPUT", &desk.text("outputs")),
            ("GITHUB_STEP_SUMMARY", &desk.text("summary")),
            ("PLAN", &example("webshop/changes/orders-queue-delete.json")),
            ("MODEL", &example("webshop/model")),
            ("CATALOG", &example("webshop/catalog")),
            ("FAIL_ON", "rejected"),
        ] {
            command.env(name, value);
        }
        command.output().unwrap()
    };
    let refused = run(&scripts[0], &"0".repeat(64), "");
    assert!(!refused.status.success(), "another archive is not unpacked");
    assert!(!temp.join("arbctl/arbctl").exists());
    let fetched = run(&scripts[0], &digest, "");
    assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    let path = std::fs::read_to_string(desk.path("path")).unwrap();
    let reviewed = run(&scripts[1], &digest, &format!("{}:", path.trim()));
    assert_eq!(reviewed.status.code(), Some(13), "{}", String::from_utf8_lossy(&reviewed.stderr));
    let out = String::from_utf8(reviewed.stdout).unwrap();
    assert!(out.starts_with("::error title=arb%3A REJECTED::"), "{out}");
    assert!(std::fs::read_to_string(desk.path("outputs")).unwrap().contains("outcome=rejected\nexit=13\n"));
}
