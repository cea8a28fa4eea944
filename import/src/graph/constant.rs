//! Constant tensors: their contents, and numbers as elements.

use super::error::Result;
use bytes::Bytes;
use half::{bf16, f16};
use relay_dialects::{dim::Dim, element::Element};
use std::borrow::Cow;

/// A tensor with more elements than this is taken for a damaged model.
pub const MAX_ELEMENTS: i64 = 1 << 40;

/// Checks a shape's dimensions and returns its element count.
pub fn element_count(shape: &[i64]) -> Result<i64> {
    if let Some(dim) = shape.iter().find(|&&dim| dim < 0) {
        return Err(format!("dimension {dim} of shape {shape:?} is negative"));
    }
    // Dimensions beside a 0 are bounded, too: no product of some of them may overflow.
    let bound = shape
        .iter()
        .try_fold(1i64, |count, &dim| count.checked_mul(dim.max(1)))
        .filter(|&count| count <= MAX_ELEMENTS)
        .ok_or_else(|| format!("shape {shape:?} has more than 2^40 elements"))?;
    Ok(if shape.contains(&0) { 0 } else { bound })
}

/// Checks dimensions: those that are known as [`element_count`] does.
pub fn check_dims(dims: &[Dim]) -> Result<()> {
    let known: Vec<i64> = dims.iter().filter_map(|dim| dim.known()).collect();
    element_count(&known).map(drop)
}

/// Elements as numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Integers with sign or booleans, as numbers wide enough for sums and products of two of them.
    Ints(Vec<i128>),
    /// Of a float type.
    Floats(Vec<f64>),
}

impl Numbers {
    /// Integers.
    pub fn ints(values: &[i64]) -> Self {
        Self::Ints(values.iter().map(|&value| value.into()).collect())
    }
}

/// A tensor known at compile time.
#[derive(Clone, Debug)]
pub struct Const {
    /// The element type.
    pub element: Element,
    /// The shape.
    pub shape: Vec<i64>,
    payload: Payload,
}

#[derive(Clone, Debug)]
enum Payload {
    /// All elements.
    Bytes(Bytes),
    /// One element, which all are equal to.
    Splat(Vec<u8>),
}

impl Const {
    /// A tensor whose elements are all the first one of `numbers`.
    pub fn splat(element: Element, shape: Vec<i64>, numbers: &Numbers) -> Self {
        let mut first = encode(element, numbers);
        first.truncate(element.bytes());
        Self {
            element,
            shape,
            payload: Payload::Splat(first),
        }
    }

    /// A tensor of the given elements, as many as the shape asks for.
    pub fn new(element: Element, shape: Vec<i64>, numbers: &Numbers) -> Self {
        let payload = Payload::Bytes(Bytes::from(encode(element, numbers)));
        Self {
            element,
            shape,
            payload,
        }
    }

    /// A tensor from its elements' bytes, as many as the shape asks for.
    pub fn of_bytes(element: Element, shape: Vec<i64>, bytes: impl Into<Bytes>) -> Self {
        let payload = Payload::Bytes(bytes.into());
        Self {
            element,
            shape,
            payload,
        }
    }

    /// A vector of int64.
    pub fn ints(values: &[i64]) -> Self {
        let shape = vec![values.len() as i64];
        Self::new(Element::I64, shape, &Numbers::ints(values))
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// The bytes of the one element that the tensor repeats, if it was made as a splat.
    pub fn splat_bytes(&self) -> Option<&[u8]> {
        match &self.payload {
            Payload::Splat(element) => Some(element),
            Payload::Bytes(bytes) => {
                let width = self.element.bytes();
                let first = bytes.get(..width)?;
                (bytes[width..] == bytes[..bytes.len() - width]).then_some(first)
            }
        }
    }

    /// All elements' bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.payload {
            Payload::Splat(element) => Cow::Owned(element.repeat(self.count())),
            Payload::Bytes(bytes) => Cow::Borrowed(bytes),
        }
    }

    /// As [`Const::bytes`], but bytes that are in memory are borrowed.
    pub fn shared_bytes(&self) -> Bytes {
        match &self.payload {
            Payload::Splat(element) => Bytes::from(element.repeat(self.count())),
            Payload::Bytes(bytes) => bytes.clone(),
        }
    }

    /// The elements as numbers.
    pub fn numbers(&self) -> Numbers {
        let bytes = self.bytes();
        macro_rules! read {
            ($ty:ty, $kind:ident) => {
                Numbers::$kind(
                    bytes
                        .chunks_exact(size_of::<$ty>())
                        .map(|chunk| {
                            let chunk = chunk.try_into().expect("chunks have this size");
                            <$ty>::from_le_bytes(chunk).into()
                        })
                        .collect(),
                )
            };
        }
        match self.element {
            Element::Bool => Numbers::Ints(bytes.iter().map(|&byte| (byte != 0).into()).collect()),
            Element::I8 => read!(i8, Ints),
            Element::I16 => read!(i16, Ints),
            Element::I32 => read!(i32, Ints),
            Element::I64 => read!(i64, Ints),
            Element::U8 => read!(u8, Ints),
            Element::U16 => read!(u16, Ints),
            Element::U32 => read!(u32, Ints),
            Element::U64 => read!(u64, Ints),
            Element::F16 => read!(f16, Floats),
            Element::Bf16 => read!(bf16, Floats),
            Element::F32 => read!(f32, Floats),
            Element::F64 => read!(f64, Floats),
            stored => stored_numbers(stored, &bytes),
        }
    }

    /// The elements, if they are integers of up to 64 bits with sign, or booleans.
    pub fn to_ints(&self) -> Option<Vec<i64>> {
        match self.numbers() {
            Numbers::Ints(values) => values
                .into_iter()
                .map(|value| value.try_into().ok())
                .collect(),
            Numbers::Floats(_) => None,
        }
    }

    /// The elements as floats.
    pub fn to_floats(&self) -> Vec<f64> {
        match self.numbers() {
            Numbers::Ints(values) => values.into_iter().map(|value| value as f64).collect(),
            Numbers::Floats(values) => values,
        }
    }

    /// The same elements in another shape with as many.
    pub fn reshaped(&self, shape: Vec<i64>) -> Self {
        Self {
            shape,
            ..self.clone()
        }
    }
}

/// The numbers of elements that are the low bits of bytes.
fn stored_numbers(element: Element, bytes: &[u8]) -> Numbers {
    if let Some(format) = element.minifloat() {
        return Numbers::Floats(bytes.iter().map(|byte| format.decode(*byte)).collect());
    }
    let number = |byte: &u8| element.small_integer(*byte).into();
    Numbers::Ints(bytes.iter().map(number).collect())
}

/// The byte whose low bits are the element that a number becomes.
fn stored_byte(element: Element, number: f64) -> u8 {
    match element.minifloat() {
        Some(format) => format.encode(f64::from(number as f32)),
        None => low_bits(element, number as i128),
    }
}

/// The bits of an integer of fewer than 8.
fn low_bits(element: Element, number: i128) -> u8 {
    number as u8 & ((1 << element.bits()) - 1)
}

/// The bytes of `numbers` as elements of a type: integers wrap, floats are truncated to integers. Narrow floats are rounded from f32, as
/// compiled casts do it; the conversions of f64 in `half` look only at its first 32 bits.
fn encode(element: Element, numbers: &Numbers) -> Vec<u8> {
    match numbers {
        Numbers::Ints(numbers) => encode_ints(element, numbers),
        Numbers::Floats(numbers) => encode_floats(element, numbers),
    }
}

/// The bytes of all numbers, each made an element by `$convert`.
macro_rules! bytes {
    ($numbers:expr, $convert:expr) => {
        $numbers
            .iter()
            .flat_map(|&number| $convert(number).to_le_bytes())
            .collect()
    };
}

fn encode_ints(element: Element, numbers: &[i128]) -> Vec<u8> {
    match element {
        Element::Bool => bytes!(numbers, |n| u8::from(n != 0)),
        Element::I8 | Element::U8 => bytes!(numbers, |n| n as u8),
        Element::I16 | Element::U16 => bytes!(numbers, |n| n as u16),
        Element::I32 | Element::U32 => bytes!(numbers, |n| n as u32),
        Element::I64 | Element::U64 => bytes!(numbers, |n| n as u64),
        Element::F16 => bytes!(numbers, |n| f16::from_f32(n as f32)),
        Element::Bf16 => bytes!(numbers, |n| bf16::from_f32(n as f32)),
        Element::F32 => bytes!(numbers, |n| n as f32),
        Element::F64 => bytes!(numbers, |n| n as f64),
        Element::I4 | Element::U4 | Element::I2 | Element::U2 => {
            bytes!(numbers, |n| low_bits(element, n))
        }
        stored => bytes!(numbers, |n| stored_byte(stored, n as f64)),
    }
}

fn encode_floats(element: Element, numbers: &[f64]) -> Vec<u8> {
    match element {
        Element::Bool => bytes!(numbers, |n| u8::from(n != 0.0)),
        Element::I8 => bytes!(numbers, |n| n as i8),
        Element::I16 => bytes!(numbers, |n| n as i16),
        Element::I32 => bytes!(numbers, |n| n as i32),
        Element::I64 => bytes!(numbers, |n| n as i64),
        Element::U8 => bytes!(numbers, |n| n as u8),
        Element::U16 => bytes!(numbers, |n| n as u16),
        Element::U32 => bytes!(numbers, |n| n as u32),
        Element::U64 => bytes!(numbers, |n| n as u64),
        Element::F16 => bytes!(numbers, |n| f16::from_f32(n as f32)),
        Element::Bf16 => bytes!(numbers, |n| bf16::from_f32(n as f32)),
        Element::F32 => bytes!(numbers, |n| n as f32),
        Element::F64 => bytes!(numbers, |n: f64| n),
        stored => bytes!(numbers, |n| stored_byte(stored, n)),
    }
}
