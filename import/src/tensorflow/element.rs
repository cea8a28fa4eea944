//! TensorFlow's element types.

use crate::graph::error::Result;
use relay_dialects::element::Element;

/// The number of the type of texts.
pub const TEXT: i32 = 7;
/// The number of the type of handles of variables and the like.
pub const HANDLE: i32 = 20;
/// The number of the type of lists and other objects.
pub const OBJECT: i32 = 21;

/// How files number an element type, how TensorFlow calls it, and which one it is; none where there is no such.
const TYPES: [(i32, &str, Option<Element>); 27] = [
    (1, "float32", Some(Element::F32)),
    (2, "float64", Some(Element::F64)),
    (3, "int32", Some(Element::I32)),
    (4, "uint8", Some(Element::U8)),
    (5, "int16", Some(Element::I16)),
    (6, "int8", Some(Element::I8)),
    (TEXT, "string", None),
    (8, "complex64", None),
    (9, "int64", Some(Element::I64)),
    (10, "bool", Some(Element::Bool)),
    (11, "qint8", Some(Element::I8)),
    (12, "quint8", Some(Element::U8)),
    (13, "qint32", Some(Element::I32)),
    (14, "bfloat16", Some(Element::Bf16)),
    (15, "qint16", Some(Element::I16)),
    (16, "quint16", Some(Element::U16)),
    (17, "uint16", Some(Element::U16)),
    (18, "complex128", None),
    (19, "float16", Some(Element::F16)),
    (HANDLE, "resource", None),
    (OBJECT, "variant", None),
    (22, "uint32", Some(Element::U32)),
    (23, "uint64", Some(Element::U64)),
    (24, "float8_e5m2", Some(Element::F8E5M2)),
    (25, "float8_e4m3fn", Some(Element::F8E4M3FN)),
    (29, "int4", Some(Element::I4)),
    (30, "uint4", Some(Element::U4)),
];

/// Types of references to variables of old graphs have numbers above this one.
const REFERENCE: i32 = 100;

fn value_type(number: i32) -> i32 {
    if number > REFERENCE {
        number - REFERENCE
    } else {
        number
    }
}

/// The number of an element type that a text names as the format does: `DT_FLOAT`, or `DT_FLOAT_REF` of a reference.
pub fn number_of_name(name: &str) -> Option<i32> {
    let name = name.strip_prefix("DT_")?;
    let (name, offset) = match name.strip_suffix("_REF") {
        Some(name) => (name, REFERENCE),
        None => (name, 0),
    };
    let name = match name {
        "FLOAT" => "float32".into(),
        "DOUBLE" => "float64".into(),
        "HALF" => "float16".into(),
        name => name.to_ascii_lowercase(),
    };
    let mut types = TYPES.iter();
    let found = types.find(|(_, known, _)| *known == name);
    found.map(|(number, _, _)| number + offset)
}

/// The name of a numbered element type.
pub fn name(number: i32) -> &'static str {
    let mut types = TYPES.iter();
    let found = types.find(|(known, _, _)| *known == value_type(number));
    found.map_or("unknown", |(_, name, _)| name)
}

/// The type of the parts of a numbered complex type.
pub fn part(number: i32) -> Option<Element> {
    match value_type(number) {
        8 => Some(Element::F32),
        18 => Some(Element::F64),
        _ => None,
    }
}

/// A numbered element type.
///
/// # Errors
/// If it is not supported.
pub fn element(number: i32) -> Result<Element> {
    let mut types = TYPES.iter();
    let found = types.find(|(known, _, _)| *known == value_type(number));
    let element = found.and_then(|(_, _, element)| *element);
    element.ok_or_else(|| format!("element type {} ({number}) is not supported", name(number)))
}
