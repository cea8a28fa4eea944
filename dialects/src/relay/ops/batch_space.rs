//! Places in blocks of space as batches, and back.

use super::{columns::*, rule};
use crate::{
    element::{Element, Kind},
    ir::{DYNAMIC, Type},
    relay::{
        Call, TensorType, dim,
        relation::{show, show_dim},
    },
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
    places: i64,
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
    result.shape[0] = dim::product(&[result.shape[0], blocks.places])?;
    for (place, factor, [before, after]) in blocks.dimensions() {
        let padded = dim::sum(&[result.shape[place], before, after]).map_err(rule("C2"))?;
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
        Kind::Float | Kind::Brain => return true,
        Kind::Signed => (-power(element.bits() - 1), power(element.bits() - 1)),
        Kind::Bool | Kind::Unsigned => (0.0, power(element.bits())),
    };
    value.fract() == 0.0 && (low..high).contains(&value)
}

fn batch_to_space(call: &Call) -> Result<Vec<TensorType>, String> {
    let blocks = Blocks::of(call, "crops")?;
    let mut result = call.inputs[0].clone();
    let batch = result.shape[0];
    result.shape[0] = dim::quotient(batch, blocks.places).ok_or_else(|| {
        let (batch, factors) = (show_dim(batch), show(&blocks.factors));
        format!("a batch of {batch} is not of the places in blocks of {factors} (C3)")
    })?;
    for (place, factor, [before, after]) in blocks.dimensions() {
        let whole = dim::product(&[result.shape[place], factor])?;
        let dropped = dim::sum(&[before, after]).map_err(rule("C2"))?;
        if whole != DYNAMIC && dropped > whole {
            return Err(format!(
                "crops drop {dropped} of the {whole} elements of dimension {place} (C4)"
            ));
        }
        result.shape[place] = match whole {
            DYNAMIC => DYNAMIC,
            whole => whole - dropped,
        };
    }
    Ok(vec![result])
}
