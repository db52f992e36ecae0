//! The price book: what one of something costs a month, by resource type and one attribute.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Money;
use crate::value::Attributes;

/// Prices by resource type.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceBook {
    /// ISO 4217 code of every price in it. Empty where the book is.
    pub currency: String,
    /// Prices by resource type.
    pub types: BTreeMap<String, TypePrice>,
}

/// The price of one resource type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypePrice {
    /// The attribute that decides the price (`instance_class`); absent where the type has one price.
    pub attribute: Option<String>,
    /// The attribute that multiplies it (`allocated_storage`, `desired_count`).
    pub times: Option<String>,
    /// Millionths a month by the deciding attribute's value; `*` for any other.
    pub monthly_micro: BTreeMap<String, i64>,
}

impl PriceBook {
    /// The monthly price of a resource with these attributes, or `None` where the book cannot tell.
    #[must_use]
    pub fn monthly(&self, resource_type: &str, attributes: &Attributes) -> Option<Money> {
        let price = self.types.get(resource_type)?;
        let class = match &price.attribute {
            Some(attribute) => attributes.get(attribute)?.as_text()?,
            None => "*",
        };
        let each = *price.monthly_micro.get(class).or_else(|| price.monthly_micro.get("*"))?;
        let count = match &price.times {
            Some(attribute) => attributes.get(attribute)?.as_integer()?,
            None => 1,
        };
        Some(Money::new(each.checked_mul(count)?, self.currency.clone()))
    }
}
