//! References to things: Backstage's `[kind:][namespace/]name`, without regard to case, or any other id as it is.

use ontology::ObjectId;
use ontology::identity::IdentityError;

/// The namespace of entities that name none.
pub(super) const NAMESPACE_DEFAULT: &str = "default";
/// Kinds of Backstage entities. An id that begins with another word and a colon is no reference to an entity.
const KINDS: &[&str] =
    &["component", "system", "resource", "group", "user", "api", "domain", "location", "template"];

/// A reference that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReferenceError {
    /// It names no kind, and none is usual there.
    #[error("it has no kind; write component:NAME or resource:NAME")]
    NoKind,
    /// A part is empty.
    #[error("it is not [kind:][namespace/]name")]
    Empty,
    /// It is too long or holds a control character.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// The id of the entity that `text` refers to, seen from an entity in `namespace`.
pub(super) fn entity(text: &str, kind: Option<&str>, namespace: &str) -> Result<ObjectId, ReferenceError> {
    let (kind, rest) = match text.split_once(':') {
        Some((kind, rest)) => (Some(kind), rest),
        None => (kind, text),
    };
    let (namespace, name) = rest.split_once('/').unwrap_or((namespace, rest));
    let kind = kind.ok_or(ReferenceError::NoKind)?;
    if [kind, namespace, name].iter().any(|part| part.trim().is_empty()) {
        return Err(ReferenceError::Empty);
    }
    let text = format!("{}:{}/{}", kind.trim(), namespace.trim(), name.trim());
    Ok(ObjectId::new(text.to_lowercase())?)
}

/// The id that our own formats mean by `text`: an entity where it names a kind of Backstage, else the text itself.
pub(super) fn object(text: &str) -> Result<ObjectId, ReferenceError> {
    match text.split_once(':') {
        Some((kind, _)) if KINDS.contains(&kind.trim().to_lowercase().as_str()) => {
            entity(text, None, NAMESPACE_DEFAULT)
        }
        _ => Ok(ObjectId::new(text)?),
    }
}
