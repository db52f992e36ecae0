//! CODEOWNERS as a second source of owners.

use super::*;

fn bindings() -> &'static str {
    "- component: orders\n  paths: [services/orders/**]\n- component: search\n  paths: [services/search/**]\n"
}

fn components() -> String {
    documents(&[
        component("orders", "  owner: team-orders"),
        component("search", "  owner: team-search"),
        entity("Group", "team-orders"),
        entity("Group", "team-search"),
    ])
}

#[test]
fn s13_an_owner_that_backstage_and_codeowners_name_is_verified_by_both() {
    let rules =
        "# who\n* @shop/platform\n/services/orders/ @shop/team-orders\n/services/search/ @shop/other @x\n";
    let compiled = compiled(&[
        ("backstage/a.yaml", &components()),
        ("bindings.yaml", bindings()),
        ("github/CODEOWNERS", rules),
    ]);
    let owned = compiled.link(LinkType::OwnedBy, "component:default/orders", "group:default/team-orders");
    assert_eq!(names(&owned.sources), ["backstage/a.yaml", "github/CODEOWNERS"]);
    let contested = compiled.link(LinkType::OwnedBy, "component:default/search", "group:default/team-search");
    assert_eq!(names(&contested.denied_by), ["github/CODEOWNERS"], "the last rule that matches says another");
    assert!(compiled.warnings.iter().any(|warning| warning.contains("sources differ about owned_by")));
}

#[test]
fn a_rule_that_takes_the_owner_away_names_nobody() {
    let rules = "* @shop/platform\n/services/orders/\n";
    let plain = documents(&[component("orders", ""), component("search", "")]);
    let compiled = compiled(&[("b/a.yaml", &plain), ("bindings.yaml", bindings()), ("CODEOWNERS", rules)]);
    let links = compiled.links();
    assert_eq!(links, ["component:default/search owned_by group:default/platform"]);
    assert_eq!(
        compiled.object("group:default/platform").detail.object_type(),
        ontology::release::ObjectType::Ownership
    );
}

#[test]
fn u06_a_word_that_is_no_owner_is_told_with_its_line() {
    assert_eq!(
        error(&[("CODEOWNERS", "* @a\n\n/x/ team-x\n")]),
        "CODEOWNERS: line 3: \"team-x\" is no owner: @USER, @ORG/TEAM or an address"
    );
    assert_eq!(error(&[("CODEOWNERS", "\0")]), "CODEOWNERS: the file is binary: byte 0 is NUL");
}
