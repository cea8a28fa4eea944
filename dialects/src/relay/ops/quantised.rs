//! Operators from quantised tensors to quantised tensors. `qnn-legalize` writes them as others.

use super::{
    columns::*,
    keyword,
    pool::pool,
    qnn::{check_grain, element_of_result, extent_along, is_of_bytes, with_inputs},
    rule, transform,
};
use crate::{
    Element, dim,
    relay::{
        Call, TensorType,
        relation::{broadcast, identity, normalize_axis, show},
        row::Relation,
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("qnn.requantize", Broadcast, INTEGERS, Decides, requantize).legalised(),
    Row::new(
        "qnn.simulated_quantize",
        Broadcast,
        FLOATS,
        Jumps,
        simulated,
    )
    .legalised(),
    Row::new(
        "qnn.simulated_dequantize",
        Broadcast,
        FLOATS,
        Amplifies,
        simulated,
    )
    .legalised(),
    Row::new("qnn.add", Broadcast, INTEGERS, Decides, binary).legalised(),
    Row::new("qnn.subtract", Broadcast, INTEGERS, Decides, binary).legalised(),
    Row::new("qnn.mul", Broadcast, INTEGERS, Decides, binary).legalised(),
    Row::new("qnn.concatenate", Injective, INTEGERS, Decides, concatenate).legalised(),
    unary("qnn.tanh"),
    unary("qnn.exp"),
    unary("qnn.sqrt"),
    unary("qnn.rsqrt"),
    unary("qnn.erf"),
    unary("qnn.sigmoid"),
    unary("qnn.hardswish"),
    unary("qnn.log"),
    unary("qnn.abs"),
    unary("qnn.leaky_relu"),
    Row::new("qnn.softmax", Opaque, INTEGERS, Decides, softmax).legalised(),
    Row::new(
        "qnn.avg_pool2d",
        OutElemwiseFusable,
        INTEGERS,
        Decides,
        avg_pool2d,
    )
    .legalised(),
];

/// A function of the numbers that bytes stand for.
const fn unary(name: &'static str) -> Row {
    Row::new(name, Elemwise, INTEGERS, Decides, of_bytes as Relation).legalised()
}

/// The ways to multiply with a quotient of scales.
pub const COMPUTE_DTYPES: &[&str] = &["None", "float32", "float64", "int64"];

/// The ways to round what is requantised.
pub const ROUNDINGS: &[&str] = &["None", "UPWARD", "TONEAREST", "TFLITE"];

fn requantize(call: &Call) -> Result<Vec<TensorType>, String> {
    check_grain(call, (1, 2), extent_along(call, 0, "axis")?)?;
    check_grain(call, (3, 4), None)?;
    let rounding = keyword(call, "rounding", ROUNDINGS).map_err(rule("C4"))?;
    let compute = keyword(call, "compute_dtype", COMPUTE_DTYPES).map_err(rule("C4"))?;
    if rounding == "TFLITE" && compute != "int64" {
        return Err(format!(
            "rounding TFLITE takes the compute_dtype int64, not {compute} (C4)"
        ));
    }
    let to = element_of_result(call)?;
    Ok(vec![TensorType::new(call.inputs[0].shape.clone(), to)])
}

fn simulated(call: &Call) -> Result<Vec<TensorType>, String> {
    let [_, code, scale, zero] = &call.inputs[..] else {
        return Err("takes data, an element type, a scale and a zero point".into());
    };
    let extent = extent_along(call, 0, "axis")?;
    let fits = |ty: &TensorType| match ty.shape[..] {
        [] => true,
        [count] => count == 1 || extent.is_some_and(|extent| dim::unify(count, extent).is_some()),
        _ => false,
    };
    if let Some(ty) = [scale, zero].into_iter().find(|ty| !fits(ty)) {
        let shape = show(&ty.shape);
        return Err(format!(
            "a scale or zero point of shape {shape} belongs neither to the tensor nor to its dimension (C1)"
        ));
    }
    let element = |ty: &TensorType| Element::of(ty.element);
    let is_one_integer = code.rank() == 0 && element(code).is_some_and(Element::is_integer);
    let is_number = element(zero).is_some_and(|it| it.is_integer() || it.is_float());
    if !element(scale).is_some_and(Element::is_float) || !is_number || !is_one_integer {
        return Err(format!(
            "takes an integer, a scale of floats and a zero point of numbers, not {}, {} and {} (C2)",
            code.to_type(),
            scale.element,
            zero.element
        ));
    }
    identity(call)
}

fn binary(call: &Call) -> Result<Vec<TensorType>, String> {
    let [lhs, rhs, ..] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    check_grain(call, (2, 3), extent_along(call, 0, "lhs_axis")?)?;
    check_grain(call, (4, 5), extent_along(call, 1, "rhs_axis")?)?;
    check_grain(call, (6, 7), None)?;
    broadcast(&with_inputs(call, [lhs.clone(), rhs.clone()])).map_err(rule("C3"))
}

/// How many tensors `qnn.concatenate` takes: each has a scale and a zero point, and so has the result.
pub fn tensors_of(operands: usize) -> Option<usize> {
    let lists = operands.checked_sub(2)?;
    (lists > 0 && lists.is_multiple_of(3)).then_some(lists / 3)
}

fn concatenate(call: &Call) -> Result<Vec<TensorType>, String> {
    let operands = call.inputs.len();
    let count = tensors_of(operands).ok_or_else(|| {
        format!("{operands} operands are not tensors, a scale and a zero point for each, and two for the result (C1)")
    })?;
    for tensor in 0..count {
        check_grain(call, (count + tensor, 2 * count + tensor), None)?;
    }
    check_grain(call, (3 * count, 3 * count + 1), None)?;
    transform::concatenate(&with_inputs(call, &call.inputs[..count])).map_err(rule("C3"))
}

/// Checks data of bytes, with one scale and zero point, and those of the result.
fn check_bytes(call: &Call) -> Result<(), String> {
    let data = &call.inputs[0];
    if !is_of_bytes(data) {
        return Err(format!("takes data of bytes, not {} (C3)", data.element));
    }
    check_grain(call, (1, 2), None)?;
    check_grain(call, (3, 4), None)
}

fn of_bytes(call: &Call) -> Result<Vec<TensorType>, String> {
    check_bytes(call)?;
    identity(call)
}

fn softmax(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    if Element::of(data.element) != Some(Element::I8) {
        return Err(format!("takes data of i8, not {} (C3)", data.element));
    }
    normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C4"))?;
    of_bytes(call)
}

fn avg_pool2d(call: &Call) -> Result<Vec<TensorType>, String> {
    check_bytes(call)?;
    pool(call).map_err(rule("C4"))
}
