use super::*;

fn read(text: &str) -> Result<Vec<Manifest>, InputError> {
    super::read("m.yaml", text.as_bytes())
}

fn addresses(text: &str) -> Vec<String> {
    read(text).expect("they are manifests").into_iter().map(|manifest| manifest.address.to_string()).collect()
}

fn refused(text: &str) -> String {
    read(text).expect_err("it is broken").to_string()
}

#[test]
fn an_address_is_namespace_kind_and_name() {
    let object = |api: &str, kind: &str, metadata: &str| {
        format!("apiVersion: {api}\nkind: {kind}\nmetadata: {{ name: a{metadata} }}\n")
    };
    let check = |api: &str, kind: &str, metadata: &str, expect: &str| {
        assert_eq!(addresses(&object(api, kind, metadata)), [expect], "{api} {kind}");
    };
    check("apps/v1", "Deployment", ", namespace: shop", "shop/Deployment/a");
    check("apps/v1", "Deployment", "", "default/Deployment/a");
    check("extensions/v1beta1", "Deployment", "", "default/Deployment/a");
    check("v1", "Namespace", "", "Namespace/a");
    check("rbac.authorization.k8s.io/v1", "ClusterRole", ", namespace: ignored", "ClusterRole/a");
    check("serving.knative.dev/v1", "Service", ", namespace: shop", "shop/Service.serving.knative.dev/a");
    check("argoproj.io/v1alpha1", "Rollout", "", "Rollout.argoproj.io/a");
    check("v1", "Brandnew", "", "Brandnew.core/a");
}

#[test]
fn documents_lists_and_json_hold_objects() {
    let two = "# a comment\n---\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: b }\n";
    assert_eq!(addresses(two), ["default/ConfigMap/a", "default/Secret/b"]);
    let list = r#"{"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "ServiceList", "items": [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}]},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b", "namespace": "shop"}}]}"#;
    assert_eq!(addresses(list), ["default/Service/a", "shop/Pod/b"]);
    assert!(read("").expect("nothing is no fault").is_empty());
    assert!(read("\n# only a comment\n").expect("nothing is no fault").is_empty());
}

#[test]
fn what_the_server_fills_in_is_dropped() {
    let live = r#"{"apiVersion": "v1", "kind": "ConfigMap", "status": {"a": 1}, "data": {"k": "v"}, "metadata": {
        "name": "a", "uid": "1", "resourceVersion": "2", "generation": 3, "managedFields": [], "creationTimestamp": "x",
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"}}}"#;
    let written = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { k: v }\n";
    assert_eq!(read(live).unwrap()[0].value, read(written).unwrap()[0].value);
}

#[test]
fn u6_what_is_no_manifest_is_told_where_and_what_is_allowed() {
    let check = |text: &str, expect: &str| {
        let error = refused(text);
        assert!(error.starts_with("m.yaml: ") && error.contains(expect), "{error}\nexpected: {expect}");
    };
    let service = "apiVersion: v1\nkind: Service\nmetadata: { name: a }\n";
    check("just words", "$: is no object; accepted are Kubernetes manifests");
    check("kind: Service\n", "$.apiVersion: is missing");
    check("apiVersion: v1\n", "$.kind: is missing");
    check("apiVersion: v1\nkind: 7\n", "$.kind: is a number, not a text");
    check("apiVersion: v1\nkind: My Kind\n", "$.kind: is not a kind");
    check("apiVersion: one\nkind: A\n", "$.apiVersion: is not a version of an API (v1, apps/v1");
    check("apiVersion: apps/2\nkind: A\n", "is not a version");
    check("apiVersion: /v1\nkind: A\n", "is not a version");
    check("apiVersion: v1\nkind: Pod\nmetadata: {}\n", "$.metadata.name: is missing");
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }\n",
        "named by the server cannot be compared",
    );
    check("apiVersion: v1\nkind: Pod\nmetadata: { name: a/b }\n", "$.metadata.name: is not a name");
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: a.b }\n",
        "$.metadata.namespace: is not a namespace",
    );
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { $arb_unknown: true }\n",
        "the key is reserved",
    );
    check(
        &format!("{service}---\n{}", service.replace("name: a", "nam: a")),
        "document 2, $.metadata.name: is missing",
    );
    check("apiVersion: v1\nkind: List\nitems: [{}]\n", "$.items[0].apiVersion: is missing");
    check("apiVersion: v1\nkind: List\nitems: { a: b }\n", "$.items: is an object, not a list");
    check(
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n",
        "kubectl kustomize DIR",
    );
    check(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: a }\n",
        "belongs in the model",
    );
    check(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
        "render it first (helm template)",
    );
    check("{{- if .Values.on }}\napiVersion: v1\n{{- end }}\n", "render it first (helm template)");
    check("apiVersion: v1\napiVersion: v1\n", "stands here twice");
    check(r#"{"apiVersion": "v1", "kind": "Pod", "kind": "Pod"}"#, "twice");
    check(r#"{"apiVersion": "v1", "kind": "Po"#, "the file ends in the middle of $.kind");
    check("apiVersion: v1\nkind: \"Po", "m.yaml: ");
    check("a: \0", "the file is binary");
}

#[test]
fn u6_bombs_and_towers_are_refused() {
    let mut bomb = String::from(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n",
    );
    for level in 1..9 {
        let before = level - 1;
        let repeated = vec![format!("*a{before}"); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{repeated}]\n"));
    }
    assert!(refused(&bomb).contains("repeat too much"), "{}", refused(&bomb));
    let tower = format!("apiVersion: v1\nkind: A\nx: {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
    assert!(refused(&tower).contains("nests too deeply"), "{}", refused(&tower));
    let tower = format!("{}{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    assert!(refused(&tower).contains("deep"), "{}", refused(&tower));
    let lists = format!("{}{}", r#"{"apiVersion":"v1","kind":"List","items":["#.repeat(6), "]}".repeat(6));
    assert!(refused(&lists).contains("lists nest at most 4 deep"), "{}", refused(&lists));
}

#[test]
fn anchors_within_bounds_are_read() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: &labels { app: a } }\nspec: { selector: *labels }\n";
    assert_eq!(read(text).unwrap()[0].value["spec"]["selector"]["app"], "a");
}
