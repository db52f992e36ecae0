//! What becomes reachable from everywhere: open networks, public members, public switches.

use super::finding::Finder;
use super::grants;
use super::removal;
use super::side::{Weakness, compare, each_at, first_at, text_at, texts_at, untold};
use super::switches;
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

/// Ranges and words that stand for everybody.
const EVERYWHERE: &[&str] = &["*", "0.0.0.0", "0.0.0.0/0", "::/0", "Any", "Internet", "any", "internet"];
/// Members that stand for everybody.
const EVERYBODY: &[&str] = &["allUsers", "allAuthenticatedUsers"];

/// A block of rules that opens a network.
struct Opening {
    kind: &'static str,
    /// Where its rules are, as a path; empty where the resource is one rule.
    rules: &'static str,
    /// Attributes of a rule that name who may come in.
    from: &'static [&'static str],
    /// Attributes of a rule that say what for, shown to people.
    ports: &'static [&'static str],
    /// Attributes that must hold one of the values (or nothing) for the rule to let anybody in.
    when: &'static [(&'static str, &'static [&'static str])],
}

const AWS_FROM: &[&str] = &["cidr_blocks", "ipv6_cidr_blocks"];
const AWS_PORTS: &[&str] = &["protocol", "from_port", "to_port"];
const AZURE_WHEN: &[(&str, &[&str])] = &[("access", &["Allow"]), ("direction", &["Inbound"])];
const AZURE_FROM: &[&str] = &["source_address_prefix", "source_address_prefixes"];
const AZURE_PORTS: &[&str] = &["protocol", "destination_port_range", "destination_port_ranges"];

/// Sorted by type.
const OPENINGS: &[Opening] = &[
    Opening {
        kind: "aws_default_security_group",
        rules: "ingress",
        from: AWS_FROM,
        ports: AWS_PORTS,
        when: &[],
    },
    Opening {
        kind: "aws_eks_cluster",
        rules: "vpc_config",
        from: &["public_access_cidrs"],
        ports: &[],
        when: &[("endpoint_public_access", &["true"])],
    },
    Opening { kind: "aws_security_group", rules: "ingress", from: AWS_FROM, ports: AWS_PORTS, when: &[] },
    Opening {
        kind: "aws_security_group_rule",
        rules: "",
        from: AWS_FROM,
        ports: AWS_PORTS,
        when: &[("type", &["ingress"])],
    },
    Opening {
        kind: "aws_vpc_security_group_ingress_rule",
        rules: "",
        from: &["cidr_ipv4", "cidr_ipv6"],
        ports: &["ip_protocol", "from_port", "to_port"],
        when: &[],
    },
    Opening {
        kind: "azurerm_mssql_firewall_rule",
        rules: "",
        from: &["start_ip_address"],
        ports: &["end_ip_address"],
        when: &[("end_ip_address", &["255.255.255.255"])],
    },
    Opening {
        kind: "azurerm_network_security_group",
        rules: "security_rule",
        from: AZURE_FROM,
        ports: AZURE_PORTS,
        when: AZURE_WHEN,
    },
    Opening {
        kind: "azurerm_network_security_rule",
        rules: "",
        from: AZURE_FROM,
        ports: AZURE_PORTS,
        when: AZURE_WHEN,
    },
    Opening {
        kind: "google_compute_firewall",
        rules: "",
        from: &["source_ranges"],
        ports: &["allow.protocol", "allow.ports"],
        when: &[("direction", &["INGRESS"]), ("disabled", &["false"])],
    },
    Opening {
        kind: "google_sql_database_instance",
        rules: "settings.ip_configuration.authorized_networks",
        from: &["value"],
        ports: &[],
        when: &[],
    },
];

/// Attributes that this rule reads beside switches and policies, by type.
pub(in crate::policy) fn attributes() -> Vec<(&'static str, Vec<String>)> {
    let mut read: Vec<(&'static str, Vec<String>)> = Vec::new();
    for opening in OPENINGS {
        let names = opening.from.iter().chain(opening.ports).chain(opening.when.iter().map(|(name, _)| name));
        let path = |name: &&'static str| match opening.rules {
            "" => (*name).to_owned(),
            rules => format!("{rules}.{name}"),
        };
        read.push((opening.kind, names.map(path).collect()));
    }
    read.push(("google_*_iam_binding", vec!["members".to_owned(), "role".to_owned()]));
    read.push(("google_*_iam_member", vec!["member".to_owned(), "role".to_owned()]));
    read
}

pub(super) fn public_exposure(finder: &mut Finder<'_>) {
    switches::evaluate(finder, switches::EXPOSURE);
    removal::destroyed(finder, removal::SHIELD_TYPES);
    for target in finder.targets() {
        if let Ok(index) = OPENINGS.binary_search_by(|opening| opening.kind.cmp(&target.kind)) {
            openings(finder, target, &OPENINGS[index]);
        }
        if let Some(path) = grants::document_path(&target.kind) {
            finder.checked(target);
            for (standing, weakness) in compare(target, |side, _| grants::public(side, path)) {
                finder.found(target, standing, weakness);
            }
        }
        if target.kind.starts_with("google_") && target.kind.contains("_iam_") {
            finder.checked(target);
            for (standing, weakness) in compare(target, |side, _| public_members(side)) {
                finder.found(target, standing, weakness);
            }
        }
    }
}

fn openings<'s>(finder: &mut Finder<'s>, target: &'s Target, opening: &Opening) {
    finder.checked(target);
    let found = compare(target, |side, _| open(side, opening));
    let none_counts = !found.iter().any(|(standing, _)| standing.counts());
    if none_counts && matches!(target.action, Action::Create | Action::Update | Action::Replace) {
        let first = |name: &&'static str| match opening.rules {
            "" => (*name).to_owned(),
            rules => format!("{rules}.{name}"),
        };
        let missing = opening.from.iter().map(first).find_map(|path| Some((untold(target, &path)?, path)));
        // An own list of rules that nobody wrote is filled by the provider, or by resources of their own.
        let by_default = target.action == Action::Create && target.unknown.contains(opening.rules);
        if let Some((why, path)) = missing.filter(|_| !by_default) {
            finder.unknown(target, &format!("{path} is {why}"));
        }
    }
    for (standing, weakness) in found {
        finder.found(target, standing, weakness);
    }
}

fn open(side: &Attributes, opening: &Opening) -> Vec<Weakness> {
    let mut found = Vec::new();
    if opening.rules.is_empty() {
        found.extend(open_rule(side, opening));
        return found;
    }
    each_at(side, opening.rules, &mut |value| {
        let rules = value.as_list().unwrap_or(std::slice::from_ref(value));
        found.extend(rules.iter().filter_map(Value::as_map).filter_map(|rule| open_rule(rule, opening)));
    });
    found
}

fn open_rule(rule: &Attributes, opening: &Opening) -> Option<Weakness> {
    let lets_in = opening.when.iter().all(|(name, values)| match first_at(rule, name) {
        None | Some(Value::Null) => true,
        Some(Value::Text(text)) => {
            text.is_empty() || values.iter().any(|value| value.eq_ignore_ascii_case(text))
        }
        Some(other) => values.contains(&other.to_string().as_str()),
    });
    let (attribute, who) = opening.from.iter().find_map(|name| {
        let who = texts_at(rule, name).into_iter().find(|text| EVERYWHERE.contains(text))?;
        Some((*name, who))
    })?;
    if !lets_in {
        return None;
    }
    let ports: Vec<String> =
        opening.ports.iter().filter_map(|name| first_at(rule, name)).map(plain).collect();
    let value = if ports.is_empty() { who.to_owned() } else { format!("{who} to {}", ports.join(" ")) };
    let path = if opening.rules.is_empty() {
        attribute.to_owned()
    } else {
        format!("{}.{attribute}", opening.rules)
    };
    Some(Weakness::one_of_many(path, value))
}

fn plain(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_string(), str::to_owned)
}

fn public_members(side: &Attributes) -> Vec<Weakness> {
    let named = ["member", "members"]
        .into_iter()
        .flat_map(|path| texts_at(side, path).into_iter().map(move |it| (path, it)));
    let public = named.filter(|(_, member)| EVERYBODY.contains(member));
    public
        .map(|(path, member)| Weakness::one_of_many(path, format!("{member} as {}", text_at(side, "role"))))
        .collect()
}
