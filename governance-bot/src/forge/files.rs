//! One file of a commit, whatever its size.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::call::Call;
use super::client::{Actor, Client};
use super::failure::Failure;
use super::operation::Operation;
use super::wire::Wire;

/// What the forge says of a file or blob.
#[derive(Debug, Deserialize)]
struct Content {
    sha: String,
    #[serde(default)]
    encoding: Option<String>,
    #[serde(default)]
    content: Option<String>,
}

/// A file's bytes and its blob. None when the forge says that it is not there (which may be a missing permission).
/// Above 1 MB the contents API gives no text: then the blob is read (fault 94).
///
/// # Errors
/// When it cannot be read, or is a folder.
pub async fn read_file<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    full_name: &str,
    commit: &str,
    path: &str,
) -> Result<Option<(Vec<u8>, String)>, Failure> {
    let call = Call::of(Operation::GET_CONTENT, full_name).at("path", path).with("ref", commit);
    let mut content: Content = match client.call(actor, &call).await {
        Ok(answer) => answer.view(Operation::GET_CONTENT)?,
        Err(failure) if failure.is_missing() => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let mut operation = Operation::GET_CONTENT;
    if content.encoding.as_deref() != Some("base64") {
        operation = Operation::GET_BLOB;
        let call = Call::of(operation, full_name).at("file_sha", &content.sha);
        content = client.call(actor, &call).await?.view(operation)?;
    }
    let text = content.content.filter(|_| content.encoding.as_deref() == Some("base64"));
    let unreadable = |why: &str| Failure::Unreadable { operation: operation.name, why: why.to_owned() };
    let text = text.ok_or_else(|| unreadable("there is no text in base64"))?;
    let packed: String = text.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    let bytes = STANDARD.decode(packed).map_err(|_| unreadable("the text is no base64"))?;
    Ok(Some((bytes, content.sha)))
}
