//! Conversions of operators, by family. Each file has a table of rows and the functions in it.

mod base;
mod binary;
mod cell;
mod choice;
mod complex;
mod control;
mod conv;
mod cubic;
mod diagonal;
mod image;
mod linear;
mod list;
mod norm;
mod pool;
mod quantise;
mod reduce;
mod row;
mod select;
mod shape;
mod sparse;
mod unary;

pub use self::complex::convert as convert_complex;
pub use self::control::flag;
use self::row::Row;

/// All tables.
const TABLES: &[&[Row]] = &[
    base::ROWS,
    binary::ROWS,
    cell::ROWS,
    choice::ROWS,
    complex::ROWS,
    control::ROWS,
    conv::ROWS,
    diagonal::ROWS,
    image::ROWS,
    linear::ROWS,
    list::ROWS,
    norm::ROWS,
    pool::ROWS,
    quantise::ROWS,
    reduce::ROWS,
    select::ROWS,
    shape::ROWS,
    sparse::ROWS,
    unary::ROWS,
];

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().copied().flatten()
}

/// The names of all operators that are known.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = rows().flat_map(|row| row.names).copied().collect();
    names.sort_unstable();
    names
}

/// The row of an operator.
pub fn find(operator: &str) -> Option<&'static Row> {
    rows().find(|row| row.names.contains(&operator))
}
