//! `cases/*.yaml` (`arb: case/1`): what a review of a plan has to say (U12).

use ontology::ReasonCode;
use serde::Deserialize;

use super::CatalogFile;
use crate::input::{InputError, yaml};

/// A test of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The plan, relative to the folder of the cases.
    pub plan: String,
    /// The model folder, likewise; none, where nothing is modelled.
    pub model: Option<String>,
    /// Reasons that the review has: `constraint_violated`, or with what it is about `constraint_violated:rego:main`.
    pub expect: Vec<String>,
    /// Reasons that it has not.
    pub never: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    arb: String,
    plan: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    expect: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
}

/// Reads a case.
///
/// # Errors
/// [`InputError`] when it is none, expects nothing, or names a code that does not exist.
pub fn case(file: &CatalogFile) -> Result<Case, InputError> {
    let Written { arb, plan, model, expect, never } = yaml::parse(&file.path, &file.bytes)?;
    let fault = |at: &str, message: String| InputError::at(&file.path, at, message);
    if arb != "case/1" {
        return Err(fault("$.arb", "expected case/1".into()));
    }
    if expect.is_empty() && never.is_empty() {
        return Err(fault("$.expect", "it expects nothing, so nothing could fail".into()));
    }
    for (at, codes) in [("$.expect", &expect), ("$.never", &never)] {
        let code = |text: &String| text.split(':').next().unwrap_or_default().to_owned();
        if let Some(unknown) = codes.iter().map(code).find(|code| code.parse::<ReasonCode>().is_err()) {
            return Err(fault(at, format!("there is no code {unknown:?}; arbctl explain lists them")));
        }
    }
    Ok(Case { plan, model, expect, never })
}
