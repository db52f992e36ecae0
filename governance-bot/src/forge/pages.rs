//! Listings of several pages, and the proof that none of their items is missing.

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Why a listing is not proved to be whole. Each one blocks: a short list is not an empty one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shortfall {
    /// The forge's cap, or ours, was reached: there may be more (faults 27, 29, 85, 86).
    #[error("{listed} items reach the cap of {cap}")]
    Capped {
        /// The cap.
        cap: usize,
        /// Items listed.
        listed: usize,
    },
    /// The count that the forge states elsewhere differs (fault 28).
    #[error("{listed} items are listed and {counted} are counted")]
    Counted {
        /// The forge's count.
        counted: u64,
        /// Different items listed.
        listed: usize,
    },
    /// The pages were read while the list changed, or one is not like when it was first read.
    #[error("the list changed while it was read")]
    Changed,
    /// Two listings that overlap disagree.
    #[error("it disagrees with {with}")]
    Disagrees {
        /// The other listing.
        with: String,
    },
    /// It could not be read. A missing permission and a missing thing look alike (fault 33).
    #[error("it could not be read: {why}")]
    Unreadable {
        /// The failure.
        why: String,
    },
}

/// Items, with what is not proved about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing<T> {
    /// The items, in the forge's order.
    pub items: Vec<T>,
    /// Why the list is not proved to be whole; absent where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<Shortfall>,
}

impl<T> Listing<T> {
    /// A whole list.
    #[must_use]
    pub const fn whole(items: Vec<T>) -> Self {
        Self { items, shortfall: None }
    }

    /// A list that could not be read.
    pub fn unreadable(why: impl ToString) -> Self {
        Self { items: Vec::new(), shortfall: Some(Shortfall::Unreadable { why: why.to_string() }) }
    }

    /// Notes why it is not whole. The first reason stays.
    pub fn fall_short(&mut self, shortfall: Shortfall) {
        self.shortfall.get_or_insert(shortfall);
    }

    /// Holds the list against a count that the forge states elsewhere.
    pub fn hold_against(&mut self, counted: Option<u64>) {
        if let Some(counted) = counted.filter(|counted| *counted != self.items.len() as u64) {
            self.fall_short(Shortfall::Counted { counted, listed: self.items.len() });
        }
    }

    /// Notes that the cap was reached: exactly the cap may be more (fault 86).
    pub fn cap_at(&mut self, cap: usize) {
        if self.items.len() >= cap {
            self.fall_short(Shortfall::Capped { cap, listed: self.items.len() });
        }
    }
}

/// The target of the next page, where there is one on the same forge. Credentials go nowhere else.
///
/// # Errors
/// When the next page lies on another host.
pub fn next_page(link: Option<&str>, base: &str) -> Result<Option<String>, Shortfall> {
    let mut rest = link.unwrap_or_default();
    while let Some((url, after)) = rest.split_once('<').and_then(|(_, after)| after.split_once('>')) {
        let (parameters, tail) = after.find('<').map_or((after, ""), |at| after.split_at(at));
        rest = tail;
        let mut relations =
            parameters.split([';', ',']).filter_map(|parameter| parameter.trim().strip_prefix("rel="));
        if !relations.any(|relation| relation.trim_matches('"') == "next") {
            continue;
        }
        return match url.strip_prefix(base.trim_end_matches('/')).filter(|target| target.starts_with('/')) {
            Some(target) => Ok(Some(target.to_owned())),
            None => Err(Shortfall::Unreadable { why: "the next page lies on another host".to_owned() }),
        };
    }
    Ok(None)
}

/// Items of one page: the array, or the one within the envelope, with the envelope's `total_count`.
///
/// # Errors
/// With the place that is not as expected.
pub fn items<T: DeserializeOwned>(
    body: &[u8],
    envelope: Option<&str>,
) -> Result<(Vec<T>, Option<u64>), String> {
    let Some(name) = envelope else {
        return serde_json::from_slice(body).map(|items| (items, None)).map_err(|why| why.to_string());
    };
    let mut page: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(body).map_err(|why| why.to_string())?;
    let total = ["total_count", "total_commits"].iter().find_map(|key| page.get(*key)?.as_u64());
    let items = page.remove(name).ok_or_else(|| format!("there is no {name}"))?;
    serde_json::from_value(items).map(|items| (items, total)).map_err(|why| format!("{name}: {why}"))
}
