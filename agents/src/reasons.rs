//! What every code means and what to do next, in English and Korean, without a network (U6). The pages are those
//! of `docs/reasons/`, held in the binary.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

/// A language that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Korean.
    Korean,
}

impl Language {
    /// Every language, in order.
    pub const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// The stable text: `en`, `ko`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
        }
    }

    /// The language of a locale as `LC_MESSAGES` or `LANG` state it (`ko_KR.UTF-8`); English where it is another.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let name = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
        name.parse().unwrap_or_default()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read a language: there are \"en\" and \"ko\", not {0:?}")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        match text {
            "en" => Ok(Self::English),
            "ko" => Ok(Self::Korean),
            _ => Err(UnknownLanguage(text.chars().take(32).collect())),
        }
    }
}

/// The page of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// One line: what the code says.
    pub title: &'static str,
    /// One line: what to do next.
    pub next: &'static str,
    /// The whole page, in Markdown.
    pub text: &'static str,
}

/// The page of `code`, or `None` where there is no such code. Codes are those of [`ontology::ReasonCode`] and of
/// errors that commands print.
#[must_use]
pub fn page(code: &str, language: Language) -> Option<Page> {
    let (_, english, korean) = PAGES.iter().find(|(known, ..)| *known == code)?;
    Some(read(match language {
        Language::English => english,
        Language::Korean => korean,
    }))
}

/// Every code that has a page, in the order of the index.
pub fn codes() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(code, ..)| *code)
}

/// Splits a page: `# code — Title`, and the line that starts with `next: `.
fn read(text: &'static str) -> Page {
    let heading = text.lines().next().unwrap_or_default();
    let title = heading.split_once(" — ").map_or(heading, |(_, title)| title);
    let next = text.lines().find_map(|line| line.strip_prefix("next: ")).unwrap_or_default();
    Page { title, next, text }
}

macro_rules! pages {
    ($($code:literal)*) => {
        /// (code, English page, Korean page).
        const PAGES: &[(&str, &str, &str)] = &[$((
            $code,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reasons/", $code, ".md")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reasons/ko/", $code, ".md")),
        ),)*];
    };
}

pages! {
    "constraint_violated"
    "target_resource_missing"
    "service_mapping_missing"
    "service_mapping_conflict"
    "objectives_missing"
    "objective_mapping_missing"
    "ownership_conflict"
    "graph_receipt_unverified"
    "graph_source_incomplete"
    "graph_release_mixed"
    "graph_release_unknown"
    "graph_stale"
    "graph_freshness_unknown"
    "graph_unavailable"
    "graph_truncated"
    "context_temporal_exclusion"
    "link_evidence_stale"
    "link_evidence_conflicting"
    "link_evidence_synthetic"
    "link_evidence_after_cutoff"
    "link_evidence_incomplete"
    "missing_stage"
    "missing_evidence"
    "deadline_exceeded"
    "evidence_unavailable"
    "evidence_stale"
    "evidence_after_cutoff"
    "evidence_synthetic"
    "plan_stale"
    "plan_errored"
    "plan_incomplete"
    "plan_unknown_value"
    "scenario_invalid"
    "concurrent_change"
    "rehearsal_missing"
    "rehearsal_stale"
    "cost_unpriced"
    "constraint_unknown"
    "constraint_condition"
    "policy_error"
    "policy_not_evaluated"
    "link_evidence_unverified"
    "objective_assumed"
    "evidence_unverified"
    "affected_resource_cap_exceeded"
    "close_call"
    "no_safe_option"
    "class_irreversible"
    "class_baseline"
    "class_exception"
    "class_promotion"
    "constraint_approval"
    "objective_worsened"
    "constraint_waived"
    "waiver_expired"
    "waiver_unmatched"
    "constraint_warned"
    "constraint_pre_existing"
    "sensitivity_unmarked"
    "withheld_unkeyed"
    "plan_drift"
    "not_durable"
    "requester_unverified"
    "process_lineage_unavailable"
    "agent_degraded"
    "late_stage"
    "starter_catalog"
    "bad-input"
    "not-found"
    "conflict"
    "refused"
    "log-unavailable"
    "locked"
    "internal"
    "retry"
    "differs"
}
