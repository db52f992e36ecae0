//! What went wrong, in one line with a code (U6).

use std::fmt;

use agents::input::InputError;

use super::exit::Code;
use crate::call::{CallError, ErrorCode};

/// Why the program ends without an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A call failed, or an input cannot be used.
    Call(CallError),
    /// Replay or verification found differences.
    Differs(String),
    /// Whoever read our output has gone: nobody is there to be told.
    BrokenPipe,
}

impl Failure {
    /// An input that cannot be used.
    #[must_use]
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::Call(CallError::new(ErrorCode::BadInput, message))
    }

    /// A fault of this program.
    #[must_use]
    pub fn internal(message: impl fmt::Display) -> Self {
        Self::Call(CallError::new(ErrorCode::Internal, message.to_string()))
    }

    /// The stable code; `arbctl explain` has its page.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Call(error) => error.code.as_str(),
            Self::Differs(_) => "differs",
            Self::BrokenPipe => "",
        }
    }

    /// What was asked of a node was answered by something else.
    #[must_use]
    pub fn unexpected() -> Self {
        Self::internal("the node answered another question than the one that was asked")
    }

    /// How it ends the program. A reader that went away is no fault of anybody.
    #[must_use]
    pub const fn exit(&self) -> Code {
        match self {
            Self::Call(error) => Code::of_error(error.code),
            Self::Differs(_) => Code::Differs,
            Self::BrokenPipe => Code::Done,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => f.write_str(&error.message),
            Self::Differs(message) => f.write_str(message),
            Self::BrokenPipe => Ok(()),
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::bad_input(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::internal(format!("write the output: {error}")),
        }
    }
}
