//! Operators that compare elements: conditions, orders, groups, and boxes.

use super::row::{Row, row};
use crate::{
    compose::{
        activation::clipped,
        boxes::{Wanted, best_of_classes, filled_up, suppressed},
        segment::{distinct, segmented, sorted_segments},
        subscript::computed_places,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    tensorflow::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Select"], |n, b| select(n, b, true)),
    row(&["SelectV2"], |n, b| select(n, b, false)),
    row(&["Where"], places),
    row(&["Unique"], unique),
    row(&["UniqueWithCounts"], unique),
    row(&["TopKV2", "TopK"], top_k),
    row(&["SegmentSum"], segment_sum),
    row(&["SegmentMean"], segment_mean),
    row(&["UnsortedSegmentSum"], |n, b| {
        segments(n, b, "add", |_| 0.0)
    }),
    row(&["UnsortedSegmentProd"], |n, b| {
        segments(n, b, "mul", |_| 1.0)
    }),
    row(&["UnsortedSegmentMax"], |n, b| {
        segments(n, b, "max", Element::least)
    }),
    row(&["UnsortedSegmentMin"], |n, b| {
        segments(n, b, "min", Element::greatest)
    }),
    row(&["Bucketize"], bucketize),
    row(&["NonMaxSuppressionV2", "NonMaxSuppressionV3"], selected),
    row(&["NonMaxSuppressionV4"], selected_of_4),
    row(&["NonMaxSuppressionV5"], selected_of_5),
    row(&["CombinedNonMaxSuppression"], selected_of_classes),
    row(&["MatrixBandPart"], band),
];

/// One of two where a condition holds, and the other elsewhere. Of the old operator, a list of conditions chooses slices of the first
/// dimension.
fn select(n: &Node<'_, '_>, b: &mut GraphBuilder, is_old: bool) -> Result<Vec<Value>> {
    let (mut condition, x, y) = (n.input(0)?, n.input(1)?, n.input(2)?);
    if is_old && condition.rank() == 1 && x.rank() > 1 {
        let mut dims = vec![Dim::Known(1); x.rank()];
        dims[0] = condition.dims()[0];
        condition = b.reshape(&condition, &dims)?;
    }
    Ok(vec![b.op("where", &[condition, x, y], &[])?])
}

/// The subscripts of the elements that are not 0.
fn places(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let places = computed_places(&n.input(0)?, b)?;
    Ok(vec![b.transpose(&places, &[1, 0])?])
}

fn unique(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let to = n.attrs.element("out_idx", Element::I32)?;
    let [values, inverse, times] = distinct(b, &n.input(0)?, false)?;
    Ok(vec![values, b.cast(&inverse, to)?, b.cast(&times, to)?])
}

fn top_k(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    // Without it any order is right, so the falling one is, too.
    n.attrs.ignore(&["sorted"]);
    let to = n.attrs.element("index_type", Element::I32)?;
    let k = match n.inputs.len() {
        1 => n.attrs.int("k", 0)?,
        _ => n.known_int(1)?,
    };
    if k < 1 {
        return Err(format!("the first {k} elements"));
    }
    let attrs = [
        ("k", Param::Int(k)),
        ("axis", Param::Int(-1)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(false)),
        ("dtype", Param::Type(Element::I32)),
    ];
    let mut made = b.ops("topk", &[n.input(0)?], &attrs)?;
    if let Some(places) = made.get_mut(1) {
        *places = b.cast(places, to)?;
    }
    Ok(made)
}

/// The sums of rows of equal numbers. The numbers, which rise, say how many there are.
fn segment_sum(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let count = sorted_segments(&n.known(1)?);
    let (x, numbers) = n.both()?;
    Ok(vec![segmented(
        b,
        (&x, &numbers),
        count.into(),
        "add",
        0.0,
    )?])
}

fn segment_mean(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, numbers) = n.both()?;
    let count = sorted_segments(&n.known(1)?).into();
    let sums = segmented(b, (&x, &numbers), count, "add", 0.0)?;
    let mut dims = vec![Dim::Known(1); x.rank()];
    dims[0] = *x.dims().first().ok_or("the data is of rank 0")?;
    let ones = b.full(x.element(), &dims, 1.0)?;
    let rows = segmented(b, (&ones, &numbers), count, "add", 0.0)?;
    // There is nothing to divide in a segment without rows.
    let rows = b.with_scalar("maximum", &rows, 1.0)?;
    Ok(vec![b.binary("divide", &sums, &rows)?])
}

/// What an operation makes of all slices of a number, for each number below one that is given.
fn segments(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    mode: &'static str,
    first: fn(Element) -> f64,
) -> Result<Vec<Value>> {
    let (x, numbers) = n.both()?;
    let count = n.size(b, 2)?;
    let first = first(x.element());
    Ok(vec![segmented(b, (&x, &numbers), count, mode, first)?])
}

/// How many bounds are not above each number.
fn bucketize(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let bounds = n.attrs.list("boundaries")?;
    let bounds = bounds.ok_or("attribute 'boundaries' is missing")?;
    let bounds: Vec<f64> = bounds.f.iter().map(|bound| f64::from(*bound)).collect();
    // Bounds of integers may be no integers.
    let element = match x.element().is_float() {
        true => x.element(),
        false => Element::F64,
    };
    let x = b.cast(&x, element)?;
    let shape = vec![bounds.len() as i64];
    let list = b.known(Const::new(element, shape, &Numbers::Floats(bounds)));
    let attrs = [
        ("right", Param::Bool(true)),
        ("dtype", Param::Type(Element::I32)),
    ];
    Ok(vec![b.op("searchsorted", &[list, x], &attrs)?])
}

/// The subscripts of the best boxes, as many as may be, and how many count.
fn best(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let (boxes, scores) = (n.of_rank(0, 2)?, n.of_rank(1, 1)?);
    let asked = n.known_int(2)?.min(boxes.extent(0)?.max(1));
    let threshold = match n.inputs.len() > 4 {
        true => n.input(4)?,
        false => b.scalar(Element::F32, f64::NEG_INFINITY),
    };
    let boxes = b.cast(&boxes, Element::F32)?;
    let scores = b.cast(&scores, Element::F32)?;
    let overlap = b.cast(&n.input(3)?, Element::F32)?;
    let threshold = b.cast(&threshold, Element::F32)?;
    suppressed(b, [boxes, scores], asked, [overlap, threshold])
}

/// As many of a list's elements as are computed to count.
fn counted(b: &mut GraphBuilder, list: &Value, number: &Value) -> Result<Value> {
    let number = b.cast(number, Element::I64)?;
    let count = b.define(&number, "boxes", Some(list.dims()[0]))?;
    b.prefix(list, 0, count)
}

fn selected(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let [places, number] = best(n, b)?;
    let places = counted(b, &places, &number)?;
    Ok(vec![b.cast(&places, Element::I32)?])
}

/// The places, filled up with zeros if that is asked for, and how many there are.
fn placed(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let [places, number] = best(n, b)?;
    let places = match n.attrs.flag("pad_to_max_output_size", false)? {
        true => filled_up(b, &places, &number, n.known_int(2)?)?,
        false => counted(b, &places, &number)?,
    };
    Ok([
        b.cast(&places, Element::I32)?,
        b.cast(&number, Element::I32)?,
    ])
}

fn selected_of_4(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(placed(n, b)?.into())
}

fn selected_of_5(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if n.scalar(5)? != 0.0 {
        return Err("scores that overlaps make less (input 5 is not 0) are not supported".into());
    }
    let [places, number] = placed(n, b)?;
    let scores = b.taken(&n.input(1)?, &places, 0)?;
    let steps = b.iota(Element::I32, scores.dims(), 0)?;
    let is_there = b.binary("less", &steps, &number)?;
    let zero = b.scalar(scores.element(), 0.0);
    let scores = b.op("where", &[is_there, scores, zero], &[])?;
    Ok(vec![places, scores, number])
}

/// The best boxes of several images and classes.
fn selected_of_classes(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (boxes, scores) = (n.of_rank(0, 4)?, n.of_rank(1, 3)?);
    let (of_class, mut in_all) = (n.known_int(2)?, n.known_int(3)?);
    if n.attrs.flag("pad_per_class", false)? {
        in_all = in_all.min(of_class.saturating_mul(scores.extent(2)?));
    }
    let wanted = Wanted { of_class, in_all };
    let overlap = b.reshape_to_scalar(&n.input(4)?)?;
    let threshold = b.reshape_to_scalar(&n.input(5)?)?;
    let made = best_of_classes(b, [&boxes, &scores], wanted, [overlap, threshold])?;
    let boxes = match n.attrs.flag("clip_boxes", true)? {
        true => clipped(b, &made.boxes, 0.0, 1.0)?,
        false => made.boxes,
    };
    let classes = b.cast(&made.classes, Element::F32)?;
    Ok(vec![boxes, made.scores, classes, made.counts])
}

/// The diagonals of matrices from one below the main one to one above it; a negative number is that of all.
fn band(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (mut x, below, above) = (n.input(0)?, n.known_int(1)?, n.known_int(2)?);
    for (number, is_upper) in [(below, true), (above, false)] {
        if number < 0 {
            continue;
        }
        let diagonal = if is_upper { -number } else { number };
        let k = b.scalar(Element::I64, diagonal as f64);
        x = b.op("trilu", &[x, k], &[("upper", Param::Bool(is_upper))])?;
    }
    Ok(vec![x])
}
