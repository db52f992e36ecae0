//! What the client may ask is what GitHub publishes.

use std::collections::BTreeSet;

use governance_bot::forge::{Operation, graphql};
use serde_json::json;
use tests::fakehub::description::description;

#[test]
fn every_operation_of_the_client_is_published_under_its_name() {
    for operation in Operation::ALL {
        let published = &description().document()["operations"][operation.name];
        assert_eq!(published["method"], operation.method.name(), "{}", operation.name);
        let path = published["path"].as_str().unwrap().replace("{basehead}", "{base}...{head}");
        assert_eq!(path, operation.path, "{}", operation.name);
        let ok = &published["responses"]["200"];
        if let Some(envelope) = operation.envelope {
            let schema = resolved(ok);
            assert!(schema["properties"][envelope]["type"] == "array", "{}: {envelope}", operation.name);
        }
    }
    let names: BTreeSet<&str> = Operation::ALL.iter().map(|operation| operation.name).collect();
    assert_eq!(names.len(), Operation::ALL.len(), "each once");
}

fn resolved(schema: &serde_json::Value) -> &serde_json::Value {
    match schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => &description().document()["schemas"][name],
        None => schema,
    }
}

#[test]
fn the_graphql_operations_of_the_client_fit_the_published_schema() {
    let check = |query: &str, variables: serde_json::Value, expect: usize| {
        let document = tests::fakehub::graphql::parse(query, &variables).unwrap();
        let faults = tests::fakehub::graphql::faults(&document);
        assert_eq!(faults.len(), expect, "{query}: {faults:?}");
    };
    check(graphql::REBASE_BRANCH, json!({ "pull": "PR_1", "head": "aa" }), 0);
    check(graphql::REQUIRED_OF_HEAD, json!({ "owner": "a", "name": "b", "number": 1, "after": null }), 0);
    check("{ repository(owner: \"a\") { pullRequest(number: 1) { id } } }", json!({}), 1);
    check("{ repository(owner: \"a\", name: \"b\") { pullRequest(number: \"1\") { id } } }", json!({}), 1);
    check("{ repository(owner: \"a\", name: \"b\") { pullRequest(number: 1) { color } } }", json!({}), 1);
    check("{ repository(owner: \"a\", name: \"b\") { pullRequest(number: 1) } }", json!({}), 1);
    check(
        "mutation { updatePullRequestBranch(input: {updateMethod: SQUASH}) { clientMutationId } }",
        json!({}),
        2,
    );
}

#[test]
fn the_fake_routes_as_the_forge_does() {
    let check = |method: &str, path: &str, expect: Option<&str>| {
        assert_eq!(description().route(method, path).map(|(name, _)| name), expect, "{method} {path}");
    };
    check("GET", "/repos/a/b/git/ref/heads/feature/x", Some("git/get-ref"));
    check("GET", "/repos/a/b/git/ref/heads%2Ffeature%2Fx", Some("git/get-ref"));
    check("GET", "/repos/a/b/compare/main...c:topic/x", Some("repos/compare-commits"));
    check("GET", "/repos/a/b/commits/abc/check-runs", Some("checks/list-for-ref"));
    check("GET", "/repos/a/b/commits/abc", Some("repos/get-commit"));
    check("GET", "/repos/a/b/contents/docs/adr/0001.md", Some("repos/get-content"));
    check("GET", "/repos/a/b/rules/branches/release%2F1", Some("repos/get-branch-rules"));
    check("POST", "/repos/a/b/pulls/1/merge", None);
    check("GET", "/nothing", None);
}
