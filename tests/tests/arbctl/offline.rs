//! What needs no node: explain, completions, version, and the words of a language (U6).

use super::desk::Desk;

#[test]
fn u6_every_code_that_a_screen_or_an_error_shows_has_a_page() {
    let desk = Desk::new();
    let index = desk.run(&["explain"]).ok().out;
    for code in ontology::ReasonCode::ALL {
        let page = desk.run(&["explain", code.as_str()]).ok().out;
        assert!(page.starts_with(&format!("# {code} — ")), "{page}");
        assert!(index.contains(code.as_str()), "{code}");
    }
    for code in
        ["bad-input", "not-found", "conflict", "log-unavailable", "locked", "internal", "retry", "differs"]
    {
        desk.run(&["explain", code]).ok();
    }
    // As it stands on a screen, with its subject.
    desk.run(&["explain", "missing_evidence:cost"]).ok();
}

#[test]
fn u6_the_language_is_the_option_else_the_locale() {
    let hangul = |text: &str| text.chars().any(|it| ('가'..='힣').contains(&it));
    let page = |desk: Desk, more: &[&str]| desk.run(&[&["explain", "plan_stale"], more].concat()).ok().out;
    assert!(!hangul(&page(Desk::new(), &[])));
    assert!(hangul(&page(Desk::new(), &["--lang", "ko"])));
    assert!(hangul(&page(Desk::new().with("LC_MESSAGES", "ko_KR.UTF-8"), &[])));
    assert!(hangul(&page(Desk::new().with("LANG", "ko_KR.UTF-8"), &[])));
    assert!(!hangul(&page(Desk::new().with("LANG", "ko_KR.UTF-8").with("LC_ALL", "C"), &[])));
    assert!(!hangul(&page(Desk::new().with("LANG", "ko_KR.UTF-8"), &["--lang", "en"])));
    let unknown = Desk::new().run(&["explain", "plan_stale", "--lang", "tlh"]);
    assert_eq!(unknown.code, 2);
}

#[test]
fn u6_an_unknown_code_is_met_with_the_nearest() {
    let ran = Desk::new().run(&["explain", "mising_evidence"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("did you mean missing_evidence?"), "{}", ran.err);
}

#[test]
fn completions_and_version_are_data() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.run(&["completions", shell]).ok().out;
        assert!(script.contains("submit-change"), "{shell}");
    }
    assert!(desk.run(&["--version"]).ok().out.starts_with("arbctl "));
}

#[test]
fn the_example_of_the_settings_is_read() {
    let example = include_str!("../../../docs/arb.example.toml");
    let config = runtime::config::Config::parse("arb.example.toml", example).unwrap();
    assert!(config.model.dir.is_some() && config.catalog.dir.is_some() && config.door.listen.is_some());
    assert!(!config.door.tokens.is_empty());
}

#[test]
fn u6_settings_with_an_unknown_key_name_the_line_and_the_key() {
    let desk = Desk::new();
    desk.put("data/arb.toml", "[model]\ndri = \"model\"\n");
    let ran = desk.run(&["list", "--dir", &desk.text("data")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("arb.toml: line 2") && ran.err.contains("dri"), "{}", ran.err);
}
