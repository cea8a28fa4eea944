//! `dead-code-elimination`: drops operators and private functions that nobody uses.

use crate::graph::rewrite;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec, run_inside},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "dead-code-elimination",
    summary: "remove unused operators and private functions",
    description: include_str!("dead_code_elimination.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    rewrite::erase_dead(module);
    run_inside(module, "symbol-dce")
}
