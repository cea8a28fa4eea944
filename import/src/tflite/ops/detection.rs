//! Boxes that a network detects.

use super::row::{Row, floats, row};
use crate::{
    compose::{
        boxes::{filled_up, suppressed},
        slice::sliced,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::{flex, node::Node},
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    floats("TFLite_Detection_PostProcess", post_process),
    row("NON_MAX_SUPPRESSION_V4", non_max_suppression),
];

/// What the operator for detections is told.
struct Detections {
    most: i64,
    of_class: i64,
    classes: i64,
    overlap: f64,
    threshold: f64,
    /// What the encodings of y, x, height and width are divided by.
    scales: [f64; 4],
    is_regular: bool,
}

/// How many boxes of a class there are where nothing is said.
const OF_CLASS: f64 = 100.0;

impl Detections {
    fn of(n: &Node<'_>) -> Result<Self> {
        let options = flex::numbers(n.custom)?;
        let or = |name: &str, default: f64| options.get(name).copied().unwrap_or(default);
        let number = |name: &str| {
            options
                .get(name)
                .copied()
                .ok_or_else(|| format!("option '{name}' is missing"))
        };
        if number("max_classes_per_detection")? != 1.0 {
            return Err("several classes of a box are not supported: option 'max_classes_per_detection' has to be 1".into());
        }
        let detections = Self {
            most: number("max_detections")? as i64,
            of_class: or("detections_per_class", OF_CLASS) as i64,
            classes: number("num_classes")? as i64,
            overlap: number("nms_iou_threshold")?,
            threshold: number("nms_score_threshold")?,
            scales: [
                number("y_scale")?,
                number("x_scale")?,
                number("h_scale")?,
                number("w_scale")?,
            ],
            is_regular: or("use_regular_nms", 0.0) != 0.0,
        };
        let is_valid = (1..1 << 20).contains(&detections.most)
            && detections.of_class > 0
            && detections.classes > 0;
        match is_valid && detections.scales.iter().all(|scale| *scale != 0.0) {
            true => Ok(detections),
            false => Err("its options are out of range".into()),
        }
    }
}

/// A column of a tensor of rows, which stays a column.
fn column(b: &mut GraphBuilder, x: &Value, place: i64) -> Result<Value> {
    let last = x.rank() - 1;
    sliced(b, x, &[(last, place.into(), (place + 1).into(), 1)])
}

/// Boxes as y and x of two opposite corners, from their encodings around anchors.
fn decoded(
    b: &mut GraphBuilder,
    codes: &Value,
    anchors: &Value,
    scales: [f64; 4],
) -> Result<Value> {
    let mut corners: [Vec<Value>; 2] = Default::default();
    for axis in 0..2 {
        let code = column(b, codes, axis)?;
        let (anchor, extent) = (column(b, anchors, axis)?, column(b, anchors, axis + 2)?);
        let center = b.with_scalar("divide", &code, scales[axis as usize])?;
        let center = b.binary("multiply", &center, &extent)?;
        let center = b.binary("add", &center, &anchor)?;
        let code = column(b, codes, axis + 2)?;
        let size = b.with_scalar("divide", &code, scales[axis as usize + 2])?;
        let size = b.unary("exp", &size)?;
        let size = b.binary("multiply", &size, &extent)?;
        let half = b.with_scalar("multiply", &size, 0.5)?;
        corners[0].push(b.binary("subtract", &center, &half)?);
        corners[1].push(b.binary("add", &center, &half)?);
    }
    let [low, high] = corners;
    let last = codes.rank() - 1;
    b.concatenate(&[low, high].concat(), last)
}

fn post_process(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let detections = Detections::of(n)?;
    let (codes, scores, anchors) = (n.of_rank(0, 3)?, n.of_rank(1, 3)?, n.of_rank(2, 2)?);
    let boxes = decoded(b, &codes, &anchors, detections.scales)?;
    if !detections.is_regular {
        return fast(b, &boxes, &scores, &detections);
    }
    let attrs = [
        ("max_detections_per_class", Param::Int(detections.of_class)),
        ("max_detections", Param::Int(detections.most)),
        ("num_classes", Param::Int(detections.classes)),
        ("iou_threshold", Param::Float(detections.overlap)),
        ("score_threshold", Param::Float(detections.threshold)),
    ];
    let mut made = b.ops(
        "vision.regular_non_max_suppression",
        &[boxes, scores],
        &attrs,
    )?;
    for value in &mut made {
        *value = b.cast(value, Element::F32)?;
    }
    Ok(made)
}

/// Without those that overlap a better one, whatever the classes are. The class of a box is that of its best score.
fn fast(
    b: &mut GraphBuilder,
    boxes: &Value,
    scores: &Value,
    detections: &Detections,
) -> Result<Vec<Value>> {
    let background = scores.extent(2)? - detections.classes;
    let classes = sliced(b, scores, &[(2, background.into(), scores.dims()[2], 1)])?;
    let along = [
        ("axis", Param::Ints(vec![2])),
        ("keepdims", Param::Bool(false)),
    ];
    let best = b.op("max", std::slice::from_ref(&classes), &along)?;
    let class = b.op("argmax", &[classes], &along)?;
    let count = boxes.extent(1)?;
    let most = detections.most.min(count);
    // A score that is equal to the threshold counts.
    let threshold = (detections.threshold as f32).next_down();
    let thresholds = [
        b.scalar(Element::F32, detections.overlap),
        b.scalar(Element::F32, threshold.into()),
    ];
    let candidates = [b.reshape(boxes, &[count, 4])?, b.reshape(&best, &[count])?];
    let [places, number] = suppressed(b, candidates, detections.most, thresholds)?;
    let steps = b.iota(Element::I64, &[Dim::Known(most)], 0)?;
    let is_there = b.binary("less", &steps, &number)?;
    let mut made = Vec::new();
    for (values, width) in [(boxes, 4), (&b.cast(&class, Element::F32)?, 1), (&best, 1)] {
        let rows = b.reshape(values, &[count, width])?;
        let attrs = [("axis", Param::Int(0)), ("mode", Param::Str("clip"))];
        let rows = b.op("take", &[rows, places.clone()], &attrs)?;
        let holds = b.reshape(&is_there, &[most, 1])?;
        let zero = b.scalar(Element::F32, 0.0);
        let rows = b.op("where", &[holds, rows, zero.clone()], &[])?;
        let rows = b.pad(&rows, &zero, &[0, detections.most - most, 0, 0], "constant")?;
        made.push(match width {
            1 => b.reshape(&rows, &[1, detections.most])?,
            _ => b.reshape(&rows, &[1, detections.most, width])?,
        });
    }
    let number = b.cast(&number, Element::F32)?;
    made.push(b.reshape(&number, &[1])?);
    Ok(made)
}

/// The subscripts of boxes without those that overlap a better one, zeros behind them, and how many there are.
fn non_max_suppression(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (boxes, scores) = (n.of_rank(0, 2)?, n.of_rank(1, 1)?);
    let asked = n.scalar(2)? as i64;
    let thresholds = [n.input(3)?, n.input(4)?];
    let [places, number] = suppressed(b, [boxes, scores], asked, thresholds)?;
    let places = filled_up(b, &places, &number, asked)?;
    Ok(vec![
        b.cast(&places, Element::I32)?,
        b.cast(&number, Element::I32)?,
    ])
}
