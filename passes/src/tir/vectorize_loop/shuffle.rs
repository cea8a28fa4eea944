//! Lanes of two vectors in another order.

use relay_dialects::ir::{Attr, Builder, Type, Value};

/// A vector of these lanes of two vectors of one type, counted through both. Numbers of bf16 are moved as integers: where
/// a processor has no instructions on them, LLVM 22 would round each lane anew, by calling a function.
pub fn shuffle(b: &Builder, vectors: [Value; 2], lanes: impl IntoIterator<Item = i64>) -> Value {
    let lanes: Vec<i64> = lanes.into_iter().collect();
    let element = vectors[0].ty().element();
    let moved = if element.is_bf16() {
        Type::int(b.ctx, 16)
    } else {
        element
    };
    let cast = |value: Value, element: Type| {
        let ty = Type::vector(&value.ty().shape(), element);
        match value.ty() == ty {
            true => value,
            false => b.value("vector.bitcast", &[value], ty, &[]),
        }
    };
    let vectors = vectors.map(|vector| cast(vector, moved));
    let ty = Type::vector(&[lanes.len() as i64], moved);
    let mask = [("mask", Attr::ints(b.ctx, &lanes))];
    cast(b.value("vector.shuffle", &vectors, ty, &mask), element)
}
