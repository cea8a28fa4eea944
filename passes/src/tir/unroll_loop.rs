//! `unroll-loop`: repeats the bodies of loops marked `unrolled`.
//!
//! ```mlir
//! tir.for %i = 0 to 2 unrolled {
//!   memref.store %v, %a[%i] : memref<2xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! memref.store %v, %a[%c0] : memref<2xf32>
//! memref.store %v, %a[%c1] : memref<2xf32>
//! ```

use relay_dialects::{
    index::{Predicate, constant},
    ir::{Block, Builder, Op, Value},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{For, LoopKind},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "unroll-loop",
    summary: "Repeat the bodies of loops marked `unrolled`, and of small ones on request",
    description: "A `tir.for` of kind `unrolled` is replaced by as many copies of its body as it \
                  has iterations. Its bounds must be constants. So is a serial one that is, or \
                  stands inside, a loop with `tir.auto_unroll_max_step` and makes at most so many \
                  stores in all. Where `tir.unroll_explicit` is 0, marked loops become serial, for \
                  LLVM to unroll. This is TVM's `UnrollLoop`.",
    anchor: "func.func",
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    // Inner loops first, so that each body is copied once it is final.
    for found in For::all(func) {
        let (op, kind) = (found.op(), found.kind());
        if around(op, EXPLICIT) == Some(0) {
            if kind == LoopKind::Unrolled {
                found.set_kind(LoopKind::Serial);
            }
            continue;
        }
        let is_small = kind == LoopKind::Serial
            && around(op, MAX_STEP)
                .is_some_and(|most| trips(found).saturating_mul(steps(found.body())) <= most);
        if kind == LoopKind::Unrolled || is_small {
            let Some((low, high)) = found.constant_bounds() else {
                return fail(op, "is unrolled, but its bounds are not constants");
            };
            unroll(found, low, high);
        }
    }
    Ok(())
}

/// The attribute by which a loop has those inside unrolled that take at most so many steps.
const MAX_STEP: &str = relay_dialects::attrs::AUTO_UNROLL_MAX_STEP;

/// The attribute by which, when it is 0, a loop leaves unrolling inside to LLVM.
pub const EXPLICIT: &str = relay_dialects::attrs::UNROLL_EXPLICIT;

/// What the nearest loop around a loop, or itself, says under a name.
pub fn around(op: Op, name: &str) -> Option<i64> {
    std::iter::successors(Some(op), |op| op.parent()).find_map(|op| op.attr(name)?.as_i64())
}

/// The iterations of a loop; more than any limit where its bounds are not constants.
pub fn trips(found: For) -> i64 {
    found.extent().unwrap_or(i64::from(i32::MAX))
}

/// The stores that one run of a block makes: what TVM's `auto_max_step` counts.
fn steps(block: Block) -> i64 {
    let of_op = |op: Op| -> i64 {
        match op.name().as_str() {
            "memref.store" | "vector.store" => 1,
            For::NAME => {
                let trips = For::of(op).map_or(0, trips);
                trips.saturating_mul(steps(op.body()))
            }
            _ => {
                let regions = op.regions().into_iter();
                regions
                    .filter_map(|region| region.first_block())
                    .map(steps)
                    .sum()
            }
        }
    };
    block
        .ops()
        .into_iter()
        .map(of_op)
        .fold(0, i64::saturating_add)
}

/// Replaces a loop by one copy of its body per iteration.
pub fn unroll(unrolled: For, low: i64, high: i64) {
    let op = unrolled.op();
    let b = Builder::before(op);
    for iteration in low..high {
        let mut map = HashMap::from([(unrolled.variable(), b.index(iteration))]);
        clone_body(&b, op.body(), &mut map);
    }
    op.erase();
}

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
        if op.is("scf.yield") && block.parent().is_some_and(|parent| parent.is("scf.if")) {
            continue;
        }
        let copy = b.insert(op.clone_detached());
        remap(copy, map);
        map.extend(op.results().into_iter().zip(copy.results()));
    }
}

/// What a comparison of constants, or of what `map` makes constants, decides for an `scf.if`.
fn decided(op: Op, map: &HashMap<Value, Value>) -> Option<bool> {
    if !op.is("scf.if") {
        return None;
    }
    let comparison = op.operand(0).def_of("arith.cmpi")?;
    let side = |index: usize| {
        let value = comparison.operand(index);
        constant(map.get(&value).copied().unwrap_or(value))
    };
    let (lhs, rhs) = (side(0)?, side(1)?);
    Predicate::of(comparison).map(|predicate| predicate.holds(lhs, rhs))
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
