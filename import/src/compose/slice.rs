//! Slices.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;

/// A slice; each entry is axis, begin, end and step. Begin is a subscript that is in range unless
/// the slice is empty; for a negative step, an end below 0 is before the first element.
pub fn strided_slice(
    b: &mut GraphBuilder,
    x: &Value,
    slices: &[(usize, i64, i64, i64)],
) -> Result<Value> {
    let slices: Vec<_> = (slices.iter())
        .map(|&(axis, begin, end, step)| (axis, Dim::Known(begin), Dim::Known(end), step))
        .collect();
    sliced(b, x, &slices)
}

/// As [`strided_slice`], with bounds that may be forms of open dimensions.
pub fn sliced(b: &mut GraphBuilder, x: &Value, slices: &[(usize, Dim, Dim, i64)]) -> Result<Value> {
    let attrs = [
        (
            "begin",
            Param::Dims(slices.iter().map(|slice| slice.1).collect()),
        ),
        (
            "end",
            Param::Dims(slices.iter().map(|slice| slice.2).collect()),
        ),
        (
            "strides",
            Param::Ints(slices.iter().map(|slice| slice.3).collect()),
        ),
        (
            "axes",
            Param::Ints(slices.iter().map(|slice| slice.0 as i64).collect()),
        ),
    ];
    b.op("strided_slice", std::slice::from_ref(x), &attrs)
}
