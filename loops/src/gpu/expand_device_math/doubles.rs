//! Functions of f64 on a device that has no C library: what `expand-device-math` makes of them.
//!
//! Each is a polynomial after a reduction of its range, as in [`crate::tir::approximate_math`], with the digits of f64. A processor
//! calls libm. test/exec/gpu_math_f64.mlir measures all errors. The polynomials interpolate at Chebyshev's points, which
//! comes within a small factor of the least greatest error.

mod bits;
mod error_function;
mod exponential;
mod large_angles;
mod logarithm;
mod power;
mod trigonometric;

use relay_dialects::{
    ir::{Builder, Op, Value},
    ops::{arith, math},
};

/// Writes a function of an f64 or of a vector of them.
type Write = fn(&Builder, Value) -> Value;

/// Functions of one number. They may use each other if these come later.
const OF_ONE: [(&str, Write); 13] = [
    (math::Tan::NAME, trigonometric::tangent),
    (math::Sin::NAME, trigonometric::sine),
    (math::Cos::NAME, trigonometric::cosine),
    (math::Erf::NAME, error_function::error_function),
    (math::Erfc::NAME, error_function::complement),
    (math::Tanh::NAME, exponential::hyperbolic_tangent),
    (math::Exp::NAME, exponential::exponential),
    (math::Exp2::NAME, exponential::power_of_two),
    (math::ExpM1::NAME, exponential::exponential_less_1),
    (math::Log::NAME, logarithm::logarithm),
    (math::Log2::NAME, logarithm::binary_logarithm),
    (math::Log10::NAME, logarithm::decimal_logarithm),
    (math::Log1p::NAME, logarithm::logarithm_of_1_more),
];

/// Functions of one number without a polynomial of their own.
const ROOTS: [(&str, Write); 2] = [
    (math::Cbrt::NAME, power::cube_root),
    (math::Rsqrt::NAME, |b, x| {
        arith::DivF::build(b, b.constant(x.ty(), 1.0), math::Sqrt::build(b, x))
    }),
];

/// Writes all functions of f64 in a function as arithmetic.
pub fn expand(func: Op) {
    for op in of_doubles(func, math::PowF::NAME) {
        let value = power::power(&Builder::before(op), op.operand(0), op.operand(1));
        op.replace_with(&[value]);
    }
    for (name, write) in OF_ONE.into_iter().chain(ROOTS) {
        for op in of_doubles(func, name) {
            let value = write(&Builder::before(op), op.operand(0));
            op.replace_with(&[value]);
        }
    }
}

/// The ops of a name whose operands are f64 or vectors of them.
fn of_doubles(func: Op, name: &str) -> Vec<Op> {
    let mut ops = func.find_all(name);
    ops.retain(|op| op.operand(0).ty().element().is_f64());
    ops
}
