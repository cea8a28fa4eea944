//! Products, normalisation and the rest of `nn`.

use super::{columns::*, keyword, rule, weights};
use crate::relay::{
    Call, Layout, TensorType,
    operands::as_result,
    relation::{identity, normalize_axis, show},
};
use crate::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.dense", OutElemwiseFusable, NUMBERS, Multiplies, dense)
        .with_operands(weights::dense)
        .with_layout(Dense)
        .with_scaling(Scaling::Weight)
        .with_products(inner),
    Row::new(
        "nn.contrib_dense_pack",
        OutElemwiseFusable,
        NUMBERS,
        Multiplies,
        dense_pack,
    )
    .with_operands(weights::dense_pack)
    .with_products(inner),
    Row::new("nn.matmul", OutElemwiseFusable, NUMBERS, Multiplies, matmul)
        .with_layout(Matmul)
        .with_operands(weights::matmul)
        .with_products(inner),
    Row::new(
        "nn.batch_matmul",
        OutElemwiseFusable,
        NUMBERS,
        Multiplies,
        matmul,
    )
    .with_layout(Matmul)
    .with_operands(weights::matmul)
    .with_products(inner),
    Row::new("nn.bias_add", Broadcast, NUMBERS, Near, along_axis)
        .with_operands(weights::along_axis),
    Row::new("nn.prelu", Broadcast, NUMBERS, Near, along_axis).with_operands(weights::along_axis),
    Row::new("nn.batch_norm", OutElemwiseFusable, FLOATS, Sums, norm)
        .with_operands(weights::along_axis),
    Row::new("nn.instance_norm", Opaque, FLOATS, Sums, norm).with_operands(weights::along_axis),
    Row::new("nn.layer_norm", Opaque, FLOATS, Sums, norm).with_operands(weights::along_axis),
    Row::new("nn.group_norm", Opaque, FLOATS, Sums, group_norm).with_operands(weights::along_axis),
    Row::new("nn.batch_flatten", Injective, ANY, Moves, batch_flatten).view(),
    Row::new("nn.lrn", Opaque, FLOATS, Sums, lrn).with_operands(as_result),
    Row::new("nn.softmax", OutElemwiseFusable, FLOATS, Sums, normalized)
        .with_operands(as_result)
        .with_schedule(Schedule::Normalize)
        .giving_weights(),
    Row::new(
        "nn.fast_softmax",
        OutElemwiseFusable,
        FLOATS,
        Sums,
        normalized,
    )
    .with_operands(as_result)
    .with_schedule(Schedule::Normalize)
    .giving_weights(),
    Row::new(
        "nn.log_softmax",
        OutElemwiseFusable,
        FLOATS,
        Sums,
        normalized,
    )
    .with_operands(as_result)
    .with_schedule(Schedule::Normalize),
    Row::new("nn.pad", Injective, ANY, Moves, pad).with_layout(Pad),
    Row::new("nn.depth_to_space", Injective, ANY, Moves, depth_to_space),
];

fn rank(call: &Call, operand: usize, rank: usize) -> Result<&[Dim], String> {
    let shape = &call.inputs[operand].shape;
    if shape.len() != rank {
        return Err(format!(
            "expected rank {rank} for operand {operand}, got {} (C1)",
            shape.len()
        ));
    }
    Ok(shape)
}

fn result(shape: Vec<Dim>, call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

/// Checks that all operands have the same element type.
fn uniform(call: &Call) -> Result<(), String> {
    let element = call.inputs[0].element;
    match call.inputs.iter().find(|input| input.element != element) {
        None => Ok(()),
        Some(other) => Err(format!(
            "element types {element} and {} differ",
            other.element
        )),
    }
}

/// Checks what a matrix is multiplied by: elements of the same type, or narrower floats that are computed in it. Such a weight takes half the
/// memory, and is widened where it is read.
fn multiplied(call: &Call) -> Result<(), String> {
    let element = |operand: usize| Element::of(call.inputs[operand].element);
    let is_narrower = |(data, weight): (Element, Element)| {
        weight.is_narrow_float() && weight.computed_in() == data
    };
    match element(0).zip(element(1)).is_some_and(is_narrower) {
        true => Ok(()),
        false => uniform(call),
    }
}

/// The relation of `nn.dense`.
///
/// # Errors
/// If it does not hold.
pub fn dense(call: &Call) -> Result<Vec<TensorType>, String> {
    multiplied(call).map_err(rule("C3"))?;
    let (data, weight) = (rank(call, 0, 2)?, rank(call, 1, 2)?);
    if dim::unify(data[1], weight[1]).is_none() {
        return Err(format!(
            "data {} and weight {} do not multiply (C2)",
            show(data),
            show(weight)
        ));
    }
    let units = weights::agree(&call.attrs, "units", weight[0]).map_err(rule("C4"))?;
    result(vec![data[0], units], call)
}

fn dense_pack(call: &Call) -> Result<Vec<TensorType>, String> {
    multiplied(call).map_err(rule("C4"))?;
    let text = call.attrs.str("weight_layout")?;
    let layout = Layout::parse(&text).map_err(rule("C3"))?;
    let in_pairs = call.inputs[1].rank() == 4;
    let data = rank(call, 0, 2)?;
    let weight = rank(call, 1, if in_pairs { 4 } else { 3 })?;
    layout.fits("weight", weight).map_err(rule("C3"))?;
    let units = layout.extent('N', weight).map_err(rule("C3"))?;
    let inputs = layout.extent('C', weight).map_err(rule("C3"))?;
    if dim::unify(inputs, data[1]).is_none() {
        return Err(format!(
            "data {} and packed weight {} do not multiply (C2)",
            show(data),
            show(weight)
        ));
    }
    let units = weights::agree(&call.attrs, "units", units).map_err(rule("C5"))?;
    result(vec![data[0], units], call)
}

pub(super) fn matmul(call: &Call) -> Result<Vec<TensorType>, String> {
    multiplied(call).map_err(rule("C4"))?;
    let dims = call.inputs[0].rank();
    if dims != 2 && dims != 3 {
        return Err(format!(
            "takes matrices or batches of them, not rank {dims} (C1)"
        ));
    }
    let (a, b) = (rank(call, 0, dims)?, rank(call, 1, dims)?);
    let batch = (a[..dims - 2].iter().zip(&b[..dims - 2]))
        .map(|(&x, &y)| {
            dim::broadcast(x, y).ok_or_else(|| format!("batches {x} and {y} differ (C3)"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let matrix = |shape: &[Dim], transposed: bool| {
        let (rows, columns) = (shape[dims - 2], shape[dims - 1]);
        if transposed {
            (columns, rows)
        } else {
            (rows, columns)
        }
    };
    let (m, k) = matrix(a, call.attrs.bool("transpose_a")?);
    let (other, n) = matrix(b, call.attrs.bool("transpose_b")?);
    if dim::unify(k, other).is_none() {
        return Err(format!("{} and {} do not multiply (C2)", show(a), show(b)));
    }
    let n = weights::agree(&call.attrs, "units", n).map_err(rule("C5"))?;
    result([batch, vec![m, n]].concat(), call)
}

/// The products along the dimension that two matrices share.
fn inner(call: &Call) -> Option<i64> {
    let shape = &call.inputs.first()?.shape;
    // Only some have the attribute.
    let is_transposed = call.attrs.bool("transpose_a").unwrap_or(false);
    let from_end = if is_transposed { 2 } else { 1 };
    shape[shape.len().checked_sub(from_end)?].known()
}

/// Data with vectors along `axis`.
fn along_axis(call: &Call) -> Result<Vec<TensorType>, String> {
    uniform(call).map_err(rule("C3"))?;
    let mut shape = call.inputs[0].shape.clone();
    let axis = normalize_axis(call.attrs.int("axis")?, shape.len()).map_err(rule("C1"))?;
    for (operand, vector) in call.inputs.iter().enumerate().skip(1) {
        let extent = match vector.shape[..] {
            [extent] => dim::unify(shape[axis], extent),
            _ => None,
        };
        shape[axis] = extent.ok_or_else(|| {
            format!(
                "operand {operand} has shape {}, expected [{}] (C2)",
                show(&vector.shape),
                shape[axis]
            )
        })?;
    }
    result(shape, call)
}

/// As [`along_axis`], with the attribute `epsilon`, a number that is added to variances.
fn norm(call: &Call) -> Result<Vec<TensorType>, String> {
    let epsilon = call.attrs.float("epsilon")?;
    if epsilon.is_nan() || epsilon < 0.0 {
        return Err(format!("epsilon {epsilon} is not at least 0 (C4)"));
    }
    along_axis(call)
}

fn group_norm(call: &Call) -> Result<Vec<TensorType>, String> {
    let types = norm(call)?;
    let axis = normalize_axis(call.attrs.int("axis")?, types[0].rank()).map_err(rule("C1"))?;
    let (groups, extent) = (call.attrs.int("num_groups")?, types[0].shape[axis]);
    if groups < 1 || dim::quotient(extent, groups).is_none() {
        return Err(format!(
            "{extent} elements of axis {axis} are not {groups} groups (C5)"
        ));
    }
    Ok(types)
}

fn normalized(call: &Call) -> Result<Vec<TensorType>, String> {
    normalize_axis(call.attrs.int("axis")?, call.inputs[0].rank()).map_err(rule("C1"))?;
    identity(call)
}

fn lrn(call: &Call) -> Result<Vec<TensorType>, String> {
    let size = call.attrs.int("size")?;
    if size < 1 {
        return Err(format!("size {size} is not at least 1 (C2)"));
    }
    normalized(call)
}

fn batch_flatten(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = &call.inputs[0].shape;
    let [batch, rest @ ..] = &shape[..] else {
        return Err("takes data of rank 1 or more (C1)".into());
    };
    result(vec![*batch, dim::product(rest)?], call)
}

fn pad(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let width = call.attrs.dims("pad_width")?;
    let is_negative = |width: &Dim| dim::at_most(Dim::Known(0), *width).is_none();
    if width.len() != 2 * data.rank() || width.iter().any(is_negative) {
        return Err(format!(
            "pad_width {width:?} is not two numbers per dimension (C2)"
        ));
    }
    rank(call, 1, 0)?;
    uniform(call).map_err(rule("C5"))?;
    let modes = ["constant", "edge", "reflect"];
    let mode = keyword(call, "pad_mode", &modes).map_err(rule("C4"))?;
    let pairs = data.shape.iter().zip(width.chunks_exact(2));
    let shape = pairs
        .enumerate()
        .map(|(dim, (&extent, pair))| {
            check_source(&mode, dim, extent, pair)?;
            let padded = extent.plus(pair[0]).and_then(|padded| padded.plus(pair[1]));
            padded.map_err(rule("C2"))
        })
        .collect::<Result<_, String>>()?;
    result(shape, call)
}

/// Checks that dimension `dim` has the elements that the modes `edge` and `reflect` repeat.
fn check_source(mode: &str, dim: usize, extent: Dim, pair: &[Dim]) -> Result<(), String> {
    let needed = match mode {
        "reflect" => pair[0].max(pair[1])?.plus(1)?,
        "edge" => Dim::Known(1),
        _ => return Ok(()),
    };
    if pair.iter().all(|width| *width == 0) || dim::at_most(needed, extent).is_some() {
        return Ok(());
    }
    Err(format!(
        "{mode} takes {needed} elements of dimension {dim}, which has {extent} (C3)"
    ))
}

fn depth_to_space(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = rank(call, 0, 4)?;
    keyword(call, "mode", &["DCR", "CDR"]).map_err(rule("C3"))?;
    let block = call.attrs.int("block_size")?;
    let area = block.checked_mul(block).filter(|_| block > 0);
    let depth = area.and_then(|area| dim::quotient(shape[1], area));
    let depth = depth.ok_or_else(|| {
        let channels = shape[1];
        format!("{channels} channels do not make blocks of {block} by {block} (C2)")
    })?;
    let (height, width) = (shape[2].times(block)?, shape[3].times(block)?);
    result(vec![shape[0], depth, height, width], call)
}
