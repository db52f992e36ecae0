//! `arbctl`, the command line: reads files, speaks to a node through `call::Answers`, prints.
//!
//! Data goes to stdout, everything else to stderr. It judges nothing, and of what it is given it stores nothing
//! itself: the node does. [`main_with`] is the whole program over given streams, so that a test is its user.

mod admit;
pub mod arguments;
mod baseline;
mod classes;
mod connect;
mod doctor;
mod evidence;
mod exit;
mod explain;
mod failure;
mod inputs;
mod kubectl_diff;
mod list;
mod model;
mod outlet;
mod people;
mod policy;
mod process;
mod redact;
mod render;
mod replay;
mod rollout;
mod status;
mod submit;
#[cfg(test)]
mod tests;
mod trace;
mod wait;

use std::ffi::OsString;
use std::io::{Read, Write};

use clap::{CommandFactory as _, Parser as _};

use arguments::{Arguments, Command};
pub use connect::Location;
pub use exit::{Code, FailOn};
pub use failure::Failure;
use ontology::records::ApprovalDecision;
pub use outlet::Outlet;
pub use process::main;

/// What the program stands in: its streams, its environment, its terminal.
pub struct Surroundings<'a> {
    /// Standard input, for a file named `-`.
    pub input: &'a mut dyn Read,
    /// Data.
    pub out: &'a mut dyn Write,
    /// Everything else.
    pub err: &'a mut dyn Write,
    /// A variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Whether stdout is a terminal.
    pub out_is_terminal: bool,
    /// Whether stderr is a terminal.
    pub err_is_terminal: bool,
    /// Columns of the terminal, where it is known.
    pub columns: Option<usize>,
}

/// Runs the program and returns its exit code (architecture.md, "Exit codes").
pub fn main_with(arguments: impl IntoIterator<Item = OsString>, surroundings: Surroundings<'_>) -> u8 {
    let mut outlet = Outlet::of(surroundings);
    let arguments = match Arguments::try_parse_from(kubectl_diff::in_order(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => return outlet.usage(&error),
    };
    let code = run(&arguments, &mut outlet);
    match code.and_then(|code| outlet.finish().map(|()| code)) {
        Ok(code) => code.number(),
        Err(failure) => outlet.failed(&failure),
    }
}

fn run(arguments: &Arguments, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let Some(command) = &arguments.command else {
        outlet.help(&mut Arguments::command())?;
        return Ok(Code::Done);
    };
    match command {
        Command::SubmitChange(it) => submit::submit(it, outlet),
        Command::Review(it) => submit::review(it, outlet),
        Command::KubectlDiff(it) => kubectl_diff::run(it, outlet),
        Command::Status(it) => status::run(it, outlet),
        Command::List(it) => list::run(it, outlet),
        Command::Evidence(it) => evidence::evidence(it, outlet),
        Command::Recheck(it) => evidence::recheck(it, outlet),
        Command::Approve(it) => people::answer(ApprovalDecision::Approve, it, outlet),
        Command::Reject(it) => people::answer(ApprovalDecision::Reject, it, outlet),
        Command::Revoke(it) => people::answer(ApprovalDecision::Revoke, it, outlet),
        Command::Admit(it) => admit::run(it, outlet),
        Command::AcceptGap(it) => people::accept_gap(it, outlet),
        Command::Redrive(it) => evidence::redrive(it, outlet),
        Command::Explain(it) => explain::run(it, outlet),
        Command::Trace(it) => trace::run(it, outlet),
        Command::Replay(it) => replay::run(it, outlet),
        Command::Model(it) => model::run(it, outlet),
        Command::Policy(it) => policy::run(it, outlet),
        Command::Baseline(it) => baseline::run(it, outlet),
        Command::Rollout(it) => rollout::run(it, outlet),
        Command::ExplainClass(it) => classes::run(it, outlet),
        Command::Redact(it) => redact::run(it, outlet),
        Command::Doctor(it) => doctor::run(it, outlet),
        Command::Completions(it) => outlet.completions(it.shell, &mut Arguments::command()),
    }
}
