//! A rehearsal of a recovery, `arb: rehearsal/1`:
//!
//! ```yaml
//! arb: rehearsal/1
//! object: resource:default/orders-db
//! at: 2026-11-18T02:00:00Z
//! rto: 41m
//! rpo: 5m
//! succeeded: true
//! ```

use ontology::model::Rehearsal;
use ontology::records::change::RehearsalClaim;

use crate::input::InputError;
use crate::input::json::Place;
use crate::input::yaml::quantity::Seconds;

/// What such a file says of itself under `arb`.
pub(super) const HEADER: &str = "rehearsal/1";

pub(super) fn read(root: &Place<'_>) -> Result<RehearsalClaim, InputError> {
    root.only(&["arb", "object", "at", "rto", "rpo", "succeeded"])?;
    Ok(RehearsalClaim {
        object: root.required("object")?.object_id()?,
        rehearsal: Rehearsal {
            at: root.required("at")?.time()?,
            rto_s: seconds(&root.required("rto")?)?,
            rpo_s: seconds(&root.required("rpo")?)?,
            succeeded: root.required("succeeded")?.boolean()?,
        },
    })
}

fn seconds(place: &Place<'_>) -> Result<u64, InputError> {
    let text = place.text()?;
    text.trim().parse().map(|Seconds(seconds)| seconds).map_err(|error| place.error(error.to_string()))
}
