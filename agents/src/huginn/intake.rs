//! The one entry of a change: tells the format, reads, redacts, normalises (S-01).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::policy::Catalog;
use ontology::records::{Attachment, ChangeDocument, ChangeSummary};
use ontology::{Digest, Name, ObjectId, Timestamp};
use serde::Deserialize;

use super::redact::{self, RedactionKey};
use super::{change_file, terraform};
use crate::input::json::{self, Place, quote};
use crate::input::{InputError, manifest, yaml};

/// What a change is read with.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Says which attributes are kept.
    pub catalog: &'a Catalog,
    /// Under which withheld values get a MAC.
    pub key: Option<&'a RedactionKey>,
}

/// A change, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intake {
    /// What it does, normalised and redacted.
    pub document: Arc<ChangeDocument>,
    /// [`ChangeDocument::content_digest`] of it.
    pub content_digest: Digest,
    /// When it was planned, as it says.
    pub planned_at: Option<Timestamp>,
    /// `infrastructure`, or what it says.
    pub change_kind: Name,
    /// The process it belongs to, as it says (S-31).
    pub process_ref: Option<ObjectId>,
}

/// The kind of a change that does not say its own.
pub const KIND_DEFAULT: &str = "infrastructure";
/// What is accepted, for people.
const ACCEPTED: &str =
    "accepted are terraform show -json of a plan, arb: change/1 (YAML or JSON) and arb: document/1";

/// What to do with a manifest.
const MANIFEST: &str = "it is a Kubernetes manifest; give it as --after, and what is there now as --before";

/// Reads a change in any of its formats that are one file; manifests are [`super::kubernetes::read`].
///
/// # Errors
/// [`InputError`] says what the file is instead of a change, or where in it what is wrong. It quotes no value.
pub fn read(file: &str, bytes: &[u8], context: &Context<'_>) -> Result<Intake, InputError> {
    if let Some(what) = terraform::foreign::bytes(bytes) {
        return Err(InputError::at(file, "", what));
    }
    let text = json::text(file, bytes)?;
    if !text.trim_start().starts_with(['{', '[']) {
        let value: serde_json::Value = yaml::parse(file, bytes).map_err(|error| {
            // Manifests have several documents, a change of ours has one.
            let are_manifests = manifest::read(file, bytes).is_ok_and(|manifests| !manifests.is_empty());
            if are_manifests {
                InputError::at(file, "$", format!("is not a change: {MANIFEST}"))
            } else {
                error
            }
        })?;
        return read_ours(file, &value, context);
    }
    // Another look at the bytes is cheaper than holding what a plan's reader would forget.
    #[derive(Deserialize)]
    struct Header {
        arb: Option<serde_json::Value>,
    }
    if serde_json::from_str::<Header>(text).is_ok_and(|header| header.arb.is_some()) {
        return read_ours(file, &json::parse(file, bytes)?, context);
    }
    let value = json::parse_with(file, bytes, terraform::options())?;
    if !terraform::is_like_plan(&value) {
        return read_ours(file, &value, context);
    }
    let plan = terraform::read(file, &value, context)?;
    Ok(Intake {
        content_digest: plan.document.content_digest(),
        document: Arc::new(plan.document),
        planned_at: plan.planned_at,
        change_kind: kind_default(),
        process_ref: None,
    })
}

/// Reads what names its format under `arb`.
fn read_ours(file: &str, value: &serde_json::Value, context: &Context<'_>) -> Result<Intake, InputError> {
    let root = Place::root(file, value);
    if root.value().as_object().is_none_or(|map| !map.contains_key("arb")) {
        return Err(root.error(format!("is not a change: {}", other(value))));
    }
    let header = root.required("arb")?;
    match header.text()? {
        change_file::HEADER => change_file::read(&root, context),
        redact::DOCUMENT_HEADER => redact::parse(&root, context),
        unknown => Err(header.error(format!("{} is not a change; {ACCEPTED}", quote(unknown)))),
    }
}

/// What a file seems to be that is no change, and what to do.
fn other(value: &serde_json::Value) -> String {
    let has = |key: &str| value.get(key).is_some();
    if has("projects") && has("currency") {
        return "it is an estimate of infracost; give it as evidence beside the change".to_owned();
    }
    if has("apiVersion") && has("kind") {
        return "it is a Kubernetes manifest; give it as --after, and what is there now as --before"
            .to_owned();
    }
    ACCEPTED.to_owned()
}

pub(super) fn kind_default() -> Name {
    Name::new(KIND_DEFAULT).expect("a short literal")
}

/// The default idempotency key (U5): the digests of content, model, catalog and attached evidence, digested together.
/// The same again is the same review; anything fixed is another.
#[must_use]
pub fn idempotency_key(content: Digest, model: Digest, catalog: Digest, attachments: &[Attachment]) -> Name {
    let evidence: BTreeSet<Digest> = attachments.iter().map(|attachment| attachment.digest).collect();
    let key = Digest::of_value(&(content, model, catalog, evidence));
    Name::new(key.to_string()).expect("a digest's text is short and printable")
}

/// What a document amounts to.
#[must_use]
pub fn summary(document: &ChangeDocument) -> ChangeSummary {
    let mut actions = BTreeMap::new();
    for target in &document.targets {
        *actions.entry(target.action).or_insert(0) += 1;
    }
    ChangeSummary {
        format: document.format,
        format_version: document.format_version.clone(),
        tool: document.tool.clone(),
        actions,
        withheld: document.withheld,
    }
}
