//! `print-call-graph`: which functions name which others.

use crate::graph::calls::CallGraph;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "print-call-graph",
    summary: "print on stderr the call graph",
    description: include_str!("print_call_graph.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let graph = CallGraph::of(module);
    let recursive: HashSet<Op> = graph.recursive().collect();
    let mut namers: HashMap<Op, usize> = HashMap::new();
    for named in graph
        .functions()
        .iter()
        .flat_map(|function| graph.named_by(*function))
    {
        *namers.entry(named).or_default() += 1;
    }
    for function in graph.functions() {
        let symbol = |function: Op| format!("@{}", function.symbol().unwrap_or_default());
        let named: Vec<String> = graph.named_by(*function).into_iter().map(symbol).collect();
        let note = match recursive.contains(function) {
            true => ", recursive",
            false => "",
        };
        let count = namers.get(function).copied().unwrap_or_default();
        eprintln!(
            "{}, named by {count}{note}: {}",
            symbol(*function),
            named.join(" ")
        );
    }
    Ok(())
}
