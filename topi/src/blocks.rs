//! Products with weights of few bits in blocks.

use crate::{
    Compute, Expression, known_shape,
    product::{self, dense_pack_by},
    qnn::word_of,
    scalar,
};
use relay_dialects::{
    Element,
    dim::Dim,
    index,
    ir::{Attr, Builder, Type, Value},
    ops::{arith, math},
    relay::ops::{
        blocks::{Grain, greatest_of, numbers_of_word},
        qnn::{BYTE_BITS, FIRST_BYTE, HALF, WORD},
    },
    te::{Reducer, Role, build},
    tir,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.dense_blocks", dense),
    ("nn.dequantize_blocks", dequantize),
    ("nn.contrib_dense_blocks_pack", packed),
    ("nn.contrib_quantize_blocks", quantize),
    ("nn.contrib_dense_digits_pack", digits),
];

/// A zero point: one for all, or that of a block at a place.
fn zero_point(b: &Builder, zeros: Value, place: &[Value], float: Type) -> Value {
    let place = match zeros.ty().dims().is_empty() {
        true => &[],
        false => place,
    };
    scalar::cast(b, build::read(b, zeros, place), float)
}

/// The low bits of a number.
fn low_bits(b: &Builder, number: Value, bits: i64) -> Value {
    let ones = b.constant(number.ty(), ((1i64 << bits) - 1) as f64);
    scalar::and(b, number, ones)
}

fn dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let weight = floats(e, &e.inputs[1..], e.known_dim(0, 1)?)?;
    let weight = build::with_role(weight, Role::Widen);
    product::dense(&Expression {
        inputs: &[e.inputs[0], weight],
        ..*e
    })
}

fn dequantize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let [_, columns] = e.result_shape()?[..] else {
        return Err("gives a matrix".into());
    };
    Ok(vec![floats(e, e.inputs, columns)?])
}

/// The numbers that a weight of bytes stands for, with its scales and zero points.
fn floats(e: &Expression<'_>, weight: &[Value], columns: i64) -> Result<Value, String> {
    let [bytes, scales, zeros] = weight[..] else {
        return Err("takes a weight, scales and zero points".into());
    };
    let shape = known_shape(bytes.ty())?;
    let grain = Grain::of_rows(&e.attrs(), &shape)?;
    let of_byte = BYTE_BITS / grain.bits;
    let body = |b: &Builder, at: &[Value]| {
        let (block, number) = (
            index::div(b, at[1], grain.block),
            index::rem(b, at[1], grain.block),
        );
        let place = [at[0], block, index::div(b, number, of_byte)];
        let byte = build::read(b, bytes, &place);
        let turn = scalar::from_index(b, index::rem(b, number, of_byte), byte.ty());
        let shift = scalar::mul(b, turn, b.constant(byte.ty(), grain.bits as f64));
        let number = low_bits(b, scalar::shift_right(b, byte, shift), grain.bits);
        stands_for(b, number, [scales, zeros], (&place[..2], e.element))
    };
    Ok(build::compute(
        e.b,
        "weight",
        &[shape[0], columns],
        e.element,
        body,
    ))
}

/// What a number stands for, with the scale and the zero point at a place.
fn stands_for(
    b: &Builder,
    number: Value,
    [scales, zeros]: [Value; 2],
    (place, float): (&[Value], Type),
) -> Value {
    let zero = zero_point(b, zeros, place, float);
    let distance = scalar::sub(b, scalar::cast(b, number, float), zero);
    let scale = scalar::cast(b, build::read(b, scales, place), float);
    scalar::mul(b, distance, scale)
}

fn packed(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (weight, columns) = (e.shape(1)?, e.known_dim(0, 1)?);
    let grain = Grain::of_words(&e.attrs(), &weight, &e.shape(2)?)?;
    let numbers = numbers_of_word(grain.bits);
    let shape = [weight[0], columns, weight[2]];
    let weight = build::compute(e.b, "weight", &shape, e.element, |b, at| {
        let (unit, lane) = (at[0], at[2]);
        let word = build::read(b, e.inputs[1], &[unit, index::div(b, at[1], numbers), lane]);
        let turn = index::rem(b, at[1], numbers);
        let (part, byte) = (index::div(b, turn, WORD), index::rem(b, turn, WORD));
        let bit = index::add(
            b,
            index::scale(b, byte, BYTE_BITS),
            index::scale(b, part, grain.bits),
        );
        let number = low_bits(b, shifted(b, word, bit), grain.bits);
        let block = index::div(b, at[1], grain.block);
        stands_for(
            b,
            number,
            [e.inputs[2], e.inputs[3]],
            (&[unit, block, lane], e.element),
        )
    });
    let weight = build::with_role(weight, Role::Widen);
    dense_pack_by(
        &Expression {
            inputs: &[e.inputs[0], weight],
            ..*e
        },
        scalar::mul,
    )
}

/// The bits of a word from bit `from` on.
fn shifted(b: &Builder, word: Value, from: Value) -> Value {
    arith::ShRUI::build(b, word, scalar::from_index(b, from, word.ty()))
}

fn quantize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (block, count) = (e.attrs().int("block")?, e.attrs().int("digits")?);
    let (float, word) = (Element::F32.ty(e.b.ctx), Element::I32.ty(e.b.ctx));
    let data = e.inputs[0];
    let most_steps = greatest_of(count);
    let [rows, columns] = [e.dims(0)[0], e.dims(0)[1]];
    let blocks = e.op.result(1).ty().dims();
    let place = |b: &Builder, at: &[Value], k: Value| {
        vec![at[0], index::add(b, index::scale(b, at[1], block), k)]
    };
    let most = (Reducer::Max, &[block][..]);
    let greatest = build::reduce(e.b, "greatest", &blocks, float, most, |b, at, k| {
        let number = build::read(b, data, &place(b, at, k[0]));
        math::AbsF::build(b, number)
    });
    let scales = build::compute(e.b, "scale", &blocks, float, |b, at| {
        let greatest = build::read(b, greatest, at);
        let limit = b.constant(float, most_steps);
        // Blocks of zeros have the least scale.
        let scale = scalar::max(
            b,
            scalar::div(b, greatest, limit),
            b.constant(float, f64::from(f32::MIN_POSITIVE)),
        );
        // NaN if the greatest number is infinite.
        scalar::add(b, scale, scalar::sub(b, greatest, greatest))
    });
    let numbers = build::compute(e.b, "number", &[rows, columns], word, |b, at| {
        let own = [at[0], index::div(b, at[1], block)];
        let steps = scalar::div(b, build::read(b, data, at), build::read(b, scales, &own));
        // The quotient of the greatest number may be rounded up.
        let [least, greatest] = [-most_steps, most_steps].map(|limit| b.constant(float, limit));
        let steps = scalar::min(b, scalar::max(b, steps, least), greatest);
        scalar::cast(b, math::RoundEven::build(b, steps), word)
    });
    let sum = (Reducer::Sum, &[block][..]);
    let sums = build::reduce(e.b, "sum", &blocks, float, sum, |b, at, k| {
        scalar::cast(b, build::read(b, numbers, &place(b, at, k[0])), float)
    });
    let dims = e.op.result(0).ty().dims();
    let words = build::compute(e.b, "digits", &dims, word, |b, at| {
        digit_words(b, numbers, count, at)
    });
    Ok(vec![words, scales, sums])
}

/// The word of a digit of four neighbours. Digits are signed: half of what the lower ones can say is added before they are cut off.
fn digit_words(b: &Builder, numbers: Value, count: i64, at: &[Value]) -> Value {
    let word = numbers.ty().element();
    let number = |value: f64| b.constant(word, value);
    let eight = number(BYTE_BITS as f64);
    let lower = scalar::sub(
        b,
        number((count - 1) as f64),
        scalar::from_index(b, at[0], word),
    );
    let shift = scalar::mul(b, lower, eight);
    let ones = scalar::sub(b, scalar::shift_left(b, number(1.0), shift), number(1.0));
    let halves = number((0..count).fold(0.0, |sum, _| sum * (FIRST_BYTE + 1.0) + HALF));
    let half = scalar::and(b, halves, ones);
    word_of(b, |place| {
        let first = index::scale(b, at[2], WORD);
        let column = index::add(b, first, b.index(place));
        let own = build::read(b, numbers, &[at[1], column]);
        let digit = scalar::shift_right(b, scalar::add(b, own, half), shift);
        low_bits(b, digit, BYTE_BITS)
    })
}

fn digits(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (weight, scales) = (e.shape(3)?, e.shape(4)?);
    let grain = Grain::of_words(&e.attrs(), &weight, &scales)?;
    let (lanes, float) = (weight[2], Element::F32.ty(e.b.ctx));
    let [digits, rows] = [e.dims(0)[0], e.dims(0)[1]];
    let [_, units] = e.result_dims()[..] else {
        return Err("takes data of rank 2".into());
    };
    let sums = block_sums(e, &grain, [digits, rows, units], lanes);
    let blocks = (Reducer::Sum, &[grain.blocks][..]);
    let count = digits.known().ok_or("takes a known number of digits")?;
    let result = build::reduce(e.b, "dense", &[rows, units], float, blocks, |b, at, k| {
        let (unit, lane) = (index::div(b, at[1], lanes), index::rem(b, at[1], lanes));
        let digit = |digit: i64| {
            let sum = build::read(b, sums, &[b.index(digit), at[0], k[0], at[1]]);
            scalar::cast(b, sum, float)
        };
        let base = b.constant(float, FIRST_BYTE + 1.0);
        let sum = (1..count).fold(digit(0), |sum, lower| {
            scalar::multiply_add(b, digit(lower), sum, base)
        });
        let of_data = |number: usize| build::read(b, e.inputs[number], &[at[0], k[0]]);
        let place = [unit, k[0], lane];
        let zero = zero_point(b, e.inputs[5], &place, float);
        let sum = scalar::sub(b, sum, scalar::mul(b, zero, of_data(2)));
        let scale = scalar::cast(b, build::read(b, e.inputs[4], &place), float);
        scalar::mul(b, sum, scalar::mul(b, scale, of_data(1)))
    });
    build::with_role(result, Role::DenseBlocks);
    if let Some(op) = result.def() {
        op.set_attr(product::BLOCK, Attr::i64(op.ctx(), lanes));
    }
    Ok(vec![build::name_axes(result, &["i", "j", "block"])])
}

/// The sum of the products of each block, for each digit of the data.
fn block_sums(
    e: &Expression<'_>,
    grain: &Grain,
    [digits, rows, units]: [Dim; 3],
    lanes: i64,
) -> Value {
    let (words, parts) = (grain.words(), grain.parts());
    let word = Element::I32.ty(e.b.ctx);
    // The lowest number of each byte.
    let byte = f64::from((1u32 << grain.bits) - 1);
    let mask = (0..WORD).fold(0.0, |mask, _| mask * (FIRST_BYTE + 1.0) + byte);
    let shape = [digits, rows, grain.blocks.into(), units];
    let sum = (Reducer::Sum, &[words, parts][..]);
    let sums = build::reduce(e.b, "block", &shape, word, sum, |b, at, k| {
        let (unit, lane) = (index::div(b, at[3], lanes), index::rem(b, at[3], lanes));
        let place = index::add(b, index::scale(b, at[2], words), k[0]);
        let weight = build::read(b, e.inputs[3], &[unit, place, lane]);
        let bytes = match parts {
            1 => weight,
            _ => {
                let part = shifted(b, weight, index::scale(b, k[1], grain.bits));
                scalar::and(b, part, b.int_constant(word, mask as i64))
            }
        };
        let column = index::add(b, index::scale(b, place, parts), k[1]);
        let data = build::read(b, e.inputs[0], &[at[0], at[1], column]);
        tir::ops::DotBytes::build(b, bytes, data)
    });
    build::with_role(sums, Role::BlockSums);
    build::name_axes(sums, &["digit", "i", "block", "j", "word", "part"])
}
