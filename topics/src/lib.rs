//! The wire: who may say what, in which bytes, and the contract of an agent.
//!
//! One closed table of topics ([`Topic`]), one message type ([`Step`]) with its codec and every check at the
//! boundary, and the [`Agent`] trait with its [`Event`], [`Question`] and [`Answer`]. This crate never performs
//! IO, never decides, and knows no agent.

pub mod agent;
pub mod key;
pub mod library;
pub mod owner;
pub mod question;
pub mod step;
pub mod topic;

pub use agent::{Agent, Deadline, Event, Owed};
pub use key::{Key, KeyKind, Partition};
pub use library::{Library, Needed};
pub use owner::{Owner, Role};
pub use question::{Answer, Ask, Question, Submission, Unavailable};
pub use step::{Cause, Position, Record, Refused, Step, StepError, StepId, Stored};
pub use topic::{Kind, Object, Topic};
