//! Types of elements by their names in Keras.

use crate::graph::error::Result;
use relay_dialects::element::Element;

/// The type of integers of so many bytes, with a sign or without.
pub fn of_integer(bytes: usize, has_sign: bool) -> Option<Element> {
    match (bytes, has_sign) {
        (1, true) => Some(Element::I8),
        (2, true) => Some(Element::I16),
        (4, true) => Some(Element::I32),
        (8, true) => Some(Element::I64),
        (1, false) => Some(Element::U8),
        (2, false) => Some(Element::U16),
        (4, false) => Some(Element::U32),
        (8, false) => Some(Element::U64),
        _ => None,
    }
}

/// The type of a name.
///
/// # Errors
/// If there is no such type.
pub fn of_name(name: &str) -> Result<Element> {
    Ok(match name {
        "bool" => Element::Bool,
        "int8" => Element::I8,
        "int16" => Element::I16,
        "int32" => Element::I32,
        "int64" => Element::I64,
        "uint8" => Element::U8,
        "uint16" => Element::U16,
        "uint32" => Element::U32,
        "uint64" => Element::U64,
        "float16" => Element::F16,
        "bfloat16" => Element::Bf16,
        "float32" => Element::F32,
        "float64" => Element::F64,
        other => return Err(format!("elements of type '{other}' are not supported")),
    })
}

/// The type in which numbers of two types meet, as Keras' `result_type` of tensors has it for the types that models mix: the wider float,
/// or the wider integer.
pub fn common(lhs: Element, rhs: Element) -> Element {
    use Element::{Bf16, Bool, F16, F32};
    match (lhs, rhs) {
        (lhs, rhs) if lhs == rhs => lhs,
        (Bool, other) | (other, Bool) => other,
        (F16, Bf16) | (Bf16, F16) => F32,
        (lhs, rhs) if lhs.is_float() != rhs.is_float() => match lhs.is_float() {
            true => lhs,
            false => rhs,
        },
        (lhs, rhs) if lhs.bytes() >= rhs.bytes() => lhs,
        (_, rhs) => rhs,
    }
}
