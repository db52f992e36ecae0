//! Kubernetes manifests from a person's desk: as files, as directories, and the way kubectl and Argo CD call.

use serde_json::Value;

use super::desk::Desk;

const CANARY: &str = "canary-7f3a9e51-do-not-keep";

/// A published file.
fn case(name: &str) -> String {
    format!("{}/../../shared/cases/kubernetes/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn boutique() -> String {
    std::fs::read_to_string(case("online-boutique.yaml")).unwrap()
}

/// `rule subject` of each finding that counts.
fn findings(report: &Value) -> Vec<String> {
    let rows = report["rules"]["findings"].as_array().unwrap().iter().filter(|row| row["counts"] == true);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.map(|row| format!("{} {}", text(&row["constraint"]), text(&row["subject"]))).collect()
}

fn deployment(replicas: u32, secret: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: web, namespace: shop }}\nspec:\n  replicas: {replicas}\n  \
         template:\n    spec:\n      containers:\n        - {{ name: app, image: 'web:1', env: [{{ name: KEY, value: {secret} }}] }}\n\
         ---\napiVersion: v1\nkind: Secret\nmetadata: {{ name: keys, namespace: shop }}\nstringData: {{ key: {secret} }}\n"
    )
}

#[test]
fn published_manifests_are_decided() {
    let desk = Desk::new();
    let all = desk.run(&["review", "--after", &case(""), "--output", "json"]).ok().json();
    assert_eq!(all["recommendation"], "held", "nothing is modelled");
    assert_eq!(all["change"]["format"], "kubernetes-manifests");
    assert_eq!(all["change"]["actions"], serde_json::json!({ "create": 36 }));
    let found = findings(&all);
    assert!(found.contains(&"public-exposure default/Service/frontend-external".to_owned()), "{found:?}");
    assert!(found.contains(&"single-replica default/Deployment/frontend".to_owned()), "{found:?}");
    assert!(!found.iter().any(|row| row.contains("hello-kubernetes")), "three copies, no Service: {found:?}");

    let one =
        desk.run(&["review", "--after", &case("conftest-deployment.yaml"), "--output", "json"]).ok().json();
    assert_eq!(one["change"]["actions"], serde_json::json!({ "create": 1 }));
    assert!(findings(&one).is_empty(), "{one}");
    let same = case("online-boutique.yaml");
    let same = desk.run(&["review", "--before", &same, "--after", &same, "--output", "json"]).ok().json();
    assert_eq!(same["change"]["actions"], serde_json::json!({ "no-op": 35 }));
}

#[test]
fn what_one_change_introduces_is_told_from_what_was_there() {
    let desk = Desk::new();
    let before = desk.put("before/shop.yaml", boutique().replace("type: LoadBalancer", "type: ClusterIP"));
    desk.put("after/shop.yaml", boutique());
    desk.put("after/notes.txt", "not a manifest");
    let ran = desk.run(&["review", "--before", &before, "--after", &desk.text("after"), "--output", "json"]);
    let report = ran.ok().json();
    assert_eq!(findings(&report), ["public-exposure default/Service/frontend-external"]);
}

#[test]
fn the_same_manifests_again_are_the_stored_review() {
    let desk = Desk::new();
    let (before, after) = (desk.put("a.yaml", deployment(3, "x")), desk.put("b.yaml", deployment(1, "x")));
    let dir = desk.text("data");
    let ask = |more: &[&str]| {
        desk.run(&[&["submit-change", "--before", &before, "--after", &after, "--dir", &dir], more].concat())
            .ok()
    };
    let first = ask(&["--output", "json"]).json();
    assert_eq!(findings(&first), ["single-replica shop/Deployment/web"]);
    let short = first["short"].as_str().unwrap();
    let admit = desk.run(&["admit", short, "--before", &before, "--after", &after, "--dir", &dir]);
    assert_eq!(admit.code, 12, "it is held: {}{}", admit.out, admit.err);
    let again = ask(&["--output", "json"]);
    assert_eq!(again.json()["review"], first["review"]);
    assert!(again.err.contains("the stored review"), "{}", again.err);
    let elsewhere = ask(&["--cluster", "prod", "--output", "json"]).json();
    assert_ne!(elsewhere["review"], first["review"], "another cluster is another change");
    desk.run(&["replay", "--dir", &dir]).ok();
}

#[test]
fn u3_redacted_manifests_are_the_same_change() {
    let desk = Desk::new();
    let (before, after) = (desk.put("a.yaml", deployment(3, "x")), desk.put("b.yaml", deployment(1, "y")));
    let both = ["--before", &before, "--after", &after];
    let redacted = desk.run(&[&["redact"][..], &both].concat()).ok().out;
    let redacted = desk.put("redacted.json", redacted);
    let digest = |given: &[&str]| {
        let ran = desk.run(&[&["review"][..], given, &["--output", "json"]].concat()).ok();
        ran.json()["change"]["content_digest"].clone()
    };
    assert_eq!(digest(&both), digest(&[&redacted]));
}

#[test]
fn u15_kubectl_and_argo_cd_call_in_their_own_order_and_read_the_exit_code_of_diff() {
    let desk = Desk::new();
    // kubectl names files by group, version, kind, namespace and name, and leaves empty what is not there.
    let name = "apps.v1.Deployment.shop.web";
    desk.put(&format!("LIVE-1/{name}"), deployment(3, "x"));
    desk.put(&format!("MERGED-1/{name}"), deployment(1, "x"));
    let (live, merged) = (desk.text("LIVE-1"), desk.text("MERGED-1"));
    for order in [["kubectl-diff", &live, &merged], [&live, &merged, "kubectl-diff"]] {
        let ran = desk.run(&order);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.contains("single-replica") && ran.out.contains("shop/Deployment/web"), "{}", ran.out);
        assert!(!ran.out.contains("MERGED-1"), "the directory is gone afterwards: {}", ran.out);
    }
    let ran = desk.run(&[&live, &merged, "kubectl-diff", "--output=json"]);
    assert_eq!((ran.code, ran.json()["recommendation"].as_str()), (1, Some("held")));
    let ran = desk.run(&[&live, &live, "kubectl-diff"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "no difference: {}", ran.err);
    // Argo CD gives one file of each.
    let (one, none) = (desk.put("web-live.yaml", ""), desk.put("web", deployment(1, "x")));
    let ran = desk.run(&["kubectl-diff", &one, &none]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("2 create"), "{}", ran.out);
    assert_eq!(desk.run(&["kubectl-diff", &one, &one]).code, 0);
    let broken = desk.put("broken", "kind: Deployment\n");
    let ran = desk.run(&["kubectl-diff", &broken, &none]);
    assert!(
        ran.code > 1 && ran.err.contains("error[bad-input]") && ran.err.contains("apiVersion"),
        "{}",
        ran.err
    );
}

#[test]
fn u6_manifests_that_cannot_be_used_are_told_where() {
    let desk = Desk::new();
    let good = desk.put("good.yaml", deployment(1, "x"));
    let check = |arguments: &[&str], says: &[&str]| {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        for words in says {
            assert!(ran.err.contains(words), "{arguments:?}: {words} is missing in\n{}", ran.err);
        }
    };
    check(&["review", &good], &["it is a Kubernetes manifest; give it as --after"]);
    check(&["review"], &["--after"]);
    check(&["review", &good, "--after", &good], &["cannot be used with"]);
    check(&["review", "--after", &desk.text("nothing")], &["there is no such file"]);
    check(
        &["review", "--after", &good, "--after", &good],
        &["shop/Deployment/web stands already in", "good.yaml"],
    );
    let helm = desk.put("helm.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n");
    check(&["review", "--after", &helm], &["error[bad-input]", "line 4", "helm template"]);
    let cut = desk.put("cut.json", r#"{"apiVersion": "v1", "kind": "Li"#);
    check(&["review", "--after", &cut], &["cut.json", "the file ends in the middle"]);
    std::fs::write(desk.path("zip.yaml"), b"PK\x03\x04\xff\xfe").unwrap();
    check(&["review", "--after", &desk.text("zip.yaml")], &["zip.yaml", "not UTF-8"]);
}

#[test]
fn u3_no_command_shows_or_keeps_a_secret_of_a_manifest() {
    let desk = Desk::new();
    let before = desk.put("before.yaml", deployment(3, "harmless"));
    let after = desk.put("after.yaml", deployment(1, CANARY));
    let (dir, to) = (desk.text("data"), desk.text("model"));
    let commands: [&[&str]; 7] = [
        &["redact", "--before", &before, "--after", &after],
        &["review", "--before", &before, "--after", &after, "-v"],
        &["review", "--after", &after, "--output", "json"],
        &["submit-change", "--before", &after, "--after", &before, "--dir", &dir, "-v"],
        &["submit-change", "--before", &before, "--after", &after, "--dir", &dir, "--output", "json"],
        &["model", "init", "--after", &after, "--to", &to],
        &["kubectl-diff", &before, &after, "-v"],
    ];
    for arguments in commands {
        let ran = desk.run(arguments);
        assert!(ran.code <= 1, "{arguments:?}: {}", ran.err);
        assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY), "{arguments:?} tells it");
    }
    for directory in ["data", "model"] {
        let bytes = desk.bytes_below(directory);
        assert!(!bytes.is_empty(), "{directory} has something to look through");
        assert!(
            !bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()),
            "{directory} keeps it"
        );
    }
}
