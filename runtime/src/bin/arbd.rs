//! `arbd`: a node that stays. Holds the log of a directory, runs every agent, and keeps the door open.

use std::process::ExitCode;

fn main() -> ExitCode {
    runtime::arbd::main()
}
