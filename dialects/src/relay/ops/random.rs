//! Random numbers of Threefry keys.

use super::columns::*;
use crate::{
    dim::{self, Dim},
    element::{Element, Elements},
    relay::{Attrs, Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "random.threefry_generate",
        Opaque,
        INTEGERS,
        Decides,
        generate,
    ),
    Row::new("random.threefry_split", Opaque, INTEGERS, Decides, split),
    Row::new("random.uniform", Opaque, INTEGERS, Prepares, distributed),
    Row::new("random.normal", Opaque, INTEGERS, Prepares, distributed),
    Row::new("random.multinomial", Opaque, INTEGERS, Jumps, multinomial),
];

/// The words of a key.
pub const KEY_WORDS: i64 = 10;

/// The key's type, which is the next one's, too.
fn key(call: &Call) -> Result<TensorType, String> {
    let key = &call.inputs[0];
    let is_key = Element::of(key.element) == Some(Element::U64)
        && matches!(key.shape[..], [words] if dim::unify(words, KEY_WORDS).is_some());
    match is_key {
        true => Ok(TensorType::new(vec![KEY_WORDS], key.element)),
        false => Err(format!(
            "a key is {}, not tensor<10xui64> (C1)",
            key.to_type()
        )),
    }
}

/// The shape that an attribute says.
fn shape(attrs: &Attrs) -> Result<Vec<Dim>, String> {
    const MOST: i64 = 1 << 61;
    let shape = attrs.ints("out_shape")?;
    let count = dim::product(&shape).ok().and_then(Dim::known);
    let is_right =
        shape.iter().all(|extent| *extent >= 0) && count.is_some_and(|count| count < MOST);
    match is_right {
        true => Ok(shape.into_iter().map(Dim::Known).collect()),
        false => Err(format!("out_shape is {} (C2)", show(&shape))),
    }
}

fn generate(call: &Call) -> Result<Vec<TensorType>, String> {
    let key = key(call)?;
    let random = TensorType::new(shape(&call.attrs)?, key.element);
    Ok(vec![key, random])
}

fn split(call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![key(call)?; 2])
}

fn distributed(call: &Call) -> Result<Vec<TensorType>, String> {
    let key = key(call)?;
    let (shape, element) = (shape(&call.attrs)?, call.attrs.ty("out_dtype")?);
    let is_known = matches!(Element::of(element), Some(Element::F32 | Element::F64));
    let is_number = |ty: &TensorType| ty.rank() == 0 && ty.element == element;
    match is_known && call.inputs[1..].iter().all(is_number) {
        true => Ok(vec![key, TensorType::new(shape, element)]),
        false => Err(format!(
            "out_dtype is {element}, which is neither f32 nor f64 or not that of the operands (C3)"
        )),
    }
}

fn multinomial(call: &Call) -> Result<Vec<TensorType>, String> {
    let key = key(call)?;
    let [_, probs] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let count = call.attrs.int("num_samples")?;
    let is_list = probs
        .shape
        .last()
        .is_some_and(|extent| extent.known().is_some_and(|it| it > 0));
    let is_float = Element::of(probs.element).is_some_and(|it| Elements::FLOATS.contains(it));
    if count < 0 || !is_list || !is_float {
        return Err(format!("{count} samples of {} (C2)", probs.to_type()));
    }
    let mut shape = probs.shape.clone();
    shape.pop();
    shape.push(Dim::Known(count));
    Ok(vec![key, TensorType::new(shape, Element::I32.ty(call.ctx))])
}
