//! Norms, losses and gradients.

use super::{columns::*, keyword, rule, transform::are_subscripts};
use crate::{
    dim::{self, Dim},
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
    Row::new(
        "fixed_point_multiply_per_axis",
        Broadcast,
        INTEGERS,
        Decides,
        fixed_point_multiply_per_axis,
    ),
    Row::new("nn.nll_loss", Opaque, FLOATS, Amplifies, nll_loss),
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

/// Which integer a fixed-point product becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The nearest one; of two as near the greater one.
    Upward,
    /// The nearest one; of two as near the one farther from zero.
    ToNearest,
    /// That of TFLite's kernels that round twice: the product / 2^31 upward, then what else is shifted out away from zero.
    Twice,
}

impl Rounding {
    /// All of them.
    const ALL: [Self; 3] = [Self::Upward, Self::ToNearest, Self::Twice];

    /// The name in the attribute `rounding`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upward => "UPWARD",
            Self::ToNearest => "TONEAREST",
            Self::Twice => "TFLITE",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|rounding| rounding.name() == name)
    }
}

/// How fixed-point products are rounded.
const ROUNDINGS: &[&str] = &[
    Rounding::Upward.name(),
    Rounding::ToNearest.name(),
    Rounding::Twice.name(),
];

fn fixed_point_multiply(call: &Call) -> Result<Vec<TensorType>, String> {
    keyword(call, "rounding", ROUNDINGS).map_err(rule("C3"))?;
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

fn fixed_point_multiply_per_axis(call: &Call) -> Result<Vec<TensorType>, String> {
    keyword(call, "rounding", ROUNDINGS).map_err(rule("C3"))?;
    let [data, lists @ ..] = &call.inputs[..] else {
        return Err("takes four operands".into());
    };
    let axes = call.attrs.ints("axes")?;
    let is_axis = |axis: &i64| (0..data.rank() as i64).contains(axis);
    if !axes.iter().all(is_axis) || !axes.is_sorted_by(|one, next| one < next) {
        return Err(format!(
            "axes are {axes:?}, of {} dimensions (C2)",
            data.rank()
        ));
    }
    let extents: Vec<Dim> = axes.iter().map(|axis| data.shape[*axis as usize]).collect();
    let is_i32 = |ty: &TensorType| Element::of(ty.element) == Some(Element::I32);
    let is_list = |ty: &TensorType| {
        let mut pairs = ty.shape.iter().zip(&extents);
        is_i32(ty)
            && ty.rank() == extents.len()
            && pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
    };
    match is_i32(data) && lists.iter().all(is_list) {
        true => identity(call),
        false => Err(format!(
            "data of {} and lists of {} do not fit (C1)",
            data.to_type(),
            lists[0].to_type()
        )),
    }
}

fn nll_loss(call: &Call) -> Result<Vec<TensorType>, String> {
    let [predictions, targets, weights] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let wanted = match &predictions.shape[..] {
        [classes] => Some((*classes, vec![])),
        [batch, classes, rest @ ..] => Some((*classes, [&[*batch], rest].concat())),
        [] => None,
    };
    let fits = |(classes, shape): &(Dim, Vec<Dim>)| {
        let mut pairs = shape.iter().zip(&targets.shape);
        targets.rank() == shape.len()
            && pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
            && are_subscripts(targets.element)
            && weights.element == predictions.element
            && weights.rank() == 1
            && dim::unify(weights.shape[0], *classes).is_some()
    };
    let Some((_, shape)) = wanted.filter(fits) else {
        let types = call.inputs.iter().map(|ty| ty.to_type().to_string());
        let types: Vec<String> = types.collect();
        return Err(format!("operands {} do not fit (C1)", types.join(", ")));
    };
    let reduction = keyword(call, "reduction", &["none", "sum", "mean"]).map_err(rule("C2"))?;
    let shape = if reduction == "none" { shape } else { vec![] };
    Ok(vec![TensorType::new(shape, predictions.element)])
}
