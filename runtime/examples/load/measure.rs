//! The load command: how fast this machine reviews, beside what its disk can do, in one run.
//!
//! `cargo run --release -p runtime --example load -- --reviews 5000`

use std::fs::File as DiskFile;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ontology::{Name, Principal, Timestamp};
use runtime::call::{Call, CallError, Caller, File, Reply, Submit};
use runtime::files::read_directory;
use runtime::log::embedded::EmbeddedLog;
use runtime::log::memory::MemoryLog;
use runtime::log::{LocalLog, wall_clock};
use runtime::node::{Directories, Node};

/// What a run measures.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Reviews of the sustained part.
    pub(crate) reviews: usize,
    /// Reviews in flight, i.e. of one transaction, in the sustained part.
    pub(crate) in_flight: usize,
    /// Reviews of the one-at-a-time part.
    pub(crate) singly: usize,
    /// Where the log and the floor's file go.
    pub(crate) directory: std::path::PathBuf,
    /// The estate: `model/`, `catalog/` and a change below it.
    pub(crate) estate: std::path::PathBuf,
    /// The change, below the estate.
    pub(crate) change: String,
}

/// What a run found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// Lines for people: what, figure, unit.
    pub(crate) lines: Vec<(String, String)>,
}

impl Found {
    fn add(&mut self, what: &str, figure: String) {
        self.lines.push((what.to_owned(), figure));
    }
}

/// Something that stopped a run.
pub(crate) type Stopped = Box<dyn std::error::Error>;

/// Measures everything, floors beside figures.
///
/// # Errors
/// Whatever the estate, the disk or the node report.
pub(crate) fn run(plan: &Plan) -> Result<Found, Stopped> {
    let estate = Estate::read(plan)?;
    let mut found = Found::default();
    let floor = fsync_floor(&plan.directory)?;
    found.add("4 KiB append + fdatasync, median", micros(floor));
    in_process(&estate, &mut found)?;
    let path = plan.directory.join("load.redb");
    let _ = std::fs::remove_file(&path);
    one_at_a_time(&estate, plan, &path, floor, &mut found)?;
    sustained(&estate, plan, &path, &mut found)?;
    start_and_replay(&estate, &path, &mut found)?;
    std::fs::remove_file(&path)?;
    Ok(found)
}

/// What is submitted.
struct Estate {
    model: Vec<File>,
    catalog: Vec<File>,
    change: File,
}

impl Estate {
    fn read(plan: &Plan) -> Result<Self, CallError> {
        Ok(Self {
            model: read_directory(&plan.estate.join("model"))?,
            catalog: read_directory(&plan.estate.join("catalog"))?,
            change: runtime::files::read_file(&plan.estate.join(&plan.change))?,
        })
    }

    /// The same change from source number `number`: another review each.
    fn call(&self, number: usize, first: bool) -> Result<Call, Stopped> {
        Ok(Call::Submit(Box::new(Submit {
            change: self.change.clone().into(),
            evidence: Vec::new(),
            source: Some(Name::new(format!("load-{number}"))?),
            idempotency_key: Some(Name::new(format!("{number}"))?),
            change_kind: None,
            release: None,
            process_ref: None,
            model: first.then(|| self.model.clone()),
            catalog: first.then(|| self.catalog.clone()),
            sent_at: Timestamp::default(),
        })))
    }
}

fn caller() -> Result<Caller, Stopped> {
    let principal = Principal { issuer: Name::new("unix")?, subject: Name::new("load")? };
    Ok(Caller { principal, verified: true })
}

fn submit<L: LocalLog>(node: &mut Node<L>, calls: &[Call]) -> Result<(), Stopped> {
    let caller = caller()?;
    for outcome in node.together_at(calls.iter().map(|call| (&caller, call)), wall_clock()) {
        outcome?;
    }
    Ok(())
}

/// The floor: what the disk takes for the smallest durable append.
fn fsync_floor(directory: &Path) -> Result<Duration, Stopped> {
    const WRITES: usize = 200;
    let path = directory.join("floor.bin");
    let mut file = DiskFile::create(&path)?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let since = now();
        file.write_all(&[7; 4_096])?;
        file.sync_data()?;
        times.push(since.elapsed());
    }
    std::fs::remove_file(path)?;
    Ok(median(&mut times))
}

#[allow(clippy::disallowed_methods, reason = "measuring is reading a clock")]
fn now() -> Instant {
    Instant::now()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> String {
    format!("{} µs", time.as_micros())
}

/// One review in process on a memory log, parsing included.
fn in_process(estate: &Estate, found: &mut Found) -> Result<(), Stopped> {
    const REVIEWS: usize = 1_000;
    let log = Arc::new(MemoryLog::default());
    let mut node = Node::open(log, None, Directories::default(), wall_clock())?;
    submit(&mut node, &[estate.call(0, true)?])?;
    let calls: Result<Vec<Call>, Stopped> = (1..=REVIEWS).map(|number| estate.call(number, false)).collect();
    let since = now();
    for call in calls? {
        submit(&mut node, &[call])?;
    }
    found
        .add("one review in process, memory log, parsing included", micros(since.elapsed() / REVIEWS as u32));
    Ok(())
}

fn one_at_a_time(
    estate: &Estate,
    plan: &Plan,
    path: &Path,
    floor: Duration,
    found: &mut Found,
) -> Result<(), Stopped> {
    let log = Arc::new(EmbeddedLog::open(path)?);
    let mut node = Node::open(log, None, Directories::default(), wall_clock())?;
    submit(&mut node, &[estate.call(0, true)?])?;
    let mut times = Vec::with_capacity(plan.singly);
    for number in 1..=plan.singly {
        let call = [estate.call(number, false)?];
        let since = now();
        submit(&mut node, &call)?;
        times.push(since.elapsed());
    }
    let median = median(&mut times);
    let ratio = median.as_secs_f64() / floor.as_secs_f64();
    found.add(
        "embedded, durable, one at a time, median",
        format!("{} = {ratio:.1} x the fsync", micros(median)),
    );
    Ok(())
}

fn sustained(estate: &Estate, plan: &Plan, path: &Path, found: &mut Found) -> Result<(), Stopped> {
    let log = Arc::new(EmbeddedLog::open(path)?);
    let mut node = Node::open(log, None, Directories::default(), wall_clock())?;
    let numbers: Vec<usize> = (plan.singly + 1..=plan.singly + plan.reviews).collect();
    let mut batches = Vec::new();
    for numbers in numbers.chunks(plan.in_flight) {
        let calls: Result<Vec<Call>, Stopped> =
            numbers.iter().map(|number| estate.call(*number, false)).collect();
        batches.push(calls?);
    }
    let since = now();
    for calls in batches {
        submit(&mut node, &calls)?;
    }
    let rate = plan.reviews as f64 / since.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(path)?.len() / (plan.reviews + plan.singly) as u64;
    let what = format!("embedded, durable, sustained, {} in flight", plan.in_flight);
    found.add(&what, format!("{rate:.0} reviews/s, {bytes} bytes of file a review"));
    Ok(())
}

fn start_and_replay(estate: &Estate, path: &Path, found: &mut Found) -> Result<(), Stopped> {
    let since = now();
    let log = Arc::new(EmbeddedLog::open(path)?);
    let mut node = Node::open(Arc::clone(&log), None, Directories::default(), wall_clock())?;
    let steps = log.info_now()?.steps;
    found
        .add(&format!("start with {steps} steps, warm cache"), format!("{} ms", since.elapsed().as_millis()));
    submit(&mut node, &[estate.call(0, false)?])?;
    let since = now();
    let Reply::Replayed(report) = node.read_call("load", &Call::Replay { review: None })? else {
        return Err("replay answered something else".into());
    };
    if let Some(difference) = report.differences.first() {
        return Err(difference.clone().into());
    }
    let rate = report.reviews as f64 / since.elapsed().as_secs_f64();
    found.add("replay, re-deciding", format!("{rate:.0} reviews/s ({} equal steps)", report.equal));
    let since = now();
    let Reply::Compared(report) = node.read_call("load", &Call::Digests)? else {
        return Err("comparing digests answered something else".into());
    };
    if let Some(difference) = report.differences.first() {
        return Err(difference.clone().into());
    }
    let seconds = since.elapsed().as_secs_f64();
    let (records, entries, items) = (report.records, report.entries, report.vouched);
    found.add(
        "digests only: every record hashed and looked up in the audit",
        format!(
            "{:.0} records/s ({records} records, {items} listed by {entries} entries)",
            records as f64 / seconds
        ),
    );
    Ok(())
}
