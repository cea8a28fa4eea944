//! Elementwise functions of one tensor.

use crate::{
    ir::{Attr, Op},
    relay::{Call, Folded, Pattern::Elemwise, Row, TensorType, relation::identity},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("abs", Elemwise, identity),
    Row::new("ceil", Elemwise, float),
    Row::new("clip", Elemwise, clip),
    Row::new("copy", Elemwise, identity),
    Row::new("cos", Elemwise, float),
    Row::new("erf", Elemwise, float),
    Row::new("exp", Elemwise, float),
    Row::new("floor", Elemwise, float),
    Row::new("log", Elemwise, float),
    Row::new("logical_not", Elemwise, boolean),
    Row::new("negative", Elemwise, identity),
    Row::new("nn.relu", Elemwise, identity),
    Row::new("nn.leaky_relu", Elemwise, float),
    Row::new("round", Elemwise, float),
    Row::new("rsqrt", Elemwise, float),
    Row::new("sigmoid", Elemwise, float),
    Row::new("sign", Elemwise, identity),
    Row::new("sin", Elemwise, float),
    Row::new("sqrt", Elemwise, float),
    Row::new("tanh", Elemwise, float),
    Row::new("cast", Elemwise, cast).with_fold(fold_cast),
];

fn float(call: &Call) -> Result<Vec<TensorType>, String> {
    let element = call.inputs[0].element;
    if !element.is_float() {
        return Err(format!("takes floats, not {element} (C1)"));
    }
    identity(call)
}

fn boolean(call: &Call) -> Result<Vec<TensorType>, String> {
    let element = call.inputs[0].element;
    if !element.is_bool() {
        return Err(format!("takes booleans, not {element} (C1)"));
    }
    identity(call)
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
    if !dtype.is_float() && !dtype.is_int() {
        return Err(format!("dtype is {dtype}, expected a number type (C1)"));
    }
    Ok(vec![TensorType::new(call.inputs[0].shape.clone(), dtype)])
}

fn fold_cast(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    super::same_type(op)
}
