//! `status`: a review, or the node.

use super::arguments::{Form, Status};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet, submit, wait};
use crate::call::{Answers, Call, NodeStatus, Reply};

pub(super) fn run(asked: &Status, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, mode) = asked.directory.open(outlet)?;
    if let Some(review) = &asked.review {
        let report = wait::report(&*node, review)?;
        return submit::show(report, None, &asked.shown, mode, outlet);
    }
    let status = of_node(&*node)?;
    match asked.shown.output {
        Form::Json => outlet.json(&status)?,
        Form::Text | Form::Markdown | Form::Github | Form::Atlantis => {
            let text = text(&status, outlet);
            outlet.print(&text)?;
        }
    }
    Ok(Code::Done)
}

pub(super) fn of_node(node: &dyn Answers) -> Result<NodeStatus, Failure> {
    match node.call(Call::Status)? {
        Reply::Status(status) => Ok(status),
        _ => Err(Failure::unexpected()),
    }
}

fn text(status: &NodeStatus, outlet: &Outlet<'_>) -> String {
    let mut table = Table::new(1);
    let mut row = |name: &str, value: String| table.row([Cell::text(name), Cell::text(value)]);
    row(
        "log",
        format!("{}{}", status.log, if status.durable { "" } else { " (does not outlive the process)" }),
    );
    row("node", format!("process {}, live since {}", status.pid, status.live_since));
    row(
        "steps",
        status.head.map_or_else(|| "none".to_owned(), |head| format!("{}, head {head}", status.steps)),
    );
    row("model", status.model.clone());
    row("catalog", status.catalog.clone());
    row("open reviews", status.open_reviews.to_string());
    for agent in &status.agents {
        for parked in &agent.parked {
            row("parked", format!("{} (logic {}): {parked}", agent.agent, agent.logic));
        }
    }
    for advice in &status.advice {
        row("advice", advice.clone());
    }
    table.render(&outlet.paper(), 0, true)
}
