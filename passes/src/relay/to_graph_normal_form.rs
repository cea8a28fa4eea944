//! `to-graph-normal-form`: programs as graphs of values.

use crate::graph::{placement, rewrite};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "to-graph-normal-form",
    summary: "keep only the data flow and the effects of a program",
    description: include_str!("to_graph_normal_form.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    rewrite::erase_dead(module);
    placement::sink(module);
    placement::order(module);
    Ok(())
}
