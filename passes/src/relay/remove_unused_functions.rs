//! `remove-unused-functions`: only what some entries reach.

use crate::graph::{
    calls::CallGraph,
    entries::{ENTRIES, entries},
};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "remove-unused-functions",
    summary: "remove functions that no entry reaches",
    description: include_str!("remove_unused_functions.md"),
    anchor: builtin::Module::NAME,
    options: &[ENTRIES],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let graph = CallGraph::of(module);
    let entries = entries(module, options)?;
    graph.unreached(&entries).into_iter().for_each(Op::erase);
    Ok(())
}
