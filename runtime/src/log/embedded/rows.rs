//! Rows of the tables, to steps and back.

use std::collections::BTreeSet;

use ontology::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata};
use topics::{Key, KeyKind, Owner, Position, Step, Stored};

use super::{CLOSED, Inner, NEWEST, STEPS, content_of, damaged, entry_of, existing};
use crate::log::Unavailable;
use crate::log::index::{Entry, Index, Planned};

/// Bytes of a row before the step: the time that the log took it at.
const AT_BYTES: usize = 8;

fn encode(at: Timestamp, step: &Step) -> Vec<u8> {
    let mut row = Vec::with_capacity(AT_BYTES + step.bytes().len());
    row.extend_from_slice(&at.as_micros().to_be_bytes());
    row.extend_from_slice(step.bytes());
    row
}

fn split(row: &[u8]) -> Result<(Timestamp, &[u8]), Unavailable> {
    let (at, step) = row.split_first_chunk::<AT_BYTES>().ok_or_else(|| damaged("a row is too short"))?;
    Ok((Timestamp::from_micros(i64::from_be_bytes(*at)), step))
}

fn decode(position: u64, row: &[u8]) -> Result<Stored, Unavailable> {
    let (at, step) = split(row)?;
    let step =
        Step::decode(step.to_vec()).map_err(|error| damaged(format!("position {position}: {error}")))?;
    Ok(Stored { position: Position(position), at, step })
}

/// The text of the key of a stored step, from its header alone: `key` sorts first in its map.
fn key_of(step: &[u8]) -> Option<&str> {
    const KEY: &[u8] = b"\x63key";
    let rest = step.get(1..)?.strip_prefix(KEY)?;
    let (length, from) = match *rest.first()? {
        head @ 0x60..=0x77 => (usize::from(head - 0x60), 1),
        0x78 => (usize::from(*rest.get(1)?), 2),
        _ => return None,
    };
    std::str::from_utf8(rest.get(from..from + length)?).ok()
}

pub(super) fn row(database: &Database, position: Position) -> Result<Option<Stored>, Unavailable> {
    Ok(rows(database, &[position])?.pop())
}

pub(super) fn rows(database: &Database, positions: &[Position]) -> Result<Vec<Stored>, Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(STEPS))? else { return Ok(Vec::new()) };
    let mut rows = Vec::with_capacity(positions.len());
    for position in positions {
        if let Some(row) = table.get(position.0).map_err(damaged)? {
            rows.push(decode(position.0, row.value())?);
        }
    }
    Ok(rows)
}

pub(super) fn range(database: &Database, from: u64, limit: usize) -> Result<Vec<Stored>, Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(STEPS))? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for row in table.range(from..).map_err(damaged)?.take(limit) {
        let (position, row) = row.map_err(damaged)?;
        found.push(decode(position.value(), row.value())?);
    }
    Ok(found)
}

/// Every step's bytes, in order.
pub(super) fn scan(database: &Database, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(STEPS))? else { return Ok(()) };
    for row in table.iter().map_err(damaged)? {
        let (position, row) = row.map_err(damaged)?;
        take(Position(position.value()), split(row.value())?.1);
    }
    Ok(())
}

/// What is remembered of a key, in memory or in its index row.
pub(super) fn entry(database: &Database, index: &Index, key: &Key) -> Result<Option<Entry>, Unavailable> {
    match index.entry(key) {
        Some(entry) => Ok(Some(entry.clone())),
        None => closed_entry(database, key),
    }
}

pub(super) fn closed_entry(database: &Database, key: &Key) -> Result<Option<Entry>, Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(CLOSED))? else { return Ok(None) };
    let Some(row) = table.get(key.as_str()).map_err(damaged)? else { return Ok(None) };
    let positions = row
        .value()
        .chunks_exact(8)
        .map(|chunk| Position(chunk.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte))));
    entry_of(database, positions.collect()).map(Some)
}

/// Closed reviews whose id starts with `prefix`.
pub(super) fn closed_with(database: &Database, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(CLOSED))? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for row in table.range(prefix..).map_err(damaged)?.take(limit) {
        let (key, _) = row.map_err(damaged)?;
        if !key.value().starts_with(prefix) {
            break;
        }
        found.push(key.value().parse().map_err(damaged)?);
    }
    Ok(found)
}

/// One transaction: the steps, the rows of reviews that closed, and of those that opened again.
pub(super) fn write(
    database: &Database,
    steps: &[Step],
    planned: &[Planned],
    at: Timestamp,
    woken: &[Key],
    closing: &BTreeSet<Key>,
    index: &Index,
) -> Result<(), redb::Error> {
    let write = database.begin_write()?;
    {
        let mut table = write.open_table(STEPS)?;
        for (step, place) in steps.iter().zip(planned) {
            if let Planned::At(position) = place {
                table.insert(position.0, encode(at, step).as_slice())?;
            }
        }
    }
    for step in steps {
        if let Some(slot) = content_of(step) {
            write.open_table(NEWEST)?.insert(&slot, step.key().as_str())?;
        }
    }
    if !woken.is_empty() || !closing.is_empty() {
        let mut table = write.open_table(CLOSED)?;
        for key in woken {
            table.remove(key.as_str())?;
        }
        for key in closing {
            let positions = index.entry(key).map(|entry| entry.positions.as_slice()).unwrap_or_default();
            let row: Vec<u8> = positions.iter().flat_map(|position| position.0.to_be_bytes()).collect();
            table.insert(key.as_str(), row.as_slice())?;
        }
    }
    write.commit()?;
    Ok(())
}

/// Rebuilds what is open from the headers of all steps.
pub(super) fn rebuild(database: &Database, inner: &mut Inner) -> Result<(), Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let mut closed = BTreeSet::new();
    if let Some(table) = existing(read.open_table(CLOSED))? {
        for row in table.iter().map_err(damaged)? {
            let (key, _) = row.map_err(damaged)?;
            closed.extend(key.value().parse::<Key>().ok().and_then(|key| key.as_review()));
        }
    }
    let Some(table) = existing(read.open_table(STEPS))? else { return Ok(()) };
    inner.steps = table.len().map_err(damaged)?;
    for row in table.iter().map_err(damaged)? {
        let (position, row) = row.map_err(damaged)?;
        let position = Position(position.value());
        let (at, step) = split(row.value())?;
        inner.at = inner.at.max(at);
        inner.next = Position(position.0 + 1);
        let key: Key = key_of(step)
            .and_then(|key| key.parse().ok())
            .ok_or_else(|| damaged(format!("position {}: the step has no key", position.0)))?;
        match key.kind() {
            KeyKind::Review(review) if closed.contains(&review) => {}
            KeyKind::Body => {
                let id = topics::StepId(uuid_of(position));
                inner.index.add(&key, Owner::Runtime, id, position);
            }
            _ => {
                let step = Step::decode(step.to_vec())
                    .map_err(|error| damaged(format!("position {}: {error}", position.0)))?;
                inner.index.add(&key, step.owner(), step.id(), position);
            }
        }
    }
    Ok(())
}

/// A chunk of a body is never looked up by its id: a number stands for it.
fn uuid_of(position: Position) -> uuid::Uuid {
    uuid::Uuid::from_u128(position.0.into())
}

/// Reviews by their latest step, newest first.
pub(super) fn latest_reviews(database: &Database, limit: usize) -> Result<Vec<Key>, Unavailable> {
    let read = database.begin_read().map_err(damaged)?;
    let Some(table) = existing(read.open_table(STEPS))? else { return Ok(Vec::new()) };
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for row in table.iter().map_err(damaged)?.rev() {
        if found.len() >= limit {
            break;
        }
        let (_, row) = row.map_err(damaged)?;
        let (_, step) = split(row.value())?;
        let key = key_of(step).filter(|key| key.starts_with("rv-")).and_then(|key| key.parse::<Key>().ok());
        if let Some(key) = key
            && seen.insert(key.clone())
        {
            found.push(key);
        }
    }
    Ok(found)
}
