//! Monthly cost of each option: from the price book where it knows every changed target, else from the requester's
//! estimate, else what the price book knows.

use std::collections::BTreeSet;

use ontology::graph::Node;
use ontology::model::Detail;
use ontology::policy::PriceBook;
use ontology::records::change::{AttachmentKind, CLOCK_SKEW_MAX_S, CostEstimate};
use ontology::records::document::{Action, Target};
use ontology::records::evaluation::NO_ACTION;
use ontology::records::evidence::{CONFIDENCE_ASSUMED_BP, CostEffect};
use ontology::records::{Attachment, Cost, OptionDraft};
use ontology::{Money, Reason, ReasonCode, Timestamp};
use topics::question::Assessment;

use crate::muninn::snapshot::Setting;

/// What the effects are counted from: one source for all options, so that they can be compared.
enum Source<'a> {
    Book,
    Estimate(&'a CostEstimate),
}

/// Counts every option of the assessment.
pub(super) fn count(assessment: &Assessment, setting: &Setting<'_>, objects: &BTreeSet<Node>) -> Cost {
    let book = &setting.catalog.prices;
    let (estimate, mut reasons) = newest_estimate(&assessment.attachments, setting.cutoff);
    let priced = setting.document.changed().all(|target| difference(book, target).is_some());
    if priced {
        // Nothing rests on claims that the price book makes needless (U8).
        reasons = reasons.into_iter().map(Reason::noted).collect();
    }
    let (source, currency) = match estimate {
        Some(estimate) if !priced => (Source::Estimate(estimate), estimate.monthly_delta.currency.as_str()),
        _ => (Source::Book, book.currency.as_str()),
    };
    let mut effects = Vec::new();
    for option in &assessment.options.options {
        let counted = match source {
            Source::Book => by_book(book, option, setting, &mut reasons),
            Source::Estimate(estimate) => by_estimate(estimate, option, setting, &mut reasons),
        };
        effects.extend(counted.filter(|_| !currency.is_empty()).map(|micro| CostEffect {
            option: option.id.clone(),
            monthly_delta: Money::new(micro, currency),
            confidence_bp: CONFIDENCE_ASSUMED_BP,
        }));
    }
    reasons.extend(other_currencies(currency, setting, objects));
    reasons.sort();
    reasons.dedup();
    Cost { evaluation: assessment.evaluation, effects, reasons, unavailable: None }
}

/// Monthly price after less before, or `None` where the price book cannot tell. What is forgotten stays in the world
/// and costs the same.
fn difference(book: &PriceBook, target: &Target) -> Option<i64> {
    let price = |attributes: Option<&_>| Some(book.monthly(&target.kind, attributes?)?.micro.0);
    let (before, after) = (target.before.as_ref(), target.after.as_ref());
    match target.action {
        Action::Create => price(after),
        Action::Delete => price(before)?.checked_neg(),
        Action::Update | Action::Replace => price(after)?.checked_sub(price(before)?),
        Action::Forget | Action::Read | Action::NoOp => Some(0),
    }
}

/// The sum of what the option carries out. Each type without a price is a reason, and leaves the option uncounted.
fn by_book(
    book: &PriceBook,
    option: &OptionDraft,
    setting: &Setting<'_>,
    reasons: &mut Vec<Reason>,
) -> Option<i64> {
    let mut sum = Some(0_i64);
    for target in setting.document.changed().filter(|target| !option.leaves_out(&target.address)) {
        let difference = difference(book, target);
        if difference.is_none() {
            reasons.push(Reason::about(ReasonCode::CostUnpriced, &target.kind));
        }
        sum = sum.zip(difference).map(|(sum, difference)| add(sum, difference, option, reasons));
    }
    sum
}

/// The estimate's total, less what the option leaves out.
fn by_estimate(
    estimate: &CostEstimate,
    option: &OptionDraft,
    setting: &Setting<'_>,
    reasons: &mut Vec<Reason>,
) -> Option<i64> {
    if option.id.as_str() == NO_ACTION {
        return Some(0);
    }
    let total = estimate.monthly_delta.micro.0;
    if !option.without.is_empty() && estimate.by_address.is_empty() && total != 0 {
        let reason = Reason::about(ReasonCode::CostUnpriced, &option.id).noted();
        reasons.push(reason.with_detail("the estimate tells no address apart"));
        return None;
    }
    let left_out = setting.document.changed().filter(|target| option.leaves_out(&target.address));
    let amounts = left_out.filter_map(|target| estimate.by_address.get(&target.address));
    Some(amounts.fold(total, |sum, amount| add(sum, amount.micro.0.saturating_neg(), option, reasons)))
}

/// The sum, held at the ends of what can be counted, with a reason.
fn add(sum: i64, more: i64, option: &OptionDraft, reasons: &mut Vec<Reason>) -> i64 {
    sum.checked_add(more).unwrap_or_else(|| {
        let reason = Reason::about(ReasonCode::CostUnpriced, &option.id);
        reasons.push(reason.with_detail("the sum is more than can be counted"));
        sum.saturating_add(more)
    })
}

/// The newest estimate among the claims that is not from after the cut-off and is in one currency, with what is to be
/// said about every estimate.
fn newest_estimate(attachments: &[Attachment], cutoff: Timestamp) -> (Option<&CostEstimate>, Vec<Reason>) {
    let (mut usable, mut reasons) = (Vec::new(), Vec::new());
    for attachment in attachments {
        let AttachmentKind::CostEstimate(estimate) = &attachment.claim else { continue };
        let currency = &estimate.monthly_delta.currency;
        let newest = cutoff.plus_seconds(CLOCK_SKEW_MAX_S);
        if attachment.made_at.is_some_and(|made_at| made_at > newest) {
            reasons.push(Reason::about(ReasonCode::EvidenceAfterCutoff, &attachment.name));
        } else if estimate.by_address.values().any(|amount| amount.currency != *currency) {
            let reason = Reason::about(ReasonCode::CostUnpriced, &attachment.name);
            reasons.push(reason.with_detail("it mixes currencies"));
        } else {
            reasons.push(Reason::about(ReasonCode::EvidenceUnverified, &attachment.name));
            usable.push((attachment.made_at, attachment.digest, estimate));
        }
    }
    let newest = usable.into_iter().max_by_key(|(made_at, digest, _)| (*made_at, *digest));
    (newest.map(|(.., estimate)| estimate), reasons)
}

/// Cost objectives in scope that are in another currency than the effects: nothing can be said about them.
fn other_currencies(currency: &str, setting: &Setting<'_>, objects: &BTreeSet<Node>) -> Vec<Reason> {
    let objects = objects.iter().filter_map(|node| setting.graph.object(*node));
    let other = objects.filter_map(|object| match &object.detail {
        Detail::CostObjective(objective)
            if objective.monthly_max.currency != currency && !currency.is_empty() =>
        {
            let found = format!("it is in {}, the prices are in {currency}", objective.monthly_max.currency);
            Some(Reason::about(ReasonCode::CostUnpriced, &object.id).with_detail(found))
        }
        _ => None,
    });
    other.collect()
}
