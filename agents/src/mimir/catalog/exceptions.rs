//! `waivers.yaml` (`arb: waivers/1`) and `rollout.yaml` (`arb: rollout/1`): what counts for less, and where (U11).

use ontology::policy::Catalog;
use ontology::policy::rollout::{Level, ROWS_MAX, Row};
use ontology::policy::waivers::{WAIVERS_MAX, Waiver};
use ontology::{Name, Timestamp};
use serde::Deserialize;

use super::CatalogFile;
use crate::input::yaml::quantity::Moment;
use crate::input::{InputError, yaml};

/// Bytes of a reason at most: a sentence or two.
const REASON_BYTES_MAX: usize = 512;
/// What a waivers file begins with.
const WAIVERS: &str = "waivers/1";
/// What a rollout file begins with.
const ROLLOUT: &str = "rollout/1";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WaiversFile {
    arb: String,
    waivers: Vec<Written>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    constraint: Name,
    target: String,
    owner: Name,
    reason: String,
    expires: Moment,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RolloutFile {
    arb: String,
    rows: Vec<WrittenRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    #[serde(default, rename = "match")]
    matches: Match,
    level: Level,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    #[serde(default)]
    repository: Option<String>,
    #[serde(default)]
    owner: Option<String>,
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    environment: Option<String>,
}

/// A day or a time, as catalog files write it.
///
/// # Errors
/// What is wrong with it, for people.
pub fn moment(text: &str) -> Result<Timestamp, String> {
    text.parse::<Moment>().map(|moment| moment.0).map_err(|error| error.to_string())
}

/// Reads waivers.
pub(super) fn waivers(file: &CatalogFile) -> Result<Vec<Waiver>, InputError> {
    let read: WaiversFile = yaml::parse(&file.path, &file.bytes)?;
    let fault = |at: String, message: String| InputError::at(&file.path, at, message);
    if read.arb != WAIVERS {
        return Err(fault("$.arb".into(), format!("expected {WAIVERS}")));
    }
    let mut waivers = Vec::new();
    for (index, written) in read.waivers.into_iter().enumerate() {
        let at = |key: &str| format!("$.waivers[{index}].{key}");
        let reason = written.reason.trim().to_owned();
        if reason.is_empty() || reason.len() > REASON_BYTES_MAX {
            return Err(fault(at("reason"), format!("expected a sentence of 1 to {REASON_BYTES_MAX} bytes")));
        }
        if written.target.trim_matches(['*', ' ']).is_empty() {
            return Err(fault(
                at("target"),
                "expected an address or id; one for everything switches the rule off".into(),
            ));
        }
        waivers.push(Waiver {
            constraint: written.constraint,
            target: written.target,
            owner: written.owner,
            reason,
            expires: written.expires.0,
        });
    }
    Ok(waivers)
}

/// Waivers name constraints of the catalog, each at most once for a target, and there are not too many.
pub(super) fn check(catalog: &mut Catalog) -> Result<(), InputError> {
    catalog.waivers.sort();
    let fault = |message: String| Err(InputError::at("waivers", "", message));
    if catalog.waivers.len() > WAIVERS_MAX {
        return fault(format!("{} waivers, at most {WAIVERS_MAX} are allowed", catalog.waivers.len()));
    }
    let twice =
        |pair: &&[Waiver]| pair[0].constraint == pair[1].constraint && pair[0].target == pair[1].target;
    if let Some(pair) = catalog.waivers.windows(2).find(twice) {
        return fault(format!("{} of {} is waived twice", pair[0].target, pair[0].constraint));
    }
    let known = |one: &&Waiver| catalog.constraints.iter().any(|it| it.id == one.constraint);
    match catalog.waivers.iter().find(|waiver| !known(waiver)) {
        Some(waiver) => {
            fault(format!("there is no constraint {} to waive for {}", waiver.constraint, waiver.target))
        }
        None => Ok(()),
    }
}

/// Reads the rollout. A row after one that matches everything would never apply.
pub(super) fn rollout(file: &CatalogFile) -> Result<Vec<Row>, InputError> {
    let read: RolloutFile = yaml::parse(&file.path, &file.bytes)?;
    let fault = |at: &str, message: String| InputError::at(&file.path, at, message);
    if read.arb != ROLLOUT {
        return Err(fault("$.arb", format!("expected {ROLLOUT}")));
    }
    if read.rows.len() > ROWS_MAX {
        return Err(fault("$.rows", format!("{} rows, at most {ROWS_MAX} are allowed", read.rows.len())));
    }
    let row = |WrittenRow { matches: Match { repository, owner, class, environment }, level }| Row {
        repository,
        owner,
        class,
        environment,
        level,
    };
    let rows: Vec<Row> = read.rows.into_iter().map(row).collect();
    match rows.iter().position(Row::is_general).filter(|index| index + 1 < rows.len()) {
        Some(index) => {
            Err(fault("$.rows", format!("row {} matches everything, and those after it never do", index + 1)))
        }
        None => Ok(rows),
    }
}
