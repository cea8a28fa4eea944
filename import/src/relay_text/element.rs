//! TVM's names of element types.

use relay_dialects::element::{Element, Kind};

/// The element type of TVM's name: `float32`, `uint8`, `bool`; or of a [second name](ALIASES).
pub fn parse(name: &str) -> Option<Element> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let full = alias.map_or(name, |(_, full)| *full);
    Element::ALL
        .into_iter()
        .find(|element| self::name(*element) == full)
}

/// Names that TVM reads and does not print, and the names that they stand for.
pub const ALIASES: &[(&str, &str)] = &[
    ("int", "int32"),
    ("uint", "uint32"),
    ("float", "float32"),
    ("bfloat", "bfloat16"),
    ("uint1", "bool"),
];

/// TVM's name of an element type.
pub fn name(element: Element) -> String {
    if let Some(name) = minifloat(element) {
        return name.into();
    }
    let kind = match element.kind() {
        Kind::Bool => return "bool".into(),
        Kind::Signed => "int",
        Kind::Unsigned => "uint",
        Kind::Float | Kind::Mini => "float",
        Kind::Brain => "bfloat",
    };
    format!("{kind}{}", element.bits())
}

/// TVM's name of a float of 8 bits or fewer, of which there are several.
fn minifloat(element: Element) -> Option<&'static str> {
    Some(match element {
        Element::F8E4M3FN => "float8_e4m3fn",
        Element::F8E4M3FNUZ => "float8_e4m3fnuz",
        Element::F8E5M2 => "float8_e5m2",
        Element::F8E5M2FNUZ => "float8_e5m2fnuz",
        Element::F4E2M1FN => "float4_e2m1fn",
        _ => return None,
    })
}
