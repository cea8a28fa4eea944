//! Which operators are supported, for generated documentation.

use super::ops;
pub use super::ops::REFUSED;
use std::fmt;

/// An operator with a range of operator set versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coverage {
    /// The operator.
    pub operator: &'static str,
    /// The first version of the operator set with this meaning.
    pub since: i64,
    /// The last one; `None` up to the newest.
    pub until: Option<i64>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            Some(until) => write!(formatter, "{} {}-{until}", self.operator, self.since),
            None => write!(formatter, "{} {}+", self.operator, self.since),
        }
    }
}

/// All rows of the conversion tables, by operator and version.
pub fn rows() -> Vec<Coverage> {
    let mut rows: Vec<Coverage> = ops::rows()
        .map(|row| Coverage {
            operator: row.operator,
            since: row.since,
            until: row.until,
        })
        .collect();
    rows.sort();
    rows
}
