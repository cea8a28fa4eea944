//! Floats of 8 bits and fewer: their formats, and conversions of single numbers.
//!
//! A number is a sign, an exponent and a fraction, from the highest bit on. They are the low bits of a byte.

/// The infinities and NaNs of a format, and their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Specials {
    /// As in IEEE 754: infinities and NaNs have the greatest exponent.
    Ieee,
    /// No infinities; a NaN has all bits but the sign set.
    OneNan,
    /// No infinities and no negative zero; the NaN has the bits of a negative zero.
    NegativeZero,
    /// Nothing: numbers that are too large become the largest one, NaN becomes 0.
    Finite,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Minifloat {
    /// The bits of the exponent.
    pub exponent: u32,
    /// The bits of the fraction.
    pub fraction: u32,
    /// The number that is added to an exponent to store it.
    pub bias: i32,
    /// Its infinities and NaNs.
    pub specials: Specials,
}

impl Minifloat {
    /// A format with about as many exponents below 0 as above.
    pub(crate) const fn new(exponent: u32, fraction: u32, specials: Specials) -> Self {
        let more = matches!(specials, Specials::NegativeZero) as i32;
        Self {
            exponent,
            fraction,
            bias: (1 << (exponent - 1)) - 1 + more,
            specials,
        }
    }

    /// The bit of the sign.
    pub const fn sign(self) -> u8 {
        1 << (self.exponent + self.fraction)
    }

    /// The greatest finite number, without its sign.
    pub const fn greatest(self) -> u8 {
        let all = self.sign() - 1;
        match self.specials {
            Specials::Ieee => self.infinity() - 1,
            Specials::OneNan => all - 1,
            Specials::NegativeZero | Specials::Finite => all,
        }
    }

    /// The bits of infinity in IEEE 754's formats; all larger ones are NaNs.
    pub const fn infinity(self) -> u8 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The bits that a number beyond the greatest one becomes, without its sign. In a format without a negative zero they are
    /// those of the NaN, which has no sign.
    pub const fn overflow(self) -> u8 {
        match self.specials {
            Specials::Ieee => self.infinity(),
            Specials::OneNan => self.sign() - 1,
            Specials::NegativeZero => self.sign(),
            Specials::Finite => self.greatest(),
        }
    }

    /// The bits of the NaN, without its sign.
    pub const fn nan(self) -> u8 {
        match self.specials {
            Specials::Ieee => self.infinity() | 1 << (self.fraction - 1),
            Specials::OneNan => self.sign() - 1,
            Specials::NegativeZero => self.sign(),
            Specials::Finite => 0,
        }
    }

    /// The greatest finite number.
    pub fn max(self) -> f64 {
        self.decode(self.greatest())
    }

    /// The number that a byte says.
    pub fn decode(self, byte: u8) -> f64 {
        let magnitude = byte & (self.sign() - 1);
        let is_negative = byte & self.sign() != 0;
        let value = match self.specials {
            Specials::Ieee if magnitude == self.infinity() => f64::INFINITY,
            Specials::Ieee if magnitude > self.infinity() => f64::NAN,
            Specials::OneNan if magnitude == self.nan() => f64::NAN,
            Specials::NegativeZero if is_negative && magnitude == 0 => f64::NAN,
            _ => self.magnitude(magnitude),
        };
        if is_negative { -value } else { value }
    }

    /// A finite number without its sign.
    fn magnitude(self, bits: u8) -> f64 {
        let fraction = i32::from(bits) & ((1 << self.fraction) - 1);
        let exponent = i32::from(bits >> self.fraction);
        let (digits, exponent) = match exponent {
            0 => (fraction, 1),
            _ => (fraction | 1 << self.fraction, exponent),
        };
        f64::from(digits) * 2f64.powi(exponent - self.bias - self.fraction as i32)
    }

    /// The nearest number; of two as near, the one whose last bit is 0.
    pub fn encode(self, value: f64) -> u8 {
        let sign = if value.is_sign_negative() {
            self.sign()
        } else {
            0
        };
        let magnitude = match value.is_nan() {
            true => self.nan(),
            false => self.rounded(value.abs()),
        };
        let is_unsigned = self.specials == Specials::NegativeZero;
        match is_unsigned && (magnitude == 0 || magnitude == self.nan()) {
            true => magnitude,
            false => magnitude | sign,
        }
    }

    /// The nearest number to one that is not negative, without a sign.
    fn rounded(self, value: f64) -> u8 {
        // It is beyond the numbers of every format. So the exponent below is small.
        if value >= 65536.0 {
            return self.overflow();
        }
        let least = 1 - self.bias;
        let exponent = ((value.to_bits() >> 52) as i32 - 1023).max(least);
        let steps = value * 2f64.powi(self.fraction as i32 - exponent);
        let steps = steps.round_ties_even() as u32;
        // Steps of the first exponent begin at 0, those of the others at 1 << fraction.
        let code = (((exponent - least) as u32) << self.fraction) + steps;
        match u8::try_from(code) {
            Ok(code) if code <= self.greatest() => code,
            _ => self.overflow(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::element::Element;

    #[test]
    fn each_number_leads_back() {
        for element in Element::ALL {
            let Some(format) = element.minifloat() else {
                continue;
            };
            for byte in 0..=(format.sign() | (format.sign() - 1)) {
                let value = format.decode(byte);
                let back = format.encode(value);
                assert!(
                    back == byte || value.is_nan() && format.decode(back).is_nan(),
                    "{element} {byte:#x} {value} {back:#x}"
                );
            }
        }
    }

    #[test]
    fn what_is_too_large_is_said_as_the_format_can() {
        let encode = |element: Element, value| element.minifloat().map(|it| it.encode(value));
        assert_eq!(encode(Element::F8E4M3FN, 448.0), Some(0x7e));
        assert_eq!(encode(Element::F8E4M3FN, 464.0), Some(0x7e));
        assert_eq!(encode(Element::F8E4M3FN, 465.0), Some(0x7f));
        assert_eq!(encode(Element::F8E4M3FNUZ, -1e9), Some(0x80));
        assert_eq!(encode(Element::F8E5M2, f64::NEG_INFINITY), Some(0xfc));
        assert_eq!(encode(Element::F8E5M2FNUZ, -0.0), Some(0));
        assert_eq!(encode(Element::F4E2M1FN, f64::INFINITY), Some(7));
        assert_eq!(encode(Element::F4E2M1FN, 5.0), Some(6));
    }
}
