//! Evaluates the rules of a package on the change as proposed and as if it did nothing, and says how both relate.

use std::collections::{BTreeMap, BTreeSet};

use super::input::Input;
use super::say::messages;
use super::{Bundle, Entry, MESSAGES_MAX, RegoRules, as_is, as_proposed};
use crate::policy::constraint::{Constraint, Standing};
use crate::policy::evaluate::{Evaluated, Subject};
use crate::policy::plan_rules::finding::Finder;
use crate::records::document::Target;
use crate::value::Value;

/// What was said, by (target it is about, text).
type Said<'a> = BTreeMap<(Option<&'a str>, String), Option<&'a Target>>;

pub(in crate::policy) fn evaluate(
    (package, rules): (&str, RegoRules),
    constraint: &Constraint,
    subject: &Subject<'_>,
) -> Evaluated {
    let bundle = match subject.catalog.policies.bundle() {
        Ok(bundle) => bundle,
        Err(fault) => return failed(fault.to_string()),
    };
    let of_package = |entry: &&Entry| entry.package == package && entry.rules == rules;
    let entries: Vec<&Entry> = bundle.entries().iter().filter(of_package).collect();
    if entries.is_empty() {
        return failed(format!("the catalog has no such rule of package {package}"));
    }
    let (proposed, current) = (as_proposed(subject.document), as_is(subject.document));
    let said =
        say(&entries, &proposed, subject).and_then(|after| Ok((say(&entries, &current, subject)?, after)));
    let (before, after) = match said {
        Ok(said) => said,
        Err(error) => return failed(error),
    };
    let mut finder = Finder::new(constraint, subject);
    for input in &proposed {
        match input.target {
            Some(target) => finder.checked(target),
            None => subject.document.targets.iter().for_each(|target| finder.checked(target)),
        }
    }
    if !proposed.is_empty() {
        finder.checked_whole();
    }
    for (key, target) in &after {
        let standing = if before.contains_key(key) { Standing::PreExisting } else { Standing::Introduced };
        finder.says(*target, standing, &key.1);
    }
    for (key, target) in before.iter().filter(|(key, _)| !after.contains_key(*key)) {
        finder.says(*target, Standing::Fixed, &key.1);
    }
    for (target, name) in blind(bundle, subject) {
        finder.unknown(target, &format!("{name} is read by the policy and is not in the document"));
    }
    finder.finish()
}

fn failed(why: String) -> Evaluated {
    Evaluated { errored: true, unknown: Some(why), ..Evaluated::default() }
}

fn say<'s>(entries: &[&Entry], inputs: &[Input<'s>], subject: &Subject<'s>) -> Result<Said<'s>, String> {
    let mut said = Said::new();
    for input in inputs {
        for entry in entries {
            let value = entry.say(&input.value)?;
            let messages = messages(&entry.rule, &value);
            let more = messages.len().saturating_sub(MESSAGES_MAX);
            for message in messages.into_iter().take(MESSAGES_MAX) {
                let target = input.target.or_else(|| about(subject, message.about.as_deref(), &message.text));
                said.insert((target.map(|target| target.address.as_str()), message.text), target);
            }
            if more > 0 {
                let text = format!("{} says {more} more", entry.rule);
                said.insert((input.target.map(|target| target.address.as_str()), text), input.target);
            }
        }
    }
    Ok(said)
}

/// The target that a message is about: what the result names, else the longest address that stands in the text.
fn about<'s>(subject: &Subject<'s>, named: Option<&str>, text: &str) -> Option<&'s Target> {
    let targets = || subject.document.targets.iter();
    let named = named.and_then(|named| targets().find(|target| target.address.as_str() == named));
    named.or_else(|| {
        let mentioned = targets().filter(|target| mentions(text, target.address.as_str()));
        mentioned.max_by_key(|target| (target.address.as_str().len(), std::cmp::Reverse(&target.address)))
    })
}

/// Whether an address stands in a text, and not as a part of a longer one.
fn mentions(text: &str, address: &str) -> bool {
    let part = |it: char| it.is_alphanumeric() || "_-.[".contains(it);
    text.match_indices(address).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + address.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let ends = next.is_none_or(|it| !part(it) || (it == '.' && second.is_none_or(char::is_whitespace)));
        ends && before.is_none_or(|it| !part(it))
    })
}

/// Attributes of changing targets that the modules name and the document withholds, or does not know yet. A target
/// counts where the modules name its type, or no type of the plan.
fn blind<'s>(bundle: &Bundle, subject: &Subject<'s>) -> Vec<(&'s Target, &'s str)> {
    let names = bundle.names();
    let any_kind = subject.document.targets.iter().any(|target| names.contains(&target.kind));
    let handles_unknown = names.contains("after_unknown");
    let mut blind = Vec::new();
    for target in subject.document.changed().filter(|target| !target.data) {
        if any_kind && !names.contains(&target.kind) {
            continue;
        }
        let after = target.after.iter().flatten();
        after.for_each(|(name, value)| withheld(name, value, names, &mut |name| blind.push((target, name))));
        if !handles_unknown {
            let first = |path: &'s String| path.split(['.', '[']).next().unwrap_or_default();
            let read = target.unknown.iter().map(first).filter(|name| names.contains(*name));
            blind.extend(read.map(|name| (target, name)));
        }
    }
    blind
}

/// Records nest a bounded number of levels, so this does.
fn withheld<'s>(name: &'s str, value: &'s Value, names: &BTreeSet<String>, found: &mut impl FnMut(&'s str)) {
    match value {
        Value::Withheld(_) if names.contains(name) => found(name),
        Value::Map(map) => map.iter().for_each(|(name, value)| withheld(name, value, names, found)),
        Value::List(members) => members.iter().for_each(|member| withheld(name, member, names, found)),
        _ => {}
    }
}
