//! The rules of a module one definition at a time: which line said what (U12).

use std::collections::BTreeMap;

use super::prepare::rule_name;
use super::scan::scan;
use super::{Bundle, Fault, Modules, NESTING_MAX, RegoRules};

/// One definition of a rule that says what is wrong.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its first line, from 1.
    pub line: usize,
    /// Its package, dotted.
    pub package: String,
    /// Its name.
    pub rule: String,
    /// What its messages stand for.
    pub rules: RegoRules,
    /// The modules, without any other rule that says what is wrong.
    pub modules: Modules,
}

/// The definitions of the module at `path`, in order. A statement begins where a line does.
///
/// # Errors
/// The first [`Fault`] of the modules.
pub fn definitions(texts: &BTreeMap<String, String>, path: &str) -> Result<Vec<Definition>, Fault> {
    Bundle::prepare(texts)?;
    let Some(text) = texts.get(path) else { return Ok(Vec::new()) };
    let package = scan(text, NESTING_MAX).package;
    let says = |name: &str| RegoRules::of(name).is_some();
    let others: BTreeMap<String, String> =
        texts.iter().map(|(path, text)| (path.clone(), without(text, |_, name| says(name)))).collect();
    let found =
        statements(text).into_iter().filter_map(|(line, name)| Some((line, name, RegoRules::of(name)?)));
    Ok(found
        .map(|(line, name, rules)| {
            let mut modules = others.clone();
            modules.insert(path.to_owned(), without(text, |at, name| at != line && says(name)));
            Definition {
                line,
                package: package.clone(),
                rule: name.to_owned(),
                rules,
                modules: Modules::new(modules),
            }
        })
        .collect())
}

/// The first line of each statement, from 1, and the name that it begins with.
fn statements(text: &str) -> Vec<(usize, &str)> {
    let begins = |line: &str| line.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let lines = text.lines().enumerate().filter(|(_, line)| begins(line));
    lines.map(|(index, line)| (index + 1, rule_name(line))).collect()
}

/// The text with some statements blanked out, every other line where it was.
fn without(text: &str, blank: impl Fn(usize, &str) -> bool) -> String {
    let statements = statements(text);
    let mut kept = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        let statement = statements.iter().rev().find(|(first, _)| *first <= index + 1);
        if !statement.is_some_and(|(first, name)| blank(*first, name)) {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}
