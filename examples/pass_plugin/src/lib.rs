//! `replace-gelu`: a pass that lives outside of the project.
//!
//! GELU is `x * (1 + erf(x / sqrt(2))) / 2`. Networks are often run with an approximation that
//! costs less than `erf`; this pass puts one in.
//!
//! ```text
//! relay-opt --load-pass-plugin=libreplace_gelu.so --replace-gelu="with=sigmoid" model.mlir
//! ```

use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    ops::func,
    pass::{self, Default, OptionSpec, Options, PassResult, PassSpec},
    pass_plugin,
    relay::build::{make, scalar, splat},
    rewrite::{self, Rule},
};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

pass_plugin!(c"replace-gelu", &[&SPEC]);

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "replace-gelu",
    summary: "put an approximation in the place of GELU",
    description: "Replaces `x * (1 + erf(x / sqrt(2))) / 2`, with its factors in any order, by an \
                  approximation, and erases what nobody reads then.",
    anchor: func::Func::NAME,
    options: &[OptionSpec {
        name: "with",
        summary: "the approximation: tanh or sigmoid",
        default: Default::Str("tanh"),
    }],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    let rule: Rule = match options.str("with") {
        "tanh" => |op| replace(op, tanh),
        "sigmoid" => |op| replace(op, sigmoid),
        other => {
            let message = format!("cannot replace GELU with '{other}', only tanh or sigmoid");
            return pass::fail(function, message);
        }
    };
    rewrite::apply(function, &[rule])
}

/// The approximation in the place of `op`, if that is a GELU.
fn replace(op: Op, approximation: fn(&Builder, Value) -> Value) -> Option<Vec<Value>> {
    let x = operand_of_gelu(op)?;
    Some(vec![approximation(&Builder::before(op), x)])
}

/// The `x` of `x * (1 + erf(x / sqrt(2))) / 2`, if `op` is the last multiplication of that.
fn operand_of_gelu(op: Op) -> Option<Value> {
    if !op.is(names::relay::MULTIPLY) {
        return None;
    }
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    let x = operand_of_product(lhs, rhs).or_else(|| operand_of_product(rhs, lhs))?;
    (x.ty() == op.result(0).ty()).then_some(x)
}

/// The same, where `product` multiplies two of the three factors.
fn operand_of_product(product: Value, third: Value) -> Option<Value> {
    let product = product.def_of(names::relay::MULTIPLY)?;
    let factors = [product.operand(0), product.operand(1), third];
    let x = factors.into_iter().find_map(operand_of_gate)?;
    // The gate, x and a half are three different values.
    let is_half = |factor: Value| is_constant(factor, 0.5);
    let found = factors.contains(&x) && factors.into_iter().any(is_half);
    (found && splat(x).is_none()).then_some(x)
}

/// The `x` of `1 + erf(x / sqrt(2))`.
fn operand_of_gate(gate: Value) -> Option<Value> {
    let erf = beside_constant(gate.def_of(names::relay::ADD)?, 1.0)?;
    let scaled = erf.def_of(names::relay::ERF)?.operand(0);
    if let Some(product) = scaled.def_of(names::relay::MULTIPLY) {
        return beside_constant(product, FRAC_1_SQRT_2);
    }
    let quotient = scaled.def_of(names::relay::DIVIDE)?;
    is_constant(quotient.operand(1), FRAC_1_SQRT_2.recip()).then(|| quotient.operand(0))
}

/// The other operand of an op one of whose operands is `number`.
fn beside_constant(op: Op, number: f64) -> Option<Value> {
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    match (is_constant(lhs, number), is_constant(rhs, number)) {
        (true, _) => Some(rhs),
        (_, true) => Some(lhs),
        _ => None,
    }
}

/// Whether every element is `number`, in the precision of models.
fn is_constant(value: Value, number: f64) -> bool {
    splat(value).is_some_and(|found| (found - number).abs() < 1e-3)
}

/// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.
fn tanh(b: &Builder, x: Value) -> Value {
    let number = |value: f64| scalar(b, x.ty().element(), value);
    let op = |name: &str, lhs: Value, rhs: Value| make(b, name, &[lhs, rhs], &[]);
    let cube = op(names::relay::MULTIPLY, op(names::relay::MULTIPLY, x, x), x);
    let sum = op(names::relay::ADD, x, op(names::relay::MULTIPLY, cube, number(0.044715)));
    let scaled = op(names::relay::MULTIPLY, sum, number(FRAC_2_PI.sqrt()));
    let tanh = make(b, names::relay::TANH, &[scaled], &[]);
    let gate = op(names::relay::ADD, tanh, number(1.0));
    op(names::relay::MULTIPLY, op(names::relay::MULTIPLY, x, number(0.5)), gate)
}

/// `x * sigmoid(1.702 * x)`.
fn sigmoid(b: &Builder, x: Value) -> Value {
    let number = scalar(b, x.ty().element(), 1.702);
    let scaled = make(b, names::relay::MULTIPLY, &[x, number], &[]);
    let gate = make(b, names::relay::SIGMOID, &[scaled], &[]);
    make(b, names::relay::MULTIPLY, &[x, gate], &[])
}
