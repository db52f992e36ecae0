//! `kubectl-diff`: reviews what `kubectl diff` and `argocd app diff` compare (U15). They call it in the place of
//! diff(1), so it ends as diff(1) does.

use std::ffi::OsString;
use std::path::Path;

use agents::huginn::intake::Context;

use super::arguments::{KubectlDiff, Output};
use super::render::{self, View};
use super::{Code, Failure, Outlet, inputs, policy, submit};
use crate::call::{File, Given, Manifests, Submit};
use crate::files;
use crate::log::wall_clock;
use crate::node::read_change;

/// The command's name, as kubectl splits it off `KUBECTL_EXTERNAL_DIFF`.
const COMMAND: &str = "kubectl-diff";
/// What to type in later commands: the directories are gone once kubectl ends.
const MANIFESTS: &str = "--after MANIFESTS";
/// Where it stands when kubectl calls: behind the program and both directories, before its options.
const BEHIND_DIRECTORIES: usize = 3;

/// kubectl puts both directories before the words of `KUBECTL_EXTERNAL_DIFF`; Argo CD puts them behind.
pub(super) fn in_order(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(BEHIND_DIRECTORIES).is_some_and(|word| word == COMMAND) {
        arguments[1..=BEHIND_DIRECTORIES].rotate_right(1);
    }
    arguments
}

pub(super) fn run(asked: &KubectlDiff, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let manifests = Manifests {
        before: objects(&asked.live)?,
        after: objects(&asked.merged)?,
        cluster: asked.cluster.clone(),
    };
    let is_empty = |files: &[File]| files.iter().all(|file| file.text.trim().is_empty());
    if is_empty(&manifests.before) && is_empty(&manifests.after) {
        return Ok(Code::Done);
    }
    let change = Given::Manifests(manifests);
    let catalog = policy::read(asked.catalog.as_deref())?;
    if read_change(&change, &Context { catalog: &catalog, key: None })?.document.changed().next().is_none() {
        return Ok(Code::Done);
    }
    let submit = Submit {
        change,
        evidence: Vec::new(),
        source: None,
        idempotency_key: None,
        change_kind: None,
        release: None,
        process_ref: None,
        model: asked.model.as_deref().map(files::read_directory).transpose()?,
        catalog: asked.catalog.as_deref().map(files::read_directory).transpose()?,
        sent_at: wall_clock(),
    };
    let mut report = submit::in_memory(submit)?;
    submit::name_plan(&mut report, MANIFESTS);
    match asked.output {
        Output::Json => outlet.json(&report)?,
        Output::Text => {
            let view = View { agents: false, verbose: asked.verbose, exit: Code::Different.number() };
            let text = render::review(&report, &outlet.paper(), view);
            outlet.print(&text)?;
        }
    }
    Ok(Code::Different)
}

/// Every file of a side, whatever its name: `apps.v1.Deployment.shop.web` is what kubectl calls one.
fn objects(side: &Path) -> Result<Vec<File>, Failure> {
    if !side.is_dir() {
        return Ok(vec![files::read_file(side)?]);
    }
    Ok(files::read_directory(side)?.into_iter().map(|file| inputs::below(side, file)).collect())
}
