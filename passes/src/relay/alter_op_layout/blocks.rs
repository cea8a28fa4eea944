//! Products with weights of few bits: the weight in words for vectors of columns, the data as bytes where the processor multiplies these.

use super::{
    Layouts,
    bytes::{along_last, joined, words as words_of},
};
use crate::graph::{
    operators::{cast, is_foldable, make},
    shapes::{fill_axis, first_channels, pad_axis, reshape, transform},
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        Attrs,
        build::scalar,
        ops::{
            blocks::{Grain, digits_of},
            qnn::{BYTE_BITS, WORD},
        },
    },
};
use relay_topi::cost::blocks::are_bytes_faster;

/// `nn.dense_blocks` with a weight that is known.
pub fn dense(layouts: &Layouts<'_>, op: Op) -> Option<Value> {
    let [weight, scales, zeros] = [1, 2, 3].map(|number| op.operand(number));
    if ![weight, scales, zeros].into_iter().all(is_foldable) {
        return None;
    }
    let grain = Grain::of_rows(&Attrs::of(op), &weight.ty().shape()).ok()?;
    let b = Builder::before(op);
    let units = weight.ty().shape()[0];
    let lanes = layouts.packer.lanes;
    let of_blocks = |value: Value| match value.ty().shape().is_empty() {
        true => value,
        false => transform(
            &b,
            fill_axis(&b, value, 0, lanes),
            "NC",
            &format!("NC{lanes}n"),
        ),
    };
    let operands = [
        packed(&b, fill_axis(&b, weight, 0, lanes), &grain, lanes),
        of_blocks(scales),
        of_blocks(zeros),
    ];
    let bits = [("bits", Attr::i64(b.ctx, grain.bits))];
    let made = match are_bytes_faster(layouts.machine) && grain.is_exact_in_words() {
        true => of_digits(&b, op.operand(0), &operands, &grain)?,
        false => {
            let operands = [&[op.operand(0)], &operands[..]].concat();
            make(&b, relay::NN_CONTRIB_DENSE_BLOCKS_PACK, &operands, &bits)
        }
    };
    Some(first_channels(&b, made, units))
}

/// The product of data that become bytes.
fn of_digits(b: &Builder, data: Value, weight: &[Value], grain: &Grain) -> Option<Value> {
    let element = data.ty().element();
    let columns = data.ty().dims()[1].known()?;
    let data = pad_axis(b, data, 1, grain.block * grain.blocks - columns);
    let number = |value: i64| Attr::i64(b.ctx, value);
    let attrs = [
        ("block", number(grain.block)),
        ("digits", number(digits_of(Element::of(element)?))),
    ];
    let quantized = b.inferred(relay::NN_CONTRIB_QUANTIZE_BLOCKS, &[data], &attrs)?;
    let operands = [&quantized.results()[..], weight].concat();
    let bits = [("bits", number(grain.bits))];
    let made = make(b, relay::NN_CONTRIB_DENSE_DIGITS_PACK, &operands, &bits);
    Some(cast(b, made, element))
}

/// A weight [units, blocks, bytes] as words [units/l, words, l]: a part of a word has a number for each of its bytes.
fn packed(b: &Builder, weight: Value, grain: &Grain, lanes: i64) -> Value {
    let units = weight.ty().shape()[0];
    let of_byte = BYTE_BITS / grain.bits;
    let words = grain.blocks * grain.words();
    let numbers = reshape(b, weight, &[units, words * WORD, 1]);
    let numbers = along_last(b, numbers, relay::RIGHT_SHIFT, (of_byte, grain.bits));
    let byte = numbers.ty().element();
    let ones = scalar(b, byte, f64::from((1u32 << grain.bits) - 1));
    let numbers = make(b, relay::BITWISE_AND, &[numbers, ones], &[]);
    // Neighbours of a row are those of different bytes.
    let parts = reshape(b, numbers, &[units * words, grain.parts(), WORD]);
    let bytes = transposed(b, parts, &[0, 2, 1]);
    let all = words_of(b, joined(b, bytes, grain.bits));
    let all = reshape(b, all, &[units, words]);
    transform(b, all, "NC", &format!("NC{lanes}n"))
}

fn transposed(b: &Builder, value: Value, axes: &[i64]) -> Value {
    let axes = [("axes", Attr::ints(b.ctx, axes))];
    make(b, relay::TRANSPOSE, &[value], &axes)
}
