//! `prices.yaml` (`arb: prices/1`): what one of something costs a month, as decimal text.

use std::collections::BTreeMap;
use std::fmt;

use ontology::policy::PriceBook;
use ontology::policy::prices::TypePrice;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::CatalogFile;
use crate::input::yaml::quantity::{Currency, Decimal};
use crate::input::{InputError, yaml};

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    arb: String,
    currency: Currency,
    types: BTreeMap<String, Price>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    /// The attribute that decides the price.
    #[serde(default)]
    attribute: Option<String>,
    /// The attribute that multiplies it.
    #[serde(default)]
    times: Option<String>,
    monthly: Monthly,
}

/// One price, or prices by the deciding attribute's value with `*` for any other.
#[derive(Debug)]
struct Monthly(BTreeMap<String, Decimal>);

impl<'de> Deserialize<'de> for Monthly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Monthly;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a quoted price like \"12.50\", or a mapping of them")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Monthly, E> {
                let price = text.parse().map_err(E::custom)?;
                Ok(Monthly(BTreeMap::from([("*".to_owned(), price)])))
            }
            fn visit_i64<E: de::Error>(self, whole: i64) -> Result<Monthly, E> {
                self.visit_str(&whole.to_string())
            }
            fn visit_u64<E: de::Error>(self, whole: u64) -> Result<Monthly, E> {
                self.visit_str(&whole.to_string())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Monthly, A::Error> {
                let mut prices = BTreeMap::new();
                while let Some((value, price)) = map.next_entry()? {
                    prices.insert(value, price);
                }
                Ok(Monthly(prices))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// Reads a price book.
pub(super) fn read(file: &CatalogFile) -> Result<PriceBook, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    if read.arb != "prices/1" {
        return Err(InputError::at(&file.path, "$.arb", "expected prices/1"));
    }
    let mut types = BTreeMap::new();
    for (kind, price) in read.types {
        let fault = |message: &str| InputError::at(&file.path, format!("$.types.{kind}.monthly"), message);
        let monthly = price.monthly.0;
        if monthly.is_empty() {
            return Err(fault("it has no price"));
        }
        if monthly.values().any(|price| price.micro < 0) {
            return Err(fault("a price is 0 or more"));
        }
        if price.attribute.is_none() && !monthly.keys().eq(["*"]) {
            return Err(fault("without an \"attribute\" that decides there is one price"));
        }
        let monthly_micro = monthly.into_iter().map(|(value, price)| (value, price.micro)).collect();
        types.insert(kind, TypePrice { attribute: price.attribute, times: price.times, monthly_micro });
    }
    Ok(PriceBook { currency: read.currency.0, types })
}
