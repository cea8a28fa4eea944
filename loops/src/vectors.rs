//! Vectors made of others.

use relay_dialects::{
    ir::{Builder, Value},
    ops::vector,
};

/// A vector of these lanes of two vectors of one type, counted through both.
pub fn shuffle(b: &Builder, vectors: [Value; 2], lanes: impl IntoIterator<Item = i64>) -> Value {
    let lanes: Vec<i64> = lanes.into_iter().collect();
    vector::Shuffle::build(b, vectors[0], vectors[1], &lanes)
}
