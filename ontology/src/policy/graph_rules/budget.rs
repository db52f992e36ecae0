//! What a change adds to the monthly cost stays within a bound.

use super::judged::Judge;
use super::touched::changed;
use crate::Money;
use crate::ObjectId;
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::constraint::Standing;
use crate::records::document::Target;

pub(super) fn evaluate(judge: &mut Judge<'_>, monthly_max: &Money) {
    let subject = judge.subject;
    let (mut total, mut alone): (i128, Vec<ObjectId>) = (0, Vec::new());
    for (target, found) in changed(subject) {
        let place = found.object().and_then(|object| subject.base.node(object));
        match judge.applies_to(target, (place, place)) {
            Applies::No => continue,
            Applies::Untold => {
                judge.unknown(&target.address, UNTOLD);
                continue;
            }
            Applies::Yes => {}
        }
        judge.looked();
        let Some(delta) = delta(judge, target, &monthly_max.currency) else {
            judge.unknown(&target.address, "it has no price in the budget's currency");
            continue;
        };
        total += i128::from(delta);
        if delta > monthly_max.micro.0 {
            alone.push(target.address.clone());
        }
    }
    if total > i128::from(monthly_max.micro.0) {
        let total = i64::try_from(total).unwrap_or(i64::MAX);
        let total = Money::new(total, monthly_max.currency.clone());
        let value = format!("adds {total} a month, at most {monthly_max}");
        let plan = ObjectId::new("plan").expect("a short literal");
        judge.violates(Standing::Introduced, plan.clone(), vec![plan], &value, alone);
    }
}

/// What the target adds a month, in millionths.
fn delta(judge: &Judge<'_>, target: &Target, currency: &str) -> Option<i64> {
    let book = &judge.subject.catalog.prices;
    let price = |side: Option<&_>| match side {
        None => Some(0),
        Some(attributes) => {
            let money = book.monthly(&target.kind, attributes)?;
            (money.currency == currency).then_some(money.micro.0)
        }
    };
    price(target.after.as_ref())?.checked_sub(price(target.before.as_ref())?)
}
