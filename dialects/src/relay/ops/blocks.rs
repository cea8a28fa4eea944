//! Products with weights of few bits, of which the numbers of a block share a scale and a zero point.

use super::{
    columns::*,
    qnn::{BYTE_BITS, HALF, WORD},
};
use crate::{
    Element,
    dim::{self, Dim},
    index::ceil_div,
    relay::{Attrs, Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "nn.dense_blocks",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        dense,
    )
    .with_layout(Blocks)
    .with_products(inputs),
    Row::new(
        "nn.dequantize_blocks",
        Injective,
        INTEGERS,
        Near,
        dequantize,
    ),
    Row::new(
        "nn.contrib_dense_blocks_pack",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        packed,
    )
    .with_products(inputs),
    Row::new(
        "nn.contrib_quantize_blocks",
        Opaque,
        FLOATS,
        Jumps,
        quantize,
    ),
    Row::new(
        "nn.contrib_dense_digits_pack",
        OutElemwiseFusable,
        INTEGERS,
        Converts,
        digits,
    ),
];

/// The bits of a word of a weight.
const WORD_BITS: i64 = 32;

/// The most bytes that a number of the data becomes. With three, the greatest number of a block is as exact as in f32.
pub const MOST_DIGITS: i64 = 3;

/// The bytes that a number of this type becomes. Two are as exact as a narrow float is.
pub fn digits_of(element: Element) -> i64 {
    match element.bits() {
        ..=16 => MOST_DIGITS - 1,
        _ => MOST_DIGITS,
    }
}

/// The greatest integer of so many signed bytes, each at most 127.
pub fn greatest_of(digits: i64) -> f64 {
    (0..digits).fold(0.0, |number, _| 256.0 * number + 127.0)
}

/// The numbers of so many bits in a word.
pub fn numbers_of_word(bits: i64) -> i64 {
    WORD_BITS / bits
}

/// Numbers of so many bits in bytes of whole numbers, the first one in the lowest bits.
pub fn in_bytes(numbers: &[u8], bits: i64) -> impl Iterator<Item = u8> + '_ {
    let byte = move |numbers: &[u8]| {
        let joined = |byte: u32, number: &u8| byte << bits | u32::from(*number);
        numbers.iter().rev().fold(0, joined) as u8
    };
    numbers.chunks((BYTE_BITS / bits) as usize).map(byte)
}

/// How a weight lies in blocks.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// The bits of a number.
    pub bits: i64,
    /// The numbers of a block.
    pub block: i64,
    /// The blocks of a row.
    pub blocks: i64,
}

impl Grain {
    /// Blocks of so many bytes.
    fn of_bytes(attrs: &Attrs, blocks: i64, bytes: i64) -> Result<Self, String> {
        let bits = attrs.int("bits")?;
        if ![2, 4, 8].contains(&bits) || bytes < WORD || bytes % WORD != 0 {
            return Err(format!(
                "a block of {bytes} bytes of numbers of {bits} bits has no whole words of 2, 4 or 8 bits (C3)"
            ));
        }
        let block = (bytes.checked_mul(8)).ok_or("a block is too large (C3)")? / bits;
        Ok(Self {
            bits,
            block,
            blocks,
        })
    }

    /// How a weight of bytes lies, [units, blocks, bytes].
    ///
    /// # Errors
    /// If `bits` is none of 2, 4 and 8, or a block has no whole words.
    pub fn of_rows(attrs: &Attrs, weight: &[i64]) -> Result<Self, String> {
        match weight {
            [_, blocks, bytes] => Self::of_bytes(attrs, *blocks, *bytes),
            _ => Err("takes a weight of rank 3 (C1)".into()),
        }
    }

    /// How a packed weight lies, [units/l, words, l], with scales [units/l, blocks, l].
    ///
    /// # Errors
    /// Likewise, or if the blocks do not share the words evenly.
    pub fn of_words(attrs: &Attrs, weight: &[i64], scales: &[i64]) -> Result<Self, String> {
        let ([_, words, _], [_, blocks, _]) = (weight, scales) else {
            return Err("takes a weight and scales of rank 3 (C1)".into());
        };
        if *blocks < 1 || words % blocks != 0 {
            return Err(format!(
                "{blocks} blocks have no whole words of {words} (C3)"
            ));
        }
        Self::of_bytes(attrs, *blocks, words / blocks * WORD)
    }

    /// How rows lie that have so many blocks, each of so many words of so many parts.
    pub fn of_parts(blocks: i64, words: i64, parts: i64) -> Self {
        Self {
            bits: BYTE_BITS / parts.max(1),
            block: words * parts * WORD,
            blocks,
        }
    }

    /// Whether 32 bits hold the sum of a block's products with a digit.
    pub fn is_exact_in_words(&self) -> bool {
        let greatest = (1i64 << self.bits) - 1;
        self.block.saturating_mul(greatest * HALF as i64) <= i64::from(i32::MAX)
    }

    /// The words of a block.
    pub fn words(&self) -> i64 {
        self.block / numbers_of_word(self.bits)
    }

    /// The parts of a word, each of a number for each of its bytes.
    pub fn parts(&self) -> i64 {
        numbers_of_word(self.bits) / WORD
    }

    /// Checks that rows of the data have so many blocks.
    fn check_columns(&self, columns: Dim) -> Result<(), String> {
        match columns.known() {
            Some(columns) if ceil_div(columns, self.block) == self.blocks => Ok(()),
            _ => Err(format!(
                "rows of {columns} numbers are not {} blocks of {} (C4)",
                self.blocks, self.block
            )),
        }
    }
}

/// The known shape of an operand.
fn shape(call: &Call, number: usize) -> Result<Vec<i64>, String> {
    let dims = &call.inputs.get(number).ok_or("lacks an operand")?.shape;
    let known: Option<Vec<i64>> = dims.iter().map(|dim| dim.known()).collect();
    known.ok_or_else(|| {
        format!(
            "takes weights and scales of known shapes, not {}",
            show(dims)
        )
    })
}

/// Checks the scales, operand `first`, and the zero points behind them.
fn check_scales(call: &Call, first: usize, expected: &[i64]) -> Result<(), String> {
    let is_float = Element::of(call.inputs[first].element).is_some_and(Element::is_float);
    let (scales, zeros) = (shape(call, first)?, shape(call, first + 1)?);
    if !is_float || scales != expected || !(zeros.is_empty() || zeros == expected) {
        return Err(format!(
            "takes scales of floats of shape {expected:?}, and zero points of that shape or of rank 0, not {} and {} (C2)",
            call.inputs[first].to_type(),
            call.inputs[first + 1].to_type()
        ));
    }
    Ok(())
}

/// Checks operand `number`, a weight or data in words.
fn check_words(call: &Call, number: usize) -> Result<(), String> {
    let words = &call.inputs[number];
    match (words.rank(), Element::of(words.element)) {
        (3, Some(Element::I32)) => Ok(()),
        _ => Err(format!(
            "takes words of rank 3 and of i32, not {} (C1)",
            words.to_type()
        )),
    }
}

/// The rows and columns of the data.
fn matrix(call: &Call) -> Result<[Dim; 2], String> {
    match call.inputs[0].shape[..] {
        [rows, columns] => Ok([rows, columns]),
        _ => Err("takes data of rank 2 (C1)".into()),
    }
}

fn result(call: &Call, rows: Dim, units: i64) -> Vec<TensorType> {
    vec![TensorType::new(
        vec![rows, units.into()],
        call.inputs[0].element,
    )]
}

/// Checks a weight of bytes, operand `number`, and what belongs to it. Returns its units.
fn check_rows(call: &Call, number: usize, columns: Dim) -> Result<i64, String> {
    let weight = shape(call, number)?;
    let grain = Grain::of_rows(&call.attrs, &weight)?;
    let element = call.inputs[number].element;
    if Element::of(element) != Some(Element::U8) {
        return Err(format!(
            "takes a weight of unsigned bytes, not of {element} (C1)"
        ));
    }
    check_scales(call, number + 1, &weight[..2])?;
    grain.check_columns(columns)?;
    Ok(weight[0])
}

fn dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let [rows, columns] = matrix(call)?;
    let units = check_rows(call, 1, columns)?;
    Ok(result(call, rows, units))
}

fn dequantize(call: &Call) -> Result<Vec<TensorType>, String> {
    let columns = Dim::Known(call.attrs.int("columns")?);
    let units = check_rows(call, 0, columns)?;
    let element = call.inputs[1].element;
    Ok(vec![TensorType::new(vec![units.into(), columns], element)])
}

/// Checks a packed weight, operand `number`, and what belongs to it. Returns its grain and its units.
fn check_packed(call: &Call, number: usize) -> Result<(Grain, i64), String> {
    check_words(call, number)?;
    let (weight, scales) = (shape(call, number)?, shape(call, number + 1)?);
    let grain = Grain::of_words(&call.attrs, &weight, &scales)?;
    let (blocks, lanes) = (weight[0], weight[2]);
    check_scales(call, number + 1, &[blocks, grain.blocks, lanes])?;
    let units = (blocks.checked_mul(lanes)).ok_or("has too many units (C1)")?;
    Ok((grain, units))
}

fn packed(call: &Call) -> Result<Vec<TensorType>, String> {
    let [rows, columns] = matrix(call)?;
    let (grain, units) = check_packed(call, 1)?;
    grain.check_columns(columns)?;
    Ok(result(call, rows, units))
}

fn quantize(call: &Call) -> Result<Vec<TensorType>, String> {
    let [rows, columns] = matrix(call)?;
    let (block, digits) = (call.attrs.int("block")?, call.attrs.int("digits")?);
    if block < WORD || block % WORD != 0 || !(1..=MOST_DIGITS).contains(&digits) {
        return Err(format!(
            "block is {block} and digits is {digits}, expected whole words of {WORD} and 1 to {MOST_DIGITS} (C2)"
        ));
    }
    let columns = columns.known().filter(|columns| columns % block == 0);
    let columns = columns.ok_or("takes whole blocks of columns (C1)")?;
    let of = |shape: Vec<Dim>, element: Element| TensorType::new(shape, element.ty(call.ctx));
    let blocks = || vec![rows, (columns / block).into()];
    Ok(vec![
        of(
            vec![digits.into(), rows, (columns / WORD).into()],
            Element::I32,
        ),
        of(blocks(), Element::F32),
        of(blocks(), Element::F32),
    ])
}

fn digits(call: &Call) -> Result<Vec<TensorType>, String> {
    check_words(call, 0)?;
    let (grain, units) = check_packed(call, 3)?;
    let [_, rows, words] = call.inputs[0].shape[..] else {
        return Err("takes words of rank 3 (C1)".into());
    };
    grain.check_columns(dim::product(&[words, Dim::Known(WORD)])?)?;
    let float = Element::F32.ty(call.ctx);
    let blocks = TensorType::new(vec![rows, grain.blocks.into()], float);
    if call.inputs[1] != blocks || call.inputs[2] != blocks {
        return Err(format!(
            "takes scales and sums of the data of type {}, not {} and {} (C4)",
            blocks.to_type(),
            call.inputs[1].to_type(),
            call.inputs[2].to_type()
        ));
    }
    Ok(vec![TensorType::new(vec![rows, units.into()], float)])
}

/// The products of an element of the result.
fn inputs(call: &Call) -> Option<i64> {
    call.inputs.first()?.shape.get(1)?.known()
}
