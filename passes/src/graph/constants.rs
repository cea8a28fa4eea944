//! The elements of constants as numbers, and constants of elements.

use half::{bf16, f16};
use relay_dialects::{
    Element,
    element::Kind,
    ir::{Attr, Builder, Type, Value},
    names,
    relay::build::constant,
};

/// The most bytes of a constant that is written as text. A larger one is a resource.
pub const DENSE_BYTES: usize = 64;

/// The elements of a constant of integers; those of ui64 that 63 bits do not hold are negative.
pub fn integers(value: Value) -> Option<Vec<i64>> {
    let attr = constant(value)?;
    let element = Element::of(value.ty().element()).filter(|element| element.is_integer())?;
    let number = |bytes: &[u8]| {
        let is_negative =
            element.kind() == Kind::Signed && bytes.last().is_some_and(|last| last & 0x80 != 0);
        let mut whole = if is_negative { [0xff; 8] } else { [0; 8] };
        whole[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(whole)
    };
    attr.read(|bytes| bytes.chunks_exact(element.bytes()).map(number).collect())
}

/// The elements of a constant of floats of at most 32 bits.
pub fn floats(value: Value) -> Option<Vec<f32>> {
    let attr = constant(value)?;
    let element = Element::of(value.ty().element())?;
    let number = |bytes: &[u8]| match (element, bytes) {
        (Element::F32, &[a, b, c, d]) => Some(f32::from_le_bytes([a, b, c, d])),
        (Element::F16, &[a, b]) => Some(f16::from_le_bytes([a, b]).to_f32()),
        (Element::Bf16, &[a, b]) => Some(bf16::from_le_bytes([a, b]).to_f32()),
        _ => None,
    };
    attr.read(|bytes| bytes.chunks_exact(element.bytes()).map(number).collect())?
}

/// A constant of these bytes; a large one is a resource with this name.
pub fn of_bytes(builder: &Builder, ty: Type, name: &str, bytes: Vec<u8>) -> Option<Value> {
    let value = match bytes.len() <= DENSE_BYTES {
        true => Attr::dense(ty, &bytes)?,
        false => Attr::resource(ty, name, bytes),
    };
    let attrs = [("value", value)];
    Some(builder.value(names::relay::CONSTANT, &[], ty, &attrs))
}
