//! `simplify-inference`: normalisation operators in terms of arithmetic.

use crate::pattern::embedded::SIMPLIFY_INFERENCE;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-inference",
    summary: "rewrite normalisation operators as arithmetic",
    description: include_str!("simplify_inference.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    SIMPLIFY_INFERENCE.apply(function)
}
