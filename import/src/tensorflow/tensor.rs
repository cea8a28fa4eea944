//! Constants.

use super::{
    element::{element, part},
    proto,
};
use crate::{
    compose::gather::few_known,
    graph::{
        constant::{Const, Numbers, element_count},
        error::Result,
        value::Value,
    },
};
use bytes::Bytes;
use relay_dialects::element::Element;

/// The dimensions of a shape that has to be known.
pub fn known_shape(shape: Option<&proto::Shape>) -> Result<Vec<i64>> {
    let Some(shape) = shape else {
        return Ok(Vec::new());
    };
    let dims: Vec<i64> = shape.dim.iter().map(|dim| dim.size).collect();
    match shape.is_rank_unknown {
        true => Err("its shape is not known".into()),
        false => element_count(&dims).map(|_| dims),
    }
}

/// A tensor of a file.
///
/// # Errors
/// If it is of a type that is not supported, or its elements are not as many as its shape says.
pub fn constant(tensor: &proto::Tensor) -> Result<Const> {
    let mut shape = known_shape(tensor.shape.as_ref())?;
    if let Some(element) = part(tensor.dtype) {
        shape.push(2);
        return pairs(tensor, element, shape);
    }
    let element = element(tensor.dtype)?;
    if !tensor.content.is_empty() {
        return of_bytes(element, shape, tensor.content.clone());
    }
    let count = element_count(&shape)? as usize;
    let mut numbers = numbers(tensor, element);
    let given = match &numbers {
        Numbers::Ints(numbers) => numbers.len(),
        Numbers::Floats(numbers) => numbers.len(),
    };
    match (given, count) {
        (_, 0) => return Ok(Const::new(element, shape, &Numbers::Ints(Vec::new()))),
        // Without a number all elements are 0.
        (0, _) => return Ok(Const::splat(element, shape, &Numbers::Ints(vec![0]))),
        (1, _) => return Ok(Const::splat(element, shape, &numbers)),
        (given, count) if given > count => {
            return Err(format!("{given} elements for the shape {shape:?}"));
        }
        _ => {}
    }
    if count > MOST_REPEATED.max(given) {
        return Err(format!("{given} elements for the shape {shape:?}"));
    }
    match &mut numbers {
        Numbers::Ints(numbers) => numbers.resize(count, numbers[given - 1]),
        Numbers::Floats(numbers) => numbers.resize(count, numbers[given - 1]),
    }
    Ok(Const::new(element, shape, &numbers))
}

/// Complex numbers, as pairs of their parts along the last axis.
fn pairs(tensor: &proto::Tensor, element: Element, shape: Vec<i64>) -> Result<Const> {
    if !tensor.content.is_empty() {
        return of_bytes(element, shape, tensor.content.clone());
    }
    let mut numbers: Vec<f64> = match element {
        Element::F64 => tensor.wide_complex.clone(),
        _ => tensor.complex.iter().map(|it| f64::from(*it)).collect(),
    };
    let (given, count) = (numbers.len(), element_count(&shape)? as usize);
    if given % 2 != 0 || given > count || count > MOST_REPEATED.max(given) {
        return Err(format!("{given} parts of numbers for the shape {shape:?}"));
    }
    // The last number repeats.
    let last = match numbers[..] {
        [.., real, imaginary] => [real, imaginary],
        _ => [0.0; 2],
    };
    while numbers.len() < count {
        numbers.extend(last);
    }
    Ok(Const::new(element, shape, &Numbers::Floats(numbers)))
}

/// The most elements of a tensor whose file has fewer, of which the last one repeats.
const MOST_REPEATED: usize = 1 << 24;

/// A tensor of the bytes of its elements.
///
/// # Errors
/// If there are more or fewer.
pub fn of_bytes(element: Element, shape: Vec<i64>, bytes: Bytes) -> Result<Const> {
    let count = element_count(&shape)? as usize;
    if count.checked_mul(element.bytes()) != Some(bytes.len()) {
        return Err(format!(
            "{} bytes for {count} elements of {element:?}",
            bytes.len()
        ));
    }
    let bytes = match element {
        // A boolean that is not 0 holds, and is 1 in memory.
        Element::Bool if bytes.iter().any(|byte| *byte > 1) => {
            bytes.iter().map(|byte| u8::from(*byte != 0)).collect()
        }
        _ => bytes,
    };
    Ok(Const::of_bytes(element, shape, bytes))
}

fn numbers(tensor: &proto::Tensor, element: Element) -> Numbers {
    let ints = |numbers: &mut dyn Iterator<Item = i128>| Numbers::Ints(numbers.collect());
    match element {
        Element::F32 => Numbers::Floats(tensor.float.iter().map(|it| f64::from(*it)).collect()),
        Element::F64 => Numbers::Floats(tensor.double.clone()),
        Element::F16 => halves(tensor, |bits| half::f16::from_bits(bits).to_f64()),
        Element::Bf16 => halves(tensor, |bits| half::bf16::from_bits(bits).to_f64()),
        Element::I64 => ints(&mut tensor.int64.iter().map(|it| i128::from(*it))),
        Element::U32 => ints(&mut tensor.uint32.iter().map(|it| i128::from(*it))),
        Element::U64 => ints(&mut tensor.uint64.iter().map(|it| i128::from(*it))),
        Element::Bool => ints(&mut tensor.bool.iter().map(|it| i128::from(*it))),
        _ => ints(&mut tensor.int.iter().map(|it| i128::from(*it))),
    }
}

fn halves(tensor: &proto::Tensor, number: fn(u16) -> f64) -> Numbers {
    let bits = tensor.half.iter().map(|bits| *bits as u16);
    Numbers::Floats(bits.map(number).collect())
}

/// The one integer of a tensor, if it is known.
pub fn known_int(value: &Value) -> Option<i64> {
    match few_known(value)?[..] {
        [number] => Some(number),
        _ => None,
    }
}
