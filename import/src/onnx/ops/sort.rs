//! Elements in order.

use super::row::{Row, row};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's row.
pub const ROWS: &[Row] = &[row("TopK", 1, top_k)];

/// The first elements along an axis in falling order, or rising, and their subscripts. Of equal ones the first comes first.
fn top_k(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(if n.opset < 10 { 1 } else { 2 })?;
    let x = n.input(0)?;
    let count = match n.opset {
        ..10 => n.required_i64("k")?,
        _ => n.int(1, "the number of elements")?,
    };
    let (mut largest, axis) = (true, x.axis(n.attr_i64_or("axis", -1)?)?);
    if n.opset >= 11 {
        largest = n.attr_bool_or("largest", true)?;
        // Without it any order is right, so this one is, too.
        n.ignore_attr("sorted");
    }
    let extent = x.dims()[axis];
    if count < 0 || extent.known().is_some_and(|extent| count > extent) {
        return Err(format!("{count} of {extent} elements are asked for"));
    }
    if count == 0 {
        let mut shape = x.dims().to_vec();
        shape[axis] = Dim::Known(0);
        let mut nothing = |element| b.full(element, &shape, 0.0);
        return Ok(vec![nothing(x.element())?, nothing(Element::I64)?]);
    }
    let attrs = [
        ("k", Param::Int(count)),
        ("axis", Param::Int(axis as i64)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(!largest)),
        ("dtype", Param::Type(Element::I64)),
    ];
    b.ops("topk", &[x], &attrs)
}
