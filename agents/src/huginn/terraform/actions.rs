//! The actions of a resource change.

use ontology::records::Action;

use crate::input::InputError;
use crate::input::json::{Place, quote};

/// The words that a plan may use, as people see them.
const WORDS: &str = "create, update, delete, read, no-op, forget";

/// What is done to a resource, by the plan's list of words.
///
/// A new object beside one that is forgotten is the action `forget`: the old one stays in the world, and `after` shows
/// the new one.
pub(super) fn read(actions: &Place<'_>) -> Result<Action, InputError> {
    let mut words = Vec::new();
    for item in actions.items()? {
        let word = item.text()?;
        if !WORDS.split(", ").any(|known| known == word) {
            return Err(actions.error(format!("{} is not an action ({WORDS})", quote(word))));
        }
        words.push(word);
    }
    match words.as_slice() {
        ["no-op"] => Ok(Action::NoOp),
        ["create"] => Ok(Action::Create),
        ["read"] => Ok(Action::Read),
        ["update"] => Ok(Action::Update),
        ["delete"] => Ok(Action::Delete),
        ["delete", "create"] | ["create", "delete"] => Ok(Action::Replace),
        ["forget"] | ["create", "forget"] | ["forget", "create"] => Ok(Action::Forget),
        [] => Err(actions.error(format!("is empty; expected an action ({WORDS})"))),
        _ => {
            let shown: Vec<String> = words.iter().take(4).map(|word| quote(word)).collect();
            Err(actions.error(format!("[{}] is not an action ({WORDS})", shown.join(", "))))
        }
    }
}
