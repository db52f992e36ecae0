//! A canary in every input: no secret reaches a screen, a document or the log (U3).

use super::desk::Desk;

const CANARY: &str = "canary-7f3a9e51-do-not-keep";

fn plan() -> String {
    let values = format!(
        r#"{{"engine":"postgres","password":"{CANARY}","user_data":"export TOKEN={CANARY}","tags":{{"note":"x"}},"connection_url":"postgres://app:{CANARY}@db/orders"}}"#
    );
    format!(
        r#"{{"format_version":"0.1","terraform_version":"0.14.11",
            "variables":{{"db_password":{{"value":"{CANARY}"}}}},
            "planned_values":{{"root_module":{{"resources":[{{"address":"aws_db_instance.main","values":{values}}}]}}}},
            "prior_state":{{"values":{{"secret":"{CANARY}"}}}},
            "configuration":{{"root_module":{{"variables":{{"db_password":{{"default":"{CANARY}"}}}}}}}},
            "output_changes":{{"dsn":{{"actions":["create"],"before":null,"after":"{CANARY}"}}}},
            "resource_changes":[{{"address":"aws_db_instance.main","mode":"managed","type":"aws_db_instance","name":"main",
              "provider_name":"registry.terraform.io/hashicorp/aws",
              "change":{{"actions":["create"],"before":null,"after":{values},"after_unknown":{{}}}}}}]}}"#
    )
}

fn has_canary(bytes: &[u8]) -> bool {
    bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes())
}

#[test]
fn u3_no_command_shows_or_keeps_a_secret() {
    let desk = Desk::new();
    let file = desk.put("in/plan.json", plan());
    assert!(has_canary(plan().as_bytes()), "the canary is in the input");
    let dir = desk.text("data");
    let to = desk.text("model");
    let key = desk.put("key", "0123456789abcdef0123456789abcdef");
    let commands: [&[&str]; 9] = [
        &["review", &file, "-v"],
        &["review", &file, "--output", "json"],
        &["submit-change", &file, "--dir", &dir, "-v"],
        &["submit-change", &file, "--dir", &dir, "--output", "json"],
        &["list", "--dir", &dir],
        &["replay", "--all", "--dir", &dir],
        &["redact", &file],
        &["redact", &file, "--key-file", &key],
        &["model", "init", "--from", &file, "--to", &to],
    ];
    for arguments in commands {
        let ran = desk.run(arguments).ok();
        assert!(!has_canary(ran.out.as_bytes()), "{arguments:?} prints it");
        assert!(!has_canary(ran.err.as_bytes()), "{arguments:?} says it");
    }
    assert!(desk.path("data/arb.redb").exists(), "there is a log to look through");
    for directory in ["data", "model"] {
        assert!(!has_canary(&desk.bytes_below(directory)), "{directory} keeps it");
    }
}

#[test]
fn u3_an_error_quotes_no_secret() {
    let desk = Desk::new();
    let broken = plan().replace(
        r#""actions":["create"],"before":null,"after":{"engine""#,
        r#""actions":["destroy"],"before":null,"after":{"engine""#,
    );
    let files = [
        desk.put("action.json", broken),
        desk.put("cut.json", &plan()[..plan().rfind(CANARY).unwrap() + 4]),
        desk.put("list.yaml", format!("arb: change/1\nkind: infrastructure\ntargets: {CANARY}\n")),
        desk.put("bare.yaml", format!("password: {CANARY}\n")),
    ];
    for file in files {
        let ran = desk.run(&["review", &file]);
        assert_eq!(ran.code, 2, "{file}");
        assert!(!has_canary(ran.err.as_bytes()), "{}", ran.err);
    }
}

#[test]
fn u3_a_redacted_plan_is_the_same_change() {
    let desk = Desk::new();
    let file = desk.put("plan.json", plan());
    let redacted = desk.run(&["redact", &file]).ok().out;
    let redacted = desk.put("plan.arb.json", redacted);
    let content = |file: &str| {
        desk.run(&["review", file, "--output", "json"]).ok().json()["change"]["content_digest"].clone()
    };
    assert_eq!(content(&file), content(&redacted));
}

#[test]
fn u3_with_a_key_a_change_between_withheld_values_can_be_seen() {
    let desk = Desk::new();
    let file = desk.put("plan.json", plan());
    let key = desk.put("key", "0123456789abcdef0123456789abcdef");
    let keyed = desk.run(&["redact", &file, "--key-file", &key]).ok().out;
    let unkeyed = desk.run(&["redact", &file]).ok();
    assert!(keyed.contains("\"mac\": \"sha256:"), "{keyed}");
    assert!(
        !unkeyed.out.contains("\"mac\": \"sha256:") && unkeyed.err.contains("--key-file"),
        "{}",
        unkeyed.err
    );
    let weak = desk.put("weak", "short");
    let ran = desk.run(&["redact", &file, "--key-file", &weak]);
    assert_eq!(ran.code, 2);
    assert!(!ran.err.contains("short\n"), "{}", ran.err);
}
