//! `hoist-if-then-else`: takes conditions out of the loops that they do not depend on.
//!
//! ```mlir
//! tir.for %k = 0 to 16 {
//!   %in = arith.cmpi slt, %y, %c10 : index
//!   scf.if %in { "add"(%k) : (index) -> () }
//! }
//! ```
//! becomes
//! ```mlir
//! %in = arith.cmpi slt, %y, %c10 : index
//! scf.if %in {
//!   tir.for %k = 0 to 16 { "add"(%k) : (index) -> () }
//! }
//! ```

use crate::analysis::{access::is_hint, is_inside};
use relay_dialects::{
    index::constant,
    ir::{Block, Builder, Op, Value},
    ops::{arith, func, scf},
    pass::{Options, PassResult, PassSpec},
    tir::{For, LoopKind},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "hoist-if-then-else",
    summary: "Move conditions out of loops that do not change them",
    description: "Moves an `scf.if` out of a `tir.for`, if the `scf.if` is the loop's whole body, has neither results \
                  nor an else branch, and has a loop-invariant condition. Nested conditions move, too. Prefetches \
                  (`memref.prefetch`) move under the condition. Parallel loops stay outermost. This is TVM's \
                  `HoistIfThenElse`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    hoist_inside(func.body());
    Ok(())
}

/// Inner loops first, so that a condition moves through all that it can.
fn hoist_inside(block: Block) {
    for op in block.ops() {
        for region in op.regions() {
            region.blocks().into_iter().for_each(hoist_inside);
        }
        if let Some(found) = For::of(op) {
            hoist(found);
        }
    }
}

/// Takes what does not depend on it out of one loop.
fn hoist(found: For) {
    if matches!(found.kind(), LoopKind::Parallel | LoopKind::ThreadBinding) {
        return;
    }
    let around = found.op();
    for guard in guards(found.body()) {
        let mut slice = Vec::new();
        if !add_slice(guard.operand(0), around, &mut slice) {
            continue;
        }
        slice.into_iter().for_each(|op| op.move_before(around));
        let b = Builder::before(around);
        let then = Block::new(b.ctx, &[]);
        scf::If::build(&b, &[], guard.operand(0), then, None);
        let end = scf::Yield::build(&Builder::at_end(then, b.loc, b.ctx), &[]);
        around.move_before(end);
        let inside = guard.body().ops().into_iter();
        for op in inside.filter(|op| !op.is(scf::Yield::NAME)) {
            op.move_before(guard);
        }
        guard.erase();
    }
}

/// The `scf.if`s, outermost first, that each do all that the block around them does.
fn guards(block: Block) -> Vec<Op> {
    let mut found = Vec::new();
    let mut at = Some(block);
    while let Some(guard) = at.and_then(only_guard) {
        found.push(guard);
        at = guard.block_in(0);
    }
    found
}

/// The `scf.if` of a block in which nothing else has an effect, if it has no results and no other branch.
fn only_guard(block: Block) -> Option<Op> {
    let is_nothing =
        |op: &Op| op.name().starts_with(arith::PREFIX) || is_hint(*op) || op.is(scf::Yield::NAME);
    let mut effects = block.ops().into_iter().filter(|op| !is_nothing(op));
    let guard = effects.next().filter(|op| op.is(scf::If::NAME))?;
    let is_plain = guard.result_count() == 0 && guard.block_in(1).is_none();
    (is_plain && effects.next().is_none()).then_some(guard)
}

/// Adds the ops inside a loop that compute a value, each after those that it needs. False if one of them depends on the
/// loop's variable, or cannot be computed where the loop or a condition would not come to it.
fn add_slice(value: Value, around: Op, slice: &mut Vec<Op>) -> bool {
    if !is_inside(value, around) {
        return true;
    }
    let Some(op) = value.def().filter(|op| can_be_early(*op)) else {
        return false;
    };
    if slice.contains(&op) {
        return true;
    }
    let mut operands = op.operands().into_iter();
    let is_early = operands.all(|operand| add_slice(operand, around, slice));
    slice.push(op);
    is_early
}

/// Whether an op is arithmetic that is defined for all operands: a division is not for zero.
fn can_be_early(op: Op) -> bool {
    let name = op.name();
    let divides = name.contains("div") || name.contains("rem");
    let by_number = || constant(op.operand(1)).is_some_and(|divisor| divisor > 0);
    name.starts_with(arith::PREFIX) && (!divides || by_number())
}
