//! One contract for every log: what a driver may rely on, whatever stores the steps.

mod appends;
mod bounds;
mod damage;
mod heads;
mod local;
mod reading;
mod reopening;
mod steps;

use std::path::PathBuf;

use runtime::log::LocalLog;
use runtime::log::embedded::EmbeddedLog;
use runtime::log::memory::MemoryLog;
use tempfile::TempDir;
use tests::simulation::log::SimulatedLog;

/// A log under test, and how to end and begin the process that holds it.
trait Bench: Sized {
    type Log: LocalLog;
    fn fresh() -> Self;
    fn log(&self) -> &Self::Log;
}

struct Memory(MemoryLog);

impl Bench for Memory {
    type Log = MemoryLog;
    fn fresh() -> Self {
        Self(MemoryLog::default())
    }
    fn log(&self) -> &MemoryLog {
        &self.0
    }
}

struct Simulated(SimulatedLog);

impl Bench for Simulated {
    type Log = SimulatedLog;
    fn fresh() -> Self {
        Self(SimulatedLog::new())
    }
    fn log(&self) -> &SimulatedLog {
        &self.0
    }
}

struct Embedded {
    directory: TempDir,
    log: Option<EmbeddedLog>,
}

impl Embedded {
    fn path(&self) -> PathBuf {
        self.directory.path().join("log.redb")
    }

    /// The process ends, and another opens the file.
    fn reopened(mut self) -> Self {
        self.log = None;
        let path = self.path();
        Self { log: Some(EmbeddedLog::open(&path).expect("the file opens again")), directory: self.directory }
    }
}

impl Bench for Embedded {
    type Log = EmbeddedLog;
    fn fresh() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let log = EmbeddedLog::open(&directory.path().join("log.redb")).expect("a new log");
        Self { directory, log: Some(log) }
    }
    fn log(&self) -> &EmbeddedLog {
        self.log.as_ref().expect("it is open")
    }
}

/// Runs each check against each log, as a test of its own.
macro_rules! every_log_passes {
    ($($module:ident::$check:ident),* $(,)?) => {
        mod memory {
            $(#[test] fn $check() { super::$module::$check::<super::Memory>(); })*
        }
        mod simulated {
            $(#[test] fn $check() { super::$module::$check::<super::Simulated>(); })*
        }
        mod embedded {
            $(#[test] fn $check() { super::$module::$check::<super::Embedded>(); })*
        }
    };
}

every_log_passes! {
    appends::an_append_is_stored_at_the_next_positions,
    appends::an_append_spans_several_keys,
    appends::an_append_that_conflicts_stores_nothing,
    appends::nothing_to_append_is_nothing_stored,
    appends::a_step_said_to_another_key_twice_is_stored_once,
    heads::each_owner_has_a_head_of_each_key,
    heads::a_conflict_answers_the_real_head,
    heads::the_heads_move_within_an_append,
    heads::two_writers_of_one_slot_store_one_step,
    reading::a_key_is_read_in_order_after_a_position,
    reading::the_tail_is_contiguous_from_position_one,
    reading::the_last_step_is_that_of_key_and_owner,
    reading::an_empty_log_says_so,
    reading::stored_bytes_come_back_as_they_went_in,
    local::time_never_goes_back,
    local::open_keys_come_in_the_order_of_their_first_step,
    local::the_newest_review_of_equal_content_is_found,
    local::reviews_are_listed_latest_first,
    local::a_closed_review_is_read_as_before_and_opens_again,
}
