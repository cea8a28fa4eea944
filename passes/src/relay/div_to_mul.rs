//! `div-to-mul`: divisions by constants as multiplications.

use crate::pattern::embedded::DIV_TO_MUL;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "div-to-mul",
    summary: "replace divisions by constants by multiplications with the reciprocals",
    description: include_str!("div_to_mul.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    DIV_TO_MUL.apply(function)
}
