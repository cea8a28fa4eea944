//! Element types of TensorFlow Lite.

use crate::graph::error::Result;
use relay_dialects::element::Element;

/// The types by their numbers: the name, and the element; none for what no tensor of relay holds.
const TYPES: &[(&str, Option<Element>)] = &[
    ("float32", Some(Element::F32)),
    ("float16", Some(Element::F16)),
    ("int32", Some(Element::I32)),
    ("uint8", Some(Element::U8)),
    ("int64", Some(Element::I64)),
    ("string", None),
    ("bool", Some(Element::Bool)),
    ("int16", Some(Element::I16)),
    ("complex64", None),
    ("int8", Some(Element::I8)),
    ("float64", Some(Element::F64)),
    ("complex128", None),
    ("uint64", Some(Element::U64)),
    ("resource", None),
    ("variant", None),
    ("uint32", Some(Element::U32)),
    ("uint16", Some(Element::U16)),
    // Integers of few bits are computed with as bytes.
    ("int4", Some(Element::I8)),
    ("bfloat16", Some(Element::Bf16)),
    ("int2", Some(Element::I8)),
    ("uint4", Some(Element::U8)),
    ("float8_e4m3fn", Some(Element::F8E4M3FN)),
    ("float8_e5m2", Some(Element::F8E5M2)),
];

/// The number of the type of complex numbers of two f32.
pub const COMPLEX64: i8 = 8;
/// The number of the type of handles of variables.
pub const RESOURCE: i8 = 13;

/// The name of a type.
pub fn name(number: i8) -> String {
    let known = usize::try_from(number)
        .ok()
        .and_then(|number| TYPES.get(number));
    known.map_or_else(|| format!("type {number}"), |(name, _)| (*name).into())
}

/// The element of a type.
///
/// # Errors
/// If tensors of relay cannot hold it.
pub fn element(number: i8) -> Result<Element> {
    let known = usize::try_from(number)
        .ok()
        .and_then(|number| TYPES.get(number));
    let element = known.and_then(|(_, element)| *element);
    element.ok_or_else(|| format!("elements of type {} are not supported", name(number)))
}

/// The bits of an element of a type that is packed, several to a byte: how many, and whether they have a sign.
pub fn packed(number: i8) -> Option<(usize, bool)> {
    match name(number).as_str() {
        "int4" => Some((4, true)),
        "int2" => Some((2, true)),
        "uint4" => Some((4, false)),
        _ => None,
    }
}
