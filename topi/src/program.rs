//! The words of loop programs.

use relay_dialects::{
    dim::{DYNAMIC, Dim},
    index::Extent,
    ir::{Block, Builder, Type, Value},
    ops::{memref, scf},
    tir::{AllocBuffer, Bound, For, LoopKind, Scope, reshape_view},
};

/// An element of a buffer.
pub fn load(b: &Builder, buffer: Value, at: &[Value]) -> Value {
    memref::Load::build(b, buffer, at)
}

/// Writes an element of a buffer.
pub fn store(b: &Builder, value: Value, buffer: Value, at: &[Value]) {
    memref::Store::build(b, value, buffer, at);
}

/// A buffer of so many elements as one dimension.
pub fn flat(b: &Builder, buffer: Value, count: Dim) -> Value {
    let ty = buffer.ty();
    if let Some(count) = count.known() {
        return reshape_view(b, buffer, Type::memref(&[count], ty.element()));
    }
    let ty = Type::memref(&[DYNAMIC], ty.element()).in_memory_space(ty.memory_space());
    let size = [count.to_value(b)];
    memref::ReinterpretCast::build(b, ty, buffer, &[], &size, &[], &[0], &[DYNAMIC], &[1])
}

/// A buffer of one thread with so many elements.
pub fn local(b: &Builder, count: Dim, element: Type, name: &str) -> Value {
    let ty = Type::memref(&[count.to_mlir()], element);
    AllocBuffer::of_tensor(b, ty, &[count], Scope::Local, name)
}

/// A loop of `count` iterations, one after the other.
pub fn repeat(b: &Builder, count: impl Extent, body: impl FnOnce(&Builder, Value)) {
    repeat_as(b, LoopKind::Serial, count, body);
}

/// A loop from a number to before another one, one after the other.
pub fn between(b: &Builder, lower: Value, upper: Value, body: impl FnOnce(&Builder, Value)) {
    let made = For::serial(b, lower, upper);
    body(&made.inside(b), made.variable());
}

/// What is done only where a condition holds.
pub fn when(b: &Builder, condition: Value, body: impl FnOnce(&Builder)) {
    let block = Block::new(b.ctx, &[]);
    let inside = Builder::at_end(block, b.loc, b.ctx);
    body(&inside);
    scf::Yield::build(&inside, &[]);
    scf::If::build(b, &[], condition, block, None);
}

/// A loop whose iterations threads share.
pub fn share(b: &Builder, count: impl Extent, body: impl FnOnce(&Builder, Value)) {
    repeat_as(b, LoopKind::Parallel, count, body);
}

/// What is done for each lane of a vector.
pub fn each_lane(b: &Builder, lanes: i64, body: impl FnOnce(&Builder, Value)) {
    match lanes {
        1 => body(b, b.index(0)),
        _ => repeat_as(b, LoopKind::Vectorized, lanes, body),
    }
}

fn repeat_as(b: &Builder, kind: LoopKind, count: impl Extent, body: impl FnOnce(&Builder, Value)) {
    let count = match count.known() {
        Some(count) => Bound::Static(count),
        None => Bound::from(count.to_value(b)),
    };
    let made = For::of_kind(b, count, (kind, None), "", &[]);
    body(&made.inside(b), made.variable());
}
