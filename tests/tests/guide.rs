//! The user guide and the README are runnable: their commands run here, in the order in which they stand there.

use std::path::{Path, PathBuf};
use std::process::Command;

use tests::binaries::binary;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The commands of a document's `console` blocks.
fn commands(document: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(document)).unwrap();
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            found.push(command.to_owned());
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &name);
        } else {
            std::fs::copy(&path, name).unwrap();
        }
    }
}

/// What the reader has at hand: a plan, manifests, a catalog, an estimate, an export of Backstage, a state.
fn desk() -> (tempfile::TempDir, PathBuf) {
    let desk = tempfile::tempdir().unwrap();
    let path = desk.path().to_owned();
    let shop = Path::new(ROOT).join("examples/webshop");
    std::fs::copy(shop.join("changes/orders-scale-out.json"), path.join("plan.json")).unwrap();
    std::fs::copy(Path::new(ROOT).join("fuzz/corpus/attachment/infracost.json"), path.join("infracost.json"))
        .unwrap();
    copy(&shop.join("catalog"), &path.join("catalog"));
    std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), path.join("examples")).unwrap();
    let key = ssh_key::PrivateKey::from(ssh_key::private::Ed25519Keypair::from_seed(&[3; 32]));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::write(path.join("key"), key.to_openssh(ssh_key::LineEnding::LF).unwrap().as_bytes()).unwrap();
    std::fs::set_permissions(path.join("key"), mode).unwrap();
    let public = key.public_key().to_openssh().unwrap();
    let people = format!(
        "arb: people/1\npeople: [{{ id: mina, ssh: [\"{public}\"] }}]\nroles: {{ approver: [mina] }}\n"
    );
    std::fs::write(path.join("catalog/people.yaml"), people).unwrap();
    for side in ["before", "after"] {
        copy(&shop.join("manifests").join(side), &path.join(side));
    }
    let imports = Path::new(ROOT).join("fuzz/corpus/import");
    for (file, name) in [("entities.json", "entities.json"), ("state.tfstate", "terraform.tfstate")] {
        std::fs::copy(imports.join(file), path.join(name)).unwrap();
    }
    (desk, path)
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(command: &str, within: &Path) -> Ran {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ran = Command::new(binary("arbctl")).args(&words[1..]).current_dir(within).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: ran.status.code().unwrap_or(-1), out: text(ran.stdout), err: text(ran.stderr) }
}

#[test]
fn the_guides_commands_work_as_they_stand() {
    let (_keep, path) = desk();
    let mut review = String::new();
    let mut count = 0;
    for command in commands("docs/guide.md").into_iter().filter(|command| command.starts_with("arbctl ")) {
        let command = command
            .replace("REVIEW", &review)
            .replace("DIR", "data")
            .replace("KEY", "key")
            .replace("CODE", "missing_evidence");
        let ran = run(&command, &path);
        // 10 to 13 are outcomes of a review, 0 is done; anything else is a command that did not work.
        assert!(matches!(ran.code, 0 | 10..=13), "{command}: exit {}\n{}{}", ran.code, ran.out, ran.err);
        assert!(!ran.out.is_empty(), "{command} prints nothing");
        assert!(!ran.err.contains("error["), "{command}: {}", ran.err);
        if command.starts_with("arbctl submit-change") {
            let listed = run("arbctl list --dir data --output json", &path);
            let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
            let newest =
                listed.as_array().or_else(|| listed["reviews"].as_array()).unwrap()[0]["review"].clone();
            newest.as_str().unwrap().clone_into(&mut review);
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} commands: the guide shows too little");
}

#[test]
fn the_readmes_first_command_works_as_it_stands() {
    let commands = commands("README.md");
    let first = commands.iter().find(|command| command.starts_with("cargo run")).unwrap();
    let arguments = first.split(" -- ").nth(1).unwrap();
    let ran = run(&format!("arbctl {arguments}"), Path::new(ROOT));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("CONFORMANT"), "{}", ran.out);
}
