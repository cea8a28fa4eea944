//! How much memory a model may ask for that its file does not hold: a few bytes of a file can name a constant of any
//! size. Limits are looked at before memory is asked for, and users can raise them.

use std::{fmt, sync::OnceLock};

/// The most bytes of a buffer: what 64-bit processors let a process address.
pub const BUFFER_BYTES: i64 = 1 << 47;

/// What is wrong with one that has more.
pub const TOO_LARGE: &str = "takes more than 2^47 bytes, which is all that a process can address";

/// The variable that sets the most bytes of a constant of equal elements that is written out, or is computed while a
/// model is compiled: a number, with K, M or G for powers of 1024.
pub const VARIABLE: &str = "RELAY_MAX_CONSTANT_BYTES";

/// The limit where the variable is not set: what a machine of 8 GiB can hold twice.
const DEFAULT: usize = 2 << 30;

/// The most bytes of such a constant.
pub fn constant_bytes() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| match set() {
        Ok(limit) => limit.unwrap_or(DEFAULT),
        // Who can report it has called `check`.
        Err(_) => DEFAULT,
    })
}

/// Checks what the variable holds, for programs to report before they begin.
///
/// # Errors
/// If it is no number of bytes.
pub fn check() -> Result<(), Invalid> {
    set().map(drop)
}

/// What the variable holds is no number of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(String);

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text) = self;
        write!(
            formatter,
            "{VARIABLE} is '{text}'; expected a number of bytes, such as 500M or 8G"
        )
    }
}

impl std::error::Error for Invalid {}

fn set() -> Result<Option<usize>, Invalid> {
    match std::env::var(VARIABLE) {
        Ok(text) => parse(&text).map(Some).ok_or(Invalid(text)),
        Err(_) => Ok(None),
    }
}

/// Reads `500M`.
fn parse(text: &str) -> Option<usize> {
    let text = text.trim();
    let unit = text.chars().last()?;
    let shift = match unit.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => 0,
    };
    let digits = if shift > 0 {
        &text[..text.len() - 1]
    } else {
        text
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        assert_eq!(parse("17"), Some(17));
        assert_eq!(parse("3k"), Some(3072));
        assert_eq!(parse(" 500M "), Some(500 << 20));
        assert_eq!(parse("8G"), Some(8 << 30));
        for wrong in ["", "G", "-1", "8T", "1.5G", "99999999999999G"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
