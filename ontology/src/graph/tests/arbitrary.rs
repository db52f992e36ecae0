//! Random small models: valid by construction.

use proptest::prelude::*;

use crate::graph::sample::{id, link, object};
use crate::model::{Link, Model};
use crate::release::LinkType;

const NAMES: &[&str] =
    &["o:1", "o:2", "r:1", "r:2", "r:3", "r:4", "s:1", "s:2", "w:1", "w:2", "w:3", "w:4", "ro:1", "p:1"];

/// Every link that could be between two of the names.
fn possible() -> Vec<Link> {
    let mut links = Vec::new();
    for from in NAMES {
        for to in NAMES {
            let kinds = (from.split(':').next().unwrap(), to.split(':').next().unwrap());
            let sensible = matches!(kinds, ("s", "w") | ("w", "r" | "w") | ("r", "r"))
                || matches!(kinds.0, "s" | "w" | "r") && matches!(kinds.1, "o" | "ro" | "p");
            if sensible && from != to {
                links.push(link(from, to));
                if kinds == ("r", "r") {
                    links.push(Link { kind: LinkType::Contains, ..link(from, to) });
                }
            }
        }
    }
    links
}

/// A subset of the names and of the possible links between them that keeps the cardinalities.
pub(super) fn models() -> impl Strategy<Value = Model> {
    let links = possible();
    let count = links.len();
    (
        proptest::collection::vec(any::<bool>(), NAMES.len()),
        proptest::collection::vec(proptest::bool::weighted(0.15), count),
    )
        .prop_map(move |(present, chosen)| {
            let chosen =
                links.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(link, _)| link.clone());
            let names: Vec<&str> =
                NAMES.iter().zip(&present).filter(|(_, present)| **present).map(|(name, _)| *name).collect();
            valid(&names, chosen)
        })
}

/// The model of these names, with the first links that fit.
pub(super) fn valid(names: &[&str], links: impl Iterator<Item = Link>) -> Model {
    let mut kept: Vec<Link> = Vec::new();
    for link in links {
        let there = |end: &crate::ObjectId| names.iter().any(|name| id(name) == *end);
        let full = kept.iter().any(|other| {
            other.kind == link.kind
                && (link.kind == LinkType::Contains && other.to == link.to
                    || link.kind == LinkType::OwnedBy && other.from == link.from)
        });
        if there(&link.from) && there(&link.to) && !full {
            kept.push(link);
        }
    }
    let objects: Vec<_> = names.iter().map(|name| object(name)).collect();
    crate::graph::sample::model(&objects, &kept)
}
