//! `approximate-math`: functions of f32 as polynomials.
//!
//! A call of libm takes one number; a polynomial takes a vector as well, and the compiler sees
//! through it. Numbers and vectors get the same one, so that a result does not depend on how a loop
//! was cut.

mod error_function;
pub(crate) mod exponential;
pub(crate) mod logarithm;
pub(crate) mod power;
pub(crate) mod trigonometric;

use error_function::error_function;
use exponential::{exponential, short_exponential};
use logarithm::logarithm;
use power::power;
use relay_dialects::{
    ir::{Builder, Op, Value, approximate_math},
    ops::{arith::FastMathFlags, func, math},
    pass::{Options, PassResult, PassSpec, fail},
};
use trigonometric::{cosine, sine};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "approximate-math",
    summary: "Compute exp, log, tanh, erf, sin, cos and powers of f32 with polynomials",
    description: "`math.exp`, `math.log`, `math.tanh`, `math.erf`, `math.sin`, `math.cos` and `math.powf` of f32, and \
                  of f32 vectors, become arithmetic. A test measures all errors, in units in the last place (ULP). exp \
                  is a polynomial and a power of two: below 1 ULP, and 0 for results below 2^-125.5; if it is marked \
                  `afn`, the polynomial is shorter, with a relative error below 5e-7. erf is 1 minus an exponential: \
                  below 3 ULP. log is a polynomial and an exponent: below 1 ULP. sin and cos are polynomials after range reduction by quarter turns: below 2 ULP, with \
                  calls of libm for magnitudes above 100000. A power is a chain of multiplications for integer \
                  exponents up to 4, a square root for 1/2, and otherwise an exponential of a logarithm in f64: below \
                  1 ULP. tanh is upstream's approximation: below 5 ULP. Other functions and types do not change.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// Writes a function of an f32 or of a vector of them.
type Write = fn(&Builder, Value) -> Value;

/// Those that are written here: each, and what is written where its result need not be exact.
const OURS: [(&str, Write, Write); 5] = [
    (math::Exp::NAME, exponential, short_exponential),
    (math::Log::NAME, logarithm, logarithm),
    (math::Erf::NAME, error_function, error_function),
    (math::Sin::NAME, sine, sine),
    (math::Cos::NAME, cosine, cosine),
];

fn run(func: Op, _options: &Options) -> PassResult {
    for (name, exact, approximate) in OURS {
        for op in func.find_all(name) {
            if op.operand(0).ty().element().is_f32() {
                let write = if may_be_inexact(op) {
                    approximate
                } else {
                    exact
                };
                let value = write(&Builder::before(op), op.operand(0));
                op.replace_with(&[value]);
            }
        }
    }
    for op in func.find_all(math::PowF::NAME) {
        if op.operand(0).ty().element().is_f32() {
            let value = power(&Builder::before(op), op.operand(0), op.operand(1));
            if let Some(value) = value {
                op.replace_with(&[value]);
            }
        }
    }
    if approximate_math(func, &[math::Tanh::NAME]) {
        Ok(())
    } else {
        fail(func, "has math functions whose rewriting does not end")
    }
}

/// Whether a function is marked `afn`: arith's flag for approximations.
fn may_be_inexact(op: Op) -> bool {
    let flags = op.attr("fastmath").and_then(FastMathFlags::of);
    flags.is_some_and(|flags| flags.contains(FastMathFlags::AFN))
}
