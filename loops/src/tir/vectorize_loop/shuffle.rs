//! Lanes of two vectors in another order.

use relay_dialects::ir::{Attr, Builder, Type, Value};

/// A vector of these lanes of two vectors of one type, counted through both.
pub fn shuffle(b: &Builder, vectors: [Value; 2], lanes: impl IntoIterator<Item = i64>) -> Value {
    let lanes: Vec<i64> = lanes.into_iter().collect();
    let ty = Type::vector(&[lanes.len() as i64], vectors[0].ty().element());
    let mask = [("mask", Attr::ints(b.ctx, &lanes))];
    b.value("vector.shuffle", &vectors, ty, &mask)
}
