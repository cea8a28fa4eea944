//! Conversions of operators, by family. Each file has a table of rows and the functions in it.

mod elementwise;
mod nn;
mod norm;
mod recurrent;
mod reduce;
mod row;
mod select;
mod shape;

use self::row::Row;

/// All rows.
fn rows() -> impl Iterator<Item = &'static Row> {
    [
        elementwise::ROWS,
        nn::ROWS,
        norm::ROWS,
        recurrent::ROWS,
        reduce::ROWS,
        select::ROWS,
        shape::ROWS,
    ]
    .into_iter()
    .flatten()
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

/// How many of a node's inputs its operator reads: the labels of losses are only read in training.
pub fn reads(operator: &str, inputs: usize) -> usize {
    let most = find(operator).and_then(|row| row.reads);
    most.map_or(inputs, |most| inputs.min(most))
}
