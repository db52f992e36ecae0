//! Where output goes: data to stdout, everything else to stderr, colours on a terminal only.

use std::io::Read as _;

use agents::input::FILE_BYTES_MAX;
use serde::Serialize;

use super::render::{Paper, safe};
use super::{Code, Failure, Surroundings};

/// Columns where no terminal says otherwise: what most people's screens and CI logs show.
const COLUMNS_DEFAULT: usize = 110;
/// Columns that a table needs at least; a narrower terminal wraps.
const COLUMNS_MIN: usize = 60;
/// Columns beyond which a line is hard to read.
const COLUMNS_MAX: usize = 160;

/// The streams of the program, used in one way.
pub struct Outlet<'a>(Surroundings<'a>);

impl<'a> Outlet<'a> {
    pub(super) fn of(surroundings: Surroundings<'a>) -> Self {
        Self(surroundings)
    }

    /// How text is laid out on stdout.
    #[must_use]
    pub(super) fn paper(&self) -> Paper {
        let columns = self.variable("COLUMNS").and_then(|columns| columns.parse().ok()).or(self.0.columns);
        let columns = columns.unwrap_or(COLUMNS_DEFAULT);
        Paper { colour: self.colours(self.0.out_is_terminal), width: columns.clamp(COLUMNS_MIN, COLUMNS_MAX) }
    }

    /// <https://no-color.org>: any value that is not empty switches colours off.
    fn colours(&self, is_terminal: bool) -> bool {
        is_terminal && self.variable("NO_COLOR").is_none() && self.variable("TERM").as_deref() != Some("dumb")
    }

    /// A variable of the environment; an empty one counts as absent.
    #[must_use]
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        (self.0.variable)(name).filter(|value| !value.is_empty())
    }

    /// Prints data.
    pub(super) fn print(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.0.out.write_all(text.as_bytes())?)
    }

    /// Appends to the file that a variable of the environment names; nothing, where it names none.
    pub(super) fn append(&mut self, variable: &str, text: &str) -> Result<(), Failure> {
        use std::io::Write as _;
        let Some(path) = self.variable(variable) else { return Ok(()) };
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Failure::bad_input(format!("{variable}: write {path}: {error}")))
    }

    /// Prints one JSON document.
    pub(super) fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(value).map_err(Failure::internal)?;
        text.push('\n');
        self.print(&text)
    }

    /// Says something that is not data. Whether somebody reads it decides nothing.
    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.0.err, "note: {}", safe::line(text));
    }

    /// What came on standard input, at most as much as a file may have.
    pub(super) fn input(&mut self) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        let limit = FILE_BYTES_MAX as u64 + 1;
        let read = (&mut *self.0.input).take(limit).read_to_end(&mut bytes);
        read.map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
        if bytes.len() > FILE_BYTES_MAX {
            let max = FILE_BYTES_MAX >> 20;
            return Err(Failure::bad_input(format!("standard input: it has more than {max} MiB")));
        }
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Failure::bad_input(format!("standard input: it is not UTF-8 at byte {at}"))
        })
    }

    /// What clap has to say: help and version are data, all else is a usage error.
    pub(super) fn usage(&mut self, error: &clap::Error) -> u8 {
        if error.use_stderr() {
            let _ = write!(self.0.err, "{}", error.render());
            return Code::Usage.number();
        }
        let printed = self.print(&error.render().to_string());
        match printed.and_then(|()| self.finish()) {
            Ok(()) => Code::Done.number(),
            Err(failure) => self.failed(&failure),
        }
    }

    pub(super) fn help(&mut self, command: &mut clap::Command) -> Result<(), Failure> {
        self.print(&command.render_help().to_string())
    }

    pub(super) fn completions(
        &mut self,
        shell: clap_complete::Shell,
        command: &mut clap::Command,
    ) -> Result<Code, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(shell, command, "arbctl", &mut script);
        self.0.out.write_all(&script)?;
        Ok(Code::Done)
    }

    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.0.out.flush()?)
    }

    /// One line: what, where, fix, code (U6).
    pub(super) fn failed(&mut self, failure: &Failure) -> u8 {
        if *failure != Failure::BrokenPipe {
            let style = if self.colours(self.0.err_is_terminal) {
                anstyle::AnsiColor::Red.on_default().bold()
            } else {
                anstyle::Style::new()
            };
            let code = failure.code();
            let _ =
                writeln!(self.0.err, "{style}error[{code}]{style:#}: {}", safe::line(&failure.to_string()));
        }
        failure.exit().number()
    }
}
