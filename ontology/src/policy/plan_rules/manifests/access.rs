//! Who may do what in a cluster, and who may speak to whom.

use super::{maps, shields_removed, weaknesses};
use crate::policy::plan_rules::finding::Finder;
use crate::policy::plan_rules::side::{Weakness, first_at, is_nothing, text_at, texts_at};
use crate::value::{Attributes, Value};

/// Ready-made roles that allow everything.
const ALL_MIGHTY: &[&str] = &["cluster-admin"];

/// A role allows everything on everything, or somebody is given one that does.
pub(in crate::policy::plan_rules) fn wildcard_grants(finder: &mut Finder<'_>) {
    weaknesses(
        finder,
        |kind| matches!(kind, "ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding"),
        |target, side, _| {
            if target.kind.ends_with("Binding") {
                let role = text_at(side, "roleRef.name");
                let named = ALL_MIGHTY.contains(&role);
                return if named { vec![Weakness::new("roleRef.name", role)] } else { Vec::new() };
            }
            let all = |rule: &Attributes, name: &str| texts_at(rule, name).contains(&"*");
            let is_all = |rule: &Attributes| all(rule, "verbs") && all(rule, "resources");
            let any = maps(side.get("rules")).any(is_all);
            if any { vec![Weakness::new("rules", "allows * on *")] } else { Vec::new() }
        },
    );
}

/// A network policy is deleted, or begins to let everything in.
pub(in crate::policy::plan_rules) fn network_policies_removed(finder: &mut Finder<'_>) {
    shields_removed(finder, &["NetworkPolicy"], "spec.podSelector.matchLabels");
    weaknesses(
        finder,
        |kind| kind == "NetworkPolicy",
        |_, side, _| {
            let rules = first_at(side, "spec.ingress").and_then(Value::as_list).unwrap_or_default();
            let lets_all_in = |rule: &Attributes| is_nothing(rule.get("from"));
            let open = rules.iter().filter_map(Value::as_map).filter(|rule| lets_all_in(rule));
            open.map(|rule| {
                let ports = if is_nothing(rule.get("ports")) { "every port" } else { "some ports" };
                Weakness::one_of_many("spec.ingress", format!("lets everybody in on {ports}"))
            })
            .collect()
        },
    );
}
