//! Places in blocks of space as batches, and back.

use crate::{
    Compute, Expression,
    transform::{in_range, unflatten},
};
use relay_dialects::{
    index,
    ir::{Builder, Type, Value},
    ops::arith,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.space_to_batch_nd", space_to_batch),
    ("nn.batch_to_space_nd", batch_to_space),
];

fn space_to_batch(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let factors = e.attrs().ints("block_shape")?;
    let paddings = e.attrs().ints("paddings")?;
    let filling = e.attrs().float("pad_value")?;
    let shape = e.dims(0);
    e.elements(|b, indices| {
        let place = unflatten(b, index::div(b, indices[0], shape[0]), &factors);
        let mut source = indices.to_vec();
        source[0] = index::rem(b, indices[0], shape[0]);
        let mut inside: Option<Value> = None;
        for (at, pair) in paddings.chunks_exact(2).enumerate() {
            let first = index::scale(b, indices[at + 1], factors[at]);
            let padded = index::add(b, first, place[at]);
            source[at + 1] = index::sub(b, padded, b.index(pair[0]));
            if pair != [0, 0] {
                let here = in_range(b, source[at + 1], 0, shape[at + 1]);
                inside = Some(inside.map_or(here, |others| arith::AndI::build(b, others, here)));
            }
        }
        let read = |b: &Builder| build::read(b, e.inputs[0], &source);
        match inside {
            None => read(b),
            Some(inside) => build::if_then_else(b, inside, read, |b| number(b, e.element, filling)),
        }
    })
}

/// A number that the element type has.
fn number(b: &Builder, element: Type, value: f64) -> Value {
    if element.is_float() {
        return b.constant(element, value);
    }
    // The greater half of ui64's numbers are the negative ones of 64 bits.
    let bits = if value < 0.0 {
        value as i64
    } else {
        value as u64 as i64
    };
    b.int_constant(element, bits)
}

fn batch_to_space(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let factors = e.attrs().ints("block_shape")?;
    let crops = e.attrs().ints("crops")?;
    let batch = e.result_dims()[0];
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        let mut place = b.index(0);
        for (at, &factor) in factors.iter().enumerate() {
            let whole = index::add(b, indices[at + 1], b.index(crops[2 * at]));
            source[at + 1] = index::div(b, whole, factor);
            place = index::scale(b, place, factor);
            place = index::add(b, place, index::rem(b, whole, factor));
        }
        source[0] = index::add(b, index::scale(b, place, batch), indices[0]);
        build::read(b, e.inputs[0], &source)
    })
}
