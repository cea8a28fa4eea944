//! How deep functions are.

use relay_dialects::ir::{Block, Op, Value};
use std::collections::HashMap;

/// The most ops for which `counts` holds, one behind the other, on any way from values to values that are computed of them.
/// What a region yields is on the way to the results of the op that it belongs to; calls are not followed.
pub fn depth(function: Op, counts: impl Fn(Op) -> bool) -> usize {
    let mut depths: HashMap<Value, usize> = HashMap::new();
    let mut deepest = 0;
    // What is inside of an op comes before it, and what it reads before both.
    function.walk(|op| {
        let read = op.operands().into_iter().chain(yielded(op));
        let before = read.filter_map(|value| depths.get(&value).copied()).max();
        let depth = before.unwrap_or_default() + usize::from(counts(op));
        deepest = deepest.max(depth);
        depths.extend(op.results().into_iter().map(|value| (value, depth)));
    });
    deepest
}

/// What the regions of an op end with.
fn yielded(op: Op) -> Vec<Value> {
    let regions = op.regions().into_iter();
    let ends = regions.filter_map(|region| region.first_block().and_then(Block::terminator));
    ends.flat_map(Op::operands).collect()
}
