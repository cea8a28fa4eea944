//! Norms, losses and gradients.

use super::{columns::*, rule};
use crate::{
    dim::Dim,
    element::Element,
    relay::{
        Call, TensorType,
        relation::{broadcast_shapes, identity, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.l2_normalize", Opaque, FLOATS, Amplifies, l2_normalize),
    Row::new("nn.cross_entropy", Opaque, FLOATS, Amplifies, cross_entropy),
    Row::new(
        "nn.cross_entropy_with_logits",
        Opaque,
        FLOATS,
        Amplifies,
        cross_entropy,
    ),
    Row::new("nn.dropout", Opaque, FLOATS, Moves, dropout),
    Row::new(
        "collapse_sum_to",
        CommReduce,
        NUMBERS,
        Amplifies,
        collapse_sum_to,
    ),
    Row::new(
        "collapse_sum_like",
        CommReduce,
        NUMBERS,
        Amplifies,
        collapse_sum_like,
    ),
    Row::new(
        "fixed_point_multiply",
        Elemwise,
        INTEGERS,
        Decides,
        fixed_point_multiply,
    ),
];

fn l2_normalize(call: &Call) -> Result<Vec<TensorType>, String> {
    let rank = call.inputs[0].rank();
    let mut seen = Vec::new();
    for axis in call.attrs.ints("axis")? {
        let axis = normalize_axis(axis, rank).map_err(rule("C1"))?;
        if seen.contains(&axis) {
            return Err(format!("axis {axis} is given twice (C1)"));
        }
        seen.push(axis);
    }
    if seen.is_empty() {
        return Err("there are no axes (C1)".into());
    }
    let least = call.attrs.float("eps")?;
    match least >= 0.0 {
        true => identity(call),
        false => Err(format!("eps is {least}, not at least 0 (C2)")),
    }
}

fn cross_entropy(call: &Call) -> Result<Vec<TensorType>, String> {
    match &call.inputs[..] {
        [x, y] if x == y && x.rank() == 2 => {
            Ok(vec![TensorType::new(Vec::<Dim>::new(), x.element)])
        }
        [x, y] => Err(format!(
            "types {} and {} are not one of rank 2 (C1)",
            x.to_type(),
            y.to_type()
        )),
        _ => Err("takes two operands".into()),
    }
}

fn dropout(call: &Call) -> Result<Vec<TensorType>, String> {
    let rate = call.attrs.float("rate")?;
    match (0.0..=1.0).contains(&rate) {
        true => Ok(vec![call.inputs[0].clone(); 2]),
        false => Err(format!("rate is {rate}, not from 0 to 1 (C1)")),
    }
}

/// The type of sums to a shape.
fn collapsed(call: &Call, shape: &[Dim]) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    if broadcast_shapes(shape, &data.shape).as_ref() != Ok(&data.shape) {
        return Err(format!(
            "{} does not broadcast to {} (C1)",
            show(shape),
            show(&data.shape)
        ));
    }
    Ok(vec![TensorType::new(shape.to_vec(), data.element)])
}

fn collapse_sum_to(call: &Call) -> Result<Vec<TensorType>, String> {
    collapsed(call, &call.attrs.dims("shape")?)
}

fn collapse_sum_like(call: &Call) -> Result<Vec<TensorType>, String> {
    match &call.inputs[..] {
        [_, like] => collapsed(call, &like.shape),
        _ => Err("takes two operands".into()),
    }
}

fn fixed_point_multiply(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    if Element::of(data.element) != Some(Element::I32) {
        return Err(format!("data are of {}, not of i32 (C1)", data.element));
    }
    let (multiplier, shift) = (call.attrs.int("multiplier")?, call.attrs.int("shift")?);
    if i32::try_from(multiplier).is_err() || !(-31..=30).contains(&shift) {
        return Err(format!(
            "multiplier {multiplier} has more than 32 bits, or shift {shift} is not from -31 to 30 (C2)"
        ));
    }
    identity(call)
}
