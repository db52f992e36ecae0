//! The door: what it serves is what its OpenAPI document says, and only its owner may come in.

use std::os::unix::fs::PermissionsExt as _;

use ontology::Timestamp;
use ontology::records::Action;
use runtime::call::{Answers, Call, ErrorCode, File, Given, Manifests, Reply, Submit};
use runtime::door::client::Client;
use runtime::door::{self, Location, openapi};
use runtime::node::Directories;

fn location(directory: &std::path::Path) -> Location {
    Location { directory: directory.to_owned(), directories: Directories::default() }
}

#[test]
fn the_socket_is_its_owners_alone() {
    let directory = tempfile::tempdir().unwrap();
    let _node = door::open(&location(directory.path())).unwrap();
    let mode = std::fs::metadata(directory.path().join("door.sock")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mode = std::fs::metadata(directory.path().join("redaction.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_second_command_speaks_to_the_first() {
    let directory = tempfile::tempdir().unwrap();
    let first = door::open(&location(directory.path())).unwrap();
    let second = door::open(&location(directory.path())).unwrap();
    let Ok(Reply::Status(there)) = second.call(Call::Status) else { panic!() };
    let Ok(Reply::Status(here)) = first.call(Call::Status) else { panic!() };
    assert_eq!((here.pid, here.incarnation), (there.pid, there.incarnation));
}

#[test]
fn errors_keep_their_code_through_the_socket() {
    let directory = tempfile::tempdir().unwrap();
    let _node = door::open(&location(directory.path())).unwrap();
    let client = Client::unix(directory.path().join("door.sock"));
    let error = client.call(Call::Review { review: "rv-zzzz".into() }).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("arbctl list"), "{error}");
}

fn deployment(replicas: u32) -> File {
    let text = format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: web, namespace: shop }}\nspec: {{ replicas: {replicas} }}\n"
    );
    File { path: format!("{replicas}.yaml"), text }
}

#[test]
fn manifests_travel_through_the_socket_inside_the_call() {
    let directory = tempfile::tempdir().unwrap();
    let _node = door::open(&location(directory.path())).unwrap();
    let client = Client::unix(directory.path().join("door.sock"));
    let submit = |manifests: Manifests| {
        client.call(Call::Submit(Box::new(Submit {
            change: Given::Manifests(manifests),
            evidence: Vec::new(),
            source: None,
            idempotency_key: None,
            change_kind: None,
            release: None,
            process_ref: None,
            model: None,
            catalog: None,
            sent_at: Timestamp::default(),
        })))
    };
    let sides = Manifests { before: vec![deployment(3)], after: vec![deployment(1)], cluster: None };
    let Ok(Reply::Submitted(submitted)) = submit(sides) else { panic!("it is a change") };
    let Ok(Reply::Review(report)) = client.call(Call::Review { review: submitted.review.to_string() }) else {
        panic!("it is there")
    };
    assert_eq!(report.change.actions.into_iter().collect::<Vec<_>>(), [(Action::Update, 1)]);
    let error = submit(Manifests::default()).unwrap_err();
    assert_eq!(error.code, ErrorCode::BadInput);
    assert!(error.message.contains("neither side holds an object"), "{error}");
}

#[test]
fn the_openapi_document_is_checked_in_and_names_every_type_it_refers_to() {
    let document = openapi::document();
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");
    if std::env::var_os("ARB_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        text,
        "run the test again with ARB_BLESS=1"
    );
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name: String =
            reference.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        assert!(schemas.contains_key(&name), "{name} is not described");
    }
}
