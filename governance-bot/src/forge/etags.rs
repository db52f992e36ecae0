//! Bodies that are still valid when the forge answers 304, by who asked and what for.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::client::Actor;
use super::evidence::Evidence;

/// What was read once, and the version under which to ask for it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The validator, as it came: weak ones stay weak.
    pub etag: String,
    /// The body.
    pub evidence: Evidence,
    /// The `Link` header: a 304 does not repeat it.
    pub link: Option<String>,
}

/// The store. Bounded by bytes; what was not used for longest goes first.
#[derive(Debug, Clone)]
pub struct Etags {
    kept: BTreeMap<(Actor, String), (u64, Kept)>,
    by_use: BTreeMap<u64, (Actor, String)>,
    uses: u64,
    bytes: usize,
    bytes_max: usize,
}

impl Etags {
    /// An empty store that keeps at most `bytes_max` bytes of compressed bodies.
    #[must_use]
    pub const fn new(bytes_max: usize) -> Self {
        Self { kept: BTreeMap::new(), by_use: BTreeMap::new(), uses: 0, bytes: 0, bytes_max }
    }

    /// What is kept for a target, counted as used.
    pub fn get(&mut self, actor: Actor, target: &str) -> Option<Kept> {
        let key = (actor, target.to_owned());
        let (used, kept) = self.kept.get_mut(&key)?;
        self.uses += 1;
        self.by_use.remove(used);
        *used = self.uses;
        let kept = kept.clone();
        self.by_use.insert(self.uses, key);
        Some(kept)
    }

    /// Keeps a body. One that is larger than the store is not kept.
    pub fn put(&mut self, actor: Actor, target: &str, kept: Kept) {
        self.forget(actor, target);
        let size = kept.evidence.kept_bytes();
        if size > self.bytes_max {
            return;
        }
        while self.bytes + size > self.bytes_max {
            let Some((_, (actor, target))) = self.by_use.pop_first() else { break };
            if let Some((_, gone)) = self.kept.remove(&(actor, target)) {
                self.bytes -= gone.evidence.kept_bytes();
            }
        }
        self.uses += 1;
        self.bytes += size;
        self.by_use.insert(self.uses, (actor, target.to_owned()));
        self.kept.insert((actor, target.to_owned()), (self.uses, kept));
    }

    /// Forgets what is kept for a target.
    pub fn forget(&mut self, actor: Actor, target: &str) {
        if let Some((used, gone)) = self.kept.remove(&(actor, target.to_owned())) {
            self.by_use.remove(&used);
            self.bytes -= gone.evidence.kept_bytes();
        }
    }

    /// Compressed bytes kept.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}
