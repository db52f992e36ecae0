//! `admit`: may this plan be applied now? (U15)

use super::arguments::Admit;
use super::{Code, Failure, Outlet, inputs};
use crate::call::{Call, Reply};
use crate::report::Outcome;

/// Asks, prints the answer, and exits with 0 only for a yes.
pub(super) fn run(asked: &Admit, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let change = inputs::given(&asked.given, outlet)?;
    let (node, _) = asked.directory.open(outlet)?;
    let admission = match node.call(Call::Admit { review: asked.review.clone(), change })? {
        Reply::Admission(admission) => admission,
        _ => return Err(Failure::unexpected()),
    };
    match asked.output {
        super::arguments::Output::Json => outlet.json(&admission)?,
        super::arguments::Output::Text => {
            let word = if admission.admitted { "ADMITTED" } else { "NOT ADMITTED" };
            let short = admission.review.short();
            outlet.print(&format!("{word}  {short}: {}\n", super::render::safe::line(&admission.why)))?;
        }
    }
    Ok(match (admission.admitted, admission.outcome) {
        (true, _) => Code::Done,
        // It was let through, and this is another plan, or the receipt is over: it has to be judged again.
        (false, Outcome::Conformant | Outcome::Approved) => Code::Outcome(Outcome::Held),
        (false, outcome) => Code::Outcome(outcome),
    })
}
