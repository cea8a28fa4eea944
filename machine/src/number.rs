//! The numbers of machines, in files and attributes.

use relay_dialects::ir::{Attr, Ctx};
use serde::Deserialize;

/// A number as an attribute: an integer, if it is one.
pub(crate) fn attr(ctx: Ctx, value: f64) -> Attr {
    match value == value.trunc() {
        true => Attr::i64(ctx, value as i64),
        false => Attr::f64(ctx, value),
    }
}

/// A positive number of a dictionary.
pub(crate) fn of(dictionary: Attr, name: &str) -> Option<f64> {
    let value = dictionary.get(name)?;
    let value = value.as_i64().map(|value| value as f64).or(value.as_f64());
    value.filter(|value| *value > 0.0)
}

/// A number and where it comes from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Number {
    /// The number.
    pub value: f64,
    /// A manual, a measurement, or a derivation; for readers.
    #[allow(dead_code, reason = "people read it, and tests ask that it is there")]
    pub source: String,
}
