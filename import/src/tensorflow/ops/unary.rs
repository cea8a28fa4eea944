//! Functions of one tensor, element by element.

use super::row::{Row, row};
use crate::{
    compose::activation::{
        SELU, clipped, exp_minus_1, exponential_below_zero, leak, log_of_1_and_exp,
        log_of_sum_with_1, softsign_of,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::element::Element;

/// A row of an operator of Relay's.
macro_rules! plain {
    ($name:literal, $op:literal) => {
        row(&[$name], |n, b| Ok(vec![b.unary($op, &n.input(0)?)?]))
    };
}

/// A row of something composed.
macro_rules! composed {
    ($names:expr, $function:expr) => {
        row($names, |n, b| {
            let function: fn(&mut GraphBuilder, &Value) -> Result<Value> = $function;
            Ok(vec![function(b, &n.input(0)?)?])
        })
    };
}

/// The family's rows.
pub const ROWS: &[Row] = &[
    plain!("Abs", "abs"),
    plain!("Neg", "negative"),
    plain!("Sign", "sign"),
    plain!("Sqrt", "sqrt"),
    plain!("Rsqrt", "rsqrt"),
    plain!("Exp", "exp"),
    plain!("Log", "log"),
    plain!("Sin", "sin"),
    plain!("Cos", "cos"),
    plain!("Tan", "tan"),
    plain!("Asin", "asin"),
    plain!("Acos", "acos"),
    plain!("Atan", "atan"),
    plain!("Sinh", "sinh"),
    plain!("Cosh", "cosh"),
    plain!("Tanh", "tanh"),
    plain!("Asinh", "asinh"),
    plain!("Acosh", "acosh"),
    plain!("Atanh", "atanh"),
    plain!("Erf", "erf"),
    plain!("Sigmoid", "sigmoid"),
    plain!("Relu", "nn.relu"),
    plain!("LogicalNot", "logical_not"),
    plain!("Invert", "bitwise_not"),
    plain!("IsNan", "isnan"),
    plain!("IsInf", "isinf"),
    plain!("IsFinite", "isfinite"),
    composed!(&["Floor"], |b, x| whole(b, x, "floor")),
    composed!(&["Ceil"], |b, x| whole(b, x, "ceil")),
    composed!(&["Rint", "Round"], |b, x| whole(b, x, "round")),
    composed!(&["Square"], |b, x| b.binary("multiply", x, x)),
    composed!(&["Reciprocal", "Inv"], |b, x| from(b, 1.0, x, "divide")),
    composed!(&["Expm1"], exp_minus_1),
    composed!(&["Log1p"], log_of_sum_with_1),
    composed!(&["Erfc"], |b, x| {
        let erf = b.unary("erf", x)?;
        from(b, 1.0, &erf, "subtract")
    }),
    composed!(&["Relu6"], |b, x| clipped(b, x, 0.0, 6.0)),
    composed!(&["Elu"], |b, x| exponential_below_zero(b, x, x, 1.0)),
    composed!(&["Selu"], |b, x| {
        let (scale, slope) = SELU;
        let made = exponential_below_zero(b, x, x, slope)?;
        b.with_scalar("multiply", &made, scale)
    }),
    composed!(&["Softplus"], log_of_1_and_exp),
    composed!(&["Softsign"], softsign_of),
    composed!(&["ZerosLike"], |b, x| b.full(x.element(), x.dims(), 0.0)),
    composed!(&["OnesLike"], |b, x| b.full(x.element(), x.dims(), 1.0)),
    row(&["LeakyRelu"], |n, b| {
        let alpha = n.attrs.float("alpha", f64::from(0.2f32))?;
        Ok(vec![leak(b, &n.input(0)?, alpha)?])
    }),
    row(&["Cast"], cast),
    row(&["Bitcast"], bitcast),
];

/// Whole numbers; integers are such.
fn whole(b: &mut GraphBuilder, x: &Value, op: &str) -> Result<Value> {
    match x.element().is_float() {
        true => b.unary(op, x),
        false => Ok(x.clone()),
    }
}

/// An op of a number and a tensor.
fn from(b: &mut GraphBuilder, number: f64, x: &Value, op: &str) -> Result<Value> {
    let number = b.scalar(x.element(), number);
    b.binary(op, &number, x)
}

fn cast(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.attrs.ignore(&["SrcT"]);
    if n.attrs.flag("Truncate", false)? {
        return Err("attribute 'Truncate' is set, which is not supported".into());
    }
    let x = n.input(0)?;
    let to = n.attrs.element("DstT", x.element())?;
    if to == Element::Bool && x.element() != Element::Bool {
        return Ok(vec![b.with_scalar("not_equal", &x, 0.0)?]);
    }
    Ok(vec![b.cast(&x, to)?])
}

fn bitcast(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let to = n.attrs.element("type", x.element())?;
    if x.element() == to {
        return Ok(vec![x]);
    }
    if x.element().bytes() != to.bytes() {
        return Err(format!(
            "a change from {:?} to {to:?}, which is of another size, is not supported",
            x.element()
        ));
    }
    let attrs = [("dtype", Param::Type(to))];
    Ok(vec![b.op("reinterpret", &[x], &attrs)?])
}
