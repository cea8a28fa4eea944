//! Elementwise functions of one tensor.

use super::{columns::*, element, rule};
use crate::{
    element::Element,
    ir::{Attr, Op},
    relay::{Call, Folded, TensorType, operands::as_result, relation::identity},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("abs", Elemwise, NUMBERS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("acos", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("acosh", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_pole_at_zero(),
    Row::new("asin", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("asinh", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("atan", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("atanh", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("bitwise_not", Elemwise, BITS, Decides, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("ceil", Elemwise, FLOATS, Jumps, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("clip", Elemwise, NUMBERS, Near, clip)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("copy", Elemwise, ANY, Moves, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("cos", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("cosh", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("erf", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("exp", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("fast_erf", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("fast_exp", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("fast_tanh", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("floor", Elemwise, FLOATS, Jumps, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("isfinite", Elemwise, FLOATS, Decides, question).with_layout(Elementwise),
    Row::new("isinf", Elemwise, FLOATS, Decides, question).with_layout(Elementwise),
    Row::new("isnan", Elemwise, FLOATS, Decides, question).with_layout(Elementwise),
    Row::new("log", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_pole_at_zero(),
    Row::new("log10", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_pole_at_zero(),
    Row::new("log2", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_pole_at_zero(),
    Row::new("logical_not", Elemwise, BOOLEANS, Decides, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("negative", Elemwise, NUMBERS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("nn.leaky_relu", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_scaling(Scaling::Positive),
    Row::new("nn.relu", Elemwise, NUMBERS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_scaling(Scaling::Positive),
    Row::new("round", Elemwise, FLOATS, Jumps, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("rsqrt", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise)
        .with_pole_at_zero(),
    Row::new("sigmoid", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("sign", Elemwise, NUMBERS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("sin", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("sinh", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("sqrt", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("tan", Elemwise, FLOATS, Amplifies, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("tanh", Elemwise, FLOATS, Near, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("trunc", Elemwise, FLOATS, Jumps, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("cast", Elemwise, ANY, Converts, cast)
        .with_layout(Elementwise)
        .with_fold(fold_cast),
    Row::new("reinterpret", Elemwise, ANY, Converts, reinterpret)
        .with_layout(Elementwise)
        .with_fold(fold_cast),
];

/// The answers to a question about each element.
fn question(call: &Call) -> Result<Vec<TensorType>, String> {
    let mut types = identity(call)?;
    types[0].element = Element::Bool.ty(call.ctx);
    Ok(types)
}

fn clip(call: &Call) -> Result<Vec<TensorType>, String> {
    let (low, high) = (call.attrs.float("a_min")?, call.attrs.float("a_max")?);
    if low.is_nan() || high.is_nan() || low > high {
        return Err(format!("a_min {low} is not at most a_max {high} (C1)"));
    }
    identity(call)
}

fn cast(call: &Call) -> Result<Vec<TensorType>, String> {
    let dtype = call.attrs.ty("dtype")?;
    element(dtype).map_err(rule("C1"))?;
    Ok(vec![TensorType::new(call.inputs[0].shape.clone(), dtype)])
}

fn reinterpret(call: &Call) -> Result<Vec<TensorType>, String> {
    let types = cast(call)?;
    let bits = |ty| {
        let element = Element::require(ty)?;
        Ok::<_, String>(if element == Element::Bool {
            8
        } else {
            element.bits()
        })
    };
    let (from, to) = (call.inputs[0].element, types[0].element);
    let (old, new) = (bits(from)?, bits(to)?);
    match old == new {
        true => Ok(types),
        false => Err(format!("{from} has {old} bits, and {to} has {new} (C1)")),
    }
}

fn fold_cast(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    super::same_type(op)
}
