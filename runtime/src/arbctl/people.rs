//! `approve`, `reject`, `revoke` and `accept-gap`: what people say to a review (U9, U13).

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use agents::input::yaml::quantity::{Moment, Seconds};
use agents::var::statement::NAMESPACE;
use ontology::records::ApprovalDecision;
use ontology::{ReasonCode, Timestamp};

use super::arguments::{AcceptGap, Answer};
use super::{Code, Failure, Outlet, evidence, wait};
use crate::call::{Call, Decide, ErrorCode, Gap};
use crate::log::wall_clock;

/// Answers what a person is asked.
pub(super) fn answer(
    decision: ApprovalDecision,
    asked: &Answer,
    outlet: &mut Outlet<'_>,
) -> Result<Code, Failure> {
    let (node, mode) = asked.directory.open(outlet)?;
    let seen = wait::report(&*node, &asked.review)?;
    let because = asked.because.clone();
    let approval = seen.approval.as_ref();
    let signature = match (&asked.key, approval) {
        (Some(key), Some(approval)) => {
            let statement = approval.statement(seen.review, decision, because.as_deref());
            Some(sign(key, &statement)?)
        }
        // The node says why there is nothing to answer.
        (Some(_), None) | (None, _) => None,
    };
    let case_digest = approval.map(|approval| approval.case_digest);
    let decide = Decide { decision, because, case_digest, signature };
    let review = evidence::accepted(&*node, Call::Decide { review: seen.review.to_string(), decide })?;
    evidence::finish(&*node, review, false, &asked.shown, mode, outlet)
}

/// Asks for an exception.
pub(super) fn accept_gap(asked: &AcceptGap, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let code: ReasonCode = asked.reason.parse().map_err(|error: ontology::reason::UnknownCode| {
        Failure::bad_input(format!("--reason: {error}; `arbctl explain` lists them"))
    })?;
    let gap = Gap {
        code,
        subject: asked.subject.clone(),
        until: until(&asked.until)?,
        because: asked.because.clone(),
    };
    let (node, mode) = asked.directory.open(outlet)?;
    let review = evidence::accepted(&*node, Call::AcceptGap { review: asked.review.clone(), gap })?;
    evidence::finish(&*node, review, asked.no_wait, &asked.shown, mode, outlet)
}

/// A date, a time, or a length of time from now.
fn until(text: &str) -> Result<Timestamp, Failure> {
    if let Ok(Moment(at)) = text.parse::<Moment>() {
        return Ok(at);
    }
    match text.parse::<Seconds>() {
        Ok(Seconds(seconds)) => Ok(wall_clock().plus_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))),
        Err(_) => Err(Failure::bad_input(format!("--until {text}: expected 14d, 36h, a date or a time"))),
    }
}

/// Signs with `ssh-keygen`, which knows agents, hardware keys and passphrases.
fn sign(key: &Path, statement: &str) -> Result<String, Failure> {
    let failed = |what: &str, why: String| {
        let why = format!("--key {}: {what}: {why}", key.display());
        Failure::Call(crate::call::CallError::new(ErrorCode::BadInput, why))
    };
    let mut command = Command::new("ssh-keygen");
    command.args(["-Y", "sign", "-q", "-n", NAMESPACE, "-f"]).arg(key);
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child =
        started.map_err(|error| failed("start ssh-keygen (OpenSSH 8.2 or newer)", error.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        let written = input.write_all(statement.as_bytes());
        written.map_err(|error| failed("hand the statement to ssh-keygen", error.to_string()))?;
    }
    let output =
        child.wait_with_output().map_err(|error| failed("wait for ssh-keygen", error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed("ssh-keygen did not sign", said.trim().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed("read the signature", error.to_string()))
}
