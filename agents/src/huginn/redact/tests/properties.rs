use ontology::records::ChangeDocument;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::CASES;
use crate::huginn::redact::to_json;
use crate::huginn::tests::{case, change, plan, read, taken};

fn digest(value: &Json) -> ontology::Digest {
    taken(value).document.content_digest()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn u5_a_content_digest_is_of_the_content(seed in any::<u64>(), at in 0_i64..2_000_000_000, pretty in any::<bool>()) {
        let bytes = case("tfjson-120_basic.json");
        let base: Json = serde_json::from_slice(&bytes).expect("it is JSON");
        let mut other = base.clone();
        let changes = other["resource_changes"].as_array_mut().expect("a list");
        let count = changes.len();
        changes.rotate_left(usize::try_from(seed).unwrap_or(0) % count);
        other["timestamp"] = json!(ontology::Timestamp::from_micros(at * 1_000_000));
        other["terraform_version"] = json!("9.9.9");
        let text = if pretty { serde_json::to_string_pretty(&other) } else { serde_json::to_string(&other) };
        let read = read(text.expect("JSON").as_bytes()).expect("it is a plan");
        prop_assert_eq!(read.document.content_digest(), digest(&base));
    }

    #[test]
    fn mutated_plans_are_read_or_refused(which in 0..CASES.len(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = case(CASES[which]);
        prop_assume!(bytes.len() < 40_000);
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let _ = read(&bytes);
    }

    #[test]
    fn any_bytes_are_a_change_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    /// Whatever stands under whatever names: what is read again is what was read.
    #[test]
    fn u3_redaction_is_idempotent_for_any_attributes(before in attributes(), after in attributes(), unchanged in any::<bool>()) {
        let actions = if unchanged { json!(["no-op"]) } else { json!(["update"]) };
        let first = taken(&plan(json!([change("aws_security_group.x", actions, before, after)])));
        let again = read(to_json(&first).to_string().as_bytes()).expect("it is a document");
        prop_assert_eq!(&first.document, &again.document);
        let cbor = ontology::cbor::to_vec(&*first.document).expect("canonical");
        let stored: ChangeDocument = ontology::cbor::from_slice(&cbor).expect("it was written");
        prop_assert_eq!(&stored, &*first.document);
    }
}

fn attributes() -> impl Strategy<Value = Json> {
    let names = prop::sample::select(vec![
        "name", "value", "password", "ingress", "sku", "tags", "other", "id", "key",
    ]);
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        (-1e9..1e9_f64).prop_map(Json::from),
        "[a-z]{0,6}".prop_map(Json::from),
        Just(json!("DB_PASSWORD")),
        Just(json!("postgres://u:p@h")),
    ];
    let pairs = names.clone();
    let value = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(pairs.clone(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    });
    prop::collection::btree_map(names, value, 0..6).prop_map(|map| json!(map))
}
