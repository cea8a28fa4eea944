//! Copies of ops with other operands.

use relay_dialects::{
    index::constant,
    ir::{Block, Builder, Op, Value},
    ops::{arith, scf},
};
use std::collections::HashMap;

/// Copies the ops of a block with operands replaced as `map` says, and extends it by their results.
/// Of an `scf.if` whose condition is decided by that, only the branch taken is copied.
pub fn clone_body(b: &Builder, block: Block, map: &mut HashMap<Value, Value>) {
    for op in block.ops() {
        if let Some(taken) = decided(op, map) {
            let branch = op.block_in(usize::from(!taken));
            let Some(branch) = branch else { continue };
            clone_body(b, branch, map);
            let yielded = branch.terminator().map(Op::operands).unwrap_or_default();
            for (result, value) in op.results().into_iter().zip(yielded) {
                map.insert(result, map.get(&value).copied().unwrap_or(value));
            }
            continue;
        }
        if op.is(scf::Yield::NAME)
            && block
                .parent()
                .is_some_and(|parent| parent.is(scf::If::NAME))
        {
            continue;
        }
        let copy = b.insert(op.clone_detached());
        remap(copy, map);
        map.extend(op.results().into_iter().zip(copy.results()));
    }
}

/// What a comparison of constants, or of what `map` makes constants, decides for an `scf.if`.
fn decided(op: Op, map: &HashMap<Value, Value>) -> Option<bool> {
    if !op.is(scf::If::NAME) {
        return None;
    }
    let comparison = op.operand(0).def_of(arith::CmpI::NAME)?;
    let side = |index: usize| {
        let value = comparison.operand(index);
        constant(map.get(&value).copied().unwrap_or(value))
    };
    let (lhs, rhs) = (side(0)?, side(1)?);
    arith::CmpI::of(comparison).map(|op| op.predicate().holds(lhs, rhs))
}

/// Replaces operands inside `op`, at any depth.
pub fn remap(op: Op, map: &HashMap<Value, Value>) {
    op.walk(|inner| {
        for (index, operand) in inner.operands().into_iter().enumerate() {
            if let Some(value) = map.get(&operand) {
                inner.set_operand(index, *value);
            }
        }
    });
}
