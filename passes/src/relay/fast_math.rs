//! `fast-math`: functions as their approximations.

use crate::pattern::embedded::FAST_MATH;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fast-math",
    summary: "approximate exp, erf, tanh and softmax with less precision",
    description: include_str!("fast_math.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    FAST_MATH.apply(function)
}
