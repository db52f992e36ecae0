//! The embedded log: one file, nothing to install. `redb`, one table position → step; each append is one
//! transaction, durable when it is answered. The store's lock makes this process the only writer.
//!
//! Open keys are held in memory and rebuilt from step headers at start; a closed review is one index row.

mod rows;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ontology::{Name, Timestamp};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError};
use topics::{Key, KeyKind, Owner, Position, Step, Stored};

use super::index::{Entry, Index, Planned, content_of};
use super::{Append, Expect, Info, LocalLog, Unavailable};

/// Position → the row of a step.
const STEPS: TableDefinition<'static, u64, &'static [u8]> = TableDefinition::new("steps");
/// Closed review → the positions of its steps.
const CLOSED: TableDefinition<'static, &'static str, &'static [u8]> = TableDefinition::new("closed");
/// Content slot → the newest review of it.
const NEWEST: TableDefinition<'static, &'static [u8; 32], &'static str> = TableDefinition::new("newest");
/// What the file says of itself.
const ABOUT: TableDefinition<'static, &'static str, &'static str> = TableDefinition::new("about");

/// The version of the file's layout.
const VERSION: &str = "1";
/// Bytes of pages kept in memory: enough for the working set of a busy node, small beside the 100 MB of a command.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// A log in one file.
#[derive(Debug)]
pub struct EmbeddedLog {
    path: PathBuf,
    incarnation: Name,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Absent after an error, until the next use opens it again.
    database: Option<Database>,
    index: Index,
    /// Closed keys whose row is written with the next append.
    closing: BTreeSet<Key>,
    next: Position,
    steps: u64,
    at: Timestamp,
}

impl EmbeddedLog {
    /// Opens the log at `path`, creating it where there is none, and rebuilds what is open.
    ///
    /// # Errors
    /// [`Unavailable::Locked`] when another process holds it, [`Unavailable::Damaged`] when it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Unavailable> {
        let database = open_database(path)?;
        let incarnation = about(&database, path)?;
        let mut inner = Inner {
            database: None,
            index: Index::default(),
            closing: BTreeSet::new(),
            next: Position(1),
            steps: 0,
            at: Timestamp::default(),
        };
        rows::rebuild(&database, &mut inner)?;
        inner.database = Some(database);
        Ok(Self { path: path.to_owned(), incarnation, inner: Mutex::new(inner) })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        read: impl FnOnce(&Database, &Inner) -> Result<T, Unavailable>,
    ) -> Result<T, Unavailable> {
        let mut inner = self.lock();
        inner.reopen(&self.path)?;
        let database =
            inner.database.as_ref().ok_or_else(|| Unavailable::Retry("the file is closed".into()))?;
        read(database, &inner)
    }
}

impl Inner {
    fn reopen(&mut self, path: &Path) -> Result<(), Unavailable> {
        if self.database.is_none() {
            self.database = Some(open_database(path)?);
        }
        Ok(())
    }

    /// Brings the keys of `steps` that are closed back into memory.
    fn wake(&mut self, steps: &[Step]) -> Result<Vec<Key>, Unavailable> {
        let mut woken = Vec::new();
        let Some(database) = &self.database else { return Ok(woken) };
        let unknown: BTreeSet<&Key> = steps
            .iter()
            .map(Step::key)
            .filter(|key| matches!(key.kind(), KeyKind::Review(_)) && self.index.entry(key).is_none())
            .collect();
        for key in unknown {
            if let Some(entry) = rows::closed_entry(database, key)? {
                self.index.reopen(key.clone(), entry);
                woken.push(key.clone());
            }
        }
        Ok(woken)
    }

    /// Remembers what was stored.
    fn remember(&mut self, steps: &[Step], planned: &[Planned], at: Timestamp) {
        self.at = at;
        for (step, place) in steps.iter().zip(planned) {
            if let Planned::At(position) = *place {
                self.index.add(step.key(), step.owner(), step.id(), position);
                self.next = Position(position.0 + 1);
                self.steps += 1;
            }
        }
        for key in std::mem::take(&mut self.closing) {
            self.index.take(&key);
        }
    }
}

impl LocalLog for EmbeddedLog {
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append {
        let mut inner = self.lock();
        if let Err(error) = inner.reopen(&self.path) {
            return Append::Refused(error.to_string());
        }
        let woken = match inner.wake(steps) {
            Ok(woken) => woken,
            Err(error) => return Append::Refused(error.to_string()),
        };
        let planned = match inner.index.plan(steps, expect, inner.next) {
            Ok(planned) => planned,
            Err(conflict) => {
                // Their rows still say that they are closed: what is not stored opens nothing again.
                for key in woken {
                    inner.index.take(&key);
                }
                return conflict;
            }
        };
        for step in steps {
            inner.closing.remove(step.key());
        }
        let at = inner.at.max(at);
        let Some(database) = &inner.database else { return Append::Unknown };
        let written = rows::write(database, steps, &planned, at, &woken, &inner.closing, &inner.index);
        match written {
            Ok(()) => {
                inner.remember(steps, &planned, at);
                Append::Stored(planned.into_iter().map(Planned::position).collect())
            }
            Err(error) => {
                // The store refuses work after an IO error; a fresh look says whether the transaction is there.
                inner.database = None;
                let stored = planned
                    .iter()
                    .find_map(|place| if let Planned::At(at) = place { Some(*at) } else { None });
                let reopened = inner.reopen(&self.path).is_ok();
                let there = reopened
                    && inner.database.as_ref().is_some_and(|database| {
                        stored.is_some_and(|position| matches!(rows::row(database, position), Ok(Some(_))))
                    });
                if there {
                    inner.remember(steps, &planned, at);
                    return Append::Stored(planned.into_iter().map(Planned::position).collect());
                }
                for key in &woken {
                    inner.index.take(key);
                }
                tracing::error!(%error, "append to {}", self.path.display());
                if reopened { Append::Full } else { Append::Unknown }
            }
        }
    }

    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        self.with(|database, inner| {
            let entry = rows::entry(database, &inner.index, key)?;
            let Some(position) = entry.and_then(|entry| entry.heads.get(&owner).copied()) else {
                return Ok(None);
            };
            rows::row(database, position)
        })
    }

    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        self.with(|database, inner| {
            let Some(entry) = rows::entry(database, &inner.index, key)? else { return Ok(Vec::new()) };
            let wanted =
                entry.positions.iter().filter(|position| after.is_none_or(|after| **position > after));
            let positions: Vec<Position> = wanted.copied().collect();
            rows::rows(database, &positions)
        })
    }

    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable> {
        self.with(|database, _| rows::range(database, after.map_or(0, |after| after.0 + 1), limit))
    }

    fn scan_now(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Unavailable> {
        self.with(|database, _| rows::scan(database, take))
    }

    fn info_now(&self) -> Result<Info, Unavailable> {
        let inner = self.lock();
        Ok(Info {
            incarnation: self.incarnation.clone(),
            head: (inner.next.0 > 1).then(|| Position(inner.next.0 - 1)),
            steps: inner.steps,
            durable: true,
            steps_per_append: usize::MAX,
        })
    }

    fn open_keys(&self) -> Result<Vec<Key>, Unavailable> {
        let inner = self.lock();
        Ok(inner.index.keys_by_age().into_iter().filter(|key| !inner.closing.contains(key)).collect())
    }

    fn close(&self, key: &Key) {
        let mut inner = self.lock();
        if matches!(key.kind(), KeyKind::Review(_)) && inner.index.entry(key).is_some() {
            inner.closing.insert(key.clone());
        }
    }

    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable> {
        self.with(|database, _| {
            let read = database.begin_read().map_err(damaged)?;
            let Some(table) = existing(read.open_table(NEWEST))? else { return Ok(None) };
            let found = table.get(slot).map_err(damaged)?;
            found.map(|key| key.value().parse().map_err(damaged)).transpose()
        })
    }

    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.with(|database, inner| {
            let mut found: BTreeSet<Key> = inner.index.keys_with(prefix).take(limit).cloned().collect();
            found.extend(rows::closed_with(database, prefix, limit)?);
            Ok(found.into_iter().take(limit).collect())
        })
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.with(|database, _| rows::latest_reviews(database, limit))
    }
}

fn open_database(path: &Path) -> Result<Database, Unavailable> {
    redb::Builder::new().set_cache_size(CACHE_BYTES).create(path).map_err(|error| match error {
        redb::DatabaseError::DatabaseAlreadyOpen => Unavailable::Locked,
        other => damaged(other),
    })
}

/// Checks the version, and names this creation of the file.
fn about(database: &Database, path: &Path) -> Result<Name, Unavailable> {
    let write = database.begin_write().map_err(damaged)?;
    let name = {
        let mut table = write.open_table(ABOUT).map_err(damaged)?;
        let version = table.get("version").map_err(damaged)?.map(|value| value.value().to_owned());
        match version.as_deref() {
            None => {
                let seed = (path.display().to_string(), super::wall_clock(), std::process::id());
                let name = ontology::Digest::of_value(&seed).hex();
                table.insert("version", VERSION).map_err(damaged)?;
                table.insert("incarnation", name.as_str()).map_err(damaged)?;
                Some(name)
            }
            Some(VERSION) => table.get("incarnation").map_err(damaged)?.map(|value| value.value().to_owned()),
            Some(other) => {
                return Err(Unavailable::Damaged(format!(
                    "its layout is {other}, this binary reads {VERSION}"
                )));
            }
        }
    };
    write.commit().map_err(damaged)?;
    Name::new(name.unwrap_or_default()).map_err(damaged)
}

fn damaged(error: impl std::fmt::Display) -> Unavailable {
    Unavailable::Damaged(error.to_string())
}

/// A table that does not exist yet is empty.
fn existing<T>(opened: Result<T, TableError>) -> Result<Option<T>, Unavailable> {
    match opened {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(damaged(error)),
    }
}

/// What an index row says: the positions, and the heads as the rows there tell.
fn entry_of(database: &Database, positions: Vec<Position>) -> Result<Entry, Unavailable> {
    let mut entry = Entry { positions, ..Entry::default() };
    for stored in rows::rows(database, &entry.positions)? {
        entry.heads.insert(stored.step.owner(), stored.position);
    }
    Ok(entry)
}
