//! Boxes without those that overlap better ones.

use super::{gather::gathered, reduce::along, slice::sliced};
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
    let boxes = b.reshape(&boxes, &[1, count, 4])?;
    let scores = b.reshape(&scores, &[1, 1, count])?;
    let thresholds = [
        b.reshape_to_scalar(&overlap)?,
        b.reshape_to_scalar(&threshold)?,
    ];
    let [selected, number] = selected(b, [boxes, scores], most, thresholds)?;
    let places = sliced(b, &selected, &[(1, 2.into(), 3.into(), 1)])?;
    Ok([b.reshape(&places, &[most])?, number])
}

/// The best boxes of each class of images, of boxes `[images, boxes, 4]` by their corners and scores `[images, classes, boxes]`: the image, the
/// class and the subscript of each, `[places, 3]` with places for at most `most` of a class, and how many of these count. The thresholds are
/// those of [`suppressed`], as scalars.
fn selected(
    b: &mut GraphBuilder,
    [boxes, scores]: [Value; 2],
    most: i64,
    [overlap, threshold]: [Value; 2],
) -> Result<[Value; 2]> {
    let operands = [
        boxes,
        scores,
        b.scalar(Element::I64, most as f64),
        overlap,
        threshold,
    ];
    let attrs = [
        ("most", Param::Dims(vec![Dim::Known(most)])),
        ("center_point_box", Param::Bool(false)),
    ];
    let found = b.ops("vision.all_class_non_max_suppression", &operands, &attrs)?;
    let [selected, number] = &found[..] else {
        return Err("the operator does not have two results".into());
    };
    Ok([selected.clone(), b.reshape_to_scalar(number)?])
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

/// Boxes of several images, the best first, as [`best_of_classes`] finds them.
pub struct Detections {
    /// The boxes `[images, boxes, 4]`.
    pub boxes: Value,
    /// Their scores `[images, boxes]`.
    pub scores: Value,
    /// Their classes `[images, boxes]`, in int32.
    pub classes: Value,
    /// How many of each image count `[images]`, in int32. Zeros are behind them.
    pub counts: Value,
}

/// How many boxes are wanted.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// The most of one class.
    pub of_class: i64,
    /// The most of all classes.
    pub in_all: i64,
}

/// The best boxes of all classes without those that overlap a better one of their class: of boxes `[images, boxes, 1 or classes, 4]` and
/// scores `[images, boxes, classes]`.
///
/// # Errors
/// If a dimension is not known, or too many boxes are asked for.
pub fn best_of_classes(
    b: &mut GraphBuilder,
    [boxes, scores]: [&Value; 2],
    wanted: Wanted,
    thresholds: [Value; 2],
) -> Result<Detections> {
    let [images, count, own] = [boxes.extent(0)?, boxes.extent(1)?, boxes.extent(2)?];
    let classes = scores.extent(2)?;
    let Wanted { of_class, in_all } = wanted;
    if !(1..MOST).contains(&of_class) || !(1..MOST).contains(&in_all) {
        return Err(format!(
            "at most {of_class} boxes of a class and {in_all} in all"
        ));
    }
    if count * classes == 0 || (own != 1 && own != classes) {
        return Err(format!("{own} boxes for {classes} classes, {count} times"));
    }
    let by_class = b.transpose(boxes, &[0, 2, 1, 3])?;
    let scores = b.transpose(scores, &[0, 2, 1])?;
    let kept = kept_scores(b, [&by_class, &scores], of_class, thresholds)?;
    let most = in_all.min(classes * count);
    let attrs = [
        ("k", Param::Int(most)),
        ("axis", Param::Int(-1)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(false)),
        ("dtype", Param::Type(Element::I32)),
    ];
    let flat = b.reshape(&kept, &[images, classes * count])?;
    let best = b.ops("topk", &[flat], &attrs)?;
    let [scores, places] = &best[..] else {
        return Err("the operator does not have two results".into());
    };
    let is_there = b.with_scalar("greater", scores, f64::NEG_INFINITY)?;
    let number = b.cast(&is_there, Element::I32)?;
    let counts = along(b, "sum", &number, (&[1], false))?;
    let class = b.with_scalar("floor_divide", places, count as f64)?;
    // Boxes of all classes are the same, or each class has its own.
    let place = match own {
        1 => b.with_scalar("floor_mod", places, count as f64)?,
        _ => places.clone(),
    };
    let all = b.reshape(&by_class, &[images, own * count, 4])?;
    let boxes = gathered(b, (&all, &place), 1, 1)?;
    Ok(Detections {
        boxes: counted(b, &boxes, &is_there, in_all)?,
        scores: counted(b, scores, &is_there, in_all)?,
        classes: counted(b, &class, &is_there, in_all)?,
        counts,
    })
}

/// What is said of boxes `[images, boxes, ...]`, with zeros where there is none, up to `length` boxes.
fn counted(b: &mut GraphBuilder, x: &Value, is_there: &Value, length: i64) -> Result<Value> {
    let mut dims = vec![Dim::Known(1); x.rank()];
    dims[..2].copy_from_slice(is_there.dims());
    let is_there = b.reshape(is_there, &dims)?;
    let zero = b.scalar(x.element(), 0.0);
    let x = b.op("where", &[is_there, x.clone(), zero.clone()], &[])?;
    let mut pads = vec![0; 2 * x.rank()];
    // Behind the second dimension.
    pads[3] = length - x.extent(1)?;
    b.pad(&x, &zero, &pads, "constant")
}

/// The scores `[images, classes, boxes]` of boxes that overlap no better one of their class; those of others are less than any number.
fn kept_scores(
    b: &mut GraphBuilder,
    [boxes, scores]: [&Value; 2],
    of_class: i64,
    thresholds: [Value; 2],
) -> Result<Value> {
    let [images, classes, count] = [scores.extent(0)?, scores.extent(1)?, scores.extent(2)?];
    // Each class with boxes of its own is an image of one class.
    let (groups, of_group) = match boxes.extent(1)? {
        1 => (images, classes),
        _ => (images * classes, 1),
    };
    let most = of_class.min(count);
    let grouped = b.reshape(scores, &[groups, of_group, count])?;
    let boxes = b.reshape(boxes, &[groups, count, 4])?;
    let [selected, number] = selected(b, [boxes, grouped.clone()], most, thresholds)?;
    let rows = b.iota(Element::I64, &selected.dims()[..1], 0)?;
    let counts = b.binary("less", &rows, &number)?;
    let column = b.reshape(&counts, &[selected.dims()[0], Dim::Known(1)])?;
    let zero = b.scalar(Element::I64, 0.0);
    let rows = b.op("where", &[column, selected.clone(), zero], &[])?;
    let rows = b.transpose(&rows, &[1, 0])?;
    let attrs = [("batch_dims", Param::Int(0))];
    let values = b.op("gather_nd", &[grouped.clone(), rows.clone()], &attrs)?;
    let none = b.scalar(values.element(), f64::NEG_INFINITY);
    let values = b.op("where", &[counts, values, none], &[])?;
    let empty = b.full(grouped.element(), grouped.dims(), f64::NEG_INFINITY)?;
    let kept = b.op(
        "scatter_nd",
        &[empty, rows, values],
        &[("mode", Param::Str("max"))],
    )?;
    b.reshape(&kept, &[images, classes, count])
}
