//! Exit codes (architecture.md, "Exit codes"), and which outcomes fail (U4).

use clap::ValueEnum;

use ontology::policy::catalog::Mode;

use crate::call::ErrorCode;
use crate::report::Outcome;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// It did what was asked.
    Done,
    /// What was compared is not the same, in the sense of diff(1).
    Different,
    /// What was given cannot be used.
    Usage,
    /// An outcome that fails.
    Outcome(Outcome),
    /// Verification or replay differs.
    Differs,
    /// The log cannot be reached.
    LogUnavailable,
    /// A fault of this program.
    Internal,
    /// Not now.
    Retry,
}

impl Code {
    /// The number that the shell sees.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Done | Self::Outcome(Outcome::Conformant | Outcome::Approved) => 0,
            Self::Different => 1,
            Self::Usage => 2,
            Self::Outcome(Outcome::Conditional) => 10,
            Self::Outcome(Outcome::ApprovalRequired) => 11,
            Self::Outcome(Outcome::Held) => 12,
            Self::Outcome(Outcome::Rejected) => 13,
            Self::Outcome(Outcome::Undecided) => 14,
            Self::Differs => 15,
            Self::LogUnavailable => 69,
            Self::Internal => 70,
            Self::Retry => 75,
        }
    }

    /// How a failed call ends the program.
    #[must_use]
    pub const fn of_error(code: ErrorCode) -> Self {
        match code {
            ErrorCode::BadInput | ErrorCode::NotFound | ErrorCode::Conflict | ErrorCode::Refused => {
                Self::Usage
            }
            ErrorCode::LogUnavailable => Self::LogUnavailable,
            ErrorCode::Internal => Self::Internal,
            ErrorCode::Locked | ErrorCode::Retry => Self::Retry,
        }
    }
}

/// An outcome that fails (U4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum FailOn {
    /// Nothing fails.
    None,
    /// It is rejected.
    Rejected,
    /// It is held.
    Held,
    /// A person has to decide.
    Approval,
    /// It has conditions.
    Conditional,
    /// Everything but conformant and approved.
    All,
}

impl FailOn {
    const fn covers(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Conformant | Outcome::Approved | Outcome::Undecided => false,
            Outcome::Conditional => matches!(self, Self::Conditional | Self::All),
            Outcome::ApprovalRequired => matches!(self, Self::Approval | Self::All),
            Outcome::Held => matches!(self, Self::Held | Self::All),
            Outcome::Rejected => matches!(self, Self::Rejected | Self::All),
        }
    }

    /// The exit code of an outcome. Undecided is never mapped.
    #[must_use]
    pub fn code(chosen: &[Self], mode: Mode, outcome: Outcome) -> Code {
        let by_default = [match mode {
            Mode::Observe => Self::None,
            Mode::Enforce => Self::All,
        }];
        let chosen = if chosen.is_empty() { &by_default[..] } else { chosen };
        let fails = outcome == Outcome::Undecided || chosen.iter().any(|it| it.covers(outcome));
        if fails { Code::Outcome(outcome) } else { Code::Done }
    }
}
