//! Products with constant weights, and the same products with weights of a few bits.

use super::{
    constants::{floats, of_bytes},
    kept::Kept,
    operators::make,
};
use relay_dialects::{
    Element,
    index::ceil_div,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    relay::{
        Attrs,
        ops::{blocks::in_bytes, qnn::BYTE_BITS},
    },
};
use relay_quantize::{Blocks, Feedback};

/// Below this number of elements, a weight stays as it is.
pub const LEAST: i64 = 4096;

/// The products of a function whose weights may be rounded: those with at least so many elements, which are not kept.
///
/// # Errors
/// If `keep` is no pattern.
pub fn products(function: Op, least: i64, keep: &str) -> Result<Vec<Op>, String> {
    let kept = Kept::of(keep)?;
    let found = [relay::NN_DENSE, relay::NN_MATMUL].map(|name| function.find_all(name));
    let is_open = |op: &Op| {
        let weight = op.operand(1);
        let is_large = || weight.ty().shape().iter().product::<i64>() >= least;
        weight.ty().is_static() && is_large() && !kept.fits(*op, weight.loc().names())
    };
    Ok(found.concat().into_iter().filter(is_open).collect())
}

/// The weight of a product: its rows of inputs, one for each output.
struct Weight {
    numbers: Vec<f32>,
    units: usize,
    inputs: usize,
    /// Whether the numbers of a row are neighbours.
    is_in_rows: bool,
}

impl Weight {
    /// That of a product of rows of data and a constant of finite floats.
    fn of(op: Op) -> Option<Self> {
        let (data, weight) = (op.operand(0), op.operand(1));
        let is_in_rows = match op.name().as_str() {
            relay::NN_DENSE => true,
            _ => Attrs::of(op).bool("transpose_b").ok()?,
        };
        let turns_data = op.is(relay::NN_MATMUL) && Attrs::of(op).bool("transpose_a").ok()?;
        if data.ty().dims().len() != 2 || turns_data {
            return None;
        }
        let numbers = floats(weight).filter(|all| all.iter().all(|number| number.is_finite()))?;
        let [first, second] = weight.ty().shape()[..] else {
            return None;
        };
        let (first, second) = (usize::try_from(first).ok()?, usize::try_from(second).ok()?);
        let (units, inputs) = match is_in_rows {
            true => (first, second),
            false => (second, first),
        };
        Some(Self {
            numbers,
            units,
            inputs,
            is_in_rows,
        })
    }

    fn row(&self, unit: usize) -> Vec<f32> {
        let at = |input: usize| match self.is_in_rows {
            true => self.numbers[unit * self.inputs + input],
            false => self.numbers[input * self.units + unit],
        };
        (0..self.inputs).map(at).collect()
    }
}

/// Rounds the weight of a product, each number to the nearest one, or with feedback. Whether there was one to round.
pub fn round(op: Op, blocks: &Blocks, feedback: Option<&Feedback>) -> bool {
    let made = Weight::of(op).and_then(|weight| rounded(op, &weight, blocks, feedback));
    if let Some(made) = made {
        op.replace_with(&[made]);
    }
    made.is_some()
}

fn rounded(op: Op, weight: &Weight, blocks: &Blocks, feedback: Option<&Feedback>) -> Option<Value> {
    let (mut integers, mut scales, mut zeros) = (Vec::new(), Vec::new(), Vec::new());
    for unit in 0..weight.units {
        let numbers = weight.row(unit);
        let row = match feedback {
            Some(feedback) => feedback.row(blocks, &numbers),
            None => blocks.row(&numbers),
        };
        for (part, grid) in row.integers.chunks(blocks.block).zip(&row.grids) {
            let filled = part.iter().copied().chain(std::iter::repeat(grid.zero));
            let filled: Vec<u8> = filled.take(blocks.block).collect();
            integers.extend(in_bytes(&filled, blocks.bits.into()));
            scales.extend(grid.scale.to_le_bytes());
            zeros.push(grid.zero);
        }
    }
    let b = Builder::before(op);
    let (units, block) = (weight.units as i64, blocks.block as i64);
    let count = ceil_div(weight.inputs as i64, block);
    let bytes = block * i64::from(blocks.bits) / BYTE_BITS;
    let byte = Element::U8.ty(b.ctx);
    let of = |shape: &[i64], element: Type, bytes: Vec<u8>| {
        of_bytes(&b, Type::tensor(shape, element), "weight", bytes)
    };
    let operands = [
        op.operand(0),
        of(&[units, count, bytes], byte, integers)?,
        of(&[units, count], Element::Bf16.ty(b.ctx), scales)?,
        of(&[units, count], byte, zeros)?,
    ];
    let bits = [("bits", Attr::i64(b.ctx, blocks.bits.into()))];
    Some(make(&b, relay::NN_DENSE_BLOCKS, &operands, &bits))
}
