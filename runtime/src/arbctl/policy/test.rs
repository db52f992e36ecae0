//! `policy test`: the tests of a catalog (U12).

use std::path::Path;

use agents::mimir::catalog::{Case, CatalogFile, case, modules_of};

use super::super::arguments::PolicyTest;
use super::super::render::safe;
use super::super::{Code, Failure, Outlet, connect, wait};
use crate::call::{Call, File, Given, Reply, Submit};
use crate::files;
use crate::log::wall_clock;
use crate::node::catalog_file;

/// The folder of a catalog with its cases.
const CASES: &str = "cases/";

pub(super) fn run(asked: &PolicyTest, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let read = files::read_directory(&asked.catalog)?;
    let catalog: Vec<CatalogFile> = read.iter().map(catalog_file).collect();
    let (mut many, mut failed) = (0, 0);
    let mut told = |name: &str, failure: Option<String>, outlet: &mut Outlet<'_>| -> Result<(), Failure> {
        many += 1;
        let line = match failure {
            None => format!("ok      {name}\n"),
            Some(why) => {
                failed += 1;
                format!("FAILED  {name}: {why}\n")
            }
        };
        outlet.print(&(safe::line(line.trim_end()) + "\n"))
    };
    let modules = modules_of(catalog.iter().filter(|file| file.path.ends_with(".rego")))?;
    let outcomes = modules.bundle().map(ontology::policy::rego::Bundle::test).unwrap_or_default();
    for outcome in outcomes {
        told(&format!("{}.{}", outcome.package, outcome.rule), outcome.failure, outlet)?;
    }
    for file in catalog.iter().filter(|file| is_case(&file.path)) {
        let case = case(file)?;
        let failure = judge(&case, &asked.catalog.join(CASES), &read)?;
        told(&file.path, failure, outlet)?;
    }
    match (many, failed) {
        (0, _) => Err(Failure::bad_input(format!(
            "{}: there is no test: no rule named test_, no {CASES}*.yaml",
            asked.catalog.display()
        ))),
        (many, 0) => {
            outlet.note(&format!("{many} tests passed"));
            Ok(Code::Done)
        }
        (many, failed) => Err(Failure::Differs(format!("{failed} of {many} tests failed"))),
    }
}

fn is_case(path: &str) -> bool {
    path.strip_prefix(CASES).is_some_and(|name| name.ends_with(".yaml") && !name.contains('/'))
}

/// What is wrong with a review of the case's plan, on a log in memory.
fn judge(case: &Case, folder: &Path, catalog: &[File]) -> Result<Option<String>, Failure> {
    let submit = Submit {
        change: Given::File(files::read_file(&folder.join(&case.plan))?),
        evidence: Vec::new(),
        source: None,
        idempotency_key: None,
        change_kind: None,
        release: None,
        process_ref: None,
        model: case.model.as_ref().map(|model| files::read_directory(&folder.join(model))).transpose()?,
        catalog: Some(catalog.to_vec()),
        sent_at: wall_clock(),
    };
    let node = connect::in_memory()?;
    let Reply::Submitted(submitted) = node.call(Call::Submit(Box::new(submit)))? else {
        return Err(Failure::unexpected());
    };
    let report = wait::for_outcome(&*node, &submitted.review.to_string())?;
    let has = |wanted: &String| {
        report.reasons.iter().any(|reason| {
            let code = reason.code.as_str();
            let about = reason.subject.as_deref().map(|subject| format!("{code}:{subject}"));
            code == wanted || about.as_ref() == Some(wanted)
        })
    };
    let missing: Vec<&str> = case.expect.iter().filter(|it| !has(it)).map(String::as_str).collect();
    let unwanted: Vec<&str> = case.never.iter().filter(|it| has(it)).map(String::as_str).collect();
    Ok(match (missing.is_empty(), unwanted.is_empty()) {
        (true, true) => None,
        (false, _) => Some(format!("the review does not say {}", missing.join(", "))),
        (true, false) => Some(format!("the review says {}", unwanted.join(", "))),
    })
}
