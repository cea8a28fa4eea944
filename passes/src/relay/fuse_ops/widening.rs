//! Operators at the end of a group that only make floats of bytes: who reads the floats can read the bytes.

use super::is_scalar_constant;
use relay_dialects::{
    ir::{Op, Value},
    names::relay,
};

/// What dequantising consists of.
const STEPS: [&str; 4] = [relay::CAST, relay::SUBTRACT, relay::MULTIPLY, relay::ADD];

/// The operators at a group's end that dequantise the bytes that the others compute: a cast, and sums and products with
/// numbers after it. None if the group has no such end, or consists of it.
pub fn widening(group: &[Op]) -> Vec<Op> {
    let mut tail = Vec::new();
    let mut next = group.last().copied();
    while let Some(op) = next.filter(|op| group.contains(op)) {
        let Some(source) = source(op) else { break };
        tail.insert(0, op);
        if widens_bytes(op, source) {
            let is_computed = source.def().is_some_and(|def| group.contains(&def));
            return if is_computed { tail } else { Vec::new() };
        }
        next = source.def().filter(|_| source.users() == [op]);
    }
    Vec::new()
}

/// The only operand of a step of dequantising that is no number.
fn source(op: Op) -> Option<Value> {
    if !STEPS.iter().any(|name| op.is(name)) {
        return None;
    }
    let operands = op.operands();
    let mut tensors = operands.iter().filter(|value| !is_scalar_constant(**value));
    let source = *tensors.next()?;
    let is_kept = source.ty().shape() == op.result(0).ty().shape();
    (tensors.next().is_none() && is_kept).then_some(source)
}

fn widens_bytes(op: Op, source: Value) -> bool {
    let bytes = |value: Value| value.ty().element().byte_width();
    op.is(relay::CAST) && bytes(source) == 1 && bytes(op.result(0)) > 1
}
