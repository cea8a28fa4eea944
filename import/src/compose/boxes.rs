//! Boxes without those that overlap better ones.

use super::slice::sliced;
use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{dim::Dim, element::Element};

/// The greatest number of boxes that may be asked for.
const MOST: i64 = 1 << 20;

/// The subscripts of boxes of which none overlaps a better one by more than the first threshold, and which have scores above the
/// second: as many as there may be, in int64, of which the second result says how many count.
///
/// # Errors
/// If the number of boxes is not known, or too many are asked for.
pub fn suppressed(
    b: &mut GraphBuilder,
    [boxes, scores]: [Value; 2],
    asked: i64,
    [overlap, threshold]: [Value; 2],
) -> Result<[Value; 2]> {
    let count = boxes.extent(0)?;
    if !(1..MOST).contains(&asked) {
        return Err(format!("at most {asked} boxes"));
    }
    let most = asked.min(count);
    let operands = [
        b.reshape(&boxes, &[1, count, 4])?,
        b.reshape(&scores, &[1, 1, count])?,
        b.scalar(Element::I64, most as f64),
        b.reshape_to_scalar(&overlap)?,
        b.reshape_to_scalar(&threshold)?,
    ];
    let attrs = [
        ("most", Param::Dims(vec![Dim::Known(most)])),
        ("center_point_box", Param::Bool(false)),
    ];
    let found = b.ops("vision.all_class_non_max_suppression", &operands, &attrs)?;
    let [selected, number] = &found[..] else {
        return Err("the operator does not have two results".into());
    };
    let places = sliced(b, selected, &[(1, 2.into(), 3.into(), 1)])?;
    let places = b.reshape(&places, &[most])?;
    let number = b.reshape_to_scalar(number)?;
    Ok([places, number])
}

/// The first `number` of a list's elements, and zeros up to `length` elements behind them.
pub fn filled_up(b: &mut GraphBuilder, list: &Value, number: &Value, length: i64) -> Result<Value> {
    let steps = b.iota(Element::I64, list.dims(), 0)?;
    let is_there = b.binary("less", &steps, number)?;
    let zero = b.scalar(list.element(), 0.0);
    let list = b.op("where", &[is_there, list.clone(), zero.clone()], &[])?;
    let count = list.extent(0)?;
    b.pad(&list, &zero, &[0, (length - count).max(0)], "constant")
}
