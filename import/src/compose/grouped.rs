//! Products of groups of rows with matrices, where the model computes how many rows each group has.

use super::{linear::dense, slice::sliced};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{dim::Dim, element::Element};

/// The most groups: each has operators of its own.
const MOST_GROUPS: i64 = 1 << 10;

/// The product of the rows of each group with the group's matrix. `x` is `[rows, inner]`, `weights` is `[groups, inner, columns]`, and `ends` has
/// for each group the row behind its last one, counted from the first group on. Rows behind the last group become zeros.
///
/// Each product has exactly its group's rows: their numbers are sizes that the model computes. So a group costs what its rows cost, and one
/// without rows costs nothing. The model checks when it runs that ends do not fall, and are not above the number of rows.
///
/// # Errors
/// If the shapes do not fit, or the number of groups is open.
pub fn grouped_product(
    b: &mut GraphBuilder,
    x: &Value,
    weights: &Value,
    ends: &Value,
) -> Result<Value> {
    let (&[rows, _], &[groups, inner, columns]) = (x.dims(), weights.dims()) else {
        return Err(format!(
            "rows of shape {:?} and matrices of shape {:?}, expected two and three dimensions",
            x.dims(),
            weights.dims()
        ));
    };
    let count = groups
        .known()
        .filter(|count| (0..=MOST_GROUPS).contains(count));
    let count = count.ok_or_else(|| format!("{groups} groups are not supported"))?;
    if ends.dims() != [groups] {
        return Err(format!(
            "ends of shape {:?} for {count} groups",
            ends.dims()
        ));
    }
    let ends = b.cast(ends, Element::I64)?;
    let mut parts = Vec::new();
    let mut start = Dim::Known(0);
    for group in 0..count {
        let end = b.element(&ends, group)?;
        let end = b.define_between(&end, "group", start, rows)?;
        let of_group = rows_between(b, x, start, end)?;
        let weight = sliced(b, weights, &[(0, group.into(), (group + 1).into(), 1)])?;
        let weight = b.reshape(&weight, &[inner, columns])?;
        let weight = b.transpose(&weight, &[1, 0])?;
        parts.push(dense(b, &of_group, &weight)?);
        start = end;
    }
    let rest = rows.minus(start)?;
    parts.push(b.full(x.element(), &[rest, columns], 0.0)?);
    b.concatenate(&parts, 0)
}

/// The rows from `start` to before `end`, which are known to lie in order inside of the data.
fn rows_between(b: &mut GraphBuilder, x: &Value, start: Dim, end: Dim) -> Result<Value> {
    let steps = b.iota(Element::I64, &[end.minus(start)?], 0)?;
    let places = b.with_size("add", &steps, start)?;
    b.taken(x, &places, 0)
}
