//! What a rounding may do: which tensors are of quantised numbers, what a step of one is, and which differences are
//! roundings alone.

use super::{Compared, part::Places};
use crate::exposed::Exposed;
use relay_dialects::{
    Element,
    ir::{Op, Value},
    names,
};
use relay_runtime::{DType, Tensor};

/// A result of a node that reads what the reference reads differs by one step where a number lies in the middle of two
/// steps. Few numbers do: where more than a quarter of them differ, the node rounds in another way.
const MOST_ROUNDED_OTHERWISE: f64 = 0.25;

/// Tensors of which so few elements differ by a step are no statistics.
const FEW: usize = 2;

/// The places of tensors that an operator has just rounded to integers.
pub fn quantised(exposed: &Exposed<'_>) -> Places {
    let is_quantised = |place: &usize| {
        let tensor = &exposed.tensors[*place];
        has_steps(tensor.port.dtype)
            && exposed
                .value(tensor)
                .and_then(|value| value.def())
                .is_some_and(rounds)
    };
    (0..exposed.tensors.len()).filter(is_quantised).collect()
}

/// Whether tensors of this type are moved by steps of their integers.
fn has_steps(dtype: DType) -> bool {
    matches!(dtype, DType::I8 | DType::U8 | DType::I16 | DType::U16)
}

/// Whether an operator makes integers of numbers that lie between them.
pub fn rounds(op: Op) -> bool {
    let to_steps = |value: Value| {
        let element = Element::of(value.ty().element());
        element.is_some_and(|element| element.is_integer() && element.bits() <= 16)
    };
    let name = op.name();
    let reads_more = || {
        let elements = op.operands().into_iter();
        let mut elements = elements.filter_map(|value| Element::of(value.ty().element()));
        elements.any(|element| element.is_float() || element == Element::I32)
    };
    let may = name.contains(".qnn.") || name == names::relay::CAST;
    may && reads_more() && op.results().into_iter().all(to_steps)
}

/// Whether a difference of a tensor, of which the operands are as the reference has them, is a rounding.
pub fn is_rounding(is_quantised: bool, found: &Compared) -> bool {
    let errors = &found.errors;
    let most = FEW.max((errors.elements as f64 * MOST_ROUNDED_OTHERWISE) as usize);
    is_quantised && errors.max_abs <= 1.0 && errors.beyond <= most
}

/// Moves so many elements of a tensor by one step: of an integer by 1; of a float by a step of the bytes into which a
/// node rounds the tensor, or if all move, to one of its neighbours. Which ones, and whether up or down, is random. `None`
/// if the tensor is of another type.
pub fn moved(tensor: &Tensor, count: usize, random: &mut fastrand::Rng) -> Option<Tensor> {
    let mut moved = tensor.clone();
    let (dtype, size) = (tensor.dtype(), tensor.dtype().size());
    let elements = moved.bytes().len() / size;
    let bytes = (count < elements).then(|| step_of_bytes(tensor)).flatten();
    let chosen = random.choose_multiple(0..elements, count.min(elements));
    for place in chosen {
        let place = place * size;
        let element = moved.bytes_mut().get_mut(place..place + size)?;
        step(dtype, element, random.bool(), bytes)?;
    }
    Some(moved)
}

/// The step of the bytes that the range of a tensor of floats and 0 fill.
fn step_of_bytes(tensor: &Tensor) -> Option<f32> {
    let numbers = tensor.to_f32()?;
    let least = numbers.iter().copied().fold(0.0, f32::min);
    let greatest = numbers.iter().copied().fold(0.0, f32::max);
    Some((greatest - least) / 255.0)
}

/// Moves one element by a step; inwards, at an end of its type. A float moves by `of_bytes`, or to a neighbour.
fn step(dtype: DType, bytes: &mut [u8], up: bool, of_bytes: Option<f32>) -> Option<()> {
    macro_rules! integer {
        ($ty:ty) => {{
            let old = <$ty>::from_le_bytes(bytes.try_into().ok()?);
            let (first, second) = (old.checked_add(1), old.checked_sub(1));
            let new = if up {
                first.or(second)
            } else {
                second.or(first)
            };
            bytes.copy_from_slice(&new?.to_le_bytes());
        }};
    }
    match dtype {
        DType::U8 => integer!(u8),
        DType::I8 => integer!(i8),
        DType::U16 => integer!(u16),
        DType::I16 => integer!(i16),
        DType::F32 => {
            let old = f32::from_le_bytes(bytes.try_into().ok()?);
            let new = match (of_bytes, up) {
                (Some(step), true) => old + step,
                (Some(step), false) => old - step,
                (None, true) => old.next_up(),
                (None, false) => old.next_down(),
            };
            // What is no number, and the greatest ones, stay.
            let new = if new.is_finite() { new } else { old };
            bytes.copy_from_slice(&new.to_le_bytes());
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_stays_in_the_type() {
        let mut random = fastrand::Rng::with_seed(1);
        let ends = Tensor::from_bytes(DType::U8, &[4], &[0, 255, 0, 255]).expect("four bytes");
        for _ in 0..20 {
            let all = moved(&ends, 4, &mut random).expect("bytes have steps");
            assert_eq!(all.bytes(), [1, 254, 1, 254]);
            let one = moved(&ends, 1, &mut random).expect("bytes have steps");
            let pairs = one.bytes().iter().zip(ends.bytes());
            assert_eq!(pairs.filter(|(new, old)| new != old).count(), 1);
        }
    }

    #[test]
    fn a_float_moves_to_its_neighbour() {
        let mut random = fastrand::Rng::with_seed(1);
        let one = Tensor::from_f32(&[1], &[1.0]).expect("one number");
        let new = moved(&one, 9, &mut random).and_then(|tensor| tensor.to_f32());
        let new = new.expect("f32 has steps")[0];
        assert!(new == 1.0_f32.next_up() || new == 1.0_f32.next_down());
    }
}
