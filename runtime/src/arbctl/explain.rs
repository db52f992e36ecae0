//! `explain`: the page of a code, without a network.

use agents::reasons::{Language, codes, page};

use super::arguments::Explain;
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet};
use crate::call::{CallError, ErrorCode};

pub(super) fn run(asked: &Explain, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let language = match &asked.lang {
        Some(lang) => lang.parse().map_err(|error| Failure::bad_input(format!("--lang: {error}")))?,
        None => of_environment(outlet),
    };
    let Some(code) = &asked.code else { return index(language, outlet) };
    // What a screen shows may be pasted whole: `missing_evidence:cost`.
    let bare = code.split(':').next().unwrap_or(code).trim();
    let Some(page) = page(bare, language) else { return Err(unknown(code)) };
    outlet.print(page.text)?;
    Ok(Code::Done)
}

/// POSIX: `LC_ALL` goes before `LC_MESSAGES`, that before `LANG`.
fn of_environment(outlet: &Outlet<'_>) -> Language {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| outlet.variable(name));
    set.map(|locale| Language::of_locale(&locale)).unwrap_or_default()
}

fn index(language: Language, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let mut table = Table::new(1);
    for code in codes() {
        table.row([Cell::text(code), Cell::text(page(code, language).map_or("", |page| page.title))]);
    }
    let text = table.render(&outlet.paper(), 0, false);
    outlet.print(&text)?;
    Ok(Code::Done)
}

fn unknown(code: &str) -> Failure {
    let shown: String = code.chars().take(64).collect();
    let nearest = codes().min_by_key(|known| distance(known, &shown));
    let hint = nearest.filter(|known| distance(known, &shown) <= known.len() / 3);
    let hint = hint.map(|known| format!(" (did you mean {known}?)")).unwrap_or_default();
    let message = format!("there is no code {shown:?}{hint}: `arbctl explain` lists them");
    Failure::Call(CallError::new(ErrorCode::NotFound, message))
}

/// Levenshtein's distance, for the hint.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
