//! One call: an operation with its parameters, from which the target is built and encoded.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde_json::Value;

use super::operation::Operation;

/// Items of a page: the most that the API gives. Its own default of 30 hides red checks (fault 28).
pub const PER_PAGE: u32 = 100;

/// Characters of a status's description that the forge takes (fault 78).
pub const DESCRIPTION_CHARS_MAX: usize = 140;

/// The beginning of a text, cut between characters.
#[must_use]
pub fn cut(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(at, _)| &text[..at])
}

/// An operation with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The operation.
    pub operation: Operation,
    path: Vec<(&'static str, String)>,
    query: Vec<(&'static str, String)>,
    /// A target that the forge itself named: the next page.
    named: Option<String>,
    /// What is sent, where something is.
    pub body: Option<Value>,
}

impl Call {
    /// A call without parameters yet.
    #[must_use]
    pub const fn new(operation: Operation) -> Self {
        Self { operation, path: Vec::new(), query: Vec::new(), named: None, body: None }
    }

    /// A call about a repository, by its full name `owner/repo`.
    #[must_use]
    pub fn of(operation: Operation, full_name: &str) -> Self {
        let (owner, repo) = full_name.split_once('/').unwrap_or((full_name, ""));
        Self::new(operation).at("owner", owner).at("repo", repo)
    }

    /// Sets a parameter of the path.
    #[must_use]
    pub fn at(mut self, name: &'static str, value: impl ToString) -> Self {
        self.path.push((name, value.to_string()));
        self
    }

    /// Adds a parameter of the query.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.query.push((name, value.to_string()));
        self
    }

    /// The same operation at a target that the forge named.
    #[must_use]
    pub fn page(&self, target: &str) -> Self {
        Self { named: Some(target.to_owned()), ..self.clone() }
    }

    /// Sets what is sent.
    #[must_use]
    pub fn sending(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Path and query. Every byte that could end or split a segment is encoded; `/` stays where the parameter is a
    /// name of several segments (a ref, a path), because GitHub takes both forms and a fake need not.
    #[must_use]
    pub fn target(&self) -> String {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let mut target = String::new();
        let mut rest = self.operation.path;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, tail) = after.split_once('}').unwrap_or((after, ""));
            let value =
                self.path.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value.as_str());
            target.push_str(before);
            encode(value, matches!(name, "ref" | "path"), &mut target);
            rest = tail;
        }
        target.push_str(rest);
        for (at, (name, value)) in self.query.iter().enumerate() {
            target.push(if at == 0 { '?' } else { '&' });
            target.push_str(name);
            target.push('=');
            encode(value, false, &mut target);
        }
        target
    }
}

/// RFC 3986 section 2.3: everything but unreserved characters is written as `%XX`. A segment that would climb (`..`) is
/// made one that cannot exist, because whoever parses the URL resolves it, encoded or not.
fn encode(text: &str, keep_slashes: bool, out: &mut String) {
    if text.split('/').any(|segment| matches!(segment, "." | "..")) {
        return out.push_str("%252E");
    }
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            b'/' if keep_slashes => out.push('/'),
            _ => write!(out, "%{byte:02X}").expect("a string takes everything"),
        }
    }
}
