//! Reading a listing to its end, with the proof that it is whole.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;

use super::super::limits::PAGES_MAX;
use super::super::pages::{self, Listing, Shortfall};
use super::super::view::Identified;
use super::{Actor, Answer, Call, Client, Failure, Wire};
use crate::forge::call::PER_PAGE;

/// A listing with its exchanges.
#[derive(Debug, Clone)]
pub struct Listed<T> {
    /// The items and what is not proved about them.
    pub listing: Listing<T>,
    /// Its pages.
    pub pages: Vec<Answer>,
}

impl<W: Wire> Client<W> {
    /// Reads every page. Whole is what the forge's own count says; where it states none, several pages are asked for
    /// again on condition: a list that changed between two of them would have lost an item on their border.
    ///
    /// # Errors
    /// When the first page cannot be read. A later one that cannot makes the listing fall short.
    pub async fn list<T>(&self, actor: Actor, call: &Call) -> Result<Listed<T>, Failure>
    where
        T: DeserializeOwned + Identified,
    {
        self.list_until(actor, call, PAGES_MAX, |_| false).await
    }

    /// The same, at most `pages_max` pages, and only until `enough` says so of the items so far. What was not read is
    /// then no shortfall.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub async fn list_until<T, E>(
        &self,
        actor: Actor,
        call: &Call,
        pages_max: usize,
        enough: E,
    ) -> Result<Listed<T>, Failure>
    where
        T: DeserializeOwned + Identified,
        E: Fn(&[T]) -> bool + Send,
    {
        let operation = call.operation;
        let first = self.call(actor, &call.clone().with("per_page", PER_PAGE)).await?;
        let unreadable = |why: String| Failure::Unreadable { operation: operation.name, why };
        let (items, total) = pages::items(&first.body, operation.envelope).map_err(unreadable)?;
        let mut listing = Listing::whole(items);
        let mut totals = BTreeSet::from([total]);
        let mut pages = vec![first];
        while !enough(&listing.items) {
            let link = pages.last().and_then(|page| page.link.as_deref());
            let target = match pages::next_page(link, &self.base) {
                Ok(None) => break,
                Ok(Some(_)) if pages.len() >= pages_max => {
                    let listed = listing.items.len();
                    listing.fall_short(Shortfall::Capped { cap: pages_max * PER_PAGE as usize, listed });
                    break;
                }
                Ok(Some(target)) => target,
                Err(shortfall) => {
                    listing.fall_short(shortfall);
                    break;
                }
            };
            match self.page(actor, call, &target).await {
                Ok((page, items, total)) => {
                    listing.items.extend(items);
                    totals.insert(total);
                    pages.push(page);
                }
                Err(failure) => {
                    listing.fall_short(Shortfall::Unreadable { why: failure.to_string() });
                    break;
                }
            }
        }
        if !enough(&listing.items) {
            self.prove(actor, call, &mut listing, &pages, &totals).await;
        }
        Ok(Listed { listing, pages })
    }

    async fn page<T: DeserializeOwned>(
        &self,
        actor: Actor,
        call: &Call,
        target: &str,
    ) -> Result<(Answer, Vec<T>, Option<u64>), Failure> {
        let answer = self.call(actor, &call.page(target)).await?;
        let (items, total) = pages::items(&answer.body, call.operation.envelope)
            .map_err(|why| Failure::Unreadable { operation: call.operation.name, why })?;
        Ok((answer, items, total))
    }

    /// Holds the listing against the forge's count, or against itself.
    async fn prove<T>(
        &self,
        actor: Actor,
        call: &Call,
        listing: &mut Listing<T>,
        pages: &[Answer],
        totals: &BTreeSet<Option<u64>>,
    ) where
        T: DeserializeOwned + Identified,
    {
        let mut seen = BTreeSet::new();
        let twice = listing.items.iter().filter_map(Identified::identity).any(|id| !seen.insert(id));
        if twice || totals.len() > 1 {
            return listing.fall_short(Shortfall::Changed);
        }
        match totals.first().copied().flatten() {
            Some(total) => listing.hold_against(Some(total)),
            None if pages.len() > 1 => {
                for page in pages {
                    match self.call(actor, &call.page(&page.source.target)).await {
                        Ok(again) if same_items::<T>(page, &again, call.operation.envelope) => {}
                        Ok(_) => return listing.fall_short(Shortfall::Changed),
                        Err(why) => {
                            return listing.fall_short(Shortfall::Unreadable { why: why.to_string() });
                        }
                    }
                }
            }
            None => {}
        }
    }
}

/// Whether a page lists the same items. Its bytes may differ in what nobody asked for: a star, a time of a push.
fn same_items<T: DeserializeOwned + Identified>(
    one: &Answer,
    other: &Answer,
    envelope: Option<&str>,
) -> bool {
    let identities = |page: &Answer| -> Option<Vec<String>> {
        pages::items::<T>(&page.body, envelope).ok()?.0.iter().map(Identified::identity).collect()
    };
    one.source.digest == other.source.digest
        || identities(one).is_some_and(|items| Some(items) == identities(other))
}
