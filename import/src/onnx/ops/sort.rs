//! Elements in order.

use super::{
    row::{Row, row},
    select::sliced,
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's row.
pub const ROWS: &[Row] = &[row("TopK", 1, top_k)];

/// The first elements along an axis in falling order, or rising, and their subscripts. Of equal ones the first comes first.
fn top_k(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(if n.opset < 10 { 1 } else { 2 })?;
    let x = n.input(0)?;
    let what = "the number of elements";
    let wanted = match n.opset {
        ..10 => Dim::Known(n.required_i64("k")?),
        _ => match n.sizes(b, 1, what)?[..] {
            [count] => count,
            ref other => return Err(format!("{what} is {other:?}")),
        },
    };
    let (mut largest, axis) = (true, x.axis(n.attr_i64_or("axis", -1)?)?);
    if n.opset >= 11 {
        largest = n.attr_bool_or("largest", true)?;
        // Without it any order is right, so this one is, too.
        n.ignore_attr("sorted");
    }
    let extent = x.dims()[axis];
    if n.opset >= 10 && !n.input(1)?.is_known() {
        return first_of_all(b, &x, axis, (wanted, largest));
    }
    let is_negative = wanted.known().is_some_and(|wanted| wanted < 0);
    if is_negative || dim::at_most(wanted, extent).is_none() {
        return Err(format!("{wanted} of {extent} elements are asked for"));
    }
    // Of as many as a form says, all are put in order, and the first are taken.
    let count = wanted.known().unwrap_or(-1);
    if count == 0 {
        let mut shape = x.dims().to_vec();
        shape[axis] = Dim::Known(0);
        let mut nothing = |element| b.full(element, &shape, 0.0);
        return Ok(vec![nothing(x.element())?, nothing(Element::I64)?]);
    }
    let all = in_order(b, &x, axis, (count, largest))?;
    if wanted.is_known() || wanted == extent {
        return Ok(all);
    }
    b.equate(wanted.min(extent)?, wanted)?;
    let none = Dim::Known(0);
    let first = |all: &Value| sliced(b, all, &[(axis, none, wanted.max(0)?, 1)]);
    all.iter().map(first).collect()
}

/// The first elements along an axis, where their number is computed at run time: of all elements in order.
fn first_of_all(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    (count, largest): (Dim, bool),
) -> Result<Vec<Value>> {
    let all = in_order(b, x, axis, (-1, largest))?;
    let count = b.at_most(count, x.dims()[axis], "k")?;
    all.iter().map(|all| b.prefix(all, axis, count)).collect()
}

/// The first `count` elements along an axis in order, or all if that is -1, and their subscripts.
fn in_order(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    (count, largest): (i64, bool),
) -> Result<Vec<Value>> {
    let attrs = [
        ("k", Param::Int(count)),
        ("axis", Param::Int(axis as i64)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(!largest)),
        ("dtype", Param::Type(Element::I64)),
    ];
    b.ops("topk", std::slice::from_ref(x), &attrs)
}
