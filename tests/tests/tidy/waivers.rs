//! A rule that is waived says why, and a waiver with a date ends.

use std::time::{SystemTime, UNIX_EPOCH};

use ontology::Timestamp;

use super::assert_tidy;
use super::repository::{File, files};

/// Starts a dated waiver in a comment or a `reason`; put together here, so that this file holds none.
const MARK: &str = concat!("waiver", ": ");

/// Attributes that switch a lint off without a reason.
fn unexplained(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    for start in ["#[allow(", "#![allow(", "#[expect(", "#![expect("] {
        for (at, _) in file.text.match_indices(start) {
            let attribute = &file.text[at..];
            let attribute = &attribute[..attribute.find(")]").unwrap_or(attribute.len())];
            if !attribute.contains("reason = \"") {
                let line = file.text[..at].lines().count() + 1;
                faults.push(format!("{}:{line}: {start}…)] needs a reason", file.path));
            }
        }
    }
    faults
}

/// Waivers that are over at `now`, or say no day.
fn expired(file: &File, now: Timestamp) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines
        .filter_map(|(at, line)| {
            let (_, rest) = line.split_once(MARK)?;
            let place = format!("{}:{}", file.path, at + 1);
            let day = rest.strip_prefix("until ").and_then(|rest| rest.get(..10)).unwrap_or_default();
            match format!("{day}T23:59:59Z").parse::<Timestamp>() {
                Ok(end) if now <= end => None,
                Ok(_) => Some(format!("{place}: this waiver ended on {day}")),
                Err(_) => Some(format!("{place}: a waiver says `until YYYY-MM-DD`")),
            }
        })
        .collect()
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    Timestamp::from_micros(i64::try_from(since.as_micros()).expect("before the year 294000"))
}

#[test]
fn the_checks_of_waivers_find_faults() {
    let file = |text: &str| File { path: "x.rs".to_owned(), text: text.to_owned() };
    assert_eq!(unexplained(&file("#[allow(dead_code)]\nfn a() {}\n")).len(), 1);
    assert_eq!(unexplained(&file("#![allow(\n    dead_code,\n)]\n#[expect(unused)]\n")).len(), 2);
    assert_eq!(unexplained(&file("#[expect(dead_code, reason = \"read by people\")]\n")).len(), 0);

    let on = |day: &str| format!("{day}T12:00:00Z").parse::<Timestamp>().expect("a time");
    let dated = file(&format!("// {MARK}until 2026-06-30: waits for a release\n"));
    assert_eq!(expired(&dated, on("2026-06-30")).len(), 0);
    assert_eq!(expired(&dated, on("2026-07-01")).len(), 1);
    assert_eq!(expired(&file(&format!("// {MARK}some day\n")), on("2026-07-01")).len(), 1);
}

#[test]
fn a_lint_that_is_switched_off_says_why() {
    let product = files(&[".rs"]).into_iter().filter(File::is_product);
    assert_tidy(&product.flat_map(|file| unexplained(&file)).collect::<Vec<_>>());
}

#[test]
fn no_dated_waiver_is_over() {
    let now = now();
    assert_tidy(&files(&[".rs", ".toml"]).iter().flat_map(|file| expired(file, now)).collect::<Vec<_>>());
}
