//! Numbers as they are written.

use super::syntax::Number;
use half::f16;
use std::fmt::{self, Display, Formatter};

/// The bits that a number may have.
const WIDTHS: [u32; 3] = [16, 32, 64];

impl Number {
    /// Reads a number with its signs, each of which turns it round, and its suffix: `-1`, `1i64`, `--2.5e3f16`, `inff`.
    ///
    /// # Errors
    /// Why it is none, or which type does not hold it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let digits = text.trim_start_matches('-');
        let is_negative = (text.len() - digits.len()) % 2 == 1;
        let sign = if is_negative { "-" } else { "" };
        if digits == "inff" {
            return Ok(Self::Float(
                f64::INFINITY.copysign(if is_negative { -1.0 } else { 1.0 }),
                32,
            ));
        }
        match digits.find(['f', 'i']) {
            None => Self::int(&format!("{sign}{digits}"), None),
            Some(at) => {
                let width = width(&digits[at + 1..])?;
                let value = format!("{sign}{}", &digits[..at]);
                match digits[at..].starts_with('f') {
                    true => Self::float(&value, width.unwrap_or(32)),
                    false => Self::int(&value, width.or(Some(32))),
                }
            }
        }
    }

    /// The number that is nearest to what was written: attributes hold f64, whatever the suffix says.
    pub fn as_written(self) -> f64 {
        match self {
            Self::Int(value, _) => value as f64,
            // The shortest digits of an f32 are those that were written, or equal them.
            Self::Float(value, 32) => (value as f32).to_string().parse().unwrap_or(value),
            Self::Float(value, 16) => shortest(value),
            Self::Float(value, _) => value,
        }
    }

    fn float(digits: &str, width: u32) -> Result<Self, String> {
        let value: f64 = digits.parse().unwrap_or(f64::NAN);
        let (held, most) = match width {
            16 => (f16::from_f64(value).to_f64(), f16::MAX.to_f64()),
            32 => (f64::from(value as f32), f64::from(f32::MAX)),
            _ => (value, f64::MAX),
        };
        // A number beyond the greatest one would be rounded to it, or to infinity.
        match value.abs() <= most {
            true => Ok(Self::Float(held, width)),
            false => Err(format!("no float of {width} bits holds it")),
        }
    }

    /// An integer; one without a suffix has 32 bits if they hold it.
    fn int(digits: &str, width: Option<u32>) -> Result<Self, String> {
        if digits.contains(['.', 'e', 'E']) {
            return Err(format!("a float ends in f: {digits}f"));
        }
        let value: Option<i64> = digits.parse().ok();
        let fits = |width: u32| {
            let unused = 64 - width;
            value.filter(|value| value << unused >> unused == *value)
        };
        let widths = width.map_or(vec![32, 64], |width| vec![width]);
        let mut found = widths
            .iter()
            .filter_map(|width| Some((fits(*width)?, *width)));
        match found.next() {
            Some((value, width)) => Ok(Self::Int(value, width)),
            None => Err(format!(
                "no integer of {} bits holds it",
                width.unwrap_or(64)
            )),
        }
    }
}

/// What stands behind the letter of a suffix.
fn width(suffix: &str) -> Result<Option<u32>, String> {
    let width = suffix.parse().ok().filter(|width| WIDTHS.contains(width));
    match (suffix, width) {
        ("", _) => Ok(None),
        (_, Some(width)) => Ok(Some(width)),
        _ => Err(format!("numbers have 16, 32 or 64 bits, not {suffix}")),
    }
}

/// Integers of 32 bits have no suffix, floats of 32 bits an `f`.
impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int(value, 32) => write!(f, "{value}"),
            Self::Int(value, width) => write!(f, "{value}i{width}"),
            Self::Float(value, _) if value.is_infinite() => {
                f.write_str(if value > 0.0 { "inff" } else { "-inff" })
            }
            // The shortest digits that are read as this number again.
            Self::Float(value, 32) => write!(f, "{:?}f", value as f32),
            Self::Float(value, 16) => write!(f, "{:?}f16", shortest(value)),
            Self::Float(value, width) => write!(f, "{value:?}f{width}"),
        }
    }
}

/// The number of the fewest digits that an f16 holds as this one.
fn shortest(value: f64) -> f64 {
    let rounded = |digits: usize| format!("{value:.digits$e}").parse().ok();
    let mut candidates = (0..DIGITS_OF_F16).filter_map(rounded);
    let is_same = |candidate: &f64| f16::from_f64(*candidate).to_f64() == value;
    candidates.find(is_same).unwrap_or(value)
}

/// So many digits tell any two numbers of f16 apart.
const DIGITS_OF_F16: usize = 5;
