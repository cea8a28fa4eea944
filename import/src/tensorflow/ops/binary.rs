//! Functions of two tensors, which broadcast.

use super::row::{Row, row};
use crate::{
    compose::activation::angle,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};

/// A row of an operator of Relay's.
macro_rules! plain {
    ($names:expr, $op:literal) => {
        row($names, |n, b| binary(n, b, $op))
    };
}

/// The family's rows.
pub const ROWS: &[Row] = &[
    plain!(&["Add", "AddV2"], "add"),
    plain!(&["Sub"], "subtract"),
    plain!(&["Mul"], "multiply"),
    plain!(&["RealDiv"], "divide"),
    row(&["Div"], divide),
    plain!(&["TruncateDiv"], "trunc_divide"),
    plain!(&["FloorDiv"], "floor_divide"),
    plain!(&["FloorMod"], "floor_mod"),
    plain!(&["Mod", "TruncateMod"], "trunc_mod"),
    plain!(&["Pow"], "power"),
    plain!(&["Maximum"], "maximum"),
    plain!(&["Minimum"], "minimum"),
    plain!(&["Less"], "less"),
    plain!(&["LessEqual"], "less_equal"),
    plain!(&["Greater"], "greater"),
    plain!(&["GreaterEqual"], "greater_equal"),
    row(&["Equal"], |n, b| compare(n, b, "equal")),
    row(&["NotEqual"], |n, b| compare(n, b, "not_equal")),
    plain!(&["LogicalAnd"], "logical_and"),
    plain!(&["LogicalOr"], "logical_or"),
    plain!(&["BitwiseAnd"], "bitwise_and"),
    plain!(&["BitwiseOr"], "bitwise_or"),
    plain!(&["BitwiseXor"], "bitwise_xor"),
    plain!(&["LeftShift"], "left_shift"),
    plain!(&["RightShift"], "right_shift"),
    row(&["SquaredDifference"], squared_difference),
    row(&["Atan2"], |n, b| {
        Ok(vec![angle(b, &n.input(0)?, &n.input(1)?)?])
    }),
    row(&["AddN", "AccumulateNV2"], add_n),
    row(&["BiasAdd", "BiasAddV1"], bias_add),
    row(&["DivNoNan"], |n, b| zero_where_zero(n, b, 1, "divide")),
    row(&["MulNoNan"], |n, b| zero_where_zero(n, b, 1, "multiply")),
    row(&["Xdivy"], |n, b| zero_where_zero(n, b, 0, "divide")),
    row(&["Xlogy"], xlogy),
    row(&["ClipByValue"], clip),
];

fn binary(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    Ok(vec![b.binary(op, &x, &y)?])
}

/// The quotients of integers are rounded towards zero.
fn divide(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    match n.input(0)?.element().is_float() {
        true => binary(n, b, "divide"),
        false => binary(n, b, "trunc_divide"),
    }
}

/// Tensors whose shapes do not fit are an error, whatever the attribute says.
fn compare(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.attrs.ignore(&["incompatible_shape_error"]);
    binary(n, b, op)
}

fn squared_difference(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    let difference = b.binary("subtract", &x, &y)?;
    Ok(vec![b.binary("multiply", &difference, &difference)?])
}

fn add_n(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.attrs.ignore(&["shape"]);
    let inputs = n.tensors(0..n.inputs.len())?;
    let (first, others) = inputs.split_first().ok_or("there are no inputs")?;
    let mut sum = first.clone();
    for other in others {
        sum = b.binary("add", &sum, other)?;
    }
    Ok(vec![sum])
}

fn bias_add(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, bias) = n.both()?;
    let is_first = n.attrs.text_or("data_format", "NHWC")?.starts_with("NC");
    if !is_first || x.rank() < 2 {
        return Ok(vec![b.binary("add", &x, &bias)?]);
    }
    let mut dims = vec![relay_dialects::dim::Dim::Known(1); x.rank()];
    dims[1] = *bias.dims().first().ok_or("the bias is of rank 0")?;
    let bias = b.reshape(&bias, &dims)?;
    Ok(vec![b.binary("add", &x, &bias)?])
}

/// What an operator makes of two tensors, and 0 where one of them is 0.
fn zero_where_zero(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    place: usize,
    op: &str,
) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    let made = b.binary(op, &x, &y)?;
    zero_where(b, &n.input(place)?, &made)
}

fn zero_where(b: &mut GraphBuilder, x: &Value, made: &Value) -> Result<Vec<Value>> {
    let is_zero = b.with_scalar("equal", x, 0.0)?;
    let zero = b.scalar(made.element(), 0.0);
    Ok(vec![b.op("where", &[is_zero, zero, made.clone()], &[])?])
}

fn xlogy(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    let log = b.unary("log", &y)?;
    let made = b.binary("multiply", &x, &log)?;
    zero_where(b, &x, &made)
}

fn clip(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let cut = b.binary("minimum", &n.input(0)?, &n.input(2)?)?;
    Ok(vec![b.binary("maximum", &cut, &n.input(1)?)?])
}
