//! `quantize-weights`: products with weights of a few bits.

use crate::graph::{
    constants::{floats, of_bytes},
    kept::Kept,
    operators::make,
    rewrite,
};
use relay_dialects::{
    Element,
    index::ceil_div,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{
        Attrs,
        ops::{blocks::in_bytes, qnn::BYTE_BITS},
    },
};

/// The bits of a number.
const BITS: OptionSpec = OptionSpec {
    name: "bits",
    summary: "the bits of a weight: 2, 4 or 8",
    default: Default::Int(4),
};

/// The numbers of a block.
const BLOCK: OptionSpec = OptionSpec {
    name: "block",
    summary: "how many neighbours of a row share a scale and a zero point: a power of two from 16 to 256",
    default: Default::Int(32),
};

/// Whether ranges are searched for.
const SEARCH: OptionSpec = OptionSpec {
    name: "search",
    summary: "take the range of each block that makes the sum of squared errors least",
    default: Default::Bool(true),
};

/// The least weight.
const LEAST: OptionSpec = OptionSpec {
    name: "least",
    summary: "leave weights of fewer numbers as they are",
    default: Default::Int(4096),
};

/// What stays.
const KEEP: OptionSpec = OptionSpec {
    name: "keep",
    summary: "leave operators as they are: names of nodes, of weights or of operators, with the wildcards * and ?; new lines separate several",
    default: Default::Str(""),
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "quantize-weights",
    summary: "round the constant weights of products to a few bits",
    description: include_str!("quantize_weights.md"),
    anchor: func::Func::NAME,
    options: &[BITS, BLOCK, SEARCH, LEAST, KEEP],
    run,
};

/// How weights are rounded.
struct Rounding {
    bits: i64,
    block: i64,
    search: bool,
}

fn run(function: Op, options: &Options) -> PassResult {
    let rounding = Rounding {
        bits: options.int(BITS.name),
        block: options.int(BLOCK.name),
        search: options.bool(SEARCH.name),
    };
    let Rounding { bits, block, .. } = rounding;
    if ![2, 4, 8].contains(&bits) || block.count_ones() != 1 || !(16..=256).contains(&block) {
        return fail(
            function,
            format!(
                "bits is {bits} and block is {block}, expected 2, 4 or 8 and a power of two from 16 to 256"
            ),
        );
    }
    let least = options.int(LEAST.name);
    let kept = match Kept::of(options.str(KEEP.name)) {
        Ok(kept) => kept,
        Err(reason) => return fail(function, reason),
    };
    let products = [relay::NN_DENSE, relay::NN_MATMUL].map(|name| function.find_all(name));
    for op in products.concat() {
        let numbers: i64 = match op.operand(1).ty().is_static() {
            true => op.operand(1).ty().shape().iter().product(),
            false => 0,
        };
        if numbers < least || kept.fits(op, op.operand(1).loc().names()) {
            continue;
        }
        if let Some(made) = quantized(op, &rounding) {
            op.replace_with(&[made]);
        }
    }
    rewrite::erase_dead(function);
    Ok(())
}

/// A product with its weight rounded.
fn quantized(op: Op, rounding: &Rounding) -> Option<Value> {
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
    let [units, inputs] = if is_in_rows {
        [first, second]
    } else {
        [second, first]
    };
    let at = |unit: usize, input: usize| match is_in_rows {
        true => numbers[unit * inputs as usize + input],
        false => numbers[input * units as usize + unit],
    };
    let rows = rounding.rows([units, inputs], at);
    let b = Builder::before(op);
    let blocks = ceil_div(inputs, rounding.block);
    let bytes = rounding.block * rounding.bits / BYTE_BITS;
    let byte = Element::U8.ty(b.ctx);
    let of = |shape: &[i64], element: Type, bytes: Vec<u8>| {
        of_bytes(&b, Type::tensor(shape, element), "weight", bytes)
    };
    let operands = [
        data,
        of(&[units, blocks, bytes], byte, rows.numbers)?,
        of(&[units, blocks], Element::Bf16.ty(b.ctx), rows.scales)?,
        of(&[units, blocks], byte, rows.zeros)?,
    ];
    let bits = [("bits", Attr::i64(b.ctx, rounding.bits))];
    Some(make(&b, relay::NN_DENSE_BLOCKS, &operands, &bits))
}

/// The bytes of a weight in blocks.
#[derive(Default)]
struct Rows {
    numbers: Vec<u8>,
    scales: Vec<u8>,
    zeros: Vec<u8>,
}

/// A block's scale and zero point.
#[derive(Clone, Copy)]
struct Range {
    scale: half::bf16,
    zero: u8,
}

/// The shares of a block's range that are tried, in thirtieths: from two thirds up to the whole range.
const SHARES: std::ops::RangeInclusive<u32> = 20..=30;

impl Rounding {
    /// The greatest number.
    fn most(&self) -> f32 {
        ((1u32 << self.bits) - 1) as f32
    }

    /// All rows of a weight.
    fn rows(&self, [units, inputs]: [i64; 2], at: impl Fn(usize, usize) -> f32) -> Rows {
        let (units, inputs, block) = (units as usize, inputs as usize, self.block as usize);
        let mut rows = Rows::default();
        for unit in 0..units {
            for first in (0..inputs).step_by(block) {
                let numbers: Vec<f32> = (first..inputs.min(first + block))
                    .map(|input| at(unit, input))
                    .collect();
                let range = self.range(&numbers);
                rows.scales.extend(range.scale.to_le_bytes());
                rows.zeros.push(range.zero);
                let rounded = numbers.iter().map(|number| self.round(range, *number));
                let filled = rounded.chain(std::iter::repeat(range.zero)).take(block);
                let filled: Vec<u8> = filled.collect();
                rows.numbers.extend(in_bytes(&filled, self.bits));
            }
        }
        rows
    }

    /// The best range of a block.
    fn range(&self, numbers: &[f32]) -> Range {
        let whole = self.range_of(numbers, 1.0);
        if !self.search {
            return whole;
        }
        let greatest = *SHARES.end() as f32;
        let shares = SHARES.rev().map(|share| share as f32 / greatest);
        let ranges = shares.map(|share| self.range_of(numbers, share));
        let errors = ranges.map(|range| (self.error(range, numbers), range));
        let best = errors.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(whole, |(_, range)| range)
    }

    /// The range from a share of the least number to that of the greatest one. Zero is in it, and is exact.
    fn range_of(&self, numbers: &[f32], share: f32) -> Range {
        let least = numbers.iter().copied().fold(0.0, f32::min) * share;
        let greatest = numbers.iter().copied().fold(0.0, f32::max) * share;
        let scale = half::bf16::from_f32((greatest - least) / self.most());
        if scale.to_f32() == 0.0 || !scale.is_finite() {
            let scale = half::bf16::ONE;
            return Range { scale, zero: 0 };
        }
        let zero = (-least / scale.to_f32()).round().clamp(0.0, self.most());
        Range {
            scale,
            zero: zero as u8,
        }
    }

    /// The sum of the squared errors of a block.
    fn error(&self, range: Range, numbers: &[f32]) -> f32 {
        let scale = range.scale.to_f32();
        let error = |number: &f32| {
            let steps = f32::from(self.round(range, *number)) - f32::from(range.zero);
            (steps * scale - number).powi(2)
        };
        numbers.iter().map(error).sum()
    }

    fn round(&self, range: Range, number: f32) -> u8 {
        let steps = (number / range.scale.to_f32()).round_ties_even() + f32::from(range.zero);
        steps.clamp(0.0, self.most()) as u8
    }
}
