//! How far the change may reach, as a chain: what is altered ← what depends on it ← what depends on that.

use super::View;
use super::paper::Paper;
use super::words::{counted, listed};
use crate::report::Report;

/// Objects named of one distance without `-v`.
const NAMED_MAX: usize = 3;
/// Objectives named without `-v`.
const OBJECTIVES_MAX: usize = 3;

pub(super) fn line(report: &Report, paper: &Paper, view: View) -> String {
    let Some(reach) = &report.reach else { return String::new() };
    let most = |most: usize| if view.verbose { usize::MAX } else { most };
    let layers = reach.by_distance.iter().map(|layer| {
        let names: Vec<&str> = layer.iter().map(|id| id.as_str()).collect();
        listed(&names, most(NAMED_MAX))
    });
    let chain = layers.collect::<Vec<String>>().join(" ← ");
    let chain = if chain.is_empty() { "nothing that is modelled".to_owned() } else { chain };
    let more = if reach.complete { "" } else { " or more" };
    let total = format!("{}{more}, limit {}", counted(reach.total, "object", "objects"), reach.affected_max);
    let mut text = paper.labelled("Reach", &chain, &total);
    if !reach.objectives.is_empty() {
        let shown: Vec<String> = reach
            .objectives
            .iter()
            .map(|objective| {
                let assumed = if objective.assumed { ", assumed" } else { "" };
                if objective.bound.is_empty() {
                    objective.id.to_string()
                } else {
                    format!("{} ({}{assumed})", objective.id, objective.bound)
                }
            })
            .collect();
        text.push_str(&paper.labelled("", &format!("protects {}", listed(&shown, most(OBJECTIVES_MAX))), ""));
    }
    text
}
