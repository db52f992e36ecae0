//! Every parser of foreign bytes as a fuzz target: takes any bytes, must never panic. `fuzz/` runs them under
//! libFuzzer; `tests/tests/corpus.rs` replays the corpus, mutated, in every test run.

use agents::huginn::intake::{self, Context, Intake};
use agents::huginn::kubernetes::{self, BeforeAndAfter, ManifestFile};
use agents::huginn::{attachment, redact};
use agents::input::json;
use agents::mimir::catalog::{self, CatalogFile};
use agents::muninn::model::{self, ModelFile};
use ontology::cbor;
use ontology::policy::rego::{Bundle, as_proposed};
use topics::Step;

/// A target: its name, which is its corpus' folder, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("change", change),
    ("manifests", manifests),
    ("attachment", attachment),
    ("model", model),
    ("import", import),
    ("catalog", catalog),
    ("policy", policy),
    ("configuration", configuration),
    ("json", any_json),
    ("cbor", canonical),
    ("step", step),
];

/// The target of this name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|(known, _)| *known == name)
}

/// A plan, a change file or a redacted document. What is read is redacted, so reading the document again changes
/// nothing.
fn change(bytes: &[u8]) {
    let context = Context { catalog: agents::mimir::starter(), key: None };
    let Ok(read) = intake::read("fuzzed.json", bytes, &context) else { return };
    is_stable(&read, &context);
}

/// Manifests, as what is there and as what will be. The bytes are divided where a line says `# after`.
fn manifests(bytes: &[u8]) {
    const AFTER: &[u8] = b"\n# after\n";
    let context = Context { catalog: agents::mimir::starter(), key: None };
    let at = bytes.windows(AFTER.len()).position(|window| window == AFTER).unwrap_or(bytes.len());
    let (before, after) = bytes.split_at(at);
    let files = [before, after].map(|bytes| [ManifestFile { path: "fuzzed.yaml", bytes }]);
    let given = BeforeAndAfter { before: &files[0], after: &files[1], cluster: None };
    if let Ok(read) = kubernetes::read(&given, &context) {
        is_stable(&read, &context);
    }
}

fn is_stable(read: &Intake, context: &Context<'_>) {
    let again = redact::to_json(read).to_string();
    let again =
        intake::read("again.json", again.as_bytes(), context).expect("a document that was written is read");
    assert_eq!(
        read.document.content_digest(),
        again.document.content_digest(),
        "redacted twice is redacted once"
    );
}

fn attachment(bytes: &[u8]) {
    let _ = attachment::read("fuzzed.json", bytes);
}

/// Model files, under each name that decides how they are read. What compiles can be indexed.
fn model(bytes: &[u8]) {
    for path in [
        "catalog-info.yaml",
        "entities.json",
        "bindings.yaml",
        "objectives.yaml",
        "tiers.yaml",
        "model.yaml",
        "CODEOWNERS",
        "terraform.tfstate",
    ] {
        let file =
            ModelFile { path: path.into(), bytes: bytes.to_vec(), asserted_at: None, observed_at: None };
        if let Ok(compiled) = model::compile(&[file], agents::mimir::starter()) {
            ontology::graph::Graph::index(compiled.model).expect("what compiles can be indexed");
        }
    }
}

/// What is imported can be read as a model, and imported again to the same.
fn import(bytes: &[u8]) {
    type Reduce = fn(&str, &[u8]) -> Result<serde_json::Value, agents::input::InputError>;
    for reduce in [model::reduce_backstage as Reduce, model::reduce_terraform_state] {
        if let Ok(reduced) = reduce("fuzzed.json", bytes) {
            let text = reduced.to_string();
            let again = reduce("again.json", text.as_bytes()).expect("what was imported is imported again");
            assert_eq!(again, reduced, "reduced twice is reduced once");
        }
    }
}

fn catalog(bytes: &[u8]) {
    let file = |path: &str, bytes: &[u8]| CatalogFile { path: path.into(), bytes: bytes.to_vec() };
    let settings = file("catalog.yaml", b"arb: catalog/1\nname: fuzzed\n");
    let _ = catalog::compile(&[file("catalog.yaml", bytes)]);
    for path in ["constraints/fuzzed.yaml", "prices.yaml", "waivers.yaml", "rollout.yaml"] {
        let _ = catalog::compile(&[settings.clone(), file(path, bytes)]);
    }
    let _ = catalog::case(&file("cases/fuzzed.yaml", bytes));
}

/// A Rego module. What can be prepared says the same of an input each time.
fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let texts = std::collections::BTreeMap::from([("fuzzed.rego".to_owned(), text.to_owned())]);
    let Ok(bundle) = Bundle::prepare(&texts) else { return };
    let context = Context { catalog: agents::mimir::starter(), key: None };
    let plan = include_bytes!("../../fuzz/corpus/policy/plan.json");
    let read = intake::read("plan.json", plan, &context).expect("the plan beside the corpus is one");
    for input in as_proposed(&read.document) {
        for entry in bundle.entries() {
            assert_eq!(entry.say(&input.value), entry.say(&input.value), "one input, one answer");
        }
    }
}

fn configuration(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = runtime::config::Config::parse("arb.toml", text);
    }
}

fn any_json(bytes: &[u8]) {
    let _ = json::parse("fuzzed.json", bytes);
}

/// What the scan finds canonical and a value can hold is written back to the same bytes.
fn canonical(bytes: &[u8]) {
    if cbor::check(bytes).is_ok()
        && let Ok(value) = cbor::from_slice::<ontology::Value>(bytes)
    {
        assert_eq!(cbor::to_vec(&value).expect("it was read"), bytes, "one value, one form");
    }
}

fn step(bytes: &[u8]) {
    let _ = Step::decode(bytes.to_vec());
}
