use crate::graph::Graph;
use crate::graph::sample::{binding, id, model, object, source, target};
use crate::model::Binding;
use crate::records::document::{Action, Target};
use crate::records::snapshot::Found;

fn a_target(address: &str) -> Target {
    target(address, "aws_db_instance", Action::Update, serde_json::Value::Null, serde_json::Value::Null)
}

fn tagged(binding: Binding, tags: &[(&str, &str)]) -> Binding {
    let tags = tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Binding { tags, ..binding }
}

fn in_workspace(binding: Binding, workspace: &str) -> Binding {
    Binding { workspaces: vec![workspace.to_owned()], ..binding }
}

fn graph(bindings: &[Binding]) -> Graph {
    let mut model = model(&["r:db", "w:a", "w:b", "s:shop"].map(object), &[]);
    model.sources = vec![source("bindings.yaml", "platform")];
    model.bindings = bindings.to_vec();
    Graph::index(model).unwrap()
}

fn found(bindings: &[Binding], target: &Target, workspace: Option<&str>) -> Found {
    let graph = graph(bindings);
    graph.bindings().resolve(&graph, target, workspace)
}

#[test]
fn u07_patterns_keep_to_their_segment_or_take_any_rest() {
    let check = |pattern: &str, address: &str, expect: bool| {
        let bound =
            found(&[binding("w:a", &[pattern])], &a_target(address), None) == Found::PartOf(id("w:a"));
        assert_eq!(bound, expect, "{pattern} on {address}");
    };
    check("aws_db_instance.main", "aws_db_instance.main", true);
    check("aws_db_instance.main", "aws_db_instance.mainly", false);
    check("aws_*.main", "aws_db_instance.main", true);
    check("aws_*", "aws_db_instance.main", false);
    check("*.main", "aws_db_instance.main", true);
    check("*.*", "module.db.aws_db_instance.main", false);
    check("**", "module.db.aws_db_instance.main", true);
    check("module.db.**", "module.db.module.x.aws_db_instance.main[0]", true);
    check("module.db.**", "module.db_2.aws_db_instance.main", false);
    check("module.db*.**", "module.db_2.aws_db_instance.main", true);
    check("module.*.aws_instance.*", "module.web[\"a.b\"].aws_instance.this[0]", true);
    check("module.*.aws_instance.*", "module.web.module.x.aws_instance.this", false);
    check("aws_instance.web[*]", "aws_instance.web[\"test.1\"]", true);
    check("aws_instance.web[*]", "aws_instance.web", false);
    check("**.aws_db_instance.*", "module.a.module.b.aws_db_instance.main", true);
    check("**.aws_db_*.m*n", "module.a.aws_db_x.nope.aws_db_instance.main", true);
    check("**.aws_db_*.m*n", "module.a.aws_db_x.nope.aws_db_instance.mine", false);
    check("*a*b*c", "xaybzc", true);
    check("*a*b*c", "xaybz", false);
}

#[test]
fn u07_an_exact_address_is_a_resource_and_a_part_of_anything_else() {
    let exact = |object: &str| [binding(object, &["aws_db_instance.main"])];
    let main = a_target("aws_db_instance.main");
    assert_eq!(found(&exact("r:db"), &main, None), Found::Is(id("r:db")));
    assert_eq!(found(&exact("w:a"), &main, None), Found::PartOf(id("w:a")));
    assert_eq!(found(&[binding("r:db", &["aws_db_*.main"])], &main, None), Found::PartOf(id("r:db")));
    assert_eq!(found(&[], &main, None), Found::Unbound);
    assert_eq!(found(&[], &a_target("w:b"), None), Found::Is(id("w:b")));
}

#[test]
fn u07_the_most_specific_binding_wins_and_a_tie_is_a_conflict() {
    let main = a_target("module.a.aws_db_instance.main");
    let wide = binding("w:a", &["module.**"]);
    let narrow = binding("w:b", &["module.a.**"]);
    let exact = binding("r:db", &["module.a.aws_db_instance.main"]);
    assert_eq!(found(&[wide.clone(), narrow.clone()], &main, None), Found::PartOf(id("w:b")));
    assert_eq!(found(&[narrow.clone(), exact, wide], &main, None), Found::Is(id("r:db")));
    let twin = binding("w:a", &["module.a.**"]);
    let conflict = Found::Conflict(vec![id("w:a"), id("w:b")]);
    assert_eq!(found(&[narrow.clone(), twin.clone()], &main, None), conflict);
    let told_apart = tagged(twin, &[("app", "a")]);
    let with_tag = Target { tags: [("app".to_owned(), "a".to_owned())].into(), ..main };
    assert_eq!(found(&[narrow, told_apart], &with_tag, None), Found::PartOf(id("w:a")));
}

#[test]
fn u07_tags_must_all_be_equal_and_workspaces_match() {
    let both = tagged(binding("w:a", &[]), &[("app", "a"), ("team", "x")]);
    let mut main = a_target("aws_db_instance.main");
    main.tags = [("app".to_owned(), "a".to_owned()), ("team".to_owned(), "y".to_owned())].into();
    assert_eq!(found(std::slice::from_ref(&both), &main, None), Found::Unbound);
    main.tags.insert("team".to_owned(), "x".to_owned());
    assert_eq!(found(&[both], &main, None), Found::PartOf(id("w:a")));
    let production = in_workspace(binding("w:b", &["**"]), "shop-*");
    assert_eq!(found(std::slice::from_ref(&production), &main, Some("shop-prod")), Found::PartOf(id("w:b")));
    assert_eq!(found(std::slice::from_ref(&production), &main, Some("other")), Found::Unbound);
    assert_eq!(found(&[production], &main, None), Found::Unbound);
    let workspace_alone = in_workspace(binding("w:b", &[]), "shop");
    assert_eq!(found(&[workspace_alone], &main, Some("shop")), Found::PartOf(id("w:b")));
    assert_eq!(found(&[binding("w:b", &[])], &main, None), Found::Unbound);
}

#[test]
fn u07_among_many_bindings_every_prefix_of_an_address_is_tried() {
    let addresses = ["a.**", "ab.**", "abc*.x", "a*.y", "abd.**"];
    let bindings: Vec<Binding> = addresses.map(|address| binding("w:a", &[address])).into();
    let check = |address: &str, expect: bool| {
        assert_eq!(found(&bindings, &a_target(address), None) != Found::Unbound, expect, "{address}");
    };
    check("abc.y", true);
    check("abcd.x", true);
    check("abd.z", true);
    check("abe.z", false);
    check("abz.y", true);
}
