use ontology::records::Action;

use super::*;
use crate::huginn::redact::to_json;
use crate::huginn::tests::{catalog, key};

const CANARY: &str = "CANARY-7f3a9";
const CASES: [&str; 2] = ["conftest-deployment.yaml", "online-boutique.yaml"];

/// Files of one side: path and text.
type Side<'a> = &'a [(&'a str, &'a str)];

fn given(before: Side<'_>, after: Side<'_>) -> Result<Intake, InputError> {
    let (catalog, key) = (catalog(), key());
    let files = |side: Side<'_>| -> Vec<(String, Vec<u8>)> {
        side.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
    };
    let (before, after) = (files(before), files(after));
    let (before, after) = (lent(&before), lent(&after));
    let sides = BeforeAndAfter { before: &before, after: &after, cluster: Some("prod") };
    read(&sides, &Context { catalog: &catalog, key: Some(&key) })
}

fn lent(files: &[(String, Vec<u8>)]) -> Vec<ManifestFile<'_>> {
    files.iter().map(|(path, bytes)| ManifestFile { path, bytes }).collect()
}

fn changed(before: &str, after: &str) -> Intake {
    given(&[("before.yaml", before)], &[("after.yaml", after)]).expect("they are manifests")
}

fn actions(intake: &Intake) -> Vec<(&str, Action)> {
    intake.document.targets.iter().map(|target| (target.address.as_str(), target.action)).collect()
}

fn config_map(name: &str, value: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: {name}, namespace: shop }}\ndata: {{ key: {value} }}\n"
    )
}

const WEB: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { team: shop } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, team: none } }
    spec:
      serviceAccountName: web
      volumes:
        - { name: data, persistentVolumeClaim: { claimName: web-data } }
        - { name: keys, secret: { secretName: web-keys } }
      containers:
        - name: app
          image: registry.example.com/web:1.2
          envFrom: [{ configMapRef: { name: settings } }]
";

#[test]
fn what_stands_on_one_side_appears_or_goes() {
    let same = config_map("same", "a");
    let before = format!("{same}{}{}", config_map("altered", "a"), config_map("gone", "a"));
    let after = format!("{}{same}{}", config_map("new", "a"), config_map("altered", "b"));
    let read = changed(&before, &after);
    assert_eq!(
        actions(&read),
        [
            ("shop/ConfigMap/altered", Action::Update),
            ("shop/ConfigMap/gone", Action::Delete),
            ("shop/ConfigMap/new", Action::Create),
            ("shop/ConfigMap/same", Action::NoOp),
        ]
    );
    assert_eq!(
        (read.document.format.as_str(), read.document.workspace.as_deref()),
        ("kubernetes", Some("prod"))
    );
}

#[test]
fn order_and_files_make_no_difference() {
    let (one, other) = (config_map("one", "a"), config_map("other", "a"));
    let together = given(&[], &[("all.yaml", &format!("{one}{other}"))]).expect("they are manifests");
    let apart = given(&[], &[("2.yaml", &other), ("1.yaml", &one)]).expect("they are manifests");
    assert_eq!(together.content_digest, apart.content_digest);
}

#[test]
fn labels_of_an_object_go_before_those_of_its_pods() {
    let read = changed("", WEB);
    let tags = &read.document.targets[0].tags;
    assert_eq!((tags["app"].as_str(), tags["team"].as_str()), ("web", "shop"));
}

#[test]
fn what_is_for_pods_has_their_labels() {
    let check = |kind: &str, api: &str, spec: &str| {
        let text = format!("apiVersion: {api}\nkind: {kind}\nmetadata: {{ name: a }}\nspec: {spec}\n");
        assert_eq!(
            changed("", &text).document.targets[0].tags.get("app").map(String::as_str),
            Some("web"),
            "{kind}"
        );
    };
    check("Service", "v1", "{ selector: { app: web } }");
    check("PodDisruptionBudget", "policy/v1", "{ selector: { matchLabels: { app: web } } }");
    check("NetworkPolicy", "networking.k8s.io/v1", "{ podSelector: { matchLabels: { app: web } } }");
}

#[test]
fn an_object_needs_those_that_it_names() {
    let others = "
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: web, namespace: shop }
---
apiVersion: v1
kind: Secret
metadata: { name: web-keys, namespace: shop }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: elsewhere }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
";
    let read = changed("", &format!("{WEB}{others}"));
    let web = read.document.targets.iter().find(|target| target.address.as_str() == "shop/Deployment/web");
    let needs: Vec<&str> = web.expect("it is there").needs.iter().map(ObjectId::as_str).collect();
    assert_eq!(
        needs,
        ["Namespace/shop", "shop/ConfigMap/settings", "shop/Secret/web-keys", "shop/ServiceAccount/web"]
    );
}

#[test]
fn u6_an_object_that_stands_twice_is_refused_with_both_places() {
    let one = config_map("a", "x");
    let error = given(&[], &[("1.yaml", &one), ("2.yaml", &format!("{}{one}", config_map("b", "x")))]);
    assert_eq!(
        error.expect_err("it stands twice").to_string(),
        "2.yaml: document 2: shop/ConfigMap/a stands already in 1.yaml"
    );
    let error = given(&[("a.yaml", "# nothing\n")], &[]).expect_err("there is nothing").to_string();
    assert_eq!(error, "manifests: neither side holds an object");
}

/// A manifest with a canary in every place where a secret may stand.
fn canaries(canary: &str) -> String {
    format!(
        "apiVersion: v1
kind: Secret
metadata:
  name: keys
  annotations: {{ note: {canary}, kubectl.kubernetes.io/last-applied-configuration: {canary} }}
data: {{ password: {canary} }}
stringData: {{ dsn: 'postgres://app:{canary}@db/x' }}
---
apiVersion: v1
kind: ConfigMap
metadata: {{ name: settings }}
data: {{ app.properties: 'secret={canary}' }}
binaryData: {{ blob: {canary} }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{ name: web, labels: {{ token: {canary} }} }}
spec:
  template:
    spec:
      imagePullSecrets: [{{ name: {canary} }}]
      hostAliases: [{{ ip: 10.0.0.1, hostnames: [{canary}] }}]
      containers:
        - name: app
          image: web:1
          command: [sh, -c, 'export KEY={canary}']
          args: ['--token={canary}']
          env: [{{ name: PASSWORD, value: {canary} }}, {{ name: PORT, value: {canary} }}]
          lifecycle: {{ postStart: {{ exec: {{ command: [{canary}] }} }} }}
          livenessProbe:
            exec: {{ command: [check, {canary}] }}
          readinessProbe:
            httpGet: {{ path: /, port: 80, httpHeaders: [{{ name: Authorization, value: {canary} }}] }}
      initContainers: [{{ name: init, env: [{{ name: A, value: {canary} }}] }}]
      volumes: [{{ name: v, csi: {{ volumeAttributes: {{ key: {canary} }} }} }}]
---
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {{ name: sealed }}
spec: {{ encryptedData: {{ a: {canary} }}, template: {{ data: {canary} }}, replicas: {canary} }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {{ name: web, annotations: {{ nginx.ingress.kubernetes.io/auth-secret: {canary} }} }}
spec: {{ tls: [{{ secretName: {canary} }}] }}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{ name: fast }}
parameters: {{ adminSecret: {canary} }}
"
    )
}

#[test]
fn u3_a_canary_in_every_place_of_a_manifest_is_nowhere_in_the_document() {
    let (before, after) = (canaries("before-x"), canaries(CANARY));
    assert!(after.matches(CANARY).count() > 20, "the canary is in the input");
    for read in [changed(&before, &after), changed("", &after), changed(&after, ""), changed(&after, &after)]
    {
        let text = to_json(&read).to_string();
        assert!(!text.contains(CANARY), "{text}");
        assert!(!format!("{:?}", read.document).contains(CANARY));
    }
    let text = to_json(&changed(&before, &after)).to_string();
    assert!(text.contains("web:1") && text.contains("\"changed\":true"), "{text}");
}

#[test]
fn u3_a_canary_is_in_no_error_about_a_manifest() {
    let whole = canaries(CANARY);
    for at in (0..whole.len()).step_by(7).filter(|at| whole.is_char_boundary(*at)) {
        for broken in [whole[..at].to_owned(), format!("{}\u{1}{}", &whole[..at], &whole[at..])] {
            if let Err(error) = given(&[], &[("a.yaml", &broken)]) {
                assert!(!error.to_string().contains(CANARY), "{error}");
            }
        }
    }
}

#[test]
fn u3_a_changed_secret_is_an_update_of_which_nothing_is_kept() {
    let secret = |value: &str| {
        format!("apiVersion: v1\nkind: Secret\nmetadata: {{ name: a }}\ndata: {{ k: {value} }}\n")
    };
    let read = changed(&secret("b25l"), &secret("dHdv"));
    let target = &read.document.targets[0];
    assert_eq!(target.action, Action::Update);
    let withheld = |side: &Option<Attributes>| match side.as_ref().and_then(|side| side.get("data")) {
        Some(Value::Withheld(withheld)) => withheld.clone(),
        other => panic!("{other:?}"),
    };
    let (before, after) = (withheld(&target.before), withheld(&target.after));
    assert!(before.changed && after.changed && before.mac.is_some() && before.mac != after.mac);
}

#[test]
fn a_document_of_manifests_is_read_again_to_the_same_content() {
    let read = changed(&canaries("a"), &canaries("b"));
    let again = crate::huginn::tests::read(to_json(&read).to_string().as_bytes()).expect("we wrote it");
    assert_eq!(read.content_digest, again.content_digest);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "only tests read the published cases")]
fn published_manifests_are_read() {
    for (name, count) in CASES.into_iter().zip([1, 35]) {
        let path = format!("{}/../../shared/cases/kubernetes/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let created = given(&[], &[(name, &text)]).expect("it was published");
        assert_eq!(created.document.targets.len(), count, "{name}");
        assert!(created.document.targets.iter().all(|target| target.action == Action::Create));
        let same = given(&[(name, &text)], &[(name, &text)]).expect("it was published");
        assert_eq!(same.document.changed().count(), 0, "{name}");
    }
}
