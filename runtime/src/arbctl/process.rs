//! The program in its process: its streams, its environment, its terminal.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use super::{Surroundings, main_with};

/// `arbctl`, as a process.
#[must_use]
pub fn main() -> ExitCode {
    let (input, out, err) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let (out_is_terminal, err_is_terminal) = (out.is_terminal(), err.is_terminal());
    let columns = terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0));
    let (mut out, mut err) = (std::io::BufWriter::new(out.lock()), err.lock());
    let surroundings = Surroundings {
        input: &mut input.lock(),
        out: &mut out,
        err: &mut err,
        variable: &|name| std::env::var(name).ok(),
        out_is_terminal,
        err_is_terminal,
        columns,
    };
    let code = main_with(std::env::args_os(), surroundings);
    // What could not be written was reported; a reader that went away is nobody to be told.
    let _ = out.flush();
    ExitCode::from(code)
}
