//! What the forge said, kept as it came, and where it came from.

use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use ontology::{Digest, Timestamp};
use serde::{Deserialize, Serialize};

/// A body as it came, compressed: JSON of the forge is mostly links and shrinks to a tenth. Clones share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Evidence {
    deflated: Arc<[u8]>,
    bytes: usize,
    digest: Digest,
}

impl Evidence {
    /// Keeps `body`.
    ///
    /// # Panics
    /// Never: a vector takes everything.
    #[must_use]
    pub fn keep(body: &[u8]) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body).expect("a vector takes everything");
        let deflated = encoder.finish().expect("a vector takes everything");
        Self { deflated: deflated.into(), bytes: body.len(), digest: Digest::of(body) }
    }

    /// The body as it came.
    ///
    /// # Panics
    /// Never: what is read here was compressed by [`Self::keep`].
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.bytes);
        DeflateDecoder::new(&*self.deflated).read_to_end(&mut body).expect("it was compressed here");
        body
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.deflated.len()
    }

    /// The SHA-256 of the body.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }
}

impl std::fmt::Debug for Evidence {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Evidence({} bytes, {})", self.bytes, self.digest)
    }
}

/// Where a fact comes from: one exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The operation.
    pub operation: String,
    /// Path and query.
    pub target: String,
    /// The HTTP status; 304 where what was known still holds.
    pub status: u16,
    /// `x-github-request-id`, by which GitHub's support finds the exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The version of what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// When the reply came, by this machine's clock.
    pub at: Timestamp,
    /// The SHA-256 of the body.
    pub digest: Digest,
}
