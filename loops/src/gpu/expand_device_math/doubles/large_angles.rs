//! The rest of large angles by quarter turns, after Payne and Hanek.
//!
//! An angle is M 2^e with an integer M of 53 bits. Digits of 2/pi that count whole turns of M 2^e are left out, and of the others
//! 192 bits are enough: the product with M has 128 exact bits behind the whole turns, and no f64 comes nearer to a multiple of pi/2 than 2^-62.

use super::bits::{BIAS, DIGITS};
use crate::tir::approximate_math::exponential::{as_bits, fma};
use relay_dialects::{
    ir::{Attr, Builder, Type, Value},
    ops::arith::{self, CmpIPredicate},
};

/// 2/pi, with a word of zeros before the point.
const WORDS: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// The words that a shift makes three of.
const WINDOW: usize = 4;

/// pi/2 2^-62, and what its f64 leaves out.
const UNIT: [f64; 2] = [
    std::f64::consts::FRAC_PI_2 / (1_u64 << 62) as f64,
    6.123_233_995_736_766e-17 / (1_u64 << 62) as f64,
];

/// A 64-bit word, or a vector of it.
fn word(b: &Builder, ty: Type, bits: u64) -> Value {
    let scalar = Attr::int(ty.element(), bits.cast_signed());
    let is_vector = ty.is_vector();
    arith::Constant::build(
        b,
        if is_vector {
            Attr::splat(ty, scalar)
        } else {
            scalar
        },
    )
}

/// What is left of a finite angle from 2^-10 on, with an error of a unit in the last place, and the quarter turns before it, modulo 4, as an
/// integer.
pub fn reduce(b: &Builder, x: Value) -> (Value, Value) {
    let bits = as_bits(b, x);
    let ty = bits.ty();
    let word = |bits: u64| word(b, ty, bits);
    let exponent = arith::ShRUI::build(b, bits, word(DIGITS as u64));
    let mantissa = arith::AndI::build(b, bits, word((1 << 52) - 1));
    let mantissa = arith::OrI::build(b, mantissa, word(1 << 52));
    // Bits of 2/pi before this one make whole turns: the exponent of M is less by the digits, four quarters are two bits, and a word stands
    // before the point.
    let first = arith::SubI::build(b, exponent, word(BIAS as u64 - 10));
    let first = arith::MaxSI::build(b, first, word(0));
    let [v0, v1, v2] = digits(b, first);
    let last = arith::MulUIExtended::build(b, mantissa, v2);
    let middle = arith::MulUIExtended::build(b, mantissa, v1);
    let top = arith::MulI::build(b, mantissa, v0);
    let low = arith::AddI::build(b, last.result(1), middle.result(0));
    let is_over = arith::CmpI::build(b, CmpIPredicate::Ult, low, middle.result(0));
    let carry = b.select(is_over, word(1), word(0));
    let high = arith::AddI::build(b, arith::AddI::build(b, top, middle.result(1)), carry);
    let rounded = arith::AddI::build(b, high, word(1 << 61));
    let turns = arith::ShRUI::build(b, rounded, word(62));
    let whole = arith::ShLI::build(b, turns, word(62));
    let rest = arith::SubI::build(b, high, whole);
    (angle(b, x.ty(), [rest, low]), turns)
}

/// The 192 bits of 2/pi from one of them on.
fn digits(b: &Builder, first: Value) -> [Value; 3] {
    let ty = first.ty();
    let word = |bits: u64| word(b, ty, bits);
    let number = arith::ShRUI::build(b, first, word(6));
    let mut words: Vec<Value> = WORDS.into_iter().map(word).collect();
    // The number's bits choose one after the other, the greatest one first.
    for bit in [16, 8, 4, 2, 1] {
        let part = arith::AndI::build(b, number, word(bit));
        let is_set = arith::CmpI::build(b, CmpIPredicate::Ne, part, word(0));
        let left = words.len().min(WINDOW - 1 + bit as usize);
        let chosen = (0..left).map(|place| {
            let later = words.get(place + bit as usize).copied();
            let later = later.unwrap_or_else(|| word(0));
            b.select(is_set, later, words[place])
        });
        words = chosen.collect();
    }
    let shift = arith::AndI::build(b, first, word(63));
    let back = arith::SubI::build(b, word(63), shift);
    std::array::from_fn(|place| {
        let high = arith::ShLI::build(b, words[place], shift);
        let half = arith::ShRUI::build(b, words[place + 1], word(1));
        arith::OrI::build(b, high, arith::ShRUI::build(b, half, back))
    })
}

/// The angle of a signed number of 2^-126 quarter turns, of two words.
fn angle(b: &Builder, double: Type, [high, low]: [Value; 2]) -> Value {
    let word = |bits: u64| word(b, high.ty(), bits);
    let number = |value: f64| b.constant(double, value);
    let sign = arith::ShRSI::build(b, high, word(63));
    let [high, low] = [high, low].map(|part| arith::XOrI::build(b, part, sign));
    // The first digits of the high word are exact as f64, and so are the others.
    let others = (1 << 11) - 1;
    let first = arith::AndI::build(b, high, word(!others));
    let rest = arith::AndI::build(b, high, word(others));
    let [first, rest, low] = [first, rest, low].map(|part| arith::UIToFP::build(b, double, part));
    let rest = fma(b, low, number(1.0 / 18_446_744_073_709_551_616.0), rest);
    let unit = UNIT.map(number);
    let small = arith::MulF::build(b, rest, unit[0]);
    let size = fma(b, first, unit[0], fma(b, first, unit[1], small));
    let is_negative = arith::CmpI::build(b, CmpIPredicate::Ne, sign, word(0));
    b.select(is_negative, arith::NegF::build(b, size), size)
}
