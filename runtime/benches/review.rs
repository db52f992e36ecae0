//! `cargo bench -p runtime`: the rows of docs/performance.md that need no disk.

use std::path::PathBuf;
use std::sync::Arc;

use ontology::graph::Graph;
use ontology::model::{Detail, Link, Model, Object, Placement, Source};
use ontology::release::LinkType;
use ontology::{Name, ObjectId, Principal, Timestamp};
use runtime::call::{Call, Caller, File, Submit};
use runtime::files::{read_directory, read_file};
use runtime::log::LocalLog;
use runtime::log::memory::MemoryLog;
use runtime::node::{Directories, Node};
use topics::Step;

fn main() {
    divan::main();
}

fn webshop(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/webshop")).join(path)
}

fn caller() -> Caller {
    let name = |text: &str| Name::new(text).expect("a literal");
    Caller { principal: Principal { issuer: name("unix"), subject: name("bench") }, verified: true }
}

/// A node that has reviewed one change of the webshop, and a supply of the same change from other sources.
struct Bench {
    node: Node<MemoryLog>,
    log: Arc<MemoryLog>,
    change: File,
    number: usize,
}

impl Bench {
    fn new(extra: Option<File>) -> Self {
        let mut model = read_directory(&webshop("model")).expect("the example is in the tree");
        model.extend(extra);
        let catalog = read_directory(&webshop("catalog")).expect("the example is in the tree");
        let change =
            read_file(&webshop("changes/orders-scale-out.json")).expect("the example is in the tree");
        let log = Arc::new(MemoryLog::bounded(1 << 20));
        let node =
            Node::open(Arc::clone(&log), None, Directories::default(), Timestamp::from_micros(1 << 50));
        let mut bench = Self { node: node.expect("a memory log opens"), log, change, number: 0 };
        bench.submit(Some(model), Some(catalog));
        bench
    }

    fn submit(&mut self, model: Option<Vec<File>>, catalog: Option<Vec<File>>) {
        self.number += 1;
        let name = |text: String| Name::new(text).expect("short");
        let call = Call::Submit(Box::new(Submit {
            change: self.change.clone().into(),
            evidence: Vec::new(),
            source: Some(name(format!("bench-{}", self.number))),
            idempotency_key: Some(name(self.number.to_string())),
            change_kind: None,
            release: None,
            process_ref: None,
            model,
            catalog,
            sent_at: Timestamp::default(),
        }));
        let now = Timestamp::from_micros((1 << 50) + i64::try_from(self.number).expect("small"));
        for outcome in self.node.together_at([(&caller(), &call)].into_iter(), now) {
            outcome.expect("the example is accepted");
        }
    }
}

/// One review in process on a memory log, from the plan's text to the receipt.
#[divan::bench]
fn review_webshop(bencher: divan::Bencher<'_, '_>) {
    let mut bench = Bench::new(None);
    bencher.bench_local(|| bench.submit(None, None));
}

/// The same in an estate of 6,000 objects and 5,000 links more.
#[divan::bench]
fn review_in_a_large_estate(bencher: divan::Bencher<'_, '_>) {
    let mut text = String::from("arb: model/1\nauthority: generated\nobjects:\n");
    for number in 0..6_000 {
        text.push_str(&format!("  - {{id: \"component:default/w{number}\", type: workload}}\n"));
    }
    text.push_str("links:\n");
    for number in 0..5_000 {
        text.push_str(&format!(
            "  - {{type: workload_depends_on, from: \"component:default/w{number}\", to: \"component:default/w{}\"}}\n",
            number + 1
        ));
    }
    let mut bench = Bench::new(Some(File { path: "generated.yaml".into(), text }));
    bencher.bench_local(|| bench.submit(None, None));
}

/// Indexing 6,000 objects and 5,000 links, once a revision.
#[divan::bench]
fn index_6000_objects(bencher: divan::Bencher<'_, '_>) {
    let model = large_model();
    bencher
        .with_inputs(|| model.clone())
        .bench_local_values(|model| Graph::index(model).expect("it is valid"));
}

fn large_model() -> Model {
    let id = |number: usize| ObjectId::new(format!("component:default/w{number:05}")).expect("short");
    let source = Name::new("generated.yaml").expect("a literal");
    let objects = (0..6_000).map(|number| Object {
        id: id(number),
        title: None,
        detail: Detail::Workload(Placement::default()),
        sources: vec![source.clone()],
        effective_from: None,
        effective_to: None,
    });
    let links = (0..5_000).map(|number| Link {
        kind: LinkType::WorkloadDependsOn,
        from: id(number),
        to: id(number + 1),
        sources: vec![source.clone()],
        denied_by: Vec::new(),
    });
    let about = Source {
        id: source.clone(),
        authority: source.clone(),
        asserted_at: None,
        observed_at: None,
        review_by: None,
        synthetic: false,
        incomplete: false,
    };
    Model { sources: vec![about], objects: objects.collect(), links: links.collect(), bindings: Vec::new() }
}

/// Reading and checking the stored steps of one review: the floor of replay.
#[divan::bench]
fn decode_the_steps_of_a_review(bencher: divan::Bencher<'_, '_>) {
    let mut bench = Bench::new(None);
    bench.submit(None, None);
    let key = bench.log.reviews(1).expect("a memory log answers").pop().expect("there is one");
    let steps = bench.log.read_now(&key, None).expect("a memory log answers");
    let bytes: Vec<Vec<u8>> = steps.iter().map(|stored| stored.step.bytes().to_vec()).collect();
    bencher.bench_local(|| {
        for bytes in &bytes {
            divan::black_box(Step::decode(bytes.clone()).expect("it was stored"));
        }
    });
}
