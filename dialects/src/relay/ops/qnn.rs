//! Operators on quantised tensors: an integer q stands for the number scale * (q - zero_point).

use super::{
    columns::*,
    conv::{conv, conv_transpose},
    nn::{dense, matmul},
    rule,
};
use crate::{
    Element,
    dim::{self, Dim},
    ir::Type,
    relay::{
        Call, Layout, TensorType,
        relation::{normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("qnn.quantize", Broadcast, FLOATS, Jumps, quantize),
    Row::new("qnn.dequantize", Broadcast, INTEGERS, Converts, dequantize),
    Row::new(
        "qnn.conv2d",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        conv2d,
    )
    .with_layout(Bytes),
    Row::new(
        "qnn.dense",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        distances_dense,
    )
    .with_layout(Bytes),
    Row::new(
        "qnn.conv2d_transpose",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        conv2d_transpose,
    )
    .legalised(),
    Row::new(
        "qnn.batch_matmul",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        batch_matmul,
    )
    .legalised(),
    Row::new(
        "qnn.contrib_conv2d_NCHWc",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        words_conv2d,
    )
    .filling_with_zeros(),
    Row::new(
        "qnn.contrib_depthwise_conv2d_NCHWc",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        depthwise_conv2d,
    ),
    Row::new(
        "qnn.contrib_dense_pack",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        words_dense,
    ),
    Row::new(
        "qnn.contrib_batch_matmul_pack",
        OutElemwiseFusable,
        INTEGERS,
        Multiplies,
        words_matmul,
    ),
];

/// The bytes of a word of a weight.
pub const WORD: i64 = 4;

/// The bits of a byte.
pub const BYTE_BITS: i64 = 8;

/// The bits of a word that are those of its first byte.
pub const FIRST_BYTE: f64 = 255.0;

/// The number of a product's operand that is its data.
pub const DATA: usize = 0;
/// That of its weight.
pub const WEIGHT: usize = 1;
/// That of the data's zero point.
pub const DATA_ZERO: usize = 2;
/// That of the weight's zero point.
pub const WEIGHT_ZERO: usize = 3;

/// Half the number of a byte's values. With its highest bit flipped, an unsigned byte is a signed one that is less by this.
pub const HALF: f64 = 128.0;

/// The greatest product of the distances of two bytes from their zero points.
pub const MOST_PRODUCT: i64 = 255 * 255;

/// f32 holds each whole number up to this one.
pub const EXACT_F32: i64 = 1 << 24;

/// The greatest number below 2^31 that f32 has: integers of 32 bits are clipped to it when they are floats yet.
pub const GREATEST_STEPS: f64 = 2_147_483_520.0;

/// Checks a scale and a zero point that belong to the whole of a tensor, or to subscripts of one dimension of these extents.
pub(super) fn check_grain(
    call: &Call,
    (scale, zero): (usize, usize),
    extent: Option<Dim>,
) -> Result<(), String> {
    let fits = |shape: &[Dim]| match shape {
        [] => true,
        [count] => extent.is_some_and(|extent| dim::unify(*count, extent).is_some()),
        _ => false,
    };
    let (scale, zero) = (&call.inputs[scale], &call.inputs[zero]);
    for (name, ty) in [("scale", scale), ("zero point", zero)] {
        if !fits(&ty.shape) {
            let shape = show(&ty.shape);
            return Err(format!(
                "the {name} of shape {shape} belongs neither to the tensor nor to its dimension (C1)"
            ));
        }
    }
    let is_float = Element::of(scale.element).is_some_and(Element::is_float);
    if !is_float || Element::of(zero.element) != Some(Element::I32) {
        return Err(format!(
            "takes a scale of floats and a zero point of i32, not {} and {} (C2)",
            scale.element, zero.element
        ));
    }
    Ok(())
}

/// The extent of an operand along the axis that an attribute names; none of a tensor of rank 0.
pub(super) fn extent_along(call: &Call, operand: usize, axis: &str) -> Result<Option<Dim>, String> {
    let shape = &call.inputs[operand].shape;
    if shape.is_empty() {
        return Ok(None);
    }
    let axis = normalize_axis(call.attrs.int(axis)?, shape.len()).map_err(rule("C1"))?;
    Ok(Some(shape[axis]))
}

/// The attribute `out_dtype`: an integer of at most 32 bits.
pub(super) fn element_of_result(call: &Call) -> Result<Type, String> {
    let to = call.attrs.ty("out_dtype")?;
    let is_known = Element::of(to).is_some_and(|to| to.is_integer() && to.bits() <= 32);
    match is_known {
        true => Ok(to),
        false => Err(format!(
            "out_dtype is {to}, no integer of at most 32 bits (C3)"
        )),
    }
}

fn quantize(call: &Call) -> Result<Vec<TensorType>, String> {
    check_grain(call, (1, 2), extent_along(call, 0, "axis")?)?;
    let to = element_of_result(call)?;
    Ok(vec![TensorType::new(call.inputs[0].shape.clone(), to)])
}

fn dequantize(call: &Call) -> Result<Vec<TensorType>, String> {
    check_grain(call, (1, 2), extent_along(call, 0, "axis")?)?;
    let shape = call.inputs[0].shape.clone();
    Ok(vec![TensorType::new(shape, call.inputs[1].element)])
}

/// Whether a tensor holds integers of 8 bits.
pub(super) fn is_of_bytes(ty: &TensorType) -> bool {
    matches!(Element::of(ty.element), Some(Element::I8 | Element::U8))
}

/// Checks data and weight of bytes, their zero points and scales. Returns the call of the product of their distances, of i32.
fn of_distances(call: &Call, outputs: Option<&Dim>) -> Result<Call, String> {
    let [data, weight, ..] = &call.inputs[..] else {
        return Err("takes data and weight".into());
    };
    if !is_of_bytes(data) || !is_of_bytes(weight) {
        let (data, weight) = (data.element, weight.element);
        return Err(format!(
            "takes data and weight of bytes, not {data} and {weight} (C3)"
        ));
    }
    check_grain(call, (4, 2), None)?;
    check_grain(call, (5, 3), outputs.copied())?;
    Ok(in_words(call, data.shape.clone(), weight.shape.clone()))
}

/// A call with data and weight of i32 in these shapes.
fn in_words(call: &Call, data: Vec<Dim>, weight: Vec<Dim>) -> Call {
    let word = Element::I32.ty(call.ctx);
    with_inputs(
        call,
        [data, weight].map(|shape| TensorType::new(shape, word)),
    )
}

/// A call with other operands.
pub(super) fn with_inputs(call: &Call, inputs: impl Into<Vec<TensorType>>) -> Call {
    Call {
        ctx: call.ctx,
        inputs: inputs.into(),
        attrs: call.attrs,
    }
}

/// The outputs of a group in the weight of a convolution.
fn outputs_of_weight(call: &Call) -> Result<Option<Dim>, String> {
    let Some(weight) = call.inputs.get(1) else {
        return Ok(None);
    };
    let layout = Layout::parse(&call.attrs.str("kernel_layout")?)?;
    layout.fits("weight", &weight.shape)?;
    layout.extent('O', &weight.shape).map(Some)
}

fn conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let outputs = outputs_of_weight(call).map_err(rule("C2"))?;
    conv(&of_distances(call, outputs.as_ref())?, "HW").map_err(rule("C2"))
}

fn distances_dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let outputs = call.inputs.get(1).and_then(|weight| weight.shape.first());
    dense(&of_distances(call, outputs)?)
}

fn conv2d_transpose(call: &Call) -> Result<Vec<TensorType>, String> {
    let groups = call.attrs.int("groups")?;
    let outputs = outputs_of_weight(call).map_err(rule("C2"))?;
    let outputs = outputs.map(|outputs| outputs.times(groups)).transpose();
    let outputs = outputs.map_err(rule("C2"))?;
    conv_transpose(&of_distances(call, outputs.as_ref())?, "HW").map_err(rule("C2"))
}

fn batch_matmul(call: &Call) -> Result<Vec<TensorType>, String> {
    matmul(&of_distances(call, None)?).map_err(rule("C2"))
}

/// The shape of data in words, or of bytes that make words.
fn words_of_data(call: &Call) -> Result<Vec<Dim>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes data and weight".into());
    };
    let elements = [data, weight].map(|ty| Element::of(ty.element));
    let mut shape = data.shape.clone();
    let words = shape.last().and_then(|bytes| dim::quotient(*bytes, WORD));
    match (words, elements) {
        (Some(words), [Some(Element::U8), Some(Element::I32)]) => {
            shape.pop();
            shape.push(words);
            Ok(shape)
        }
        (_, [Some(Element::I32), Some(Element::I32)]) => Ok(shape),
        _ => Err(format!(
            "takes data of i32, or of whole words of ui8, and a weight of i32, not {} and {} (C3)",
            data.to_type(),
            weight.to_type()
        )),
    }
}

fn words_conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = words_of_data(call)?;
    conv(&in_words(call, data, call.inputs[1].shape.clone()), "HW")
}

fn depthwise_conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight, zero] = &call.inputs[..] else {
        return Err("takes data, weight and zero point".into());
    };
    let float = Element::F32.ty(call.ctx);
    if !is_of_bytes(data)
        || *zero != TensorType::new(Vec::<Dim>::new(), float)
        || weight.element != float
    {
        return Err(format!(
            "takes data of bytes, a weight and a zero point of f32, not {}, {} and {} (C3)",
            data.to_type(),
            weight.to_type(),
            zero.to_type()
        ));
    }
    let data = TensorType::new(data.shape.clone(), float);
    conv(&with_inputs(call, [data, weight.clone()]), "HW")
}

fn words_dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = words_of_data(call)?;
    let ([rows, words], [blocks, inputs, block]) = (&data[..], &call.inputs[1].shape[..]) else {
        return Err("takes data of rank 2 and a weight of rank 3 (C1)".into());
    };
    if dim::unify(*words, *inputs).is_none() {
        return Err(format!(
            "data of {words} words and a weight of {inputs} do not multiply (C2)"
        ));
    }
    let units = dim::product(&[*blocks, *block])?;
    let word = Element::I32.ty(call.ctx);
    Ok(vec![TensorType::new(vec![*rows, units], word)])
}

fn words_matmul(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = words_of_data(call)?;
    let weight = &call.inputs[1].shape;
    let ([before @ .., rows, words], [batches @ .., inputs, columns]) = (&data[..], &weight[..])
    else {
        return Err("takes matrices, or batches of them (C1)".into());
    };
    if dim::unify(*words, *inputs).is_none() {
        return Err(format!(
            "data of {words} words and a weight of {inputs} do not multiply (C2)"
        ));
    }
    let batch = match (before, batches) {
        ([], []) => vec![],
        ([one], [other]) => {
            let both = dim::broadcast(*one, *other);
            vec![both.ok_or_else(|| format!("batches {one} and {other} differ (C1)"))?]
        }
        _ => {
            return Err(format!(
                "data {} and a weight {} are not of rank 2 or 3 both (C1)",
                show(&data),
                show(weight)
            ));
        }
    };
    let word = Element::I32.ty(call.ctx);
    let shape = [batch, vec![*rows, *columns]].concat();
    Ok(vec![TensorType::new(shape, word)])
}
