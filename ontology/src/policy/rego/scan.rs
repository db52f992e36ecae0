//! What a module's text says before it is parsed: how deep it nests, which functions call which, what it names.

use std::collections::{BTreeMap, BTreeSet};

/// One token, with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) kind: Kind,
    /// Bytes before it.
    start: usize,
    /// Both from 1.
    pub(super) place: (u32, u32),
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Word,
    /// What stands between quotes, without them.
    Text,
    /// One character of anything else.
    Sign,
}

/// Splits a module's text. Comments and white space are left out; what Rego cannot read is split nonetheless.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut characters = text.char_indices().peekable();
    let (mut line, mut line_start) = (1, 0);
    while let Some((start, character)) = characters.next() {
        let column = u32::try_from(start - line_start + 1).unwrap_or(u32::MAX);
        let place = (line, column);
        let mut until = |more: &mut dyn FnMut(char) -> bool| {
            while characters.next_if(|(_, next)| more(*next)).is_some() {}
            characters.peek().map_or(text.len(), |(at, _)| *at)
        };
        match character {
            '\n' => (line, line_start) = (line + 1, start + 1),
            '#' => {
                until(&mut |next| next != '\n');
            }
            '"' | '`' => {
                let mut escaped = false;
                let end = until(&mut |next| {
                    let ends = (next == character && !escaped) || (next == '\n' && character == '"');
                    escaped = character == '"' && next == '\\' && !escaped;
                    !ends
                });
                let text = &text[start + 1..end];
                tokens.push(Token { text, kind: Kind::Text, start, place });
                let lines = u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
                line += lines;
                line_start = text.rfind('\n').map_or(line_start, |at| start + 2 + at);
                characters.next_if(|(_, next)| *next == character);
            }
            _ if character.is_alphabetic() || character == '_' => {
                let end = until(&mut |next| next.is_alphanumeric() || next == '_');
                tokens.push(Token { text: &text[start..end], kind: Kind::Word, start, place });
            }
            _ if character.is_whitespace() => {}
            _ => {
                let text = &text[start..start + character.len_utf8()];
                tokens.push(Token { text, kind: Kind::Sign, start, place });
            }
        }
    }
    tokens
}

/// A call: the function whose body it stands in, if one, what is called, and where.
pub(super) type Call = (Option<String>, Vec<String>, (u32, u32));

/// A module, as far as its tokens tell.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// `a.b` of `package a.b`.
    pub(super) package: String,
    /// What an imported name stands for: `kubernetes` for `data.kubernetes`.
    pub(super) imports: BTreeMap<String, Vec<String>>,
    /// Where each function is defined.
    pub(super) functions: BTreeMap<String, (u32, u32)>,
    /// Every call.
    pub(super) calls: Vec<Call>,
    /// Names of fields and texts: what of the document the module may read.
    pub(super) names: BTreeSet<String>,
    /// Where brackets nest deeper than allowed.
    pub(super) too_deep: Option<(u32, u32)>,
}

/// Scans a module.
pub(super) fn scan(text: &str, nesting_max: usize) -> Scanned {
    let tokens = tokens(text);
    let mut scanned = Scanned::default();
    let mut depth: usize = 0;
    let mut parentheses: usize = 0;
    let mut within: Option<String> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match (token.kind, token.text) {
            (Kind::Sign, "[" | "{") => {
                depth += 1;
                if depth > nesting_max && scanned.too_deep.is_none() {
                    scanned.too_deep = Some(token.place);
                }
            }
            (Kind::Sign, "]" | "}") => depth = depth.saturating_sub(1),
            (Kind::Sign, "(") => parentheses += 1,
            (Kind::Sign, ")") => parentheses = parentheses.saturating_sub(1),
            (Kind::Text, text) => {
                scanned.names.insert(text.to_owned());
            }
            (Kind::Word, _) => {
                let begins = token.place.1 == 1 && depth == 0 && parentheses == 0;
                at = scanned.word(&tokens, at, begins, &mut within);
                continue;
            }
            (Kind::Sign, _) => {}
        }
        at += 1;
    }
    scanned
}

impl Scanned {
    /// A name with what hangs on it: a field, a call, a definition. Returns where to go on.
    fn word(&mut self, tokens: &[Token<'_>], at: usize, begins: bool, within: &mut Option<String>) -> usize {
        let (path, mut next) = path(tokens, at);
        let place = tokens[at].place;
        if begins && matches!(path[0].as_str(), "package" | "import") {
            let (named, after) = tokens.get(next).map_or((Vec::new(), next), |_| self::path(tokens, next));
            if path[0] == "package" {
                self.package = named.join(".");
                return after;
            }
            next = after;
            let alias = tokens.get(next).filter(|token| token.text == "as").and(tokens.get(next + 1));
            let alias = alias.map(|token| token.text.to_owned()).or_else(|| named.last().cloned());
            if let Some(alias) = alias.filter(|_| named.first().is_some_and(|root| root == "data")) {
                self.imports.insert(alias, named);
            }
            return next;
        }
        if begins && path[0] == "default" {
            return next;
        }
        self.names.extend(path.iter().skip(1).cloned());
        let called =
            tokens.get(next).is_some_and(|open| open.text == "(" && adjoins(&tokens[next - 1], open));
        if begins {
            *within = called.then(|| path.join("."));
            if called {
                self.functions.entry(path.join(".")).or_insert(place);
            }
        } else if called {
            self.calls.push((within.clone(), path, place));
        }
        next
    }
}

/// The dotted path that begins at a word, and where it ends.
fn path(tokens: &[Token<'_>], at: usize) -> (Vec<String>, usize) {
    let mut path = vec![tokens[at].text.to_owned()];
    let mut next = at + 1;
    while let [dot, word, ..] = tokens.get(next..).unwrap_or_default()
        && dot.text == "."
        && dot.kind == Kind::Sign
        && word.kind == Kind::Word
        && adjoins(dot, word)
    {
        path.push(word.text.to_owned());
        next += 2;
    }
    (path, next)
}

fn adjoins(before: &Token<'_>, after: &Token<'_>) -> bool {
    before.start + before.text.len() == after.start
}
