//! Which option is recommended, and whether the choice needs a person (review.md, step 6; arb.md 2.7 and 2.9).

use ontology::{Reason, ReasonCode};

use ontology::records::OptionId;

use super::assess::Assessed;

/// All of the first score, in basis points.
const WHOLE_BP: i128 = 10_000;
/// A margin below one part in this many of the first score is a close call.
const CLOSE_PARTS: i128 = 10;

/// The outcome of comparing options.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Selection {
    /// The best eligible option that acts.
    pub(super) selected: Option<OptionId>,
    /// (first − second) ÷ |first| in basis points, where two options conflict.
    pub(super) margin_bp: Option<u32>,
    /// Why a person has to choose.
    pub(super) reasons: Vec<Reason>,
}

/// Compares the options that act and are eligible: no hard constraint is violated, and no protected objective gets
/// worse. Best score first, then by id.
///
/// A close call needs a conflict: two eligible options that act and differ in at least one effect on an objective.
/// Doing nothing is a baseline and no competitor; options with the same effects, or with none at all, leave
/// nothing to weigh, so neither forces a person. Between two that conflict the call is close when
/// 10 × (first − second) < |first|, or first = 0.
pub(super) fn select(options: &[Assessed<'_>]) -> Selection {
    let acting: Vec<&Assessed<'_>> = options.iter().filter(|option| option.course.acts()).collect();
    let mut eligible = acting.clone();
    eligible.retain(|option| option.ruled.violates.is_empty() && !option.effects.worsens);
    eligible.sort_by(|a, b| {
        let by_score = b.effects.score.cmp(&a.effects.score);
        by_score.then_with(|| a.course.draft.id.cmp(&b.course.draft.id))
    });
    let mut selection = Selection::default();
    let Some(first) = eligible.first() else {
        if acting.iter().any(|option| option.ruled.violates.is_empty()) {
            selection.reasons.push(Reason::new(ReasonCode::NoSafeOption));
        }
        return selection;
    };
    selection.selected = Some(first.course.draft.id.clone());
    let Some(second) = eligible.get(1).filter(|second| second.effects.each != first.effects.each) else {
        return selection;
    };
    let (margin_bp, close) = margin(first.effects.score, second.effects.score);
    selection.margin_bp = Some(margin_bp);
    if close {
        let detail = format!("{} over {}", first.course.draft.id, second.course.draft.id);
        selection.reasons.push(Reason::new(ReasonCode::CloseCall).with_detail(detail));
    }
    selection
}

/// (first − second) ÷ |first| in basis points, and whether that is too close: below a tenth, or of nothing.
fn margin(first: i64, second: i64) -> (u32, bool) {
    let (first, second) = (i128::from(first), i128::from(second));
    let margin = first - second;
    let margin_bp = (margin * WHOLE_BP).checked_div(first.abs()).unwrap_or(0);
    let close = first == 0 || CLOSE_PARTS * margin < first.abs();
    (u32::try_from(margin_bp).unwrap_or(u32::MAX), close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_below_a_tenth_of_the_first_is_a_close_call() {
        let check =
            |first, second, expected| assert_eq!(margin(first, second), expected, "{first} over {second}");
        check(1_000, 901, (990, true));
        check(1_000, 900, (1_000, false));
        check(-1_000, -1_099, (990, true));
        check(-1_000, -1_100, (1_000, false));
        check(0, -5_000, (0, true));
        check(7, 7, (0, true));
        check(i64::MAX, i64::MIN, (20_000, false));
    }
}
