//! Elements that indices replace.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};

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
