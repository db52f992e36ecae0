//! `planned_values`: what there will be, by module.

use std::collections::BTreeMap;

use regorus::Value as Rego;

use super::{Address, Mark, list, marked_map, object, text, values};
use crate::records::document::Target;

#[derive(Default)]
struct Module<'a> {
    resources: Vec<Rego>,
    children: BTreeMap<&'a str, Module<'a>>,
}

/// The tree of what there will be; of what is, with `as_is`.
pub(super) fn planned_values(targets: &[(&Target, Address<'_>)], as_is: bool) -> Rego {
    let mut root = Module::default();
    for (target, address) in targets {
        let side = if as_is { target.before.as_ref() } else { target.after.as_ref() };
        let Some(attributes) = side else { continue };
        let mut module = &mut root;
        for path in &address.modules {
            module = module.children.entry(path).or_default();
        }
        let mut fields = address.fields(target);
        fields.remove(&text("module_address"));
        fields.insert(text("values"), values(attributes));
        let sensitive = marked_map(attributes, Mark::Withheld).unwrap_or_else(Rego::new_object);
        fields.insert(text("sensitive_values"), sensitive);
        module.resources.push(Rego::from(fields));
    }
    object([("root_module", root.shown(None))])
}

impl Module<'_> {
    /// Modules nest as deep as their addresses have parts, which an address's length bounds.
    fn shown(self, address: Option<&str>) -> Rego {
        let mut fields = BTreeMap::new();
        if let Some(address) = address {
            fields.insert(text("address"), text(address));
        }
        if !self.resources.is_empty() {
            fields.insert(text("resources"), list(self.resources));
        }
        if !self.children.is_empty() {
            let children = self.children.into_iter().map(|(address, child)| child.shown(Some(address)));
            fields.insert(text("child_modules"), list(children));
        }
        Rego::from(fields)
    }
}
