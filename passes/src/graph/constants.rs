//! The elements of constants as numbers.

use relay_dialects::{Element, element::Kind, ir::Value, relay::build::constant};

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
