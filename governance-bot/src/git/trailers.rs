//! Trailers as `git interpret-trailers --parse` sees them (fault 91). One parser; a test holds it against git itself.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

/// `Key: value` at the end of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trailer {
    /// The key, as written.
    pub key: String,
    /// The value, on one line.
    pub value: String,
}

/// Lines that git itself writes: with one of them, a quarter of the block's lines suffices.
const GENERATED: [&[u8]; 2] = [b"Signed-off-by: ", b"(cherry picked from commit "];
/// What git's editor puts above a patch; nothing below it belongs to the message.
const SCISSORS: &[u8] = b"# ------------------------ >8 ------------------------\n";

/// The trailers of a message: of its last paragraph, above a line `---`, never of its first.
#[must_use]
pub fn parse(message: &str) -> Vec<Trailer> {
    let mut text = message.as_bytes().to_vec();
    // The command reads to a NUL and completes the last line.
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    if text.last().is_some_and(|byte| *byte != b'\n') {
        text.push(b'\n');
    }
    let text = &text[..end_of_message(&text)];
    let mut joined: Vec<Vec<u8>> = Vec::new();
    let mut open = false;
    for line in text[block_start(text)..].split_inclusive(|byte| *byte == b'\n') {
        match joined.last_mut() {
            Some(last) if open && is_space(line[0]) => last.extend_from_slice(line),
            _ => {
                open = separator(line).is_some();
                joined.push(line.to_vec());
            }
        }
    }
    joined.iter().filter(|line| line[0] != b'#').filter_map(|line| trailer(line)).collect()
}

fn trailer(line: &[u8]) -> Option<Trailer> {
    let at = separator(line)?;
    let key = String::from_utf8_lossy(trim(&line[..at])).into_owned();
    let mut value = Vec::new();
    let mut rest = trim(&line[at + 1..]).iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte == b'\n' {
            while rest.next_if(|byte| is_space(*byte)).is_some() {}
            value.push(b' ');
        } else {
            value.push(byte);
        }
    }
    Some(Trailer { key, value: String::from_utf8_lossy(trim(&value)).into_owned() })
}

/// Where the message ends: at the divider, and before comments, blank lines and a list of conflicts at its end.
fn end_of_message(text: &[u8]) -> usize {
    let divider = lines(text).find(|(_, line)| {
        line.strip_prefix(b"---").and_then(<[u8]>::first).is_some_and(|byte| is_space(*byte))
    });
    let text = &text[..divider.map_or(text.len(), |(at, _)| at)];
    let cutoff = lines(text).find(|(_, line)| line.starts_with(SCISSORS)).map_or(text.len(), |(at, _)| at);
    // 0 is none, also for what begins at 0: so it is in git.
    let (mut tail, mut in_conflicts) = (0, false);
    for (at, line) in lines(&text[..cutoff]) {
        let begins_conflicts = line == b"Conflicts:\n";
        if line[0] == b'#' || line[0] == b'\n' || begins_conflicts {
            in_conflicts |= begins_conflicts;
            if tail == 0 {
                tail = at;
            }
        } else if !(in_conflicts && line[0] == b'\t') && tail != 0 {
            (tail, in_conflicts) = (0, false);
        }
    }
    if tail == 0 { cutoff } else { tail }
}

/// Where the block of trailers begins; the text's length where there is none.
fn block_start(text: &[u8]) -> usize {
    let title_end =
        lines(text).find(|(_, line)| line[0] != b'#' && is_blank(line)).map_or(text.len(), |(at, _)| at);
    let (mut trailers, mut others, mut continuations) = (0, 0, 0);
    let (mut only_blank, mut generated) = (true, false);
    let all: Vec<_> = lines(text).collect();
    for (at, line) in all.into_iter().rev().take_while(|(at, _)| *at >= title_end) {
        if line[0] == b'#' {
            others += continuations;
            continuations = 0;
        } else if is_blank(line) {
            if only_blank {
                continue;
            }
            others += continuations;
            let is_block = (generated && trailers * 3 >= others) || (trailers > 0 && others == 0);
            return if is_block { at + line.len() } else { text.len() };
        } else {
            only_blank = false;
            if GENERATED.iter().any(|prefix| line.starts_with(prefix)) {
                (trailers, continuations, generated) = (trailers + 1, 0, true);
            } else if separator(line).is_some() && !is_space(line[0]) {
                (trailers, continuations) = (trailers + 1, 0);
            } else if is_space(line[0]) {
                continuations += 1;
            } else {
                others += 1 + continuations;
                continuations = 0;
            }
        }
    }
    text.len()
}

/// Where the colon of `Key: value` stands: after letters, digits and `-`, and perhaps spaces. ASCII only: a full-width
/// colon is no colon.
fn separator(line: &[u8]) -> Option<usize> {
    let mut spaced = false;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b':' => return Some(at).filter(|at| *at >= 1),
            b'-' if !spaced => {}
            byte if byte.is_ascii_alphanumeric() && !spaced => {}
            b' ' | b'\t' if at > 0 => spaced = true,
            _ => return None,
        }
    }
    None
}

/// Lines with their ends, and where they begin. None is empty.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_space(*byte)).map_or(start, |at| at + 1);
    &text[start..end]
}
