//! Greedy rewriting: rules tried on every operator until none applies.

use super::dataflow::is_relay;
use relay_dialects::ir::{Op, Value};

/// A rewrite: the values that take the place of the op's results, or `None` if it does not match.
/// It makes new ops, and leaves erasing to the driver.
pub type Rule = fn(Op) -> Option<Vec<Value>>;

/// Rules that undo each other would run for ever; ours end long before.
const MAX_SWEEPS: usize = 64;

/// Applies `rules` to all operators inside `root` until none matches, and drops what is dead then.
pub fn apply(root: Op, rules: &[Rule]) {
    for _ in 0..MAX_SWEEPS {
        let mut changed = false;
        for op in operators(root) {
            // An earlier rewrite of this sweep may have made it useless.
            if !op.is_used() {
                continue;
            }
            if let Some(values) = rules.iter().find_map(|rule| rule(op)) {
                op.replace_with(&values);
                changed = true;
            }
        }
        erase_dead(root);
        if !changed {
            return;
        }
    }
}

/// All operators inside `root`, in textual order.
pub fn operators(root: Op) -> Vec<Op> {
    let mut found = Vec::new();
    root.walk(|op| {
        if is_relay(op) {
            found.push(op);
        }
    });
    found
}

/// Erases operators inside `root` whose results nobody reads, and what only they read.
pub fn erase_dead(root: Op) {
    for region in root.regions() {
        for block in region.blocks() {
            for op in block.ops().into_iter().rev() {
                if is_pure(op) && !op.is_used() {
                    op.erase();
                } else {
                    erase_dead(op);
                }
            }
        }
    }
}

/// Whether running an op has no effect but its results.
fn is_pure(op: Op) -> bool {
    let calls_only_primitives = || op.find_all("func.call").into_iter().all(is_primitive_call);
    (is_relay(op) && calls_only_primitives()) || op.is("arith.constant") || is_primitive_call(op)
}

fn is_primitive_call(op: Op) -> bool {
    let callee = || op.attr("callee")?.as_symbol();
    let function = || op.ancestor("builtin.module")?.lookup(&callee()?);
    op.is("func.call") && function().is_some_and(|function| function.has_attr("relay.primitive"))
}
