//! The words of loop programs.

use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::memref,
    tir::{For, LoopKind, reshape_view},
};

/// An element of a buffer.
pub fn load(b: &Builder, buffer: Value, at: &[Value]) -> Value {
    memref::Load::build(b, buffer, at)
}

/// Writes an element of a buffer.
pub fn store(b: &Builder, value: Value, buffer: Value, at: &[Value]) {
    memref::Store::build(b, value, buffer, at);
}

/// A buffer as one dimension.
pub fn flat(b: &Builder, buffer: Value) -> Value {
    let ty = buffer.ty();
    reshape_view(b, buffer, Type::memref(&[ty.count()], ty.element()))
}

/// A loop of `count` iterations, one after the other.
pub fn repeat(b: &Builder, count: i64, body: impl FnOnce(&Builder, Value)) {
    repeat_as(b, LoopKind::Serial, count, body);
}

/// A loop from a number to before another one, one after the other.
pub fn between(b: &Builder, lower: Value, upper: Value, body: impl FnOnce(&Builder, Value)) {
    let made = For::serial(b, lower, upper);
    body(&made.inside(b), made.variable());
}

/// A loop whose iterations threads share.
pub fn share(b: &Builder, count: i64, body: impl FnOnce(&Builder, Value)) {
    repeat_as(b, LoopKind::Parallel, count, body);
}

/// What is done for each lane of a vector.
pub fn each_lane(b: &Builder, lanes: i64, body: impl FnOnce(&Builder, Value)) {
    match lanes {
        1 => body(b, b.index(0)),
        _ => repeat_as(b, LoopKind::Vectorized, lanes, body),
    }
}

fn repeat_as(b: &Builder, kind: LoopKind, count: i64, body: impl FnOnce(&Builder, Value)) {
    let made = For::of_kind(b, count, (kind, None), "", &[]);
    body(&made.inside(b), made.variable());
}
