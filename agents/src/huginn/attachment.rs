//! What a requester brings beside a change: claims, which a specialist confirms or not.

mod infracost;
mod rehearsal;
#[cfg(test)]
mod tests;

use ontology::records::{Attachment, AttachmentKind};
use ontology::{Digest, Name, Timestamp};
use serde_json::Value;

use crate::input::json::{self, Place, quote};
use crate::input::{InputError, yaml};

/// What is accepted, for people.
const ACCEPTED: &str =
    "accepted are infracost's JSON (infracost diff --format json) and arb: rehearsal/1 (YAML or JSON)";

/// Reads an attachment; `file` is its path, whose last part names it.
///
/// # Errors
/// [`InputError`] names the place and what is allowed there, or lists what is accepted.
pub fn read(file: &str, bytes: &[u8]) -> Result<Attachment, InputError> {
    let text = json::text(file, bytes)?;
    let is_json = text.trim_start().starts_with(['{', '[']);
    let value: Value = if is_json { json::parse(file, bytes)? } else { yaml::parse(file, bytes)? };
    let root = Place::root(file, &value);
    let (claim, made_at) = claim(&root)?;
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name =
        Name::new(name).map_err(|error| InputError::at(file, "", format!("its file's name: {error}")))?;
    Ok(Attachment { name, digest: Digest::of_value(&claim), made_at, claim })
}

/// The claim, and when it was made, as it says.
fn claim(root: &Place<'_>) -> Result<(AttachmentKind, Option<Timestamp>), InputError> {
    let Some(map) = root.value().as_object() else {
        return Err(root.error(format!("is not evidence; {ACCEPTED}")));
    };
    if let Some(header) = root.get("arb")? {
        return match header.text()? {
            rehearsal::HEADER => {
                let claim = rehearsal::read(root)?;
                let made_at = claim.rehearsal.at;
                Ok((AttachmentKind::RecoveryRehearsal(claim), Some(made_at)))
            }
            other => Err(header.error(format!("{} is not evidence; {ACCEPTED}", quote(other)))),
        };
    }
    if map.contains_key("projects") {
        let made_at = root.optional("timeGenerated", |place| place.time())?;
        return Ok((AttachmentKind::CostEstimate(infracost::read(root)?), made_at));
    }
    Err(root.error(format!("is not evidence; {ACCEPTED}")))
}
