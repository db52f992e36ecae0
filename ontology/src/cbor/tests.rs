//! Tests of the canonical form: published vectors, random values, an independent implementation, and every way of
//! writing the same thing otherwise.

mod arbitrary;
mod mutations;
mod properties;
mod shapes;
mod vectors;

use super::check;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Why these bytes are refused, and where.
fn fault(bytes: &[u8]) -> String {
    check(bytes).expect_err("these bytes are not canonical").to_string()
}
