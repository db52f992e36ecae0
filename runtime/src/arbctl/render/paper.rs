//! Lines and tables of a given width, with or without colours.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::safe;

/// Columns of the word that begins a line.
const LABEL_COLUMNS: usize = 8;
/// Columns that a wrapped text has at least: both ends of an address stay readable.
const WRAPPED_COLUMNS_MIN: usize = 24;
/// Columns between two cells.
const GAP: &str = "  ";

/// What text is laid out on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paper {
    /// Whether colours are seen.
    pub colour: bool,
    /// Columns.
    pub width: usize,
}

/// A part of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// Text from anywhere; it is made safe here.
    pub(crate) fn text(text: impl AsRef<str>) -> Self {
        Self { text: safe::line(text.as_ref()), style: Style::new() }
    }

    pub(crate) fn styled(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    pub(crate) fn dim(self) -> Self {
        self.styled(Style::new().dimmed())
    }
}

/// Rows under each other. One column goes on under itself where the paper is too narrow.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    /// The column that wraps.
    flexible: usize,
}

impl Table {
    pub(crate) fn new(flexible: usize) -> Self {
        Self { rows: Vec::new(), flexible }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The rows, indented. With `whole`, no word is cut.
    pub(crate) fn render(&self, paper: &Paper, indent: usize, whole: bool) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width_of = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.text.width())
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(width_of).collect();
        let used: usize = widths.iter().sum::<usize>() + GAP.len() * columns.saturating_sub(1) + indent;
        if let Some(flexible) = widths.get_mut(self.flexible) {
            let over = used.saturating_sub(paper.width);
            *flexible = flexible.saturating_sub(over).max(WRAPPED_COLUMNS_MIN.min(*flexible));
        }
        self.rows.iter().map(|row| self.lines(row, &widths, paper, indent, whole)).collect()
    }

    fn lines(&self, row: &[Cell], widths: &[usize], paper: &Paper, indent: usize, whole: bool) -> String {
        let room = widths.get(self.flexible).copied().unwrap_or_default();
        let wrapped = row.get(self.flexible).map_or_else(Vec::new, |cell| wrap(&cell.text, room, whole));
        let mut text = String::new();
        for number in 0..wrapped.len().max(1) {
            let mut line = " ".repeat(indent);
            for (column, cell) in row.iter().enumerate() {
                let part = match (column == self.flexible, number) {
                    (true, _) => wrapped.get(number).map_or("", String::as_str),
                    (false, 0) => &cell.text,
                    (false, _) => "",
                };
                line.push_str(&paper.paint(part, cell.style));
                line.push_str(&" ".repeat(widths[column].saturating_sub(part.width())));
                line.push_str(GAP);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

impl Paper {
    /// Text in a style, where colours are seen.
    pub(crate) fn paint(&self, text: &str, style: Style) -> String {
        if self.colour && style != Style::new() && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// A line that begins with a word: `plan    terraform …          rv-…`. The right part goes to the right edge,
    /// or below where there is no room. Text longer than the paper goes on under itself.
    pub(crate) fn labelled(&self, label: &str, text: &str, right: &str) -> String {
        let head = format!("{label:<LABEL_COLUMNS$}");
        let mut lines = wrap(&safe::line(text), self.width.saturating_sub(LABEL_COLUMNS), true);
        let right = safe::line(right);
        let last = lines.last().map_or(0, |line| line.width());
        if !right.is_empty() {
            match self.width.checked_sub(LABEL_COLUMNS + last + GAP.len() + right.width()) {
                Some(room) if !lines.is_empty() => {
                    let end = lines.len() - 1;
                    lines[end].push_str(&" ".repeat(room + GAP.len()));
                    lines[end].push_str(&right);
                }
                _ => lines.push(right),
            }
        }
        let mut out = String::new();
        for (number, line) in lines.iter().enumerate() {
            let begin =
                if number == 0 { self.paint(&head, Style::new().bold()) } else { " ".repeat(LABEL_COLUMNS) };
            out.push_str(&begin);
            out.push_str(line);
            out.push('\n');
        }
        out
    }

    /// A heading, with what it rests on at its right.
    pub(crate) fn heading(&self, title: &str, about: &str) -> String {
        const TITLE_COLUMNS: usize = 28;
        let title = self.paint(&format!("{title:<TITLE_COLUMNS$}"), Style::new().bold());
        format!("{title} {}", safe::line(about)).trim_end().to_owned() + "\n"
    }
}

/// The colour of what stops, of what needs a person, of what may go.
pub(crate) const STOP: Style = AnsiColor::Red.on_default().bold();
/// See [`STOP`].
pub(crate) const ASK: Style = AnsiColor::Yellow.on_default().bold();
/// See [`STOP`].
pub(crate) const GO: Style = AnsiColor::Green.on_default().bold();

/// `text` in at most `columns`, cut in its middle.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let keep = columns.saturating_sub(1);
    let (front, back) = (keep / 2, keep - keep / 2);
    let head = take(text.chars(), front);
    let tail: String = take(text.chars().rev(), back).chars().rev().collect();
    format!("{head}…{tail}")
}

fn take(characters: impl Iterator<Item = char>, columns: usize) -> String {
    let mut used = 0;
    characters
        .take_while(|character| {
            used += character.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// Lines of at most `columns`, broken at spaces. A longer word is cut in its middle, or with `whole` stays, so that
/// it can be copied.
fn wrap(text: &str, columns: usize, whole: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = if whole { word.to_owned() } else { cut(word, columns) };
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
