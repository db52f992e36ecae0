//! Functions that call themselves, by whatever way round. Rego forbids them, and nothing else would end them.

use std::collections::{BTreeMap, BTreeSet};

use super::Fault;
use super::scan::Scanned;

/// Words that may stand before a parenthesis and call nothing, and functions of the evaluator itself.
const KEYWORDS: [&str; 9] = ["if", "in", "not", "some", "every", "contains", "else", "print", "walk"];

/// A function: its package and its name.
type Function = (String, String);

/// The first function, by module and place, that calls itself.
pub(super) fn recursive(scanned: &BTreeMap<&str, Scanned>) -> Option<Fault> {
    let mut calls: BTreeMap<Function, BTreeSet<Function>> = BTreeMap::new();
    for module in scanned.values() {
        for (within, called, _) in &module.calls {
            let Some(within) = within else { continue };
            let caller = (module.package.clone(), within.clone());
            calls.entry(caller).or_default().insert(resolve(module, called));
        }
    }
    scanned.iter().find_map(|(path, module)| {
        let mut functions: Vec<_> = module.functions.iter().collect();
        functions.sort_by_key(|(_, place)| **place);
        functions.into_iter().find_map(|(name, place)| {
            let function = (module.package.clone(), name.clone());
            reaches(&calls, &function).then(|| {
                Fault::at(path, *place, format!("{name} calls itself, which Rego forbids; write it without"))
            })
        })
    })
}

/// What a call means: `f` is of the same package, `lib.f` of what `lib` was imported as.
fn resolve(module: &Scanned, called: &[String]) -> Function {
    let (name, package) =
        called.split_last().map_or((String::new(), &[][..]), |(last, of)| (last.clone(), of));
    let package = match package.split_first() {
        None => module.package.clone(),
        Some((root, rest)) if root == "data" => rest.join("."),
        Some((root, rest)) => {
            let imported = module.imports.get(root).map_or(&[][..], |path| &path[1..]);
            [imported, rest].concat().join(".")
        }
    };
    (package, name)
}

fn reaches(calls: &BTreeMap<Function, BTreeSet<Function>>, function: &Function) -> bool {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&Function> = calls.get(function).into_iter().flatten().collect();
    while let Some(called) = next.pop() {
        if called == function {
            return true;
        }
        if seen.insert(called) {
            next.extend(calls.get(called).into_iter().flatten());
        }
    }
    false
}

/// The first call of a function that no module defines and that Rego does not have.
pub(super) fn unknown(scanned: &BTreeMap<&str, Scanned>) -> Option<Fault> {
    let defined: BTreeSet<Function> = scanned
        .values()
        .flat_map(|module| module.functions.keys().map(|name| (module.package.clone(), name.clone())))
        .collect();
    scanned.iter().find_map(|(path, module)| {
        module.calls.iter().find_map(|(_, called, place)| {
            let name = called.join(".");
            let known = KEYWORDS.contains(&name.as_str())
                || regorus::unstable::BUILTINS.contains_key(name.as_str())
                || defined.contains(&resolve(module, called));
            (!known).then(|| Fault::at(path, *place, format!("there is no function {name}")))
        })
    })
}
