//! `eliminate-common-subexpr`: computes each expression once. It is upstream's `cse` under Relay's name.

use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec, run_inside},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "eliminate-common-subexpr",
    summary: "compute each expression once",
    description: include_str!("eliminate_common_subexpr.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    run_inside(function, "cse")
}
