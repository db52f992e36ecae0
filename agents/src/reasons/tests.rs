use std::collections::BTreeSet;

use ontology::{Effect, ReasonCode};

use super::{Language, codes, page};

/// Codes of errors that commands print, with their exit codes (architecture.md, "Exit codes").
const ERRORS: [(&str, u8); 9] = [
    ("bad-input", 2),
    ("not-found", 2),
    ("conflict", 2),
    ("refused", 2),
    ("log-unavailable", 69),
    ("locked", 75),
    ("internal", 70),
    ("retry", 75),
    ("differs", 15),
];

#[test]
fn u6_every_code_has_a_page_in_every_language() {
    let expected: BTreeSet<&str> =
        ReasonCode::ALL.iter().map(|code| code.as_str()).chain(ERRORS.map(|(code, _)| code)).collect();
    let found: BTreeSet<&str> = codes().collect();
    assert_eq!(found, expected);
    assert_eq!(codes().count(), expected.len(), "no code stands in the table twice");
}

#[test]
fn u6_titles_and_next_steps_exist_in_both_languages() {
    for code in codes() {
        for language in Language::ALL {
            let page = page(code, language).expect("every listed code has a page");
            assert!(
                page.text.starts_with(&format!("# {code} — ")),
                "{code}/{language}: the heading names the code"
            );
            assert!(page.title.chars().count() >= 4, "{code}/{language}: a title");
            assert!(page.next.chars().count() >= 10, "{code}/{language}: a next step");
            assert!(page.title.chars().count() <= 90, "{code}/{language}: the title fits a line");
            assert!(page.next.chars().count() <= 110, "{code}/{language}: the next step fits a line");
        }
    }
}

#[test]
fn u6_korean_pages_are_korean_and_english_pages_are_not() {
    let hangul = |text: &str| text.chars().filter(|letter| ('가'..='힣').contains(letter)).count();
    for code in codes() {
        let english = page(code, Language::English).expect("listed");
        let korean = page(code, Language::Korean).expect("listed");
        assert_eq!(hangul(english.text), 0, "{code}");
        assert!(hangul(korean.title) >= 4 && hangul(korean.next) >= 4, "{code}");
        assert_eq!(korean.text.matches("\n## ").count(), 2, "{code}: meaning and next step");
        assert_eq!(english.text.matches("\n## ").count(), 3, "{code}: meaning, why and next step");
    }
}

#[test]
fn s12_a_page_states_the_effect_that_its_code_has() {
    for code in ReasonCode::ALL {
        let (english, korean) = match code.effect() {
            Effect::Noted => ("effect: noted", "효과: 참고"),
            Effect::Conditional => ("effect: conditional", "효과: 조건부"),
            Effect::Approval => ("effect: approval", "효과: 사람의 승인 필요"),
            Effect::Held => ("effect: held", "효과: 보류"),
            Effect::Rejected => ("effect: rejected", "효과: 거부"),
        };
        for (language, line) in [(Language::English, english), (Language::Korean, korean)] {
            let page = page(code.as_str(), language).expect("every code has a page");
            assert!(page.text.lines().any(|it| it == line), "{code}/{language}: expected the line {line:?}");
        }
    }
}

#[test]
fn a_page_of_an_error_states_its_exit_code() {
    for (code, exit) in ERRORS {
        let english = page(code, Language::English).expect("listed").text;
        let korean = page(code, Language::Korean).expect("listed").text;
        assert!(english.lines().any(|line| line == format!("exit: {exit}")), "{code}");
        assert!(korean.lines().any(|line| line == format!("종료 코드: {exit}")), "{code}");
    }
}

#[test]
fn there_is_no_page_for_what_is_no_code() {
    for text in ["", "no_such_code", "Missing_Stage", "missing_stage ", "README"] {
        assert_eq!(page(text, Language::English), None, "{text:?}");
    }
}

#[test]
fn a_locale_names_a_language() {
    for (locale, expect) in [
        ("ko_KR.UTF-8", Language::Korean),
        ("ko", Language::Korean),
        ("ko-KR", Language::Korean),
        ("en_GB.UTF-8", Language::English),
        ("C.UTF-8", Language::English),
        ("kok_IN", Language::English),
        ("", Language::English),
    ] {
        assert_eq!(Language::of_locale(locale), expect, "{locale:?}");
    }
    assert!("fr".parse::<Language>().is_err());
}
