//! Operators of torchvision.

use super::row::{Row, row, rows};
use crate::{
    compose::{deform::deformed, slice::strided_slice, sliding::Window},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{dim::Dim, element::Element, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("torchvision.deform_conv2d", deform_conv),
    row("torchvision.nms", non_max_suppression),
    row("torchvision.roi_align", roi_align),
    rows("torchvision.roi_pool", roi_pool),
];

/// The subscripts of boxes by falling score, without those that overlap a better one.
fn non_max_suppression(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (boxes, scores) = (n.tensor("dets")?, n.tensor("scores")?);
    let overlap = n
        .float("iou_threshold")?
        .ok_or("argument 'iou_threshold' is missing")?;
    let (&[count, four], &[_]) = (boxes.dims(), scores.dims()) else {
        return Err(format!(
            "boxes and scores have shapes {:?} and {:?}",
            boxes.dims(),
            scores.dims()
        ));
    };
    let one = Dim::Known(1);
    let boxes = b.cast(&boxes, Element::F32)?;
    let boxes = b.reshape(&boxes, &[one, count, four])?;
    let scores = b.cast(&scores, Element::F32)?;
    let scores = b.reshape(&scores, &[one, one, count])?;
    let limit = b.size(Element::I64, count)?;
    let overlap = b.scalar(Element::F32, overlap);
    let threshold = b.scalar(Element::F32, f64::NEG_INFINITY);
    let attrs = [
        ("most", Param::Dims(vec![count])),
        ("center_point_box", Param::Bool(false)),
    ];
    let operands = [boxes, scores, limit, overlap, threshold];
    let found = b.ops("vision.all_class_non_max_suppression", &operands, &attrs)?;
    let [selected, number] = &found[..] else {
        return Err("the operator does not have two results".into());
    };
    let number = b.define(number, "kept", Some(selected.dims()[0]))?;
    let rows = b.prefix(selected, 0, number)?;
    let column = strided_slice(b, &rows, &[(1, 2, 3, 1)])?;
    b.reshape(&column, &[number])
}

/// A convolution whose windows' elements lie where offsets say.
fn deform_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, w) = (n.tensor("input")?, n.tensor("weight")?);
    let offsets = n.tensor("offset")?;
    if x.rank() != 4 || w.rank() != 4 {
        return Err(format!(
            "an input of shape {:?} and a weight of shape {:?} are no images",
            x.dims(),
            w.dims()
        ));
    }
    let number = |name: &str, least: i64| match n.required_int(name)? {
        number if (least..=LARGEST).contains(&number) => Ok(number),
        number => Err(format!(
            "argument '{name}' is {number}, which is out of range"
        )),
    };
    let padding = vec![number("pad_h", 0)?, number("pad_w", 0)?];
    let window = Window {
        kernel: w.shape()?[2..].to_vec(),
        strides: vec![number("stride_h", 1)?, number("stride_w", 1)?],
        dilations: vec![number("dilation_h", 1)?, number("dilation_w", 1)?],
        after: padding.clone(),
        before: padding,
        around: Vec::new(),
    };
    let groups = (number("groups", 1)?, number("offset_groups", 1)?);
    let mask = match n.bool_or("use_mask", false)? {
        true => Some(n.tensor("mask")?),
        false => {
            n.ignore(&["mask"]);
            None
        }
    };
    let result = deformed(b, [&x, &w, &offsets], mask.as_ref(), window, groups)?;
    let bias = n.tensor("bias")?;
    b.op("nn.bias_add", &[result, bias], &[("axis", Param::Int(1))])
}

/// The extents of the results of regions.
fn pooled_size(n: &Node<'_>) -> Result<(&'static str, Param)> {
    let size = vec![
        n.required_int("pooled_height")?,
        n.required_int("pooled_width")?,
    ];
    Ok(("pooled_size", Param::Ints(size)))
}

fn roi_align(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    if n.bool_or("aligned", false)? {
        return Err("argument 'aligned' is true, which is not supported".into());
    }
    let scale = n.float_or("spatial_scale", 1.0)?;
    let attrs = [
        pooled_size(n)?,
        ("spatial_scale", Param::Float(scale)),
        ("sample_ratio", Param::Int(n.int_or("sampling_ratio", -1)?)),
        ("layout", Param::Str("NCHW")),
        ("mode", Param::Str("avg")),
    ];
    b.op(
        "vision.roi_align",
        &[n.tensor("input")?, n.tensor("rois")?],
        &attrs,
    )
}

fn roi_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let scale = n.float_or("spatial_scale", 1.0)?;
    let attrs = [pooled_size(n)?, ("spatial_scale", Param::Float(scale))];
    let operands = [n.tensor("input")?, n.tensor("rois")?];
    Ok(vec![b.op("vision.roi_pool", &operands, &attrs)?])
}
