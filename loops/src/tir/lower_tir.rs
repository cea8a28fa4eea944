//! `lower-tir`: from `tir` to `scf` and `memref`.

use crate::buffers::ALIGNMENT;
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, For, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-tir",
    summary: "Lower tir loops and local buffers to scf and memref",
    description: "A `tir.for` of any kind becomes `scf.for`; earlier passes have used its kind. A `tir.alloc_buffer` \
                  of scope `local` becomes a `memref.alloca` at the start of its function. `plan-memory` handles \
                  buffers of global scope.",
    anchor: "func.func",
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for alloc in AllocBuffer::all(func) {
        if alloc.scope() == Scope::Local {
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
    let segments = Attr::parse(b.ctx, "array<i32: 0, 0>").expect("a builtin attribute parses");
    let align = Attr::i64(b.ctx, ALIGNMENT);
    let buffer = b.value(
        "memref.alloca",
        &[],
        op.result(0).ty(),
        &[("operandSegmentSizes", segments), ("alignment", align)],
    );
    op.replace_with(&[buffer]);
}

fn lower_loop(lowered: For) {
    let op = lowered.op();
    let b = Builder::before(op);
    let block = Block::new(op.ctx(), &[Type::index(op.ctx())]);
    let (lower, upper) = lowered.bounds();
    let operands = [lower.value(&b), upper.value(&b), b.index(1)];
    b.region_op("scf.for", &operands, &[], &[], &[Some(block)]);
    lowered.variable().replace_all_uses_with(block.arg(0));
    let end = Builder::at_end(block, op.loc(), op.ctx()).op("scf.yield", &[], &[], &[]);
    for inner in op.body().ops() {
        inner.move_before(end);
    }
    op.erase();
}
