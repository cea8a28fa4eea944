//! Quantised tensors.

use crate::{
    Compute, Expression,
    conv::{conv_packed_by, depthwise_packed, grouped, space, spatial_padding},
    product::{dense_pack_by, matmul_by},
    scalar,
    window::padded,
};
use relay_dialects::{
    Element,
    dim::quotient,
    index,
    ir::{Builder, Type, Value},
    ops::{arith, math},
    relay::{
        ops::{
            qnn::{BYTE_BITS, GREATEST_STEPS, WORD},
            window::Window,
        },
        relation::normalize_axis,
    },
    te::{Reducer, Role, build},
    tir,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("qnn.quantize", quantize),
    ("qnn.dequantize", dequantize),
    ("qnn.conv2d", conv2d),
    ("qnn.dense", dense),
    ("qnn.contrib_conv2d_NCHWc", words_conv2d),
    ("qnn.contrib_depthwise_conv2d_NCHWc", depthwise_conv2d),
    ("qnn.contrib_dense_pack", words_dense),
    ("qnn.contrib_batch_matmul_pack", words_matmul),
];

/// What belongs to an element of the first operand: operand `number`, of one for all elements or along `axis`.
fn of_element(e: &Expression<'_>, b: &Builder, number: usize, at: &[Value]) -> Value {
    let axis = e.attrs().int("axis").unwrap_or(-1);
    let place = match (e.dims(number).len(), normalize_axis(axis, at.len())) {
        (1, Ok(axis)) => vec![at[axis]],
        _ => vec![],
    };
    build::read(b, e.inputs[number], &place)
}

fn quantize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let to = e.element;
    let element = Element::require(to)?;
    e.elements(|b, at| {
        let scale = of_element(e, b, 1, at);
        let number = scalar::cast(b, build::read(b, e.inputs[0], at), scale.ty());
        let steps = math::RoundEven::build(b, scalar::div(b, number, scale));
        let zero = scalar::cast(b, of_element(e, b, 2, at), steps.ty());
        let sum = scalar::add(b, steps, zero);
        let limits = [element.least(), element.greatest().min(GREATEST_STEPS)];
        let [least, greatest] = limits.map(|limit| b.constant(sum.ty(), limit));
        let clipped = scalar::min(b, scalar::max(b, sum, least), greatest);
        scalar::cast(b, clipped, to)
    })
}

fn dequantize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    e.elements(|b, at| {
        let scale = of_element(e, b, 1, at);
        let distance = distance(b, build::read(b, e.inputs[0], at), of_element(e, b, 2, at));
        scalar::mul(b, scalar::cast(b, distance, scale.ty()), scale)
    })
}

/// An integer less its zero point, in 32 bits.
fn distance(b: &Builder, number: Value, zero: Value) -> Value {
    scalar::sub(b, scalar::cast(b, number, zero.ty()), zero)
}

/// The distances of the data from their zero point.
fn distances(e: &Expression<'_>) -> Value {
    let word = Element::I32.ty(e.b.ctx);
    build::compute(e.b, "distance", &e.dims(0), word, |b, at| {
        let zero = build::read(b, e.inputs[2], &[]);
        distance(b, build::read(b, e.inputs[0], at), zero)
    })
}

/// The distance of an element of the weight, of which the first subscript is the output.
fn weight_distance(e: &Expression<'_>, b: &Builder, at: &[Value]) -> Value {
    let place = if e.dims(3).is_empty() { &[] } else { &at[..1] };
    let zero = build::read(b, e.inputs[3], place);
    distance(b, build::read(b, e.inputs[1], at), zero)
}

fn conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let window = Window::of(&e.attrs(), &e.shape(1)?[2..])?;
    let widths = spatial_padding(&window, 2, 0);
    let data = padded(e.b, distances(e), &space(&window), &widths, 0.0)?;
    let result = grouped(e, data, &window, |b, at| weight_distance(e, b, at))?;
    Ok(vec![result])
}

fn dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (inputs, word) = (e.known_dim(0, 1)?, Element::I32.ty(e.b.ctx));
    let data = distances(e);
    let sum = (Reducer::Sum, &[inputs][..]);
    let result = build::reduce(e.b, "dense", &e.result_dims(), word, sum, |b, at, k| {
        let weight = weight_distance(e, b, &[at[1], k[0]]);
        scalar::mul(b, build::read(b, data, &[at[0], k[0]]), weight)
    });
    Ok(vec![build::name_axes(result, &["i", "j", "k"])])
}

/// Data of bytes in words of four neighbours, the first one in the lowest bits.
fn words(e: &Expression<'_>) -> Result<Value, String> {
    let mut dims = e.dims(0);
    let bytes = dims.pop().ok_or("takes data of rank 1 or more")?;
    dims.push(quotient(bytes, WORD).ok_or("takes whole words")?);
    let word = Type::int(e.b.ctx, 32);
    let words = build::compute(e.b, "words", &dims, word, |b, at| {
        let (last, before) = at.split_last().expect("there is a dimension");
        let first = index::scale(b, *last, WORD);
        word_at(b, e.inputs[0], &[before, &[first]].concat())
    });
    Ok(build::with_role(words, Role::Words))
}

/// The word of four neighbouring bytes in the last dimension of a tensor. `first` is the place of its first byte.
pub fn word_at(b: &Builder, bytes: Value, first: &[Value]) -> Value {
    let (last, before) = first.split_last().expect("there is a dimension");
    word_of(b, |number| {
        let place = index::add(b, *last, b.index(number));
        let byte = build::read(b, bytes, &[before, &[place]].concat());
        scalar::cast(b, byte, Type::int(b.ctx, 32))
    })
}

/// Four bytes, each of which is an integer of 32 bits, as one of these, the first byte in its lowest bits.
pub fn word_of(b: &Builder, byte: impl Fn(i64) -> Value) -> Value {
    let placed = |number: i64| {
        let byte = byte(number);
        match number {
            0 => byte,
            _ => arith::ShLI::build(b, byte, b.constant(byte.ty(), (BYTE_BITS * number) as f64)),
        }
    };
    let others = (1..WORD).map(placed);
    others.fold(placed(0), |word, byte| scalar::or(b, word, byte))
}

/// The sum of the products of the bytes of two words.
pub fn dot(b: &Builder, data: Value, weight: Value) -> Value {
    tir::ops::DotBytes::build(b, data, weight)
}

/// An operator with its data in words.
fn in_words(
    e: &Expression<'_>,
    express: impl FnOnce(&Expression<'_>) -> Result<Vec<Value>, String>,
) -> Result<Vec<Value>, String> {
    let is_words = Element::of(e.inputs[0].ty().element()) == Some(Element::I32);
    let data = if is_words { e.inputs[0] } else { words(e)? };
    let inputs = [data, e.inputs[1]];
    express(&Expression {
        inputs: &inputs,
        ..*e
    })
}

fn words_conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    in_words(e, |e| conv_packed_by(e, dot))
}

/// Each channel on its own. Processors have no instructions for bytes that do not add neighbours up.
fn depthwise_conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let float = e.element;
    let distances = build::compute(e.b, "distance", &e.dims(0), float, |b, at| {
        let number = scalar::cast(b, build::read(b, e.inputs[0], at), float);
        scalar::sub(b, number, build::read(b, e.inputs[2], &[]))
    });
    let inputs = [build::with_role(distances, Role::Widen), e.inputs[1]];
    depthwise_packed(&Expression {
        inputs: &inputs,
        ..*e
    })
}

fn words_dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    in_words(e, |e| dense_pack_by(e, dot))
}

fn words_matmul(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    in_words(e, |e| matmul_by(e, [false, false], dot))
}
