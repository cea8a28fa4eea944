//! Places in blocks of space as batches, and back.

use super::{columns::*, rule};
use crate::{
    dim::{self, Dim},
    element::{Element, Kind},
    ir::Type,
    relay::{Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "nn.space_to_batch_nd",
        Injective,
        ANY,
        Moves,
        space_to_batch,
    ),
    Row::new(
        "nn.batch_to_space_nd",
        Injective,
        ANY,
        Moves,
        batch_to_space,
    ),
];

/// The extents of blocks, those of spatial dimensions, and what is before and after each of these.
struct Blocks {
    factors: Vec<i64>,
    sides: Vec<[i64; 2]>,
    /// The number of places in a block.
    places: Dim,
}

impl Blocks {
    /// The attributes of an operator, whose attribute `sides` belongs to the spatial dimensions.
    fn of(call: &Call, sides: &str) -> Result<Self, String> {
        let shape = &call.inputs[0].shape;
        let factors = call.attrs.ints("block_shape")?;
        if factors.len() >= shape.len() || factors.iter().any(|&factor| factor < 1) {
            let shape = show(shape);
            return Err(format!(
                "block_shape {factors:?} is not of dimensions of {shape} behind the batch (C1)"
            ));
        }
        let places = dim::product(&factors).map_err(rule("C1"))?;
        let given = call.attrs.ints(sides)?;
        if given.len() != 2 * factors.len() || given.iter().any(|&side| side < 0) {
            return Err(format!(
                "{sides} {given:?} is not two numbers for each of block_shape (C2)"
            ));
        }
        let sides = given.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        Ok(Self {
            factors,
            sides: sides.collect(),
            places,
        })
    }

    /// The spatial dimensions: their place in a shape, the block's extent, and what is before and after.
    fn dimensions(&self) -> impl Iterator<Item = (usize, i64, [i64; 2])> {
        let both = self.factors.iter().zip(&self.sides);
        both.enumerate()
            .map(|(place, (&factor, &sides))| (place + 1, factor, sides))
    }
}

fn space_to_batch(call: &Call) -> Result<Vec<TensorType>, String> {
    let blocks = Blocks::of(call, "paddings")?;
    let mut result = call.inputs[0].clone();
    result.shape[0] = result.shape[0].times(blocks.places)?;
    for (place, factor, [before, after]) in blocks.dimensions() {
        let padded = result.shape[place]
            .plus(before)
            .and_then(|padded| padded.plus(after));
        let padded = padded.map_err(rule("C2"))?;
        result.shape[place] = dim::quotient(padded, factor).ok_or_else(|| {
            format!("{padded} elements of dimension {place} are not blocks of {factor} (C3)")
        })?;
    }
    let value = call.attrs.float("pad_value")?;
    if !has_value(result.element, value) {
        let element = result.element;
        return Err(format!("pad_value {value} is no value of {element} (C4)"));
    }
    Ok(vec![result])
}

/// Whether an element type has this value; a float is rounded to one of its own.
fn has_value(element: Type, value: f64) -> bool {
    let Some(element) = Element::of(element) else {
        return false;
    };
    let power = |bits: u32| 2f64.powi(bits as i32);
    let (low, high) = match element.kind() {
        Kind::Float | Kind::Brain | Kind::Mini => return true,
        Kind::Signed => (-power(element.bits() - 1), power(element.bits() - 1)),
        Kind::Bool | Kind::Unsigned => (0.0, power(element.bits())),
    };
    value.fract() == 0.0 && (low..high).contains(&value)
}

fn batch_to_space(call: &Call) -> Result<Vec<TensorType>, String> {
    let blocks = Blocks::of(call, "crops")?;
    let mut result = call.inputs[0].clone();
    let batch = result.shape[0];
    let places = blocks.places.known();
    let shared = places.and_then(|places| dim::quotient(batch, places));
    result.shape[0] = shared.ok_or_else(|| {
        let factors = show(&blocks.factors);
        format!("a batch of {batch} is not of the places in blocks of {factors} (C3)")
    })?;
    for (place, factor, [before, after]) in blocks.dimensions() {
        let whole = result.shape[place].times(factor)?;
        let dropped = Dim::Known(before).plus(after).map_err(rule("C2"))?;
        let left = whole.minus(dropped)?;
        if left.known().is_some_and(|left| left < 0) {
            return Err(format!(
                "crops drop {dropped} of the {whole} elements of dimension {place} (C4)"
            ));
        }
        result.shape[place] = left;
    }
    Ok(vec![result])
}
