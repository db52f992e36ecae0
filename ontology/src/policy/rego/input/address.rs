//! The parts of a Terraform address: `module.a["k"].data.aws_x.name[0]`.

use std::collections::BTreeMap;

use regorus::Value as Rego;

use super::text;
use crate::records::document::Target;

/// An address in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// `module.a["k"]` and each prefix of it that is a module, outermost first.
    pub(super) modules: Vec<&'a str>,
    /// The name of the resource in its configuration.
    name: &'a str,
    /// `0` or `"k"`, as it stands between the brackets.
    index: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// The parts of a target's address. Of what is no Terraform address, the whole is the name.
    pub(super) fn of(target: &'a Target) -> Self {
        let address = target.address.as_str();
        let dots = dots(address);
        let mut modules = Vec::new();
        let mut from = 0;
        while address[from..].starts_with("module.") {
            let name = dots.iter().copied().find(|dot| *dot > from + "module".len());
            let Some(end) = name else { break };
            modules.push(&address[..end]);
            from = end + 1;
        }
        let rest = &address[from..];
        let rest = rest.strip_prefix("data.").unwrap_or(rest);
        let named = rest.strip_prefix(target.kind.as_str()).and_then(|rest| rest.strip_prefix('.'));
        let named = named.unwrap_or(rest);
        let indexed = named.strip_suffix(']').and_then(|named| named.split_once('['));
        let (name, index) = indexed.map_or((named, None), |(name, index)| (name, Some(index)));
        Self { modules, name, index }
    }

    /// The fields by which a plan names a resource.
    pub(super) fn fields(&self, target: &Target) -> BTreeMap<Rego, Rego> {
        let mut fields = BTreeMap::from([
            (text("address"), text(target.address.as_str())),
            (text("mode"), text(if target.data { "data" } else { "managed" })),
            (text("type"), text(&target.kind)),
            (text("name"), text(self.name)),
        ]);
        if let Some(module) = self.modules.last() {
            fields.insert(text("module_address"), text(module));
        }
        if let Some(provider) = &target.provider {
            fields.insert(text("provider_name"), text(provider));
        }
        if let Some(index) = self.index {
            let quoted = index.strip_prefix('"').and_then(|index| index.strip_suffix('"'));
            let index = match (quoted, index.parse::<i64>()) {
                (Some(key), _) => text(key),
                (None, Ok(number)) => Rego::from(number),
                (None, Err(_)) => text(index),
            };
            fields.insert(text("index"), index);
        }
        fields
    }
}

/// Where the dots are that part an address: not those within brackets.
fn dots(address: &str) -> Vec<usize> {
    let mut quoted = false;
    let mut found = Vec::new();
    for (at, character) in address.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '.' if !quoted => found.push(at),
            _ => {}
        }
    }
    found
}
