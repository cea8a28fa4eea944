//! `div-to-mul`: divisions by constants as multiplications.

use crate::pattern::embedded::DIV_TO_MUL;
use relay_dialects::{
    ir::Op,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "div-to-mul",
    summary: "multiply by the reciprocals of constants in the place of divisions",
    description: include_str!("div_to_mul.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    DIV_TO_MUL.apply(function)
}
