//! How much two tensors differ.

use half::{bf16, f16};
use relay_codegen::interface;
use relay_passes::pipeline::Precision;
use relay_runtime::{DType, Tensor};
use serde::Serialize;

/// How much elements may differ: `|found - expected| <= absolute + relative * |expected|`, as in numpy's allclose.
/// Integers and booleans have to be the same.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Tolerance {
    /// The part that is the same for all elements.
    pub absolute: f64,
    /// The part that grows with the element.
    pub relative: f64,
}

impl Tolerance {
    /// The tolerance for a model of this precision if none is named.
    pub fn usual_of(precision: Precision) -> Self {
        let (absolute, relative) = match precision {
            Precision::F32 => (1e-4, 1e-3),
            Precision::Bf16 => (0.05, 0.05),
        };
        Self { absolute, relative }
    }
}

/// How much a tensor differs from what was expected.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Errors {
    /// The largest difference.
    pub max_abs: f64,
    /// The largest difference in terms of what was expected, where that is not 0.
    pub max_rel: f64,
    /// The largest number of floats that lie between an element and what was expected; 0 for integers.
    pub max_ulp: u64,
    /// The norm of the differences / the norm of what was expected; 0 for no elements.
    pub distance: f64,
    /// How many elements differ by more than the tolerance.
    pub beyond: usize,
    /// How many elements there are.
    pub elements: usize,
}

impl Errors {
    /// Whether an element differs by more than the tolerance.
    pub fn differs(&self) -> bool {
        self.beyond > 0
    }
}

/// Compares a tensor with what was expected. An element that is no number, or infinite, has to be so in both.
///
/// # Errors
/// If they are not of one shape.
pub fn compare(found: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Result<Errors, String> {
    if found.shape() != expected.shape() {
        return Err(format!(
            "is of shape {:?}, expected {:?}",
            found.shape(),
            expected.shape()
        ));
    }
    let exact = !is_float(found.dtype());
    let mut errors = Errors::default();
    let (mut of_differences, mut of_expected) = (0.0, 0.0);
    for (found, expected) in elements(found).zip(elements(expected)) {
        errors.elements += 1;
        if expected.value.is_finite() {
            of_expected += expected.value * expected.value;
        }
        let same =
            found.value == expected.value || (found.value.is_nan() && expected.value.is_nan());
        if same {
            continue;
        }
        let difference = (found.value - expected.value).abs();
        let difference = if difference.is_nan() {
            f64::INFINITY
        } else {
            difference
        };
        errors.max_abs = errors.max_abs.max(difference);
        of_differences += difference * difference;
        if expected.value != 0.0 && expected.value.is_finite() {
            errors.max_rel = errors.max_rel.max(difference / expected.value.abs());
        }
        errors.max_ulp = errors.max_ulp.max(found.order.abs_diff(expected.order));
        let allowed = tolerance.absolute + tolerance.relative * expected.value.abs();
        // An infinite expectation would allow everything.
        let within = expected.value.is_finite() && difference <= allowed;
        errors.beyond += usize::from(exact || !within);
    }
    let of_expected = if of_expected > 0.0 { of_expected } else { 1.0 };
    errors.distance = f64::sqrt(of_differences / of_expected);
    Ok(errors)
}

/// The first element that is no number, or infinite, as asked for: its place and what it is.
pub fn find(tensor: &Tensor, nan: bool, infinite: bool) -> Option<(usize, f64)> {
    let wanted = |value: f64| (nan && value.is_nan()) || (infinite && value.is_infinite());
    elements(tensor)
        .map(|element| element.value)
        .enumerate()
        .find(|(_, value)| wanted(*value))
}

/// Between which numbers the elements of a tensor lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least; infinite if there is none.
    pub least: f64,
    /// The greatest; infinite if there is none.
    pub greatest: f64,
    /// How many elements there are.
    pub elements: usize,
    /// How many of them are no numbers, and count for neither of the two.
    pub no_numbers: usize,
}

/// The range of a tensor's elements.
pub fn range(tensor: &Tensor) -> Range {
    let none = Range {
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        elements: 0,
        no_numbers: 0,
    };
    // Of a number and a NaN, `min` and `max` take the number.
    elements(tensor).fold(none, |range, Element { value, .. }| Range {
        least: range.least.min(value),
        greatest: range.greatest.max(value),
        elements: range.elements + 1,
        no_numbers: range.no_numbers + usize::from(value.is_nan()),
    })
}

/// Whether elements are floats.
pub fn is_float(dtype: DType) -> bool {
    let element = interface::element(dtype);
    element.is_float() || element.minifloat().is_some()
}

struct Element {
    value: f64,
    /// Its place among all floats of its type, from the least on; 0 for integers.
    order: i64,
}

fn elements(tensor: &Tensor) -> Box<dyn Iterator<Item = Element> + '_> {
    let whole = |value: f64| Element { value, order: 0 };
    let bytes = tensor.bytes();
    match tensor.dtype() {
        DType::Bool | DType::U8 => Box::new(bytes.iter().map(move |b| whole(f64::from(*b)))),
        DType::I8 => {
            Box::new(numbers::<1>(bytes).map(move |b| whole(f64::from(i8::from_le_bytes(b)))))
        }
        DType::I16 => {
            Box::new(numbers(bytes).map(move |b| whole(f64::from(i16::from_le_bytes(b)))))
        }
        DType::U16 => {
            Box::new(numbers(bytes).map(move |b| whole(f64::from(u16::from_le_bytes(b)))))
        }
        DType::I32 => {
            Box::new(numbers(bytes).map(move |b| whole(f64::from(i32::from_le_bytes(b)))))
        }
        DType::U32 => {
            Box::new(numbers(bytes).map(move |b| whole(f64::from(u32::from_le_bytes(b)))))
        }
        DType::I64 => Box::new(numbers(bytes).map(move |b| whole(i64::from_le_bytes(b) as f64))),
        DType::U64 => Box::new(numbers(bytes).map(move |b| whole(u64::from_le_bytes(b) as f64))),
        DType::F16 => Box::new(numbers(bytes).map(|b| Element {
            value: f16::from_le_bytes(b).to_f64(),
            order: order(u64::from(u16::from_le_bytes(b)), 16),
        })),
        DType::BF16 => Box::new(numbers(bytes).map(|b| Element {
            value: bf16::from_le_bytes(b).to_f64(),
            order: order(u64::from(u16::from_le_bytes(b)), 16),
        })),
        DType::F32 => Box::new(numbers(bytes).map(|b| Element {
            value: f64::from(f32::from_le_bytes(b)),
            order: order(u64::from(u32::from_le_bytes(b)), 32),
        })),
        DType::F64 => Box::new(numbers(bytes).map(|b| Element {
            value: f64::from_le_bytes(b),
            order: order(u64::from_le_bytes(b), 64),
        })),
        stored => {
            let stored = interface::element(stored);
            Box::new(bytes.iter().map(move |byte| stored_element(stored, *byte)))
        }
    }
}

/// An element that is the low bits of a byte.
fn stored_element(of: relay_dialects::Element, byte: u8) -> Element {
    match of.minifloat() {
        Some(format) => Element {
            value: format.decode(byte),
            order: order(byte.into(), of.bits()),
        },
        None => Element {
            value: of.small_integer(byte).into(),
            order: 0,
        },
    }
}

fn numbers<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (numbers, _) = bytes.as_chunks::<N>();
    numbers.iter().copied()
}

/// The place of a float among all of its type: bits of IEEE's floats are in the order of their magnitudes.
fn order(bits: u64, width: u32) -> i64 {
    let sign = 1_u64 << (width - 1);
    let magnitude = (bits & (sign - 1)) as i64;
    if bits & sign == 0 {
        magnitude
    } else {
        -magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Tolerance = Tolerance {
        absolute: 0.0,
        relative: 0.0,
    };

    fn of(found: &[f32], expected: &[f32], tolerance: Tolerance) -> Errors {
        let tensor = |values: &[f32]| {
            Tensor::from_f32(&[values.len() as i64], values).expect("as many as the shape says")
        };
        compare(&tensor(found), &tensor(expected), tolerance).expect("the shapes are equal")
    }

    #[test]
    fn errors_are_measured_in_three_ways() {
        let next = f32::from_bits(2.0_f32.to_bits() + 3);
        let errors = of(&[1.0, next, 0.0], &[1.0, 2.0, -0.0], NONE);
        assert_eq!((errors.max_ulp, errors.beyond, errors.elements), (3, 1, 3));
        assert_eq!(errors.max_abs, f64::from(next) - 2.0);
        assert_eq!(errors.max_rel, errors.max_abs / 2.0);
        // From the least positive float to the least negative one it is two steps.
        let least = f32::from_bits(1);
        assert_eq!(of(&[least], &[-least], NONE).max_ulp, 2);
    }

    #[test]
    fn what_is_no_number_has_to_be_so_in_both() {
        let wide = Tolerance {
            absolute: 1e30,
            relative: 1.0,
        };
        let (nan, infinite) = (f32::NAN, f32::INFINITY);
        assert!(!of(&[nan, infinite], &[nan, infinite], wide).differs());
        for (found, expected) in [
            (nan, 0.0),
            (0.0, nan),
            (infinite, 1.0),
            (1.0, infinite),
            (infinite, -infinite),
        ] {
            assert!(
                of(&[found], &[expected], wide).differs(),
                "{found} {expected}"
            );
        }
    }

    #[test]
    fn the_tolerance_is_numpys() {
        let tolerance = Tolerance {
            absolute: 0.5,
            relative: 0.25,
        };
        assert!(!of(&[4.0 + 1.5], &[4.0], tolerance).differs());
        assert!(of(&[4.0 + 1.75], &[4.0], tolerance).differs());
    }
}
