//! Every bound of the client, with its why.

/// Attempts after the first (research 1.14). Three doublings of a second outlast what a deploy of the forge takes.
pub const RETRIES_MAX: u32 = 3;
/// Wait before the first retry; doubled for each.
pub const BACK_OFF_MS: u64 = 1_000;
/// Wait at a secondary limit without `Retry-After`, and at a primary one whose reset has passed already (fault 80: a
/// block lasted 72 s with quota left, and a reset in the past gave waits of zero). Doubled for each.
pub const LIMIT_FLOOR_MS: u64 = 60_000;
/// Waits of one call together: a tick of five minutes has to save its state after them.
pub const PATIENCE_MS: u64 = 130_000;
/// Life that a token must still have: a call and its retries end before it does.
pub const TOKEN_MARGIN_S: i64 = 300;
/// Pages of a listing: 3000 files, the largest cap of the API, are 30 of them.
pub const PAGES_MAX: usize = 40;
/// Content a minute (GitHub's documented 80, fault 79).
pub const CONTENT_PER_MINUTE: usize = 80;
/// Content an hour (GitHub's documented 500, fault 79).
pub const CONTENT_PER_HOUR: usize = 500;
/// Bytes of the forge's own words that an error repeats: enough to classify, too few to be a page of HTML.
pub const MESSAGE_CHARS_MAX: usize = 300;
/// Compressed bytes of bodies kept for conditional requests: 300 repositories with 10 pull requests take about 50 MB.
pub const KEPT_BYTES_MAX: usize = 128 << 20;
/// Files of a pull request that the API lists at most.
pub const FILES_CAP: usize = 3_000;
/// Files that a comparison lists at most.
pub const COMPARED_FILES_CAP: usize = 300;
/// Commits that `pulls/list-commits` lists at most; a comparison goes on by pages.
pub const PULL_COMMITS_CAP: usize = 250;
/// Check suites of a commit that are looked at by the API when it lists check runs (fault 29).
pub const CHECK_SUITES_CAP: usize = 1_000;
/// Statuses of one commit and context that the API takes (fault 77).
pub const STATUSES_CAP: usize = 1_000;
/// Pages of commits of a branch that are walked back to an anchor (research 1.14).
pub const BRANCH_PAGES_MAX: usize = 10;
