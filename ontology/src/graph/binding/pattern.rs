//! Patterns of plan addresses. Segments of an address are split at `.` outside brackets:
//! `module.db["a.b"].aws_db_instance.this[0]` has five.

/// A pattern: `*` stands for any run within one segment, `**` for any run at all.
#[derive(Debug, Clone)]
pub(super) struct Pattern(String);

/// Where to try again after a mismatch: behind a wildcard of the pattern, at this byte of the text.
#[derive(Clone, Copy)]
struct Retry {
    pattern: usize,
    text: usize,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether it stands for one address only.
    pub(super) fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    /// What every match begins with.
    pub(super) fn prefix(&self) -> &str {
        self.0.split('*').next().unwrap_or_default()
    }

    /// Whether `address` matches. Time is at most the product of both lengths: a mismatch goes back to the last
    /// wildcard only, since an earlier `*` cannot reach over the segment it was closed in, and a `**` takes up
    /// whatever wildcards before it could.
    pub(super) fn matches(&self, address: &str) -> bool {
        let (pattern, text) = (self.0.as_bytes(), address.as_bytes());
        let separators = Separators::of(text);
        let (mut at, mut on) = (0, 0);
        let (mut star, mut stars): (Option<Retry>, Option<Retry>) = (None, None);
        loop {
            if pattern[at..].starts_with(b"**") {
                at += 2;
                stars = Some(Retry { pattern: at, text: on });
                star = None;
            } else if pattern.get(at) == Some(&b'*') {
                at += 1;
                star = Some(Retry { pattern: at, text: on });
            } else if at < pattern.len() && pattern.get(at) == text.get(on) {
                at += 1;
                on += 1;
            } else if at == pattern.len() && on == text.len() {
                return true;
            } else if let Some(retry) =
                star.filter(|retry| retry.text < text.len() && !separators.at(retry.text))
            {
                on = retry.text + 1;
                at = retry.pattern;
                star = Some(Retry { text: on, ..retry });
            } else if let Some(retry) = stars.filter(|retry| retry.text < text.len()) {
                on = retry.text + 1;
                at = retry.pattern;
                stars = Some(Retry { text: on, ..retry });
                star = None;
            } else {
                return false;
            }
        }
    }
}

/// Which bytes of an address separate its segments.
struct Separators(Vec<usize>);

impl Separators {
    fn of(text: &[u8]) -> Self {
        let mut separators = Vec::new();
        let (mut depth, mut quoted) = (0_usize, false);
        for (index, byte) in text.iter().enumerate() {
            match byte {
                b'"' if depth > 0 && (index == 0 || text[index - 1] != b'\\') => quoted = !quoted,
                b'[' if !quoted => depth += 1,
                b']' if !quoted => depth = depth.saturating_sub(1),
                b'.' if depth == 0 => separators.push(index),
                _ => {}
            }
        }
        Self(separators)
    }

    fn at(&self, index: usize) -> bool {
        self.0.binary_search(&index).is_ok()
    }
}
