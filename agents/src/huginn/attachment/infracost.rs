//! infracost's JSON: `infracost diff --format json`, or `breakdown` of a plan, which holds the difference too.

use std::collections::BTreeMap;

use ontology::records::change::CostEstimate;
use ontology::{Money, ObjectId};
use serde_json::Value;

use crate::input::InputError;
use crate::input::json::{Place, quote};

/// The currency of an estimate that says none: infracost's own default.
const CURRENCY_DEFAULT: &str = "USD";
/// Digits after the point of a micro unit.
const MICRO_DIGITS: usize = 6;

/// Reads the total difference, and that of each resource.
pub(super) fn read(root: &Place<'_>) -> Result<CostEstimate, InputError> {
    let currency = root.optional("currency", currency)?.unwrap_or_else(|| CURRENCY_DEFAULT.to_owned());
    let Some(total) = root.get("diffTotalMonthlyCost")? else {
        let how = "is missing: the estimate compares with nothing; make it with infracost diff --format json";
        return Err(root.missing("diffTotalMonthlyCost", how));
    };
    let monthly_delta = Money::new(micro(&total)?, currency.clone());
    let mut sums: BTreeMap<ObjectId, i64> = BTreeMap::new();
    for project in root.required("projects")?.items()? {
        let Some(diff) = project.get("diff")? else { continue };
        let Some(resources) = diff.get("resources")? else { continue };
        for resource in resources.items()? {
            // Usage that nobody stated has no cost: null.
            let Some(cost) = resource.get("monthlyCost")? else { continue };
            let address = resource.required("name")?.object_id()?;
            let sum = sums.entry(address).or_insert(0);
            *sum = sum
                .checked_add(micro(&cost)?)
                .ok_or_else(|| cost.error("adds up to more than can be counted"))?;
        }
    }
    sums.retain(|_, micro| *micro != 0);
    let by_address =
        sums.into_iter().map(|(address, micro)| (address, Money::new(micro, currency.clone()))).collect();
    Ok(CostEstimate { monthly_delta, by_address })
}

fn currency(place: &Place<'_>) -> Result<String, InputError> {
    let code = place.text()?;
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_code {
        Ok(code.to_owned())
    } else {
        Err(place.error(format!("{} is not an ISO 4217 code", quote(code))))
    }
}

/// A decimal, as text or number, in millionths; what is finer is rounded to the nearest, halves away from zero.
fn micro(place: &Place<'_>) -> Result<i64, InputError> {
    let text = match place.value() {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return Err(place.error("is not a decimal number")),
    };
    parse_micro(&text).ok_or_else(|| place.error("is not a decimal number of at most 9 trillion"))
}

pub(super) fn parse_micro(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let kept = &fraction[..fraction.len().min(MICRO_DIGITS)];
    let micro: i64 = format!("{whole}{kept:0<MICRO_DIGITS$}").parse().ok()?;
    let up = fraction.as_bytes().get(MICRO_DIGITS).is_some_and(|digit| *digit >= b'5');
    let micro = micro.checked_add(i64::from(up))?;
    Some(if negative { -micro } else { micro })
}
