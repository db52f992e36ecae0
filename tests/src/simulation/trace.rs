//! What happened, in order: two runs of one seed have the same.

use std::fmt::Write as _;

use ontology::Digest;

/// The schedule of a run. Every line is digested; the lines themselves are kept only where somebody will read them.
#[derive(Debug, Default)]
pub struct Trace {
    text: String,
    keep: bool,
    chain: Option<Digest>,
}

/// Bytes of lines before they are folded into the digest.
const CHUNK_BYTES: usize = 64 * 1024;

impl Trace {
    /// An empty trace. `keep`: print each line as it is noted.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        Self { keep, ..Self::default() }
    }

    /// Notes what happens next.
    pub fn note(&mut self, line: std::fmt::Arguments<'_>) {
        if self.keep {
            println!("{line}");
        }
        // Writing to a text does not fail.
        let _ = writeln!(self.text, "{line}");
        if self.text.len() > CHUNK_BYTES {
            self.fold();
        }
    }

    /// The digest of everything noted.
    pub fn digest(&mut self) -> Digest {
        self.fold();
        self.chain.unwrap_or_else(|| Digest::of(b""))
    }

    fn fold(&mut self) {
        let before = self.chain.map(|digest| digest.hex()).unwrap_or_default();
        self.chain = Some(Digest::of(format!("{before}\n{}", self.text).as_bytes()));
        self.text.clear();
    }
}
