//! TVM's names of element types.

use relay_dialects::element::{Element, Kind};

/// The element type of TVM's name: `float32`, `uint8`, `bool`.
pub fn parse(name: &str) -> Option<Element> {
    Element::ALL
        .into_iter()
        .find(|element| self::name(*element) == name)
}

/// TVM's name of an element type.
pub fn name(element: Element) -> String {
    let kind = match element.kind() {
        Kind::Bool => return "bool".into(),
        Kind::Signed => "int",
        Kind::Unsigned => "uint",
        Kind::Float => "float",
        Kind::Brain => "bfloat",
    };
    format!("{kind}{}", element.bits())
}
