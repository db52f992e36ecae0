//! `redact`: a plan as it would be kept (U3). What comes out can be submitted in the plan's place.

use std::path::Path;

use agents::huginn::intake::Context;
use agents::huginn::redact::{RedactionKey, to_json};
use ontology::Name;

use super::arguments::Redact;
use super::{Code, Failure, Outlet, inputs, policy};
use crate::files;
use crate::node::read_change;

pub(super) fn run(asked: &Redact, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = policy::read(asked.catalog.as_deref())?;
    let key = asked.key_file.as_deref().map(key).transpose()?;
    let given = inputs::given(&asked.given, outlet)?;
    let context = Context { catalog: &catalog, key: key.as_ref() };
    let read = read_change(&given, &context)?;
    outlet.json(&to_json(&read))?;
    let withheld = read.document.withheld;
    let keyed = if key.is_some() || withheld == 0 {
        ""
    } else {
        "; without --key-file a change between them cannot be seen"
    };
    outlet.note(&format!("{withheld} values withheld{keyed}"));
    Ok(Code::Done)
}

/// The key in a file, named after its content: records say which key made a digest, and never the key.
fn key(file: &Path) -> Result<RedactionKey, Failure> {
    let text = files::read_file(file)?.text;
    let bytes = text.trim().as_bytes().to_vec();
    let id = ontology::Digest::of(&ontology::Digest::of(&bytes).hex().into_bytes()).hex();
    let id = Name::new(&id[..16]).map_err(Failure::internal)?;
    RedactionKey::new(id, bytes).map_err(|error| Failure::bad_input(format!("{}: {error}", file.display())))
}
