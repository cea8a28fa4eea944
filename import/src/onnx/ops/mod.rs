//! Conversions of operators, by family. Each file has a table of rows and the functions in it.

mod activation;
mod constant;
mod conv;
mod linear;
mod math;
mod norm;
mod pool;
mod reduce;
mod resize;
mod select;
mod shape;
mod window;

use super::{
    builder::{GraphBuilder, Value},
    error::Result,
    node::Node,
};

/// Makes relay ops for a node and returns its outputs; outputs that are not supported may be left
/// out at the end.
pub type Convert = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<Value>>;

/// A conversion for an operator in a range of operator set versions.
pub struct Row {
    /// The operator.
    pub operator: &'static str,
    /// The first version.
    pub since: i64,
    /// The last version; `None` up to the newest.
    pub until: Option<i64>,
    /// The conversion.
    pub convert: Convert,
}

/// A row that holds from `since` on.
const fn row(operator: &'static str, since: i64, convert: Convert) -> Row {
    Row {
        operator,
        since,
        until: None,
        convert,
    }
}

impl Row {
    /// The same up to a version.
    const fn until(self, last: i64) -> Self {
        Self {
            until: Some(last),
            ..self
        }
    }
}

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        activation::ROWS,
        constant::ROWS,
        conv::ROWS,
        linear::ROWS,
        math::ROWS,
        norm::ROWS,
        pool::ROWS,
        reduce::ROWS,
        resize::ROWS,
        select::ROWS,
        shape::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// The conversion of an operator at an operator set version.
///
/// # Errors
/// Why there is none.
pub fn find(operator: &str, opset: i64) -> Result<Convert> {
    let mut ranges = Vec::new();
    for row in rows().filter(|row| row.operator == operator) {
        if row.since <= opset && row.until.is_none_or(|until| opset <= until) {
            return Ok(row.convert);
        }
        ranges.push(match row.until {
            Some(until) => format!("{} to {until}", row.since),
            None => format!("{} on", row.since),
        });
    }
    if ranges.is_empty() {
        return Err("the operator is not supported".into());
    }
    Err(format!(
        "the model uses opset {opset}; the operator is supported from opset {}",
        ranges.join(" and from ")
    ))
}
