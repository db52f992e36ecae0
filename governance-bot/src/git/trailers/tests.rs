use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::prelude::*;

use super::*;

fn pairs(message: &str) -> Vec<(String, String)> {
    parse(message).into_iter().map(|trailer| (trailer.key, trailer.value)).collect()
}

/// What git prints for the same message.
fn git(message: &str) -> String {
    let mut child = Command::new("git")
        .args(["interpret-trailers", "--parse"])
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git runs");
    child.stdin.take().expect("piped").write_all(message.as_bytes()).expect("git reads");
    let printed = child.wait_with_output().expect("git ends");
    assert!(printed.status.success());
    String::from_utf8_lossy(&printed.stdout).into_owned()
}

fn as_printed(message: &str) -> String {
    parse(message).iter().map(|trailer| format!("{}: {}\n", trailer.key, trailer.value)).collect()
}

fn same(message: &str) {
    assert_eq!(as_printed(message), git(message), "{message:?}");
}

#[test]
fn b88_only_the_last_paragraph_counts() {
    let message = "Squash\n\n* one\n\nAgent-ID: a\n\n* two\n\nAgent-ID: b\n";
    assert_eq!(pairs(message), [("Agent-ID".to_owned(), "b".to_owned())]);
    same(message);
}

#[test]
fn b91_trailers_are_what_git_says_they_are() {
    for message in [
        "",
        "\n",
        "subject",
        "subject\n\nKey: value\n",
        "Key: value\n",
        "subject\nKey: value\n",
        "subject\n\nKey: value\n\n\n",
        "subject\n\ntext\nKey: value\n",
        "subject\n\ntext\nSigned-off-by: A <a@b>\n",
        "subject\n\nt\nt\nt\nt\nSigned-off-by: A <a@b>\n",
        "subject\n\n(cherry picked from commit abc)\n",
        "subject\n\nKey: value\n---\nOther: value\n",
        "subject\n\nKey: value\n---\n",
        "subject\n\nKey: value\n---x\n",
        "subject\n\nKey: one\n  two\n\tthree\nOther: x\n",
        "subject\r\n\r\nKey: value\r\nOther: x\r\n",
        "subject\n\nKey： value\nOther: x\n",
        "subject\n\nKey : value\nKey\t: x\n",
        "subject\n\n: value\n",
        "subject\n\nKey:\nOther:value\n",
        "subject\n\nKey: value\n# comment\n",
        "subject\n\nKey: value\n# comment\nOther: x\n",
        "# comment\nsubject\n\nKey: value\n",
        "subject\n\nKey: value\n\nConflicts:\n\ta\n\tb\n",
        "subject\n\nKey: value\n# ------------------------ >8 ------------------------\nOther: x\n",
        "subject\n\n Key: value\n",
        "subject\n\nKëy: value\n",
        "subject\n\nIssue: #1２\nIssue: é\u{a0}\n",
        "# only\n# comments\n",
        "subject\n \nKey: value\n",
        "\nConflicts:\n\tmore",
        "Conflicts:\n\tmore\nKey: value\n",
        "#\n\nKey: value\n#\nConflicts:\n\tx\n",
    ] {
        same(message);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn b91_no_message_is_read_otherwise_than_by_git(
        lines in prop::collection::vec(
            prop_oneof![
                Just(String::new()), Just("subject".into()), Just("Key: value".into()), Just("Signed-off-by: A".into()),
                Just("  more".into()), Just("\tmore".into()), Just("---".into()), Just("--- x".into()), Just("# note".into()),
                Just("plain words".into()), Just("A-b-9 : c: d".into()), Just("Conflicts:".into()), Just("\tpath".into()),
                Just("Key:".into()), Just(":".into()), Just(" ".into()), Just("K: v\r".into()), Just("Ключ: v".into()),
                "[ -~]{0,12}",
            ],
            0..10,
        ),
        ends in any::<bool>(),
    ) {
        let mut message = lines.join("\n");
        if ends { message.push('\n'); }
        prop_assert_eq!(as_printed(&message), git(&message));
    }
}
