//! Elements that indices replace.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::element::Element;

/// Data in which updates are at indices along an axis, or what a reduction makes of both.
pub fn scattered(
    b: &mut GraphBuilder,
    [data, indices, updates]: [Value; 3],
    (axis, reduction): (usize, &'static str),
) -> Result<Value> {
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("reduction", Param::Str(reduction)),
    ];
    b.op("scatter_elements", &[data, indices, updates], &attrs)
}

/// A cache with an update along an axis; of each sample from its start on.
pub fn written(
    b: &mut GraphBuilder,
    [cache, update]: [Value; 2],
    axis: usize,
    starts: Option<Value>,
) -> Result<Value> {
    let starts = starts.unwrap_or_else(|| b.scalar(Element::I64, 0.0));
    let attrs = [("axis", Param::Int(axis as i64))];
    b.op("cache_update", &[cache, update, starts], &attrs)
}
