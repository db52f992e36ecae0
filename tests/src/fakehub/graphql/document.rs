//! Reading a document: one operation, its variables put in.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

use serde_json::{Map, Value};

/// Bytes of a document at most.
const BYTES_MAX: usize = 64 << 10;
/// How deep selections and values go at most.
const DEPTH_MAX: usize = 32;

/// An operation.
#[derive(Debug, Clone)]
pub struct Document {
    /// `Query` or `Mutation`.
    pub root: &'static str,
    /// Declared variables with their types.
    pub variables: BTreeMap<String, String>,
    /// What is selected.
    pub selections: Vec<Selection>,
}

/// A part of a selection.
#[derive(Debug, Clone)]
pub enum Selection {
    /// A field.
    Field(Field),
    /// `... on TYPE`.
    On(String, Vec<Selection>),
}

/// A field with its arguments.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Its arguments, variables put in.
    pub arguments: BTreeMap<String, Value>,
    /// What is selected of it.
    pub selections: Vec<Selection>,
}

impl Selection {
    /// The field, where it is one.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match self {
            Self::Field(field) => Some(field),
            Self::On(..) => None,
        }
    }
}

impl Field {
    /// The field of this name anywhere below.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Self> {
        if self.name == name {
            return Some(self);
        }
        self.selections.iter().filter_map(Selection::field).find_map(|field| field.find(name))
    }
}

type Tokens = Peekable<IntoIter<String>>;

/// Reads a document.
///
/// # Errors
/// With what is not as in GraphQL.
pub fn parse(text: &str, variables: &Value) -> Result<Document, String> {
    if text.len() > BYTES_MAX {
        return Err("the document is too large".to_owned());
    }
    let mut tokens = tokens(text)?.into_iter().peekable();
    let root = match tokens.peek().map(String::as_str) {
        Some("mutation") => "Mutation",
        _ => "Query",
    };
    let mut declared = BTreeMap::new();
    if tokens.next_if(|token| token == "query" || token == "mutation").is_some() {
        tokens.next_if(|token| is_name(token));
        if tokens.next_if(|token| token == "(").is_some() {
            while tokens.next_if(|token| token == ")").is_none() {
                expect(&mut tokens, "$")?;
                let name = tokens.next().unwrap_or_default();
                expect(&mut tokens, ":")?;
                let mut kind = String::new();
                while let Some(token) = tokens.next_if(|token| token != ")" && token != "$" && token != "=") {
                    kind.push_str(&token);
                }
                if tokens.next_if(|token| token == "=").is_some() {
                    value(&mut tokens, variables, 0)?;
                }
                declared.insert(name, kind);
            }
        }
    }
    let selections = selections(&mut tokens, variables, 0)?;
    match tokens.next() {
        None => Ok(Document { root, variables: declared, selections }),
        Some(token) => Err(format!("{token:?} follows the operation")),
    }
}

fn selections(tokens: &mut Tokens, variables: &Value, depth: usize) -> Result<Vec<Selection>, String> {
    if depth > DEPTH_MAX {
        return Err("it goes too deep".to_owned());
    }
    expect(tokens, "{")?;
    let mut found = Vec::new();
    while tokens.next_if(|token| token == "}").is_none() {
        let token = tokens.next().ok_or("a selection without an end")?;
        if token == "..." {
            expect(tokens, "on")?;
            let kind = tokens.next().unwrap_or_default();
            found.push(Selection::On(kind, selections(tokens, variables, depth + 1)?));
            continue;
        }
        if !is_name(&token) {
            return Err(format!("{token:?} is no field"));
        }
        let mut arguments = BTreeMap::new();
        if tokens.next_if(|token| token == "(").is_some() {
            while tokens.next_if(|token| token == ")").is_none() {
                let name = tokens.next().ok_or("arguments without an end")?;
                expect(tokens, ":")?;
                arguments.insert(name, value(tokens, variables, depth + 1)?);
            }
        }
        let inner = match tokens.peek().map(String::as_str) {
            Some("{") => selections(tokens, variables, depth + 1)?,
            _ => Vec::new(),
        };
        found.push(Selection::Field(Field { name: token, arguments, selections: inner }));
    }
    Ok(found)
}

fn value(tokens: &mut Tokens, variables: &Value, depth: usize) -> Result<Value, String> {
    if depth > DEPTH_MAX {
        return Err("it goes too deep".to_owned());
    }
    let token = tokens.next().ok_or("a value is missing")?;
    match token.as_str() {
        "$" => Ok(variables[tokens.next().unwrap_or_default()].clone()),
        "{" => {
            let mut object = Map::new();
            while tokens.next_if(|token| token == "}").is_none() {
                let name = tokens.next().ok_or("an object without an end")?;
                expect(tokens, ":")?;
                object.insert(name, value(tokens, variables, depth + 1)?);
            }
            Ok(Value::Object(object))
        }
        "[" => {
            let mut items = Vec::new();
            while tokens.next_if(|token| token == "]").is_none() {
                items.push(value(tokens, variables, depth + 1)?);
            }
            Ok(Value::Array(items))
        }
        // Numbers, strings, `true`, `false`, `null` are as in JSON; anything else is a word of an enum.
        word => Ok(serde_json::from_str(word).unwrap_or_else(|_| Value::String(word.to_owned()))),
    }
}

fn expect(tokens: &mut Tokens, wanted: &str) -> Result<(), String> {
    match tokens.next() {
        Some(token) if token == wanted => Ok(()),
        found => Err(format!("{wanted:?} was expected and {found:?} found")),
    }
}

fn is_name(token: &str) -> bool {
    token.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') && !token.is_empty()
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' => rest[1..].find('"').ok_or("a string without an end")? + 2,
            '.' if rest.starts_with("...") => 3,
            letter if letter.is_ascii_alphanumeric() || letter == '_' || letter == '-' => {
                let end = rest[1..].find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
                end.map_or(rest.len(), |end| end + 1)
            }
            letter => letter.len_utf8(),
        };
        if first != '#' && first != ',' {
            found.push(rest[..length].to_owned());
        }
        rest = rest[length..].trim_start();
    }
    Ok(found)
}
