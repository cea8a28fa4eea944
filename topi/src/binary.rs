//! Functions of two tensors, and the choice between two, with broadcasting.

use crate::{
    Compute, Expression,
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    ir::{Builder, Value},
    ops::math,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("add", |e| map(e, scalar::add)),
    ("subtract", |e| map(e, scalar::sub)),
    ("multiply", |e| map(e, scalar::mul)),
    ("divide", |e| map(e, scalar::div)),
    ("power", |e| map(e, math::PowF::build)),
    ("maximum", |e| map(e, scalar::max)),
    ("minimum", |e| map(e, scalar::min)),
    ("trunc_divide", |e| map(e, scalar::trunc_div)),
    ("trunc_mod", |e| map(e, scalar::rem)),
    ("mod", |e| map(e, scalar::rem)),
    ("floor_divide", |e| map(e, scalar::floor_div)),
    ("floor_mod", |e| map(e, scalar::floor_rem)),
    ("equal", |e| {
        map(e, |b, x, y| compare(b, Comparison::Equal, x, y))
    }),
    ("not_equal", |e| {
        map(e, |b, x, y| compare(b, Comparison::NotEqual, x, y))
    }),
    ("less", |e| {
        map(e, |b, x, y| compare(b, Comparison::Less, x, y))
    }),
    ("less_equal", |e| {
        map(e, |b, x, y| compare(b, Comparison::LessEqual, x, y))
    }),
    ("greater", |e| {
        map(e, |b, x, y| compare(b, Comparison::Greater, x, y))
    }),
    ("greater_equal", |e| {
        map(e, |b, x, y| compare(b, Comparison::GreaterEqual, x, y))
    }),
    ("logical_and", |e| map(e, scalar::and)),
    ("logical_or", |e| map(e, scalar::or)),
    ("logical_xor", |e| map(e, scalar::xor)),
    ("bitwise_and", |e| map(e, scalar::and)),
    ("bitwise_or", |e| map(e, scalar::or)),
    ("bitwise_xor", |e| map(e, scalar::xor)),
    ("left_shift", |e| map(e, scalar::shift_left)),
    ("right_shift", |e| map(e, scalar::shift_right)),
    ("where", select),
];

/// The element of an operand that broadcasts to the result's index.
pub fn read_broadcast(b: &Builder, tensor: Value, indices: &[Value]) -> Value {
    let shape = tensor.ty().dims();
    let own = &indices[indices.len() - shape.len()..];
    let own: Vec<Value> = own
        .iter()
        .zip(&shape)
        .map(|(index, &dim)| if dim == 1 { b.index(0) } else { *index })
        .collect();
    build::read(b, tensor, &own)
}

fn map(
    e: &Expression<'_>,
    function: impl FnOnce(&Builder, Value, Value) -> Value,
) -> Result<Vec<Value>, String> {
    e.elements(|b, indices| {
        let x = read_broadcast(b, e.inputs[0], indices);
        function(b, x, read_broadcast(b, e.inputs[1], indices))
    })
}

fn select(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    e.elements(|b, indices| {
        let [condition, x, y] =
            [0, 1, 2].map(|operand| read_broadcast(b, e.inputs[operand], indices));
        b.select(condition, x, y)
    })
}
