//! `expand-device-math`: functions that a processor has in its C library and a GPU has not.

mod arcs;
mod doubles;

use crate::tir::approximate_math::{
    power::constant,
    trigonometric::{cosine_on_device, sine_on_device},
};
use relay_dialects::{
    attrs,
    ir::{Builder, Op, Value, approximate_math},
    ops::{
        arith::{self, CmpFPredicate},
        func, math,
    },
    pass::{Options, PassResult, PassSpec, fail},
};
use std::f64::consts::{LN_10, LOG2_E};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "expand-device-math",
    summary: "Compute functions of f32 and f64 on a device that has no C library",
    description: "In functions of a grid's threads, functions of f32 and of f32 vectors become arithmetic, or functions that \
                  `approximate-math` computes. Hyperbolic functions and their inverses are written with `expm1` and `log1p`, \
                  so that they are exact near 0. erfc, cbrt, log1p and expm1 of f32 are upstream's \
                  approximations. sin and cos of magnitudes above 100000 are computed in f64. \
                  Functions of f64 become polynomials. A test measures their errors: below 3 units in the last place, and below 4 for tan \
                  and erfc.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// Writes a function of a number or of a vector of them.
type Write = fn(&Builder, Value) -> Value;

/// Functions of f32 or f64. Some are made of other functions, which come later.
const OF_EITHER: [(&str, Write); 8] = [
    (math::Asin::NAME, arcs::arc_sine),
    (math::Acos::NAME, arcs::arc_cosine),
    (math::Atan::NAME, arcs::arc_tangent),
    (math::Sinh::NAME, sinh),
    (math::Cosh::NAME, cosh),
    (math::Asinh::NAME, asinh),
    (math::Acosh::NAME, acosh),
    (math::Atanh::NAME, atanh),
];

/// Functions of f32 that are written here.
const OF_SINGLES: [(&str, Write); 5] = [
    (math::Tan::NAME, |b, x| {
        arith::DivF::build(b, sine_on_device(b, x), cosine_on_device(b, x))
    }),
    (math::Sin::NAME, sine_on_device),
    (math::Cos::NAME, cosine_on_device),
    (math::Log10::NAME, |b, x| {
        scaled(b, math::Log::build(b, x), 1.0 / LN_10)
    }),
    (math::Log2::NAME, |b, x| {
        scaled(b, math::Log::build(b, x), LOG2_E)
    }),
];

/// Those that upstream approximates.
const UPSTREAM: [&str; 4] = [
    math::Erfc::NAME,
    math::Cbrt::NAME,
    math::Log1p::NAME,
    math::ExpM1::NAME,
];

fn run(func: Op, _options: &Options) -> PassResult {
    if !func.has_attr(attrs::DEVICE_FUNCTION) {
        return Ok(());
    }
    let is_double = |op: &Op| op.operand(0).ty().element().is_f64();
    let is_single = |op: &Op| op.operand(0).ty().element().is_f32();
    let is_either = |op: &Op| is_single(op) || is_double(op);
    replace(func, &OF_EITHER, is_either);
    for op in func.find_all(math::Atan2::NAME) {
        if is_either(&op) {
            let value = arcs::angle(&Builder::before(op), op.operand(0), op.operand(1));
            op.replace_with(&[value]);
        }
    }
    replace(func, &OF_SINGLES, is_single);
    for op in func.find_all(math::PowF::NAME) {
        if constant(op.operand(1)) == Some(0.5) && is_either(&op) {
            let value = root(&Builder::before(op), op.operand(0));
            op.replace_with(&[value]);
        }
    }
    doubles::expand(func);
    if approximate_math(func, &UPSTREAM) {
        return Ok(());
    }
    fail(func, "has math functions whose rewriting does not end")
}

/// Replaces functions of operands that `is_of` allows.
fn replace(func: Op, functions: &[(&str, Write)], is_of: impl Fn(&Op) -> bool) {
    for (name, write) in functions {
        for op in func.find_all(name).into_iter().filter(|op| is_of(op)) {
            let value = write(&Builder::before(op), op.operand(0));
            op.replace_with(&[value]);
        }
    }
}

fn number(b: &Builder, like: Value, value: f64) -> Value {
    b.constant(like.ty(), value)
}

fn scaled(b: &Builder, x: Value, factor: f64) -> Value {
    arith::MulF::build(b, x, number(b, x, factor))
}

/// The power of 1/2, which `approximate-math` leaves: of -0 it is 0, and of minus infinity infinity.
fn root(b: &Builder, x: Value) -> Value {
    let root = math::AbsF::build(b, math::Sqrt::build(b, x));
    let least = number(b, x, f64::NEG_INFINITY);
    let is_least = arith::CmpF::build(b, CmpFPredicate::Oeq, x, least);
    b.select(is_least, number(b, x, f64::INFINITY), root)
}

/// (u + u / (u + 1)) / 2 of u = e^|x| - 1, with the sign of x. Beyond [`most`] it is e^(|x| - ln 2).
fn sinh(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let u = math::ExpM1::build(b, magnitude);
    let next = arith::AddF::build(b, u, number(b, x, 1.0));
    let part = arith::DivF::build(b, u, next);
    let near = scaled(b, arith::AddF::build(b, u, part), 0.5);
    let value = or_half_exponential(b, magnitude, near);
    math::CopySign::build(b, value, x)
}

/// (v + 1 / v) / 2 of v = e^|x|. Beyond [`most`] it is e^(|x| - ln 2).
fn cosh(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let v = math::Exp::build(b, magnitude);
    let inverse = arith::DivF::build(b, number(b, x, 1.0), v);
    let near = scaled(b, arith::AddF::build(b, v, inverse), 0.5);
    or_half_exponential(b, magnitude, near)
}

/// To here e^x is finite: 88 for f32, 709 for f64.
fn most(x: Value) -> f64 {
    match x.ty().element().is_f64() {
        true => 709.0,
        false => 88.0,
    }
}

/// A value for magnitudes to [`most`], and e^(x / 2)^2 / 2 beyond.
fn or_half_exponential(b: &Builder, magnitude: Value, near: Value) -> Value {
    let root = math::Exp::build(b, scaled(b, magnitude, 0.5));
    let far = arith::MulF::build(b, scaled(b, root, 0.5), root);
    let most = number(b, magnitude, most(magnitude));
    let is_far = arith::CmpF::build(b, CmpFPredicate::Ogt, magnitude, most);
    b.select(is_far, far, near)
}

/// log(1 + |x| + x^2 / (1 + sqrt(1 + x^2))), with the sign of x. Beyond 1e18, where x^2 has no f32, it is log |x| + log 2.
fn asinh(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let one = number(b, x, 1.0);
    let square = arith::MulF::build(b, magnitude, magnitude);
    let root = math::Sqrt::build(b, arith::AddF::build(b, square, one));
    let part = arith::DivF::build(b, square, arith::AddF::build(b, root, one));
    let near = math::Log1p::build(b, arith::AddF::build(b, magnitude, part));
    let value = or_logarithm(b, magnitude, near);
    math::CopySign::build(b, value, x)
}

/// log(1 + t + sqrt(2 t + t^2)) of t = x - 1; NaN below 1. Beyond 1e18 it is log x + log 2.
fn acosh(b: &Builder, x: Value) -> Value {
    let t = arith::SubF::build(b, x, number(b, x, 1.0));
    let sum = arith::AddF::build(b, scaled(b, t, 2.0), arith::MulF::build(b, t, t));
    let near = math::Log1p::build(b, arith::AddF::build(b, t, math::Sqrt::build(b, sum)));
    // Below -1 the root is that of a positive number.
    let is_below = arith::CmpF::build(b, CmpFPredicate::Olt, x, number(b, x, 1.0));
    let near = b.select(is_below, number(b, x, f64::NAN), near);
    or_logarithm(b, x, near)
}

fn or_logarithm(b: &Builder, x: Value, near: Value) -> Value {
    let far = math::Log::build(b, x);
    let far = arith::AddF::build(b, far, number(b, x, std::f64::consts::LN_2));
    let is_far = arith::CmpF::build(b, CmpFPredicate::Ogt, x, number(b, x, 1e18));
    b.select(is_far, far, near)
}

/// log(1 + 2 |x| / (1 - |x|)) / 2, with the sign of x.
fn atanh(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let rest = arith::SubF::build(b, number(b, x, 1.0), magnitude);
    let quotient = arith::DivF::build(b, scaled(b, magnitude, 2.0), rest);
    let value = scaled(b, math::Log1p::build(b, quotient), 0.5);
    math::CopySign::build(b, value, x)
}
