//! Elements in order.

use super::{
    reduce::along,
    row::{Row, row},
    subscript::{check_comparisons, compare, subscripts},
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's row.
pub const ROWS: &[Row] = &[row("TopK", 1, top_k)];

/// The first elements along an axis in falling order, or rising, and their subscripts. An element's rank is how many come before it: those
/// that are greater, and equal ones with a lesser subscript.
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
    let (before, behind) = x.shape().split_at(axis);
    let (extent, behind) = (behind[0], &behind[1..]);
    if !(0..=extent).contains(&count) {
        return Err(format!("{count} of {extent} elements are asked for"));
    }
    let (outer, inner): (i64, i64) = (before.iter().product(), behind.iter().product());
    let flat = b.reshape(&x, &[outer, extent, inner])?;
    let places = in_order(b, &flat, count, largest)?;
    let values = b.op(
        "gather",
        &[flat, places.clone()],
        &[("axis", Param::Int(1))],
    )?;
    let shape = [before, &[count], behind].concat();
    Ok(vec![
        b.reshape(&values, &shape)?,
        b.reshape(&places, &shape)?,
    ])
}

/// The subscripts of the first elements along axis 1 of 3, in order.
fn in_order(b: &mut GraphBuilder, x: &Value, count: i64, largest: bool) -> Result<Value> {
    let &[outer, extent, inner] = x.shape() else {
        return Err(format!("elements of shape {:?} have no order", x.shape()));
    };
    if x.shape().contains(&0) || count == 0 {
        return Ok(b.filled(Element::I64, &[outer, count, inner], 0.0));
    }
    check_comparisons(&[outer, extent, extent, inner])?;
    let own = b.reshape(x, &[outer, extent, 1, inner])?;
    let other = b.reshape(x, &[outer, 1, extent, inner])?;
    let comes_first = b.binary(if largest { "greater" } else { "less" }, &other, &own)?;
    let is_equal = b.binary("equal", &other, &own)?;
    let is_earlier = compare(b, "less", (extent, extent), 0)?;
    let is_earlier = b.reshape(&is_earlier, &[extent, extent, 1])?;
    let is_tied = b.binary("logical_and", &is_equal, &is_earlier)?;
    let is_before = b.binary("logical_or", &comes_first, &is_tied)?;
    let is_before = b.cast(&is_before, Element::I64)?;
    let ranks = along(b, "sum", &is_before, (&[2], false))?;
    let ranks = b.reshape(&ranks, &[outer, 1, extent, inner])?;
    let wanted = subscripts(b, 4, 1, count)?;
    let is_wanted = b.binary("equal", &ranks, &wanted)?;
    let places = subscripts(b, 4, 2, extent)?;
    let zero = b.scalar(Element::I64, 0.0);
    let places = b.op("where", &[is_wanted, places, zero], &[])?;
    // Where elements are no numbers, several may have the same rank, or none has it.
    along(b, "max", &places, (&[2], false))
}
