//! Prepares the modules of a catalog: checked, parsed, compiled once an entry.

use std::collections::{BTreeMap, BTreeSet};

use regorus::{CompiledPolicy, Engine, Value};

use super::scan::{Scanned, scan};
use super::{Fault, MODULE_BYTES_MAX, MODULES_MAX, NESTING_MAX, RegoRules, recursion};

/// Functions that answer differently each time, or whose answer no input bounds, and why each is refused.
const REFUSED: [(&str, &str); 3] = [
    ("rand.intn", "it answers differently each time"),
    ("numbers.range", "its answer is as long as its arguments say"),
    ("numbers.range_step", "its answer is as long as its arguments say"),
];

/// A rule that says what is wrong.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its package, dotted: `main`.
    pub package: String,
    /// Its name: `deny`, `warn_tags`.
    pub rule: String,
    /// What its messages stand for.
    pub rules: RegoRules,
    compiled: CompiledPolicy,
}

impl Entry {
    /// What the rule says of `input`.
    ///
    /// # Errors
    /// What the evaluation met, in one line.
    pub fn say(&self, input: &Value) -> Result<Value, String> {
        self.compiled.eval_with_input(input.clone()).map_err(|error| {
            let (place, message) = parts(&error.to_string());
            match place {
                Some((path, line, column)) => format!("{path}:{line}:{column}: {message}"),
                None => message,
            }
        })
    }
}

/// How a `test_` rule ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    /// Its package, dotted.
    pub package: String,
    /// Its name.
    pub rule: String,
    /// What kept it from being true; `None` where it passed.
    pub failure: Option<String>,
}

/// Modules that are ready to be evaluated.
#[derive(Debug, Clone)]
pub struct Bundle {
    entries: Vec<Entry>,
    names: BTreeSet<String>,
    packages: BTreeSet<String>,
    tests: Vec<(String, String)>,
    engine: Engine,
}

impl Bundle {
    /// Checks, parses and compiles modules, by their paths.
    ///
    /// # Errors
    /// The first [`Fault`]: too large, nested too deep, not Rego, a function that does not exist, calls itself or is
    /// refused.
    pub fn prepare(texts: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let scanned = check(texts)?;
        let mut engine = Engine::new();
        engine.set_gather_prints(true);
        for (path, text) in texts {
            add(&mut engine, path, text)?;
        }
        let mut found = BTreeSet::new();
        let mut tests = BTreeSet::new();
        for (module, (path, scanned)) in engine.get_modules().iter().zip(&scanned) {
            for rule in &module.policy {
                let name = rule_name(rule.span().text());
                if let Some(rules) = RegoRules::of(name) {
                    found.insert((scanned.package.clone(), rules, name.to_owned(), *path));
                } else if name.starts_with("test_") {
                    tests.insert((scanned.package.clone(), name.to_owned()));
                }
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (package, rules, rule, path) in found {
            if entries.iter().any(|entry| entry.package == package && entry.rule == rule) {
                continue;
            }
            let compiled = engine.clone().compile_with_entrypoint(&format!("data.{package}.{rule}").into());
            let compiled = compiled.map_err(|error| fault(path, &error.to_string()))?;
            entries.push(Entry { package, rule, rules, compiled });
        }
        let packages = scanned.values().map(|module| module.package.clone()).collect();
        let names = scanned.into_values().flat_map(|module| module.names).collect();
        Ok(Self { entries, names, packages, tests: tests.into_iter().collect(), engine })
    }

    /// Every rule that says what is wrong, by package.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The packages of its modules.
    #[must_use]
    pub const fn packages(&self) -> &BTreeSet<String> {
        &self.packages
    }

    /// Names of fields, and texts, that stand in the modules.
    pub(super) const fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Runs every `test_` rule, by package and name (U12).
    #[must_use]
    pub fn test(&self) -> Vec<TestOutcome> {
        let run = |(package, rule): &(String, String)| {
            let said = self.engine.clone().eval_rule(format!("data.{package}.{rule}"));
            let failure = match said {
                Ok(Value::Bool(true)) => None,
                Ok(Value::Undefined) => Some("it is not true".to_owned()),
                Ok(other) => Some(format!("it is {other}, not true")),
                Err(error) => Some(parts(&error.to_string()).1),
            };
            TestOutcome { package: package.clone(), rule: rule.clone(), failure }
        };
        self.tests.iter().map(run).collect()
    }
}

/// What can be told of the modules before they are parsed.
fn check(texts: &BTreeMap<String, String>) -> Result<BTreeMap<&str, Scanned>, Fault> {
    if let Some(path) = texts.keys().nth(MODULES_MAX) {
        let many = texts.len();
        return Err(Fault::at(path, (0, 0), format!("{many} modules, at most {MODULES_MAX} are allowed")));
    }
    let mut scanned = BTreeMap::new();
    for (path, text) in texts {
        if text.len() > MODULE_BYTES_MAX {
            let message = format!("{} bytes, at most {MODULE_BYTES_MAX} are allowed in a module", text.len());
            return Err(Fault::at(path, (0, 0), message));
        }
        let module = scan(text, NESTING_MAX);
        if let Some(place) = module.too_deep {
            let message =
                format!("brackets nest deeper than {NESTING_MAX}; name a part, or read it from a file");
            return Err(Fault::at(path, place, message));
        }
        if module.package.is_empty() {
            return Err(Fault::at(path, (0, 0), "expected \"package NAME\", of words with dots, first"));
        }
        scanned.insert(path.as_str(), module);
    }
    for (path, module) in &scanned {
        for (_, called, place) in &module.calls {
            let name = called.join(".");
            if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                return Err(Fault::at(path, *place, format!("{name} is refused: {why}")));
            }
        }
    }
    match recursion::recursive(&scanned) {
        Some(fault) => Err(fault),
        None => recursion::unknown(&scanned).map_or(Ok(scanned), Err),
    }
}

/// Parses a module as Rego v1, or as v0 where it lacks the keywords of v1.
fn add(engine: &mut Engine, path: &str, text: &str) -> Result<(), Fault> {
    let Err(error) = engine.add_policy(path.to_owned(), text.to_owned()) else { return Ok(()) };
    let error = error.to_string();
    if !error.contains("keyword is required") {
        return Err(fault(path, &error));
    }
    engine.set_rego_v0(true);
    let added = engine.add_policy(path.to_owned(), text.to_owned());
    engine.set_rego_v0(false);
    added.map(|_| ()).map_err(|error| fault(path, &error.to_string()))
}

/// The name that a rule's text begins with.
pub(super) fn rule_name(text: &str) -> &str {
    let text =
        text.strip_prefix("default").filter(|rest| rest.starts_with(char::is_whitespace)).unwrap_or(text);
    let text = text.trim_start();
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
    &text[..end]
}

fn fault(path: &str, error: &str) -> Fault {
    match parts(error) {
        (Some((path, line, column)), message) => Fault::at(&path, (line, column), message),
        (None, message) => Fault::at(path, (0, 0), message),
    }
}

/// The innermost place of an error, and its last message in one line.
fn parts(error: &str) -> (Option<(String, u32, u32)>, String) {
    let place = error.lines().rev().find_map(|line| {
        let mut place = line.trim().strip_prefix("--> ")?.rsplitn(3, ':');
        let (column, line) = (place.next()?.parse().ok()?, place.next()?.parse().ok()?);
        Some((place.next()?.to_owned(), line, column))
    });
    let message = error.lines().rev().find_map(|line| line.trim().strip_prefix("error: "));
    let message = message.or_else(|| error.lines().find(|line| !line.trim().is_empty()));
    (place, message.unwrap_or("it cannot be read").trim().to_owned())
}
