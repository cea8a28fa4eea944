//! `eliminate-common-subexpr`: computes each expression once.

use super::dataflow::is_relay;
use relay_dialects::{
    ir::{Attr, Block, Op, Type, Value},
    pass::{Options, PassResult, PassSpec},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "eliminate-common-subexpr",
    summary: "compute each expression once",
    description: include_str!("eliminate_common_subexpr.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    for region in function.regions() {
        region
            .blocks()
            .into_iter()
            .for_each(|block| visit(block, &Seen::new()));
    }
    Ok(())
}

/// The ops seen so far by name and operands; attributes and types are compared one by one.
type Seen = HashMap<(String, Vec<Value>), Vec<Op>>;

/// An inner block sees what stands before it in the blocks around it.
fn visit(block: Block, outer: &Seen) {
    let mut seen = outer.clone();
    for op in block.ops() {
        if is_relay(op) && op.regions().is_empty() {
            let alike = seen.entry((op.name(), op.operands())).or_default();
            match alike.iter().find(|older| same(**older, op)) {
                Some(older) => op.replace_with(&older.results()),
                None => alike.push(op),
            }
            continue;
        }
        for region in op.regions() {
            region
                .blocks()
                .into_iter()
                .for_each(|inner| visit(inner, &seen));
        }
    }
}

fn same(older: Op, op: Op) -> bool {
    let attrs = |op: Op| -> HashMap<String, Attr> { op.attrs().into_iter().collect() };
    let types = |op: Op| -> Vec<Type> { op.results().iter().map(|result| result.ty()).collect() };
    types(older) == types(op) && attrs(older) == attrs(op)
}
