//! Boxes that a network detects.

use super::row::{Row, row};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's row.
pub const ROWS: &[Row] = &[row("NonMaxSuppression", 10, non_max_suppression)];

/// The boxes of each class by falling score, without those that overlap a better one.
fn non_max_suppression(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let (boxes, scores) = (n.input(0)?, n.input(1)?);
    let is_centered = n.attr_bool_or("center_point_box", false)?;
    let [.., count] = *scores.dims() else {
        return Err("the scores (input 1) have rank 0, expected 3".into());
    };
    // Without a number, no box is selected.
    let limit = number(n, b, 2, Element::I64, 0.0)?;
    let most = match limit.scalar() {
        Some(limit) => count.min(limit.max(0.0) as i64)?,
        None => count,
    };
    let overlap = number(n, b, 3, Element::F32, 0.0)?;
    let threshold = number(n, b, 4, Element::F32, f64::NEG_INFINITY)?;
    let attrs = [
        ("most", Param::Dims(vec![most])),
        ("center_point_box", Param::Bool(is_centered)),
    ];
    let operands = [boxes, scores, limit, overlap, threshold];
    let found = b.ops("vision.all_class_non_max_suppression", &operands, &attrs)?;
    let [selected, count] = &found[..] else {
        return Err("the operator does not have two results".into());
    };
    let count = b.define(count, "selected", Some(selected.dims()[0]))?;
    Ok(vec![b.prefix(selected, 0, count)?])
}

/// An input of one number, or `default`.
fn number(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    index: usize,
    element: Element,
    default: f64,
) -> Result<Value> {
    let Some(given) = n.optional(index) else {
        return Ok(b.scalar(element, default));
    };
    if given.element() != element || given.dims().iter().any(|dim| *dim != Dim::Known(1)) {
        return Err(format!("input {index} is no number of {}", element.name()));
    }
    if let Some(known) = given.scalar() {
        return Ok(b.scalar(element, known));
    }
    b.reshape_to_scalar(&given)
}
