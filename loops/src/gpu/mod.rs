//! Passes that only GPUs' pipelines have.

pub mod align_vectors;
pub mod bind_grid;
pub mod copy_asynchronously;
pub mod distribute_fragments;
pub mod expand_device_math;
pub mod insert_barriers;
pub mod lower_device_ops;
pub mod outline_grids;
pub mod place_shared;
pub mod raise_scratch;

use relay_dialects::{
    attrs,
    ir::{Attr, Block, Builder, Ctx, Op, Type, Value},
    ops::scf,
    pass::PassSpec,
    tir::{For, Scope},
};

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &distribute_fragments::SPEC,
    &raise_scratch::SPEC,
    &bind_grid::SPEC,
    &outline_grids::SPEC,
    &insert_barriers::SPEC,
    &expand_device_math::SPEC,
    &place_shared::SPEC,
    &align_vectors::SPEC,
    &copy_asynchronously::SPEC,
    &lower_device_ops::SPEC,
];

/// The functions of a grid's threads.
fn device_functions(module: Op) -> impl Iterator<Item = Op> {
    let functions = module.functions().into_iter();
    functions.filter(|func| func.has_attr(attrs::DEVICE_FUNCTION))
}

/// The memory space of buffers that have their places in a block's shared memory.
fn shared_memory(ctx: Ctx) -> Attr {
    Attr::i64(ctx, Scope::SHARED_ADDRESS_SPACE)
}

/// Whether a type is that of such a buffer.
fn is_in_shared_memory(ty: Type) -> bool {
    ty.is_memref() && ty.memory_space() == Some(shared_memory(ty.ctx()))
}

/// The loops of an op, with the op itself, that are bound to threads.
fn bound_loops(op: Op) -> Vec<For> {
    let loops = For::all(op).into_iter().chain(For::of(op));
    loops.filter(|found| found.thread().is_some()).collect()
}

/// A branch that is taken if a condition holds. Its steps go before what is returned, its end.
fn branch(b: &Builder, condition: Value) -> Op {
    let body = Block::new(b.ctx, &[]);
    scf::If::build(b, &[], condition, body, None);
    scf::Yield::build(&Builder::at_end(body, b.loc, b.ctx), &[])
}
