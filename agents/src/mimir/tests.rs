use ontology::records::CatalogRevision;
use ontology::{BodyRef, Digest};
use topics::{Agent, Answer, Ask, Cause, Object, Question, Topic};

use super::Mimir;
use crate::kit::samples::{self, name};
use crate::kit::{World, said};

#[test]
fn a_policy_set_lists_every_constraint_of_the_pinned_catalog() {
    let document = samples::database_change();
    let mut catalog = samples::catalog();
    let mut other = catalog.constraints[0].clone();
    other.id = name("a-first");
    catalog.constraints.insert(0, other);
    let expected: Vec<(String, Digest)> =
        catalog.constraints.iter().map(|it| (it.id.to_string(), Digest::of_value(it))).collect();
    let pinned = catalog.digest();
    let mut world =
        World::open(samples::change(&document), document, samples::model(), catalog).with::<Mimir>();
    world.run();
    let set = said!(world, PolicySet).expect("a policy set");
    assert_eq!((set.evaluation, set.catalog), (1, pinned));
    let listed: Vec<(String, Digest)> =
        set.constraints.iter().map(|pair| (pair.id.clone(), pair.digest)).collect();
    assert_eq!(listed, expected);
    assert_eq!(world.all(Topic::PolicySet).len(), 1);
}

#[test]
fn a_catalog_that_was_stored_is_recorded() {
    let body = BodyRef::of(b"catalog", ontology::policy::catalog::MEDIA_TYPE);
    let revision = CatalogRevision { digest: body.sha256, body, name: name("acme"), constraints: 1 };
    let question = Question { cause: Cause::named("catalog"), as_of: samples::noon(), ask: Ask::Intake };
    let objects = Mimir::observe(&question, &Answer::Catalog(revision.clone()), &topics::Library::default());
    assert_eq!(objects, [Object::from(revision)]);
}
