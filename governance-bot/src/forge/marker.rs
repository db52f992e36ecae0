//! Comments that are there once: found by a marker in their text.

use serde_json::json;

use super::call::Call;
use super::client::{Actor, Client, Made};
use super::failure::Failure;
use super::operation::Operation;
use super::view::CommentEvent;
use super::wire::Wire;

/// Where a comment belongs, and how it is known again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked<'a> {
    /// `owner/name`.
    pub full_name: &'a str,
    /// The issue or pull request.
    pub number: u64,
    /// Our own account: a comment of somebody else with the same marker is none of ours.
    pub author: u64,
    /// A line of the text that nothing else has.
    pub marker: &'a str,
}

/// Comments of ours that bear the marker, the oldest first.
///
/// # Errors
/// When the list is not whole: what was not read may bear it.
pub async fn find<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    marked: &Marked<'_>,
) -> Result<Vec<CommentEvent>, Failure> {
    let operation = Operation::LIST_COMMENTS;
    let call = Call::of(operation, marked.full_name).at("issue_number", marked.number);
    let listed = client.list::<CommentEvent>(actor, &call).await?.listing;
    if let Some(shortfall) = listed.shortfall {
        return Err(Failure::Unreadable { operation: operation.name, why: shortfall.to_string() });
    }
    let bears = |comment: &CommentEvent| {
        let own = comment.user.as_ref().is_some_and(|user| user.id == marked.author);
        own && comment.body.as_ref().is_some_and(|body| body.lines().any(|line| line.trim() == marked.marker))
    };
    let mut found: Vec<CommentEvent> = listed.items.into_iter().filter(bears).collect();
    found.sort_by_key(|comment| comment.id);
    Ok(found)
}

/// Sees to it that there is exactly one such comment with this text: written, edited in place, or left alone. Two
/// writers at once leave the older one (fault 76). Returns its id.
///
/// # Errors
/// When comments cannot be read or written, or it is in doubt whether one was.
pub async fn comment_once<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    marked: &Marked<'_>,
    text: &str,
) -> Result<u64, Failure> {
    let body = format!("{}\n{text}", marked.marker);
    let call = Call::of(Operation::CREATE_COMMENT, marked.full_name)
        .at("issue_number", marked.number)
        .sending(json!({ "body": body }));
    let look = || async { Ok(find(client, actor, marked).await?.into_iter().next()) };
    let made = client.make_once(actor, &call, look).await?;
    let about = |operation, id: u64| Call::of(operation, marked.full_name).at("comment_id", id);
    if let Made::Found(comment) = made {
        if comment.body.as_deref() != Some(&body) {
            let edit = about(Operation::UPDATE_COMMENT, comment.id).sending(json!({ "body": body }));
            client.call(actor, &edit).await?;
        }
        return Ok(comment.id);
    }
    let mut all = find(client, actor, marked).await?.into_iter();
    let oldest = all.next().ok_or_else(|| Failure::InDoubt {
        operation: Operation::CREATE_COMMENT.name,
        why: "the comment is not listed yet".to_owned(),
    })?;
    for newer in all {
        match client.call(actor, &about(Operation::DELETE_COMMENT, newer.id)).await {
            Err(failure) if !failure.is_missing() => return Err(failure),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(oldest.id)
}
