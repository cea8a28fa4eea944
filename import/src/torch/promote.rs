//! The element type in which PyTorch computes what has operands of several.
//!
//! Tensors with axes decide; tensors of rank 0 count where they are of a higher kind (boolean, integer, float), and so do numbers
//! after them.

use super::item::{Item, Number, Operand};
use crate::graph::value::Value;
use relay_dialects::element::Element;

/// The type of floats that nothing says another one of.
pub const DEFAULT: Element = Element::F32;

/// The type of operands together.
pub fn result_type(operands: &[&Operand]) -> Element {
    let (mut of_tensors, mut of_scalars, mut of_numbers) = (None, None, None);
    for operand in operands {
        let (place, element) = match operand {
            Operand::Tensor(value) if value.rank() > 0 => (&mut of_tensors, value.element()),
            Operand::Tensor(value) => (&mut of_scalars, value.element()),
            Operand::Number(number) => (&mut of_numbers, of_number(number)),
        };
        *place = Some(place.map_or(element, |before| promoted(before, element)));
    }
    let both = combined(of_tensors, combined(of_scalars, of_numbers));
    both.unwrap_or(DEFAULT)
}

/// The type of tensors together.
pub fn of_values(values: &[Value]) -> Element {
    let operands: Vec<Operand> = values.iter().cloned().map(Operand::Tensor).collect();
    result_type(&operands.iter().collect::<Vec<_>>())
}

/// The type that a number has by itself.
pub fn of_number(number: &Number) -> Element {
    match number {
        Number::Int(_) | Number::Computed(Item::Dim(_)) => Element::I64,
        Number::Float(_) => DEFAULT,
        Number::Bool(_) => Element::Bool,
        Number::Computed(Item::Number(value) | Item::Tensor(value)) => match value.element() {
            element if element.is_float() => DEFAULT,
            element => element,
        },
        Number::Computed(Item::Complex(numbers)) => numbers.real.element(),
    }
}

/// The type of floats in which an element type is computed where there are no whole numbers.
pub fn as_float(element: Element) -> Element {
    match element.is_float() {
        true => element,
        false => DEFAULT,
    }
}

/// Operands that decide, and others that count only if they are of a higher kind.
fn combined(higher: Option<Element>, lower: Option<Element>) -> Option<Element> {
    let (Some(first), Some(second)) = (higher, lower) else {
        return higher.or(lower);
    };
    match kind(second) > kind(first) {
        true => Some(promoted(first, second)),
        false => Some(first),
    }
}

/// 0 for booleans, 1 for integers, 2 for floats.
fn kind(element: Element) -> u8 {
    match element {
        Element::Bool => 0,
        element if element.is_float() => 2,
        _ => 1,
    }
}

/// The smallest type that holds two.
pub fn promoted(first: Element, second: Element) -> Element {
    use Element::{Bool, F16, F32, F64, I8, I16, I32, I64};
    if first == second {
        return first;
    }
    match kind(first).cmp(&kind(second)) {
        std::cmp::Ordering::Less => return second,
        std::cmp::Ordering::Greater => return first,
        std::cmp::Ordering::Equal => {}
    }
    if first.is_float() {
        return match first.bytes().max(second.bytes()) {
            8 => F64,
            4 => F32,
            // Two different narrow ones: none holds the other.
            2 => F32,
            _ => F16,
        };
    }
    let is_signed = |element: Element| matches!(element, I8 | I16 | I32 | I64);
    let (wide, narrow) = match first.bytes() >= second.bytes() {
        true => (first, second),
        false => (second, first),
    };
    match (is_signed(wide), is_signed(narrow)) {
        (true, false) if wide.bytes() == narrow.bytes() => wider(wide),
        (false, true) => wider(wide),
        _ if wide == Bool => narrow,
        _ => wide,
    }
}

/// The integers with sign that hold those of a type without.
fn wider(element: Element) -> Element {
    match element.bytes() {
        1 => Element::I16,
        2 => Element::I32,
        _ => Element::I64,
    }
}

#[cfg(test)]
mod tests {
    use super::promoted;
    use relay_dialects::element::Element::{Bf16, Bool, F16, F32, F64, I8, I16, I32, I64, U8};

    /// As `torch.promote_types` says.
    #[test]
    fn types_are_promoted_as_by_pytorch() {
        for (first, second, both) in [
            (Bool, U8, U8),
            (U8, I8, I16),
            (U8, I64, I64),
            (I8, I16, I16),
            (I32, I64, I64),
            (I64, F16, F16),
            (F16, Bf16, F32),
            (Bf16, F32, F32),
            (F32, F64, F64),
        ] {
            assert_eq!(promoted(first, second), both, "{first:?} {second:?}");
            assert_eq!(promoted(second, first), both, "{first:?} {second:?}");
        }
    }
}
