//! Functions of elements.

use super::row::{
    Becomes::{Binary, Compares, Scalar, ScalarCompares, Unary},
    Row, becomes, row,
};
use crate::{
    compose::activation::{clipped, round_from_zero},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    mxnet::{node::Node, params},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    becomes(&["abs", "_np_abs"], Unary("abs")),
    becomes(&["arccos"], Unary("acos")),
    becomes(&["arccosh"], Unary("acosh")),
    becomes(&["arcsin"], Unary("asin")),
    becomes(&["arcsinh"], Unary("asinh")),
    becomes(&["arctan"], Unary("atan")),
    becomes(&["arctanh"], Unary("atanh")),
    becomes(&["ceil"], Unary("ceil")),
    becomes(&["cos"], Unary("cos")),
    becomes(&["cosh"], Unary("cosh")),
    becomes(&["erf"], Unary("erf")),
    becomes(&["exp"], Unary("exp")),
    becomes(&["floor"], Unary("floor")),
    becomes(&["log"], Unary("log")),
    becomes(&["log10"], Unary("log10")),
    becomes(&["log2"], Unary("log2")),
    becomes(&["negative"], Unary("negative")),
    becomes(&["relu"], Unary("nn.relu")),
    becomes(&["fix", "trunc"], Unary("trunc")),
    becomes(&["rint"], Unary("round")),
    becomes(&["rsqrt"], Unary("rsqrt")),
    becomes(&["sigmoid"], Unary("sigmoid")),
    becomes(&["sign"], Unary("sign")),
    becomes(&["sin"], Unary("sin")),
    becomes(&["sinh"], Unary("sinh")),
    becomes(&["sqrt"], Unary("sqrt")),
    becomes(&["tan"], Unary("tan")),
    becomes(&["tanh"], Unary("tanh")),
    becomes(
        &[
            "_Plus",
            "_plus",
            "_grad_add",
            "broadcast_add",
            "broadcast_plus",
            "elemwise_add",
            "_npi_add",
        ],
        Binary("add"),
    ),
    becomes(
        &[
            "_Minus",
            "_minus",
            "_sub",
            "broadcast_minus",
            "broadcast_sub",
            "elemwise_sub",
            "_npi_subtract",
        ],
        Binary("subtract"),
    ),
    becomes(
        &[
            "_Mul",
            "_mul",
            "broadcast_mul",
            "elemwise_mul",
            "_npi_multiply",
        ],
        Binary("multiply"),
    ),
    becomes(
        &[
            "_Div",
            "_div",
            "broadcast_div",
            "elemwise_div",
            "_npi_true_divide",
        ],
        Binary("divide"),
    ),
    becomes(
        &["_Maximum", "_maximum", "broadcast_maximum"],
        Binary("maximum"),
    ),
    becomes(
        &["_Minimum", "_minimum", "broadcast_minimum"],
        Binary("minimum"),
    ),
    becomes(
        &["_Power", "_power", "broadcast_power", "_npi_power"],
        Binary("power"),
    ),
    becomes(&["_Mod", "_mod", "broadcast_mod"], Binary("floor_mod")),
    becomes(&["_Equal", "_equal", "broadcast_equal"], Compares("equal")),
    becomes(
        &["_Not_Equal", "_not_equal", "broadcast_not_equal"],
        Compares("not_equal"),
    ),
    becomes(
        &["_Greater", "_greater", "broadcast_greater"],
        Compares("greater"),
    ),
    becomes(
        &[
            "_Greater_Equal",
            "_greater_equal",
            "broadcast_greater_equal",
        ],
        Compares("greater_equal"),
    ),
    becomes(
        &["_Lesser", "_lesser", "broadcast_lesser"],
        Compares("less"),
    ),
    becomes(
        &["_Lesser_Equal", "_lesser_equal", "broadcast_lesser_equal"],
        Compares("less_equal"),
    ),
    becomes(
        &["_PlusScalar", "_plus_scalar", "_npi_add_scalar"],
        Scalar("add", false),
    ),
    becomes(
        &["_MinusScalar", "_minus_scalar", "_npi_subtract_scalar"],
        Scalar("subtract", false),
    ),
    becomes(
        &["_RMinusScalar", "_rminus_scalar", "_npi_rsubtract_scalar"],
        Scalar("subtract", true),
    ),
    becomes(
        &["_MulScalar", "_mul_scalar", "_npi_multiply_scalar"],
        Scalar("multiply", false),
    ),
    becomes(
        &["_DivScalar", "_div_scalar", "_npi_true_divide_scalar"],
        Scalar("divide", false),
    ),
    becomes(
        &["_RDivScalar", "_rdiv_scalar", "_npi_rtrue_divide_scalar"],
        Scalar("divide", true),
    ),
    becomes(
        &["_PowerScalar", "_power_scalar", "_npi_power_scalar"],
        Scalar("power", false),
    ),
    becomes(&["_RPowerScalar", "_rpower_scalar"], Scalar("power", true)),
    becomes(&["_ModScalar", "_mod_scalar"], Scalar("floor_mod", false)),
    becomes(&["_RModScalar", "_rmod_scalar"], Scalar("floor_mod", true)),
    becomes(
        &["_MaximumScalar", "_maximum_scalar"],
        Scalar("maximum", false),
    ),
    becomes(
        &["_MinimumScalar", "_minimum_scalar"],
        Scalar("minimum", false),
    ),
    becomes(&["_EqualScalar", "_equal_scalar"], ScalarCompares("equal")),
    becomes(
        &["_NotEqualScalar", "_not_equal_scalar"],
        ScalarCompares("not_equal"),
    ),
    becomes(
        &["_GreaterScalar", "_greater_scalar"],
        ScalarCompares("greater"),
    ),
    becomes(
        &["_GreaterEqualScalar", "_greater_equal_scalar"],
        ScalarCompares("greater_equal"),
    ),
    becomes(&["_LesserScalar", "_lesser_scalar"], ScalarCompares("less")),
    becomes(
        &["_LesserEqualScalar", "_lesser_equal_scalar"],
        ScalarCompares("less_equal"),
    ),
    row(
        &[
            "BlockGrad",
            "stop_gradient",
            "Dropout",
            "_copy",
            "identity",
            "_npi_copy",
            "_np_copy",
            "MakeLoss",
            "make_loss",
        ],
        same,
    ),
    row(&["LinearRegressionOutput", "MAERegressionOutput"], same).reading(1),
    row(&["LogisticRegressionOutput"], logistic).reading(1),
    row(&["Cast", "cast", "amp_cast"], cast),
    row(&["add_n", "ElementWiseSum", "_sum"], sum),
    row(&["cbrt"], cube_root),
    row(&["clip"], clip),
    row(&["degrees"], degrees),
    row(&["expm1"], exp_minus_1),
    row(&["log1p"], log_of_1_and),
    row(&["logical_not", "_npi_logical_not"], not),
    row(&["radians"], radians),
    row(&["reciprocal"], reciprocal),
    row(&["round"], round),
    row(&["smooth_l1"], smooth_l1),
    row(&["square", "_npi_square"], square),
];

fn same(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Value>> {
    // What training does: how much is dropped, along which axes.
    n.attrs.float("p", 0.0)?;
    n.attrs.text("mode");
    n.attrs.text("axes");
    n.attrs.text("valid_thresh");
    Ok(vec![n.input(0)?])
}

fn logistic(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![b.unary("sigmoid", &n.input(0)?)?])
}

/// The element type that an attribute names.
pub(super) fn dtype(n: &Node<'_>, name: &str) -> Result<Option<Element>> {
    let Some(text) = n.attrs.text(name) else {
        return Ok(None);
    };
    if let Ok(code) = text.parse::<i32>() {
        return match code {
            // Nothing is said.
            -1 => Ok(None),
            code => params::element(code).map(Some),
        };
    }
    let known = crate::relay_text::element_of(text);
    known
        .map(Some)
        .ok_or_else(|| format!("attribute '{name}' is '{text}', which is no element type"))
}

fn cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let to = dtype(n, "dtype")?.ok_or("attribute 'dtype' is missing")?;
    Ok(vec![b.cast(&n.input(0)?, to)?])
}

fn sum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut total = n.input(0)?;
    for value in &n.inputs[1..] {
        total = b.binary("add", &total, value)?;
    }
    Ok(vec![total])
}

/// The root of the size, with the sign of x.
fn cube_root(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let size = b.unary("abs", &x)?;
    let root = b.with_scalar("power", &size, 1.0 / 3.0)?;
    let sign = b.unary("sign", &x)?;
    Ok(vec![b.binary("multiply", &sign, &root)?])
}

fn clip(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let low = n.attrs.float("a_min", f64::NEG_INFINITY)?;
    let high = n.attrs.float("a_max", f64::INFINITY)?;
    Ok(vec![clipped(b, &n.input(0)?, low, high)?])
}

fn degrees(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![b.with_scalar(
        "multiply",
        &n.input(0)?,
        1f64.to_degrees(),
    )?])
}

fn radians(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![b.with_scalar(
        "multiply",
        &n.input(0)?,
        1f64.to_radians(),
    )?])
}

fn exp_minus_1(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let exp = b.unary("exp", &n.input(0)?)?;
    Ok(vec![b.with_scalar("subtract", &exp, 1.0)?])
}

fn log_of_1_and(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let sum = b.with_scalar("add", &n.input(0)?, 1.0)?;
    Ok(vec![b.unary("log", &sum)?])
}

fn not(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let is_zero = b.with_scalar("equal", &x, 0.0)?;
    Ok(vec![b.cast(&is_zero, x.element())?])
}

fn reciprocal(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let one = b.scalar(x.element(), 1.0);
    Ok(vec![b.binary("divide", &one, &x)?])
}

fn round(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![round_from_zero(b, &n.input(0)?)?])
}

/// (s x)^2 / 2 where |x| < 1 / s^2, else |x| - 1 / (2 s^2).
fn smooth_l1(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let s = n.attrs.float("scalar", 1.0)?;
    n.attrs.flag("is_int", false)?;
    let size = b.unary("abs", &x)?;
    let near = b.with_scalar("less", &size, 1.0 / (s * s))?;
    let square = b.binary("multiply", &x, &x)?;
    let inner = b.with_scalar("multiply", &square, s * s / 2.0)?;
    let outer = b.with_scalar("subtract", &size, 0.5 / (s * s))?;
    Ok(vec![b.op("where", &[near, inner, outer], &[])?])
}

fn square(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![b.binary("multiply", &x, &x)?])
}
