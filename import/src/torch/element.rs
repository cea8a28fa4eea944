//! PyTorch's element types.

use crate::graph::error::Result;
use relay_dialects::element::Element;

/// How a file numbers an element type, how `torch.dtype` calls it, and which one it is; none where there is no such.
const TYPES: [(i64, &str, Option<Element>); 22] = [
    (1, "uint8", Some(Element::U8)),
    (2, "int8", Some(Element::I8)),
    (3, "int16", Some(Element::I16)),
    (4, "int32", Some(Element::I32)),
    (5, "int64", Some(Element::I64)),
    (6, "float16", Some(Element::F16)),
    (7, "float32", Some(Element::F32)),
    (8, "float64", Some(Element::F64)),
    (9, "complex32", None),
    (10, "complex64", None),
    (11, "complex128", None),
    (12, "bool", Some(Element::Bool)),
    (13, "bfloat16", Some(Element::Bf16)),
    (28, "uint16", Some(Element::U16)),
    (29, "float8_e4m3fn", Some(Element::F8E4M3FN)),
    (30, "float8_e5m2", Some(Element::F8E5M2)),
    (31, "float8_e4m3fnuz", Some(Element::F8E4M3FNUZ)),
    (32, "float8_e5m2fnuz", Some(Element::F8E5M2FNUZ)),
    (33, "float8_e8m0fnu", None),
    (34, "uint32", Some(Element::U32)),
    (35, "uint64", Some(Element::U64)),
    (0, "unknown", None),
];

/// The complex types, and the types of their parts.
const COMPLEX: [(i64, i64); 3] = [(9, 6), (10, 7), (11, 8)];

/// The classes of storages, as pickled tensors of older versions name them.
const STORAGES: [(&str, &str); 15] = [
    ("FloatStorage", "float32"),
    ("DoubleStorage", "float64"),
    ("HalfStorage", "float16"),
    ("BFloat16Storage", "bfloat16"),
    ("LongStorage", "int64"),
    ("IntStorage", "int32"),
    ("ShortStorage", "int16"),
    ("CharStorage", "int8"),
    ("ByteStorage", "uint8"),
    ("BoolStorage", "bool"),
    ("ComplexFloatStorage", "complex64"),
    ("ComplexDoubleStorage", "complex128"),
    ("QInt8Storage", "int8"),
    ("QUInt8Storage", "uint8"),
    ("QInt32Storage", "int32"),
];

/// The name of a numbered element type.
pub fn name_of(number: i64) -> &'static str {
    let mut types = TYPES.iter();
    let found = types.find(|(known, _, _)| *known == number);
    found.map_or("unknown", |(_, name, _)| name)
}

/// A numbered element type.
///
/// # Errors
/// If it is not supported.
pub fn of_number(number: i64) -> Result<Element> {
    let mut types = TYPES.iter();
    let found = types.find(|(known, _, _)| *known == number);
    let element = found.and_then(|(_, _, element)| *element);
    element.ok_or_else(|| {
        format!(
            "tensors of {} (scalar type {number}) are not supported",
            name_of(number)
        )
    })
}

/// The numbered type of the parts of a complex one, by the number of that.
pub fn part_of(number: i64) -> Option<i64> {
    let mut parts = COMPLEX.iter();
    let found = parts.find(|(complex, _)| *complex == number);
    found.map(|(_, part)| *part)
}

/// The complex type whose parts are of a numbered type.
pub fn complex_of(number: i64) -> Option<i64> {
    let mut parts = COMPLEX.iter();
    let found = parts.find(|(_, part)| *part == number);
    found.map(|(complex, _)| *complex)
}

/// As [`part_of`], by names.
pub fn part_of_name(name: &str) -> Option<&'static str> {
    let mut types = TYPES.iter();
    let (number, _, _) = types.find(|(_, known, _)| *known == name)?;
    part_of(*number).map(name_of)
}

/// The numbered type of the integers of a quantised tensor.
///
/// # Errors
/// If it is no such type, or has fewer than 8 bits.
pub fn of_quantized(number: i64) -> Result<Element> {
    match number {
        12 => Ok(Element::I8),
        13 => Ok(Element::U8),
        14 => Ok(Element::I32),
        _ => Err(format!(
            "quantised tensors of scalar type {number} are not supported; qint8 (12), quint8 (13) and qint32 (14) are"
        )),
    }
}

/// The number of an element type, if it has one.
pub fn number_of(element: Element) -> Option<i64> {
    let mut types = TYPES.iter();
    let found = types.find(|(_, _, known)| *known == Some(element));
    found.map(|(number, _, _)| *number)
}

/// The element type that `torch.dtype` calls so.
///
/// # Errors
/// If it is not supported.
pub fn of_name(name: &str) -> Result<Element> {
    let mut types = TYPES.iter();
    let found = types.find(|(_, known, _)| *known == name);
    let element = found.and_then(|(_, _, element)| *element);
    element.ok_or_else(|| format!("tensors of {name} are not supported"))
}

/// The name of the element type of a class of storages.
pub fn of_storage(class: &str) -> Option<&'static str> {
    let mut classes = STORAGES.iter();
    let found = classes.find(|(known, _)| *known == class);
    found.map(|(_, name)| *name)
}

/// The name of an element type as this table has it.
pub fn static_name(name: &str) -> Option<&'static str> {
    let mut types = TYPES.iter();
    let found = types.find(|(_, known, _)| *known == name);
    found.map(|(_, known, _)| *known)
}
