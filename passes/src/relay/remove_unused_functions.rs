//! `remove-unused-functions`: only what some entries reach.

use crate::graph::calls::CallGraph;
use relay_dialects::{
    ir::Op,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "remove-unused-functions",
    summary: "drop functions that no entry reaches",
    description: include_str!("remove_unused_functions.md"),
    anchor: "builtin.module",
    options: &[OptionSpec {
        name: "entry-functions",
        summary: "the names of the entries, with commas between them",
        default: Default::Str("main"),
    }],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let graph = CallGraph::of(module);
    let names = options.str("entry-functions").split(',').map(str::trim);
    let entries = names
        .filter(|name| !name.is_empty())
        .map(|name| match graph.function(name) {
            Some(function) => Ok(function),
            None => fail(module, format!("has no function @{name} to be an entry")),
        })
        .collect::<Result<Vec<Op>, PassFailed>>()?;
    if entries.is_empty() {
        return fail(module, "is given no entry: entry-functions names none");
    }
    graph.unreached(&entries).into_iter().for_each(Op::erase);
    Ok(())
}
