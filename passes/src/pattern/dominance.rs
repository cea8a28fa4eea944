//! What is computed of a part of the graph, and where it goes.

use super::Subject;
use relay_dialects::ir::{Op, Value};
use std::collections::HashSet;

/// Whether all that is computed of `parent` goes through `child`.
pub(super) fn leads_only_to(parent: Subject, child: Op) -> bool {
    let mut seen = HashSet::new();
    let mut open: Vec<Op> = match parent {
        Subject::Value(value) => readers(value),
        Subject::Results(op) => op.results().into_iter().flat_map(readers).collect(),
        Subject::Callee(_) => return false,
    };
    while let Some(op) = open.pop() {
        if op == child || !seen.insert(op) {
            continue;
        }
        // An op without results ends a block, or has an effect.
        if op.result_count() == 0 || op.block() != child.block() {
            return false;
        }
        open.extend(op.results().into_iter().flat_map(readers));
    }
    true
}

/// The ops that read a value, but for those that nobody reads in turn.
fn readers(value: Value) -> Vec<Op> {
    let is_alive = |op: &Op| op.is_used() || op.result_count() == 0;
    value.users().into_iter().filter(is_alive).collect()
}
