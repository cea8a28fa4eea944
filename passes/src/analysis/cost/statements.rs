//! How much code a kernel becomes.

use relay_dialects::{
    ir::{Block, Op},
    ops::arith,
    tir::{For, LoopKind},
};

/// The statements of a kernel that takes so long to compile that it is not tried: of those that took LLVM more than 10 s,
/// all have more (`bench/results/ranking.md`).
pub const MOST: f64 = 10_000.0;

/// The statements of a kernel's loops after unrolling. A loop that should be vectors, but has loops inside, becomes a copy of these for
/// each lane. Constants do not count.
pub fn statements(kernel: Op) -> f64 {
    in_block(kernel.body())
}

fn in_block(block: Block) -> f64 {
    block.ops().into_iter().map(of_op).sum()
}

fn of_op(op: Op) -> f64 {
    if op.is(arith::Constant::NAME) {
        return 0.0;
    }
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    let inside: f64 = blocks.map(in_block).sum();
    let Some(found) = For::of(op) else {
        return 1.0 + inside;
    };
    let copies = match found.kind() {
        LoopKind::Unrolled => true,
        LoopKind::Vectorized => !is_innermost(found),
        _ => false,
    };
    match found.extent() {
        Some(extent) if copies => extent as f64 * inside,
        _ => 1.0 + inside,
    }
}

fn is_innermost(found: For) -> bool {
    For::all(found.op()).is_empty()
}
