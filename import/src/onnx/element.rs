//! ONNX's element types.

use crate::graph::error::Result;
use relay_dialects::element::Element;

/// ONNX's element types by number: their names, and ours for those that are supported.
const TYPES: [(&str, Option<Element>); 27] = [
    ("undefined", None),
    ("float", Some(Element::F32)),
    ("uint8", Some(Element::U8)),
    ("int8", Some(Element::I8)),
    ("uint16", Some(Element::U16)),
    ("int16", Some(Element::I16)),
    ("int32", Some(Element::I32)),
    ("int64", Some(Element::I64)),
    ("string", None),
    ("bool", Some(Element::Bool)),
    ("float16", Some(Element::F16)),
    ("double", Some(Element::F64)),
    ("uint32", Some(Element::U32)),
    ("uint64", Some(Element::U64)),
    ("complex64", None),
    ("complex128", None),
    ("bfloat16", Some(Element::Bf16)),
    ("float8e4m3fn", Some(Element::F8E4M3FN)),
    ("float8e4m3fnuz", Some(Element::F8E4M3FNUZ)),
    ("float8e5m2", Some(Element::F8E5M2)),
    ("float8e5m2fnuz", Some(Element::F8E5M2FNUZ)),
    ("uint4", Some(Element::U4)),
    ("int4", Some(Element::I4)),
    ("float4e2m1", Some(Element::F4E2M1FN)),
    ("float8e8m0", None),
    ("uint2", Some(Element::U2)),
    ("int2", Some(Element::I2)),
];

/// The element type with ONNX's number.
///
/// # Errors
/// If it is not supported.
pub fn of_onnx(number: i64) -> Result<Element> {
    let (name, element) =
        row(number).ok_or_else(|| format!("element type number {number} is unknown"))?;
    element.ok_or_else(|| {
        let known = TYPES.iter().filter(|(_, element)| element.is_some());
        let names: Vec<&str> = known.map(|(name, _)| *name).collect();
        format!(
            "element type {name} is not supported; these are: {}",
            names.join(", ")
        )
    })
}

/// The element type with ONNX's name.
///
/// # Errors
/// If it is not supported.
pub fn of_name(name: &str) -> Result<Element> {
    let is_it = |(known, _): &&(&str, _)| known.eq_ignore_ascii_case(name);
    match TYPES.iter().find(is_it) {
        Some((_, Some(element))) => Ok(*element),
        Some(_) => Err(format!("element type {name} is not supported")),
        None => Err(format!("element type '{name}' is unknown")),
    }
}

/// ONNX's name of an element type.
pub fn name(number: i64) -> &'static str {
    row(number).map_or("unknown", |(name, _)| name)
}

fn row(number: i64) -> Option<(&'static str, Option<Element>)> {
    TYPES.get(usize::try_from(number).ok()?).copied()
}
