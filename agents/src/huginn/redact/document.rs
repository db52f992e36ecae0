//! The redacted document as a file: what `arbctl redact` prints, and reads again to an equal content digest.

use std::sync::Arc;

use ontology::records::ChangeDocument;
use ontology::records::document::{LinkEdit, TARGETS_MAX};
use serde_json::{Value as Json, json};

use super::{Marks, Redactor, Sides, any_unkeyed, count, keep_tags};
use crate::huginn::intake::{Context, Intake, kind_default};
use crate::input::InputError;
use crate::input::json::{Place, quote};

/// What such a file says of itself under `arb`.
pub const DOCUMENT_HEADER: &str = "document/1";

/// The file of a change that was read.
///
/// # Panics
/// Never for what [`crate::huginn::intake::read`] made: documents hold text keys and whole numbers only.
#[must_use]
pub fn to_json(intake: &Intake) -> Json {
    let document = serde_json::to_value(&*intake.document).expect("documents have text keys and no floats");
    let mut file = json!({ "arb": DOCUMENT_HEADER, "change_kind": intake.change_kind, "document": document });
    if let Some(planned_at) = intake.planned_at {
        file["planned_at"] = json!(planned_at);
    }
    if let Some(process) = &intake.process_ref {
        file["process_ref"] = json!(process);
    }
    file
}

/// Reads such a file. It is redacted again: whatever somebody added to it meets the same allow-list.
///
/// # Errors
/// [`InputError`] names the place.
pub fn parse(root: &Place<'_>, context: &Context<'_>) -> Result<Intake, InputError> {
    root.only(&["arb", "change_kind", "document", "planned_at", "process_ref"])?;
    let place = root.required("document")?;
    let mut document: ChangeDocument = place.read()?;
    if document.targets.len() > TARGETS_MAX {
        return Err(place.missing(
            "targets",
            format!("has {} members, at most {TARGETS_MAX} are read", document.targets.len()),
        ));
    }
    document.targets.sort_by(|one, other| one.address.cmp(&other.address));
    if let Some(twice) = document.targets.windows(2).find(|pair| pair[0].address == pair[1].address) {
        let message = format!("{} is the address of two targets", quote(twice[0].address.as_str()));
        return Err(place.missing("targets", message));
    }
    sort_links(&mut document.links);
    let mut redactor = Redactor::new(context.catalog, context.key);
    for target in &mut document.targets {
        let sides = Sides { before: target.before.take(), after: target.after.take() };
        let changes = target.action.changes();
        let sides = redactor.attributes(&target.kind, changes, sides, Marks::default());
        let sides = sides.map_err(|error| place.missing("targets", error.to_string()))?;
        (target.before, target.after) = (sides.before, sides.after);
        target.tags = keep_tags(std::mem::take(&mut target.tags));
    }
    document.withheld = count(&document.targets);
    document.withheld_unkeyed = any_unkeyed(&document.targets);
    Ok(Intake {
        content_digest: document.content_digest(),
        document: Arc::new(document),
        planned_at: root.optional("planned_at", |place| place.time())?,
        change_kind: root.optional("change_kind", |place| place.name())?.unwrap_or_else(kind_default),
        process_ref: root.optional("process_ref", |place| place.object_id())?,
    })
}

/// Relations stand once each, by ends, type, and added before removed.
pub(crate) fn sort_links(links: &mut Vec<LinkEdit>) {
    links.sort_by(|one, other| {
        let key = |link: &LinkEdit| (link.kind, !link.add);
        (&one.from, &one.to, key(one)).cmp(&(&other.from, &other.to, key(other)))
    });
    links.dedup();
}
