//! `approximate-math`: functions of f32 as polynomials.
//!
//! A call of libm takes one number; a polynomial takes a vector as well, and the compiler sees
//! through it. Numbers and vectors get the same one, so that a result does not depend on how a loop
//! was cut.

use relay_dialects::{
    ir::{Op, approximate_math},
    pass::{Options, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "approximate-math",
    summary: "Compute exp, log, tanh and erf of f32 by polynomials",
    description: "`math.exp`, `math.log`, `math.tanh` and `math.erf` of f32 and of vectors of it \
                  become upstream's approximations, which are arithmetic. Their errors are below 5 \
                  units in the last place; a test measures them. Other functions and types stay.",
    anchor: "func.func",
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    if approximate_math(func) {
        Ok(())
    } else {
        fail(func, "has math functions whose rewriting does not end")
    }
}
