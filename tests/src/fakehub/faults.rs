//! Ugly things: by script, one operation at a time, or by seed.

/// What goes wrong with one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No connection: nothing is carried out, and the client can know.
    Refuse,
    /// The request is lost: nothing is carried out, and the client cannot know.
    LoseRequest,
    /// It is carried out, and the reply is lost.
    LoseReply,
    /// A proxy answers with this status; nothing is carried out.
    FailBefore(u16),
    /// It is carried out, and a proxy answers with this status (fault 58).
    FailAfter(u16),
    /// Nothing is carried out, and this is answered: limits, refusals.
    Answer {
        /// The status.
        status: u16,
        /// Headers.
        headers: Vec<(&'static str, String)>,
        /// GitHub's words.
        message: String,
    },
    /// Every token of an installation ends now (fault 82).
    ExpireTokens,
    /// A listing shows only so many items of its page.
    Truncate {
        /// Items shown.
        keep: usize,
        /// Whether the link to the next page stays.
        keep_link: bool,
    },
    /// `per_page` is not honoured (fault 28).
    SmallPage,
    /// The answer is no JSON.
    Garbage,
}

impl Fault {
    /// A secondary limit, with or without `Retry-After` (fault 80).
    #[must_use]
    pub fn secondary(status: u16, retry_after_s: Option<u64>) -> Self {
        let headers = retry_after_s.map(|seconds| ("retry-after", seconds.to_string()));
        Self::Answer {
            status,
            headers: headers.into_iter().collect(),
            message:
                "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
                    .to_owned(),
        }
    }

    /// A refusal with these words.
    #[must_use]
    pub fn refusal(status: u16, message: &str) -> Self {
        Self::Answer { status, headers: Vec::new(), message: message.to_owned() }
    }
}

/// A fault for some of the requests for one operation.
#[derive(Debug, Clone)]
struct Planned {
    operation: String,
    skip: u32,
    times: u32,
    fault: Fault,
}

/// Faults to come.
#[derive(Debug, Default)]
pub struct Faults {
    planned: Vec<Planned>,
    seeded: Option<Seeded>,
    /// Faults so far.
    pub happened: u64,
}

/// Faults by seed.
#[derive(Debug)]
struct Seeded {
    random: fastrand::Rng,
    per_mille: u32,
}

impl Faults {
    /// After `skip` requests for `operation`, the next `times` go wrong.
    pub fn plan(&mut self, operation: &str, skip: u32, times: u32, fault: Fault) {
        self.planned.push(Planned { operation: operation.to_owned(), skip, times, fault });
    }

    /// So many of a thousand requests go wrong, which and how by seed.
    pub fn seed(&mut self, seed: u64, per_mille: u32) {
        self.seeded = Some(Seeded { random: fastrand::Rng::with_seed(seed), per_mille });
    }

    /// No more faults.
    pub fn stop(&mut self) {
        self.planned.clear();
        self.seeded = None;
    }

    /// What goes wrong with the next request for `operation`.
    pub fn next(&mut self, operation: &str) -> Option<Fault> {
        let planned =
            self.planned.iter_mut().find(|planned| planned.operation == operation && planned.times > 0);
        let fault = match planned {
            Some(planned) if planned.skip > 0 => {
                planned.skip -= 1;
                None
            }
            Some(planned) => {
                planned.times -= 1;
                Some(planned.fault.clone())
            }
            None => self.seeded.as_mut().and_then(Seeded::next),
        };
        self.happened += u64::from(fault.is_some());
        fault
    }
}

impl Seeded {
    fn next(&mut self) -> Option<Fault> {
        if self.random.u32(..1_000) >= self.per_mille {
            return None;
        }
        let retry_after = [None, Some(1), Some(7), Some(61)];
        Some(match self.random.u32(..16) {
            0 => Fault::Refuse,
            1 => Fault::LoseRequest,
            2 => Fault::LoseReply,
            3 => Fault::FailBefore(502),
            4 => Fault::FailAfter(502),
            5 => Fault::FailAfter(500),
            6 => Fault::secondary(403, retry_after[self.random.usize(..4)]),
            7 => Fault::secondary(429, retry_after[self.random.usize(..4)]),
            8 => Fault::ExpireTokens,
            9 => Fault::SmallPage,
            10 => Fault::Garbage,
            11 => Fault::refusal(404, "Not Found"),
            _ => Fault::Truncate { keep: self.random.usize(..6), keep_link: self.random.bool() },
        })
    }
}
