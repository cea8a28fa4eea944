//! `lower-tir`: from `tir` to `scf` and `memref`.

use crate::buffers::ALIGNMENT;
use relay_dialects::{
    ir::{Block, Builder, Op, Type},
    ops::{func, memref, scf},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, For, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-tir",
    summary: "Lower tir loops and local buffers to scf and memref",
    description: "A `tir.for` of any kind becomes `scf.for`; earlier passes have used its kind. A `tir.alloc_buffer` \
                  of another scope than `global` becomes a `memref.alloca` at the start of its function. `plan-memory` handles \
                  buffers of global scope.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for alloc in AllocBuffer::all(func) {
        if alloc.scope() != Scope::Global {
            lower_buffer(func, alloc.op());
        }
    }
    for found in For::all(func) {
        lower_loop(found);
    }
    Ok(())
}

fn lower_buffer(func: Op, op: Op) {
    let b = Builder::at_start(func.body(), op.loc(), op.ctx());
    let ty = op.result(0).ty();
    let buffer = memref::Alloca::build_with(&b, ty, &[], &[], Some(ALIGNMENT));
    op.replace_with(&[buffer]);
}

fn lower_loop(lowered: For) {
    let op = lowered.op();
    let b = Builder::before(op);
    let block = Block::new(op.ctx(), &[Type::index(op.ctx())]);
    let (lower, upper) = lowered.bounds();
    let (lower, upper, step) = (lower.value(&b), upper.value(&b), b.index(1));
    scf::For::build(&b, &[], lower, upper, step, &[], block);
    lowered.variable().replace_all_uses_with(block.arg(0));
    let end = scf::Yield::build(&Builder::at_end(block, op.loc(), op.ctx()), &[]);
    for inner in op.body().ops() {
        inner.move_before(end);
    }
    op.erase();
}
