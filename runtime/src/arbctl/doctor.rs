//! `doctor`: what is missing or stuck, each with what to do.

use super::arguments::Doctor;
use super::{Code, Failure, Outlet, status};

pub(super) fn run(asked: &Doctor, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, _) = asked.directory.open(outlet)?;
    let status = status::of_node(&*node)?;
    let durable = if status.durable { "durable" } else { "not durable" };
    let mut text = format!("ok    {} answers: {} steps, {durable}\n", status.log, status.steps);
    let parked: usize = status.agents.iter().map(|agent| agent.parked.len()).sum();
    if parked == 0 {
        text.push_str(&format!("ok    {} agents, none has parked anything\n", status.agents.len()));
    }
    for advice in &status.advice {
        text.push_str(&format!("do    {}\n", super::render::safe::line(advice)));
    }
    if status.advice.is_empty() {
        text.push_str("ok    nothing is missing\n");
    }
    outlet.print(&text)?;
    Ok(Code::Done)
}
