//! `dead-code-elimination`: drops operators and private functions that nobody uses.

use super::rewrite;
use relay_dialects::{
    ir::{Attr, Op},
    pass::{Options, PassResult, PassSpec},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "dead-code-elimination",
    summary: "drop operators and private functions that nobody uses",
    description: include_str!("dead_code_elimination.md"),
    anchor: "builtin.module",
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    rewrite::erase_dead(module);
    let functions: Vec<Op> = module
        .body()
        .ops()
        .into_iter()
        .filter(|op| op.is("func.func"))
        .collect();
    let mut alive = HashSet::new();
    let mut work: Vec<Op> = functions
        .iter()
        .copied()
        .filter(|op| !is_private(*op))
        .collect();
    while let Some(function) = work.pop() {
        if alive.insert(function) {
            work.extend(
                references(function)
                    .iter()
                    .filter_map(|name| module.lookup(name)),
            );
        }
    }
    functions
        .into_iter()
        .filter(|function| !alive.contains(function))
        .for_each(Op::erase);
    Ok(())
}

fn is_private(function: Op) -> bool {
    function
        .attr("sym_visibility")
        .and_then(Attr::as_str)
        .as_deref()
        == Some("private")
}

/// The symbols that any op inside names in any attribute.
fn references(function: Op) -> Vec<String> {
    let mut names = Vec::new();
    function.walk(|op| {
        names.extend(
            op.attrs()
                .into_iter()
                .filter_map(|(_, attr)| attr.as_symbol()),
        )
    });
    names
}
