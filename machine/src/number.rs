//! A number of a machine's file.

use serde::Deserialize;

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
