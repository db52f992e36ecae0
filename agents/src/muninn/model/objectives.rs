//! `arb: objectives/1`: what must be kept, how recovery is done and was rehearsed, when changes may be made, and
//! running processes.

use std::collections::BTreeSet;

use ontology::model::{
    ChangeWindow, CostObjective, Detail, Process, RecoveryObjective, RecoveryPlan, Rehearsal,
    ServiceObjective,
};
use ontology::policy::Catalog;
use ontology::release::LinkType;
use ontology::{Money, Name, ObjectId};
use serde::Deserialize;

use super::ModelFile;
use super::header::Header;
use super::reference;
use super::stated::{Facts, Objective, Stated, StatedObject};
use crate::input::yaml::quantity::{Currency, Decimal, Moment, Seconds};
use crate::input::{InputError, yaml};

/// Rehearsals kept of one plan at most: the newest successful one counts, the rest is history.
const REHEARSALS_MAX: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "arb")]
    _arb: String,
    #[serde(default)]
    authority: Option<Name>,
    #[serde(default)]
    review_by: Option<Moment>,
    #[serde(default)]
    synthetic: bool,
    #[serde(default)]
    incomplete: bool,
    #[serde(default)]
    objectives: Option<Vec<Entry>>,
    #[serde(default)]
    windows: Option<Vec<Window>>,
    #[serde(default)]
    processes: Option<Vec<Running>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    object: String,
    #[serde(default)]
    service: Option<Vec<Service>>,
    #[serde(default)]
    recovery: Option<Recovery>,
    #[serde(default)]
    cost: Option<Cost>,
    #[serde(default)]
    recovery_plans: Option<Vec<Plan>>,
}

/// Objectives of one object, or of one tier.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    #[serde(default)]
    service: Option<Vec<Service>>,
    #[serde(default)]
    recovery: Option<Recovery>,
    #[serde(default)]
    cost: Option<Cost>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Service {
    metric: Name,
    target: Decimal,
    #[serde(default)]
    unit: Option<Name>,
    window: Seconds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recovery {
    rto: Seconds,
    rpo: Seconds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cost {
    monthly_max: Decimal,
    #[serde(default)]
    monthly_now: Option<Decimal>,
    currency: Currency,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    strategy: Name,
    #[serde(default)]
    rehearsals: Option<Vec<Rehearsed>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rehearsed {
    at: Moment,
    rto: Seconds,
    rpo: Seconds,
    succeeded: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    id: String,
    #[serde(default)]
    title: Option<String>,
    kind: WindowKind,
    from: Moment,
    to: Moment,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WindowKind {
    Open,
    Freeze,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Running {
    id: String,
    #[serde(default)]
    title: Option<String>,
    status: Name,
}

/// Reads a file of objectives.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let header = Header {
        authority: read.authority,
        review_by: read.review_by.map(|moment| moment.0),
        synthetic: read.synthetic,
        incomplete: read.incomplete,
    };
    let mut facts = Facts::default();
    for (index, entry) in read.objectives.unwrap_or_default().into_iter().enumerate() {
        state_entry(entry, &mut facts)
            .map_err(|message| InputError::at(&file.path, format!("$.objectives[{index}]"), message))?;
    }
    for (index, window) in read.windows.unwrap_or_default().into_iter().enumerate() {
        state_window(window, &mut facts)
            .map_err(|message| InputError::at(&file.path, format!("$.windows[{index}]"), message))?;
    }
    for (index, process) in read.processes.unwrap_or_default().into_iter().enumerate() {
        let detail = Detail::Process(Process { status: process.status });
        state_named(&process.id, process.title, detail, &mut facts)
            .map_err(|message| InputError::at(&file.path, format!("$.processes[{index}]"), message))?;
    }
    Ok(Stated { source: header.source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}

fn state_entry(entry: Entry, facts: &mut Facts) -> Result<(), String> {
    let object = reference::object(&entry.object).map_err(|error| format!("object: {error}"))?;
    for objective in kept(Kept { service: entry.service, recovery: entry.recovery, cost: entry.cost })? {
        let id = objective.id(&object).map_err(|error| error.to_string())?;
        facts.links.insert((objective.link(), object.clone(), id.clone()));
        state_once(id, StatedObject::new(objective.detail), facts)?;
    }
    for plan in entry.recovery_plans.unwrap_or_default() {
        let id = ObjectId::new(format!("recovery-plan:{object}/{}", plan.strategy))
            .map_err(|error| error.to_string())?;
        facts.links.insert((LinkType::RecoveredBy, object.clone(), id.clone()));
        let detail = Detail::RecoveryPlan(RecoveryPlan {
            strategy: plan.strategy,
            rehearsals: rehearsals(plan.rehearsals.unwrap_or_default())?,
        });
        state_once(id, StatedObject::new(detail), facts)?;
    }
    Ok(())
}

fn rehearsals(written: Vec<Rehearsed>) -> Result<Vec<Rehearsal>, String> {
    if written.len() > REHEARSALS_MAX {
        return Err(format!(
            "recovery_plans: {} rehearsals, at most {REHEARSALS_MAX} are allowed",
            written.len()
        ));
    }
    let mut rehearsals: Vec<Rehearsal> = written
        .into_iter()
        .map(|it| Rehearsal { at: it.at.0, rto_s: it.rto.0, rpo_s: it.rpo.0, succeeded: it.succeeded })
        .collect();
    rehearsals.sort_by_key(|it| (it.at, it.rto_s, it.rpo_s, it.succeeded));
    rehearsals.dedup();
    Ok(rehearsals)
}

/// The objectives of one object or tier, checked.
pub(super) fn kept(kept: Kept) -> Result<Vec<Objective>, String> {
    let mut objectives = Vec::new();
    for service in kept.service.unwrap_or_default() {
        let unit = unit_of(&service)?;
        let name = service.metric.as_str().to_owned();
        if objectives.iter().any(|other: &Objective| other.name == name) {
            return Err(format!("service: the metric {name:?} stands here twice"));
        }
        if ["recovery", "cost"].contains(&name.as_str()) {
            return Err(format!("service: {name:?} is an objective of its own, not a metric"));
        }
        let detail = Detail::ServiceObjective(ServiceObjective {
            metric: service.metric,
            target_micro: service.target.micro,
            unit,
            window_s: service.window.0,
            assumed: false,
        });
        objectives.push(Objective { name, detail });
    }
    if let Some(Recovery { rto, rpo }) = kept.recovery {
        let detail =
            Detail::RecoveryObjective(RecoveryObjective { rto_s: rto.0, rpo_s: rpo.0, assumed: false });
        objectives.push(Objective { name: "recovery".into(), detail });
    }
    if let Some(cost) = kept.cost {
        let money = |decimal: Decimal| Money::new(decimal.micro, cost.currency.0.clone());
        let detail = Detail::CostObjective(CostObjective {
            monthly_max: money(cost.monthly_max),
            monthly_now: cost.monthly_now.map(money),
            assumed: false,
        });
        objectives.push(Objective { name: "cost".into(), detail });
    }
    Ok(objectives)
}

/// The unit that a metric is in: what it says, else what is usual.
fn unit_of(service: &Service) -> Result<Name, String> {
    let metric = service.metric.as_str();
    let unit = match (&service.unit, metric) {
        (Some(unit), _) => unit.as_str(),
        (None, "availability" | "error_rate") => "ratio",
        (None, metric) if metric.starts_with("latency") => "seconds",
        (None, _) => return Err(format!("service: {metric:?} says its unit: ratio, seconds, requests")),
    };
    if unit == "ratio" && !(0..=1_000_000).contains(&service.target.micro) {
        return Err(format!("service: the target of {metric:?} is a ratio from 0 to 1, like 0.9995"));
    }
    if service.window.0 == 0 {
        return Err(format!("service: the window of {metric:?} is longer than nothing, like 30d"));
    }
    Name::new(unit).map_err(|error| error.to_string())
}

fn state_window(window: Window, facts: &mut Facts) -> Result<(), String> {
    if window.from >= window.to {
        return Err("\"from\" is before \"to\"".into());
    }
    let kind = match window.kind {
        WindowKind::Open => "open",
        WindowKind::Freeze => "freeze",
    };
    let kind = Name::new(kind).map_err(|error| error.to_string())?;
    let detail = Detail::ChangeWindow(ChangeWindow { kind, from: window.from.0, to: window.to.0 });
    state_named(&window.id, window.title, detail, facts)
}

fn state_named(id: &str, title: Option<String>, detail: Detail, facts: &mut Facts) -> Result<(), String> {
    let id = reference::object(id).map_err(|error| format!("id: {error}"))?;
    let title = title.map(|title| super::placement::title(&title));
    state_once(id, StatedObject { title, ..StatedObject::new(detail) }, facts)
}

fn state_once(id: ObjectId, object: StatedObject, facts: &mut Facts) -> Result<(), String> {
    if facts.objects.contains_key(&id) {
        return Err(format!("{id} stands here twice"));
    }
    facts.objects.insert(id, object);
    Ok(())
}
