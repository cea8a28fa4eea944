//! Groups of equal numbers.

use super::slice::sliced;
use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{dim::Dim, element::Element};

/// The number of segments of numbers that rise.
pub fn sorted_segments(numbers: &[i64]) -> i64 {
    numbers.last().map_or(0, |last| last.saturating_add(1))
}

/// What an operation makes of all slices of a number, for each number below a count, beginning with `first`. The first dimensions of the
/// data are those of the numbers. Slices of negative numbers are left out.
///
/// # Errors
/// If the numbers do not fit the data.
pub fn segmented(
    b: &mut GraphBuilder,
    (x, numbers): (&Value, &Value),
    count: Dim,
    mode: &'static str,
    first: f64,
) -> Result<Value> {
    let rank = numbers.rank();
    if rank > x.rank() || count.known().is_some_and(|count| count < 0) {
        return Err(format!(
            "numbers of shape {:?} for data of shape {:?} and {count} segments",
            numbers.dims(),
            x.dims()
        ));
    }
    // A segment behind all others takes what is left out.
    let behind = b.size(numbers.element(), count)?;
    let zero = b.scalar(numbers.element(), 0.0);
    let is_there = b.binary("greater_equal", numbers, &zero)?;
    let numbers = b.op("where", &[is_there, numbers.clone(), behind], &[])?;
    let dims = [&[count.plus(1)?], &x.dims()[rank..]].concat();
    let least = b.full(x.element(), &dims, first)?;
    let lists = b.reshape(&numbers, &[&[Dim::Known(1)], numbers.dims()].concat())?;
    let made = b.op(
        "scatter_nd",
        &[least, lists, x.clone()],
        &[("mode", Param::Str(mode))],
    )?;
    sliced(b, &made, &[(0, 0.into(), count, 1)])
}

/// The elements of a list without repetition, in their order, or sorted; for each element of the list which of them it is; and how often each is
/// there.
///
/// # Errors
/// If `x` is no list.
pub fn distinct(b: &mut GraphBuilder, x: &Value, sorted: bool) -> Result<[Value; 3]> {
    if x.rank() != 1 {
        return Err(format!("data of shape {:?}, expected a list", x.dims()));
    }
    let attrs = [
        ("sorted", Param::Bool(sorted)),
        ("return_counts", Param::Bool(true)),
    ];
    let found = b.ops("unique", std::slice::from_ref(x), &attrs)?;
    let [values, _, inverse, count, times, ..] = &found[..] else {
        return Err("relay.unique does not have five results".into());
    };
    let count = b.reshape_to_scalar(count)?;
    let count = b.cast(&count, Element::I64)?;
    let count = b.define(&count, "unique", Some(x.dims()[0]))?;
    let values = b.prefix(values, 0, count)?;
    let times = b.prefix(times, 0, count)?;
    Ok([values, inverse.clone(), times])
}
