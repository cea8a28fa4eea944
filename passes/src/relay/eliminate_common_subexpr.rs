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

/// All that an op's results depend on, and their types.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Expression {
    name: String,
    operands: Vec<Value>,
    /// Sorted by name.
    attrs: Vec<(String, Attr)>,
    types: Vec<Type>,
}

impl Expression {
    fn of(op: Op) -> Self {
        let mut attrs = op.attrs();
        attrs.sort_unstable_by(|(name, _), (other, _)| name.cmp(other));
        Self {
            name: op.name(),
            operands: op.operands(),
            attrs,
            types: op.results().iter().map(|result| result.ty()).collect(),
        }
    }
}

/// The ops seen so far.
type Seen = HashMap<Expression, Op>;

/// An inner block sees what stands before it in the blocks around it.
fn visit(block: Block, outer: &Seen) {
    let mut seen = outer.clone();
    for op in block.ops() {
        if is_relay(op) && op.regions().is_empty() {
            let older = *seen.entry(Expression::of(op)).or_insert(op);
            if older != op {
                op.replace_with(&older.results());
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
