//! `simplify-expr`: algebra on operators.

use crate::pattern::embedded::SIMPLIFY_EXPR;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-expr",
    summary: "remove operators without effect and merge chains of data movements",
    description: include_str!("simplify_expr.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    SIMPLIFY_EXPR.apply(function)
}
