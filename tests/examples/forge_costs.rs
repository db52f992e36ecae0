//! Prints what reading pull requests costs: calls, 304s, bytes, time, memory.
//!
//! `cargo run --release -p tests --example forge_costs`

use std::error::Error;
use std::time::Instant;

use tests::fakehub::fleet::Fleet;
use tests::ready::now;

/// Resident memory in MB, where the system tells it.
fn resident_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1_024)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| repositories × pull requests | reading | calls | 304s | kB received | time | facts and kept bodies |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (repositories, pulls) in [(6, 5), (300, 10)] {
        let folder = tempfile::tempdir()?;
        let fleet = Fleet::of(repositories, pulls, folder.path());
        let before = resident_mb();
        let mut held = Vec::new();
        for reading in ["first", "second", "unchanged"] {
            let start = Instant::now();
            let (facts, cost) = now(fleet.read())?;
            let took = start.elapsed();
            held = facts;
            let memory = resident_mb().zip(before).map_or("unknown".to_owned(), |(after, before)| {
                format!(
                    "{} MB more, {} MB of it kept bodies",
                    after.saturating_sub(before),
                    fleet.client.kept_bytes() >> 20
                )
            });
            println!(
                "| {repositories} × {pulls} | {reading} | {} | {} | {} | {} ms | {memory} |",
                cost.calls,
                cost.not_modified,
                cost.bytes / 1_000,
                took.as_millis(),
            );
        }
        let whole = held.iter().filter(|facts| facts.complete().is_some()).count();
        println!("{whole} of {} snapshots are whole", held.len());
    }
    Ok(())
}
