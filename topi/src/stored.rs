//! Elements that are only stored: the low bits of bytes.
//!
//! A number of them becomes an f32 or an integer of 8 bits by arithmetic on its bits, and is made of one. `arith` has conversions of
//! its floats, too, but upstream's expansions lack most formats, and it would put two numbers of 4 bits into a byte.

use relay_dialects::{
    Element,
    element::Kind,
    ir::{Builder, Type, Value},
    minifloat::{Minifloat, Specials},
    ops::arith::{self, CmpIPredicate},
};

/// The element type of an MLIR type, if its numbers are only stored.
pub fn element(ty: Type) -> Option<Element> {
    Element::of(ty).filter(|element| element.is_stored_only())
}

/// A stored number as one that is computed with: an f32, or an integer of 8 bits.
pub fn load(b: &Builder, value: Value, element: Element) -> Value {
    let byte = b.signed_as(value, Type::int(b.ctx, 8));
    match element.minifloat() {
        Some(format) => Bits::of(b, format).load(byte),
        None => load_integer(b, byte, element),
    }
}

/// An f32, or an integer of 8 bits, as one that is stored. A float is rounded, of an integer the low bits stay.
pub fn store(b: &Builder, value: Value, element: Element) -> Value {
    let byte = match element.minifloat() {
        Some(format) => Bits::of(b, format).store(value),
        None => {
            let low = b.int_constant(value.ty(), (1 << element.bits()) - 1);
            arith::AndI::build(b, value, low)
        }
    };
    b.signed_as(byte, element.ty(b.ctx))
}

fn load_integer(b: &Builder, byte: Value, element: Element) -> Value {
    let number = |value: i64| b.int_constant(byte.ty(), value);
    if element.kind() == Kind::Unsigned {
        let low = arith::AndI::build(b, byte, number((1 << element.bits()) - 1));
        return b.signed_as(low, Type::unsigned(b.ctx, 8));
    }
    let above = number(i64::from(8 - element.bits()));
    let high = arith::ShLI::build(b, byte, above);
    arith::ShRSI::build(b, high, above)
}

/// Arithmetic on the bits of a format and of f32, as integers of 32 bits.
struct Bits<'a> {
    b: &'a Builder,
    format: Minifloat,
    int: Type,
    single: Type,
}

impl<'a> Bits<'a> {
    fn of(b: &'a Builder, format: Minifloat) -> Self {
        Self {
            b,
            format,
            int: Type::int(b.ctx, 32),
            single: Type::f32(b.ctx),
        }
    }

    fn number(&self, value: i64) -> Value {
        self.b.int_constant(self.int, value)
    }

    fn and(&self, bits: Value, mask: i64) -> Value {
        arith::AndI::build(self.b, bits, self.number(mask))
    }

    fn left(&self, bits: Value, count: u32) -> Value {
        arith::ShLI::build(self.b, bits, self.number(count.into()))
    }

    fn right(&self, bits: Value, count: u32) -> Value {
        arith::ShRUI::build(self.b, bits, self.number(count.into()))
    }

    fn is(&self, predicate: CmpIPredicate, bits: Value, value: i64) -> Value {
        arith::CmpI::build(self.b, predicate, bits, self.number(value))
    }

    fn to_float(&self, bits: Value) -> Value {
        arith::Bitcast::build(self.b, self.single, bits)
    }

    fn to_bits(&self, float: Value) -> Value {
        arith::Bitcast::build(self.b, self.int, float)
    }

    /// The bits that the fraction of an f32 has more.
    fn more(&self) -> u32 {
        f32::MANTISSA_DIGITS - 1 - self.format.fraction
    }

    /// What the exponent of an f32 is stored as more, in its place in this format's bits.
    fn rebias(&self) -> i64 {
        let bias = f32::MAX_EXP - 1;
        i64::from(bias - self.format.bias) << self.format.fraction
    }

    /// The bits of the sign in this format, and how far they are from those of f32.
    fn sign(&self) -> (i64, u32) {
        let sign = self.format.sign();
        (sign.into(), 31 - sign.ilog2())
    }

    /// The f32 that a byte stands for.
    fn load(&self, byte: Value) -> Value {
        let (b, format) = (self.b, self.format);
        let (sign, distance) = self.sign();
        let bits = arith::ExtUI::build(b, self.int, byte);
        let magnitude = self.and(bits, sign - 1);
        let rebiased = arith::AddI::build(b, magnitude, self.number(self.rebias()));
        let normal = self.left(rebiased, self.more());
        // Numbers below the first exponent are multiples of their distance.
        let step = 2f64.powi(1 - format.bias - format.fraction as i32);
        let count = arith::SIToFP::build(b, self.single, magnitude);
        let small = arith::MulF::build(b, count, b.constant(self.single, step));
        let is_small = self.is(CmpIPredicate::Slt, magnitude, 1 << format.fraction);
        let mut result = b.select(is_small, self.to_bits(small), normal);
        let special = |result, bits, value: u8, becomes: f32| {
            let is = self.is(CmpIPredicate::Eq, bits, value.into());
            b.select(is, self.number(becomes.to_bits().into()), result)
        };
        result = match format.specials {
            Specials::Ieee => {
                let infinity = i64::from(format.infinity());
                let is_nan = self.is(CmpIPredicate::Sgt, magnitude, infinity);
                let result = b.select(is_nan, self.number(f32::NAN.to_bits().into()), result);
                special(result, magnitude, format.infinity(), f32::INFINITY)
            }
            Specials::OneNan => special(result, magnitude, format.nan(), f32::NAN),
            Specials::NegativeZero => {
                let low = self.and(bits, 2 * sign - 1);
                special(result, low, format.nan(), f32::NAN)
            }
            Specials::Finite => result,
        };
        let sign = self.left(self.and(bits, sign), distance);
        self.to_float(arith::OrI::build(b, result, sign))
    }

    /// The byte that an f32 becomes.
    fn store(&self, float: Value) -> Value {
        let (b, format) = (self.b, self.format);
        let bits = self.to_bits(float);
        let magnitude = self.and(bits, 0x7fff_ffff);
        let code = self.rounded(magnitude);
        let is_nan = self.is(
            CmpIPredicate::Sgt,
            magnitude,
            f32::INFINITY.to_bits().into(),
        );
        let is_large = self.is(CmpIPredicate::Sgt, code, format.greatest().into());
        let code = b.select(is_large, self.number(format.overflow().into()), code);
        let code = b.select(is_nan, self.number(format.nan().into()), code);
        let (sign, distance) = self.sign();
        let sign = self.and(self.right(bits, distance), sign);
        let mut signed = arith::OrI::build(b, code, sign);
        if format.specials == Specials::NegativeZero {
            let has_sign = self.and(code, i64::from(format.greatest()));
            let is_zero = self.is(CmpIPredicate::Eq, has_sign, 0);
            signed = b.select(is_zero, code, signed);
        }
        arith::TruncI::build(b, Type::int(b.ctx, 8), signed)
    }

    /// The bits of this format for those of an f32 without a sign, of which half a step and a bit are cut off; more than the format
    /// has, where the number is too large.
    fn rounded(&self, magnitude: Value) -> Value {
        let (b, format) = (self.b, self.format);
        // Half a step less one bit carries what lies above the middle; the last bit that stays, what lies in the middle.
        let last = self.and(self.right(magnitude, self.more()), 1);
        let half = self.number((1 << (self.more() - 1)) - 1);
        let raised = arith::AddI::build(b, arith::AddI::build(b, magnitude, half), last);
        let cut = self.right(raised, self.more());
        let normal = arith::SubI::build(b, cut, self.number(self.rebias()));
        // Below the first exponent, a number is added whose last bit is a step. The addition rounds.
        let first = 1 - format.bias;
        let anchor = 2f32.powi(first + self.more() as i32);
        let least = i64::from(2f32.powi(first).to_bits());
        let sum = arith::AddF::build(
            b,
            self.to_float(magnitude),
            b.constant(self.single, anchor.into()),
        );
        let anchored = self.number(anchor.to_bits().into());
        let small = arith::SubI::build(b, self.to_bits(sum), anchored);
        let is_small = self.is(CmpIPredicate::Slt, magnitude, least);
        b.select(is_small, small, normal)
    }
}
