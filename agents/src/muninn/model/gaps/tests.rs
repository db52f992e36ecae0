use super::*;
use crate::muninn::model::{ModelFile, check, compile};
use ontology::Name;
use ontology::policy::Catalog;

fn model(text: &str) -> (Model, Summary) {
    let file = ModelFile { path: "m.yaml".into(), bytes: text.into(), asserted_at: None, observed_at: None };
    let compiled = compile(&[file], &Catalog::empty(Name::new("test").unwrap())).unwrap();
    let summary = check(&compiled);
    (compiled.model, summary)
}

const MODEL: &str = "
arb: model/1
objects:
  - { id: a, type: workload }
  - { id: b, type: workload }
  - { id: c, type: workload }
  - { id: team, type: ownership }
links:
  - { type: workload_depends_on, from: b, to: a }
  - { type: workload_depends_on, from: c, to: a }
  - { type: owned_by, from: a, to: team }
";

fn held(code: ReasonCode, about: Option<&str>, reach: &[&str]) -> HeldReview {
    HeldReview {
        reasons: vec![(code, about.map(str::to_owned))],
        reach: reach.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn shown(gaps: &[Gap]) -> Vec<String> {
    gaps.iter().map(|gap| format!("{} {} {}", gap.holds, gap.kind.as_str(), gap.subject)).collect()
}

#[test]
fn u07_gaps_are_ordered_by_the_holds_that_each_would_have_avoided() {
    let (model, summary) = model(MODEL);
    let reviews = [
        held(ReasonCode::ObjectivesMissing, None, &["c", "b"]),
        held(ReasonCode::ObjectivesMissing, None, &["c"]),
        held(ReasonCode::TargetResourceMissing, Some("aws_x.y"), &[]),
        held(ReasonCode::PlanStale, None, &["a"]),
    ];
    let gaps = gaps(&model, &summary, &reviews);
    assert_eq!(
        shown(&gaps),
        ["2 objective c", "1 binding aws_x.y", "1 objective b", "0 objective a", "0 owner b", "0 owner c"],
        "of those that held nothing, the one that others need goes first"
    );
    assert_eq!(gaps[3].owner.as_ref().map(ObjectId::as_str), Some("team"));
    assert_eq!(gaps[3].needed_by, 2);
}

#[test]
fn u07_what_was_bound_since_is_no_gap() {
    let (mut model, summary) = model(MODEL);
    model.bindings.push(ontology::model::Binding {
        object: ObjectId::new("a").unwrap(),
        addresses: vec!["module.a.**".into()],
        workspaces: Vec::new(),
        tags: BTreeMap::new(),
        source: Name::new("m.yaml").unwrap(),
    });
    let reviews = [
        held(ReasonCode::TargetResourceMissing, Some("module.a.aws_x.y"), &[]),
        held(ReasonCode::TargetResourceMissing, Some("b"), &[]),
        held(ReasonCode::TargetResourceMissing, Some("module.b.aws_x.y"), &[]),
    ];
    let gaps = gaps(&model, &summary, &reviews);
    let bindings: Vec<&str> =
        gaps.iter().filter(|gap| gap.kind == GapKind::Binding).map(|gap| gap.subject.as_str()).collect();
    assert_eq!(bindings, ["module.b.aws_x.y"]);
}
