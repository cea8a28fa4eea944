//! Operations of `keras.ops` on elements.

use super::{
    operand::{floats, pair, tensor, unified, value},
    row::{Row, row, unary},
};
use crate::{
    compose::activation::clipped,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    keras::{
        element,
        item::{Item, Tree},
        node::Node,
    },
};
use relay_dialects::element::Element;

/// The rows of operations.
pub const OPERATIONS: &[Row] = &[
    unary(&["Abs", "Absolute"], "abs"),
    row(&["Add"], |n, b| binary(n, b, "add")),
    row(&["Arccos"], |n, b| of_floats(n, b, "acos")),
    row(&["Arccosh"], |n, b| of_floats(n, b, "acosh")),
    row(&["Arcsin"], |n, b| of_floats(n, b, "asin")),
    row(&["Arcsinh"], |n, b| of_floats(n, b, "asinh")),
    row(&["Arctan"], |n, b| of_floats(n, b, "atan")),
    row(&["Arctanh"], |n, b| of_floats(n, b, "atanh")),
    row(&["Cast"], cast),
    row(&["Ceil"], |n, b| of_floats(n, b, "ceil")),
    row(&["Clip"], clip),
    row(&["Cos"], |n, b| of_floats(n, b, "cos")),
    row(&["Cosh"], |n, b| of_floats(n, b, "cosh")),
    row(&["Divide", "TrueDivide"], divide),
    row(&["Equal"], |n, b| binary(n, b, "equal")),
    row(&["Erf"], |n, b| of_floats(n, b, "erf")),
    row(&["Exp"], |n, b| of_floats(n, b, "exp")),
    row(&["Expm1"], |n, b| {
        let exp = of_floats(n, b, "exp")?;
        b.with_scalar("subtract", &exp, 1.0)
    }),
    row(&["Floor"], |n, b| of_floats(n, b, "floor")),
    row(&["FloorDivide"], |n, b| binary(n, b, "floor_divide")),
    row(&["Greater"], |n, b| binary(n, b, "greater")),
    row(&["GreaterEqual"], |n, b| binary(n, b, "greater_equal")),
    row(&["Identity", "StopGradient"], |n, b| {
        tensor(n, b, 0, &["x", "variable"])
    }),
    row(&["Isfinite"], |n, b| of_floats(n, b, "isfinite")),
    row(&["Isinf"], |n, b| of_floats(n, b, "isinf")),
    row(&["Isnan"], |n, b| of_floats(n, b, "isnan")),
    row(&["Less"], |n, b| binary(n, b, "less")),
    row(&["LessEqual"], |n, b| binary(n, b, "less_equal")),
    row(&["Log"], |n, b| of_floats(n, b, "log")),
    row(&["Log10"], |n, b| of_floats(n, b, "log10")),
    row(&["Log1p"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let x = floats(b, &x)?;
        let shifted = b.with_scalar("add", &x, 1.0)?;
        b.unary("log", &shifted)
    }),
    row(&["Log2"], |n, b| of_floats(n, b, "log2")),
    row(&["LogicalAnd"], |n, b| logical(n, b, "logical_and")),
    row(&["LogicalNot"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let x = b.cast(&x, Element::Bool)?;
        b.unary("logical_not", &x)
    }),
    row(&["LogicalOr"], |n, b| logical(n, b, "logical_or")),
    row(&["LogicalXor"], |n, b| logical(n, b, "logical_xor")),
    row(&["Maximum"], |n, b| binary(n, b, "maximum")),
    row(&["Minimum"], |n, b| binary(n, b, "minimum")),
    row(&["Mod"], |n, b| binary(n, b, "floor_mod")),
    row(&["Multiply"], |n, b| binary(n, b, "multiply")),
    unary(&["Negative"], "negative"),
    row(&["NotEqual"], |n, b| binary(n, b, "not_equal")),
    row(&["OnesLike"], |n, b| filled(n, b, 1.0)),
    row(&["Power"], |n, b| binary(n, b, "power")),
    row(&["Reciprocal"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let x = floats(b, &x)?;
        let one = b.scalar(x.element(), 1.0);
        b.binary("divide", &one, &x)
    }),
    row(&["Round"], round),
    row(&["Rsqrt"], |n, b| of_floats(n, b, "rsqrt")),
    unary(&["Sign"], "sign"),
    row(&["Sin"], |n, b| of_floats(n, b, "sin")),
    row(&["Sinh"], |n, b| of_floats(n, b, "sinh")),
    row(&["Sqrt"], |n, b| of_floats(n, b, "sqrt")),
    row(&["Square"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        b.binary("multiply", &x, &x)
    }),
    row(&["Subtract"], |n, b| binary(n, b, "subtract")),
    row(&["Tan"], |n, b| of_floats(n, b, "tan")),
    row(&["Tanh"], |n, b| of_floats(n, b, "tanh")),
    row(&["Where"], choose),
    row(&["ZerosLike"], |n, b| filled(n, b, 0.0)),
];

/// An operation that makes floats of integers.
fn of_floats(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let x = floats(b, &x)?;
    b.unary(operator, &x)
}

fn binary(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let (lhs, rhs) = pair(n, b)?;
    b.binary(operator, &lhs, &rhs)
}

fn logical(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let (lhs, rhs) = pair(n, b)?;
    let (lhs, rhs) = (b.cast(&lhs, Element::Bool)?, b.cast(&rhs, Element::Bool)?);
    b.binary(operator, &lhs, &rhs)
}

/// A quotient, which is a float whatever its operands are.
fn divide(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (lhs, rhs) = pair(n, b)?;
    let (lhs, rhs) = (floats(b, &lhs)?, floats(b, &rhs)?);
    b.binary("divide", &lhs, &rhs)
}

/// Rounds halves to even numbers; with decimals, behind the point.
fn round(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let decimals = match n.arg(1, &["decimals"]) {
        Some(item) => item.int(),
        None => n.config.int("decimals")?,
    };
    let x = tensor(n, b, 0, &["x"])?;
    match decimals.unwrap_or(0) {
        _ if !x.element().is_float() => Ok(x),
        0 => b.unary("round", &x),
        decimals => {
            let scale = 10_f64.powi(decimals.clamp(-300, 300) as i32);
            let scaled = b.with_scalar("multiply", &x, scale)?;
            let rounded = b.unary("round", &scaled)?;
            b.with_scalar("divide", &rounded, scale)
        }
    }
}

fn cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let to = match n.arg(1, &["dtype"]) {
        Some(Tree::Text(name)) => Some(element::of_name(name)?),
        Some(other) => return Err(format!("argument 'dtype' is {}", other.kind())),
        None => n.config.element("dtype")?,
    };
    b.cast(&x, to.ok_or("argument 'dtype' is missing")?)
}

/// A bound or a fill: an argument, or an attribute.
fn number(n: &Node<'_>, place: usize, [name, other]: [&str; 2]) -> Result<Option<f64>> {
    match n.arg(place, &[name, other]) {
        Some(item) => match item.float() {
            Some(number) => Ok(Some(number)),
            None => Err(format!(
                "argument '{name}' is {}, expected a number",
                item.kind()
            )),
        },
        None => n.config.optional_float(name),
    }
}

fn clip(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let low = number(n, 1, ["x_min", "clip_value_min"])?.unwrap_or(x.element().least());
    let high = number(n, 2, ["x_max", "clip_value_max"])?.unwrap_or(x.element().greatest());
    clipped(b, &x, low, high)
}

fn filled(n: &Node<'_>, b: &mut GraphBuilder, number: f64) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let to = match n.arg(1, &["dtype"]) {
        Some(Tree::Text(name)) => Some(element::of_name(name)?),
        _ => n.config.element("dtype")?,
    };
    b.full(to.unwrap_or(x.element()), x.dims(), number)
}

fn choose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let condition = tensor(n, b, 0, &["condition"])?;
    let condition = b.cast(&condition, Element::Bool)?;
    let part = |place: usize, name: &str| {
        n.arg(place, &[name])
            .ok_or_else(|| format!("argument '{name}' is missing"))
    };
    let (lhs, rhs) = (part(1, "x1")?, part(2, "x2")?);
    let of = |item: &Item| match item {
        Tree::Leaf(tensor) => Some(tensor.value.element()),
        _ => None,
    };
    let (lhs, rhs) = (value(b, lhs, of(rhs))?, value(b, rhs, of(lhs))?);
    let (lhs, rhs) = unified(b, &lhs, &rhs)?;
    b.op("where", &[condition, lhs, rhs], &[])
}
