//! Lost deliveries: found in the forge's own listing, asked for again while it keeps them.

use std::collections::BTreeMap;

use ontology::Timestamp;

use super::Intake;
use crate::forge::view::Delivery;
use crate::forge::{Actor, Call, Client, Failure, Operation, Shortfall, Wire};

/// How long the forge sends a delivery again: three days; an hour less, so that asking comes in time.
pub const REDELIVERY_WINDOW_S: i64 = 3 * 86_400 - 3_600;
/// Pages of deliveries that are read back at most: 4000 deliveries.
const PAGES_MAX: usize = 40;

/// A delivery that did not arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The newest attempt, by whose id it is asked for again.
    pub attempt: Delivery,
    /// Whether the forge still sends it again.
    pub can_be_asked_for: bool,
}

/// A time of which it is not known what was sent. Whoever hears of it looks at everything once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unheard {
    /// Since when; absent where the listing does not say.
    pub since: Option<Timestamp>,
    /// Why.
    pub why: Shortfall,
}

/// Reads the listing back to `since` and finds what did not arrive. The second value is what the listing does not show.
///
/// # Errors
/// When the listing cannot be read.
pub async fn find_missed<W: Wire>(
    client: &Client<W>,
    intake: &Intake,
    since: Timestamp,
) -> Result<(Vec<Missed>, Option<Unheard>), Failure> {
    let call = Call::new(Operation::LIST_DELIVERIES);
    let is_before = |delivery: &Delivery| delivery.delivered_at < since;
    let enough = |deliveries: &[Delivery]| deliveries.last().is_some_and(is_before);
    let listed = client.list_until::<Delivery, _>(Actor::App, &call, PAGES_MAX, enough).await?;
    let oldest = listed.listing.items.last().map(|delivery| delivery.delivered_at);
    // New deliveries push older ones over the borders of pages: a repeated one is no loss, a hole would be. The listing
    // goes on from a cursor, not from a number, so that there is none.
    let mut shortfall = listed.listing.shortfall.filter(|shortfall| *shortfall != Shortfall::Changed);
    // A listing that ends before it reaches `since` states no count: it may have been cut.
    if !listed.listing.items.last().is_some_and(is_before) {
        let listed = listed.listing.items.len();
        shortfall.get_or_insert(Shortfall::Capped { cap: listed, listed });
    }
    let unheard = shortfall.map(|why| Unheard { since: oldest, why });
    let mut newest: BTreeMap<String, Delivery> = BTreeMap::new();
    for delivery in listed.listing.items.into_iter().filter(|delivery| !is_before(delivery)) {
        let known = newest.get(&delivery.guid).is_some_and(|known| known.id >= delivery.id);
        if !known {
            newest.insert(delivery.guid.clone(), delivery);
        }
    }
    let now = client.server_now();
    let missed = newest.into_values().filter(|delivery| !intake.has_seen(&delivery.guid));
    let missed = missed.map(|attempt| {
        let can_be_asked_for = attempt.delivered_at.plus_seconds(REDELIVERY_WINDOW_S) > now;
        Missed { attempt, can_be_asked_for }
    });
    Ok((missed.collect(), unheard))
}

/// Asks for a delivery again.
///
/// # Errors
/// When the forge refuses: what was missed then has to be looked at.
pub async fn redeliver<W: Wire>(client: &Client<W>, missed: &Missed) -> Result<(), Failure> {
    let call = Call::new(Operation::REDELIVER).at("delivery_id", missed.attempt.id);
    client.call(Actor::App, &call).await.map(drop)
}
