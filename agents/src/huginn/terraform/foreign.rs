//! What people hand in instead of a plan, and what to do about it.

use serde_json::Value;

/// The command that makes what is expected.
const MAKE_PLAN: &str = "run: terraform show -json PLAN > plan.json";

/// What bytes are that are not JSON at all.
pub(crate) fn bytes(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(format!("it is a binary plan file (or another zip archive); {MAKE_PLAN}"));
    }
    let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = String::from_utf8_lossy(&head[..head.len().min(HEAD_BYTES)]);
    let head = head.trim_start();
    if head.starts_with("{\"@level\"") {
        return Some(format!(
            "it is the log that terraform plan -json prints; run: terraform plan -out PLAN, then {MAKE_PLAN}"
        ));
    }
    if !head.starts_with(['{', '[']) {
        if PRINTED.iter().any(|words| head.contains(words)) {
            return Some(format!(
                "it is what terraform plan prints for people; run: terraform plan -out PLAN, then {MAKE_PLAN}"
            ));
        }
        if head.lines().any(is_hcl) {
            return Some(format!(
                "it is Terraform configuration; run: terraform plan -out PLAN, then {MAKE_PLAN}"
            ));
        }
    }
    None
}

/// Bytes of a file that are looked at to tell what it is.
const HEAD_BYTES: usize = 4_096;

/// Words that only the printed plan has.
const PRINTED: [&str; 4] = [
    "will perform the following actions",
    "used the selected providers to generate",
    "Your infrastructure matches the configuration",
    "Refreshing state...",
];

/// Whether a line opens a block of the configuration language.
fn is_hcl(line: &str) -> bool {
    const BLOCKS: [&str; 8] =
        ["resource", "data", "module", "provider", "variable", "output", "terraform", "locals"];
    let Some(head) = line.trim().strip_suffix('{') else { return false };
    let mut words = head.split_whitespace();
    words.next().is_some_and(|word| BLOCKS.contains(&word)) && words.all(|word| word.starts_with('"'))
}

/// What a JSON object is that is not a plan: a state, in its two forms.
pub(super) fn state(plan: &Value) -> Option<String> {
    let has = |key: &str| plan.get(key).is_some();
    if has("serial") && has("lineage") {
        return Some(format!(
            "it is a state file, not a plan; run: terraform plan -out PLAN, then {MAKE_PLAN}"
        ));
    }
    let planned =
        ["resource_changes", "planned_values", "configuration", "output_changes", "complete", "errored"];
    if has("format_version") && !planned.into_iter().any(has) {
        return Some(format!(
            "it is terraform show -json of a state, not of a plan; run: terraform plan -out PLAN, then {MAKE_PLAN}"
        ));
    }
    None
}
