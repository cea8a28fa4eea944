//! Conversions of operators, by family. Each file has a table of rows and the functions in it.

mod activation;
mod arithmetic;
mod choice;
mod control;
mod conv;
mod detection;
mod image;
mod linear;
mod norm;
mod pad;
mod pool;
mod product;
mod recurrent;
mod reduce;
mod refused;
mod rnn;
mod row;
mod select;
mod shape;
mod signal;
mod state;
mod table;
mod unary;
mod window;

pub use self::{row::Row, signal::is_by_parts};
use crate::graph::error::Result;

/// All tables.
const TABLES: &[&[Row]] = &[
    activation::ROWS,
    arithmetic::ROWS,
    choice::ROWS,
    control::ROWS,
    conv::ROWS,
    detection::ROWS,
    image::ROWS,
    linear::ROWS,
    norm::ROWS,
    pad::ROWS,
    pool::ROWS,
    recurrent::ROWS,
    reduce::ROWS,
    rnn::ROWS,
    select::ROWS,
    shape::ROWS,
    signal::ROWS,
    state::ROWS,
    unary::ROWS,
];

/// The operators that are converted, in alphabetic order.
pub fn coverage() -> Vec<&'static str> {
    let rows = TABLES.iter().copied().flatten();
    let mut names: Vec<&str> = rows.map(|row| row.operator).collect();
    names.sort_unstable();
    names
}

/// The conversion of an operator.
///
/// # Errors
/// Why there is none.
pub fn conversion(operator: &str) -> Result<&'static Row> {
    let mut rows = TABLES.iter().copied().flatten();
    rows.find(|row| row.operator == operator)
        .ok_or_else(|| refused::reason(operator))
}
