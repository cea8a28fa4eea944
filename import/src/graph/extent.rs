//! What is said of a dimension beside the model: its size, or that it stays open.

use std::{fmt, str::FromStr};

/// What is said of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Its size.
    Size(i64),
    /// That its size is known when the model runs.
    Open(Opening),
}

/// A dimension that stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The name of its symbol; without, the symbol has the name of the dimension.
    pub name: Option<String>,
    /// The least and the greatest size, and what all sizes are multiples of.
    pub bounds: Option<(i64, i64, i64)>,
}

/// What becomes of dimensions of inputs whose size neither the model nor anybody says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unsaid {
    /// They stay open.
    #[default]
    Open,
    /// They are 1, and a warning says so.
    One,
}

impl Extent {
    /// A dimension that stays open, and is called as the model calls it.
    pub const OPEN: Self = Self::Open(Opening {
        name: None,
        bounds: None,
    });
}

impl From<i64> for Extent {
    fn from(size: i64) -> Self {
        Self::Size(size)
    }
}

impl FromStr for Extent {
    type Err = String;

    /// Reads `8`, `?`, a name, `1..64`, or `16..512:16`, which are multiples of 16. A range without an end has no upper bound.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || {
            format!(
                "'{text}' is no size: a whole number from 0 on, '?' or a name to keep the dimension open, or 1..64 or 16..512:16 \
                 to keep it open within bounds"
            )
        };
        if text == "?" {
            return Ok(Self::OPEN);
        }
        if let Some((least, rest)) = text.split_once("..") {
            let (most, multiple) = rest.split_once(':').unwrap_or((rest, "1"));
            let most = match most {
                "" => Some(i64::MAX),
                most => size(most),
            };
            let bounds = (
                size(least).ok_or_else(wrong)?,
                most.ok_or_else(wrong)?,
                size(multiple).ok_or_else(wrong)?,
            );
            return Ok(Self::Open(Opening {
                name: None,
                bounds: Some(bounds),
            }));
        }
        if is_name(text) {
            return Ok(Self::Open(Opening {
                name: Some(text.into()),
                bounds: None,
            }));
        }
        size(text).map(Self::Size).ok_or_else(wrong)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => size.fmt(formatter),
            Self::Open(Opening { name, bounds }) => match (name, bounds) {
                (Some(name), _) => formatter.write_str(name),
                (None, None) => formatter.write_str("?"),
                (None, Some((least, most, multiple))) => {
                    write!(formatter, "{least}..")?;
                    if *most != i64::MAX {
                        most.fmt(formatter)?;
                    }
                    match multiple {
                        1 => Ok(()),
                        multiple => write!(formatter, ":{multiple}"),
                    }
                }
            },
        }
    }
}

/// A whole number from 0 on.
fn size(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Whether a text may be the name of a symbol.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next();
    first.is_some_and(|first| first.is_alphabetic() || first == '_') && letters.all(is_of_name)
}

/// A text as the name of a symbol: what cannot stand in one becomes `_`.
pub(super) fn name_of(text: &str) -> String {
    let text = text.trim();
    let letters = text.chars();
    let name: String = letters
        .map(|letter| if is_of_name(letter) { letter } else { '_' })
        .collect();
    match is_name(&name) {
        true => name,
        false => format!("_{name}"),
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::{Extent, name_of};
    use relay_dialects::dim::Dim;

    #[test]
    fn what_is_read_is_written() {
        for text in [
            "8",
            "0",
            "?",
            "batch",
            "_n.1",
            "1..64",
            "0..",
            "16..512:16",
            "16..:8",
        ] {
            let read = text.parse().map(|read: Extent| read.to_string());
            assert_eq!(read.as_deref(), Ok(text));
        }
        for text in [
            "",
            "-1",
            "1..2..3",
            "1..x",
            "..4",
            "8:4",
            "1..9:",
            "a b",
            "9223372036854775808",
            "+4",
        ] {
            assert!(text.parse::<Extent>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_such_of_symbols() {
        for text in [
            "batch",
            "batch-size",
            "2nd",
            "sequence length",
            "a+b",
            "größe",
            "floor(h / 2)",
        ] {
            let name = name_of(text);
            assert_eq!(Dim::parse(&name), Ok(Dim::symbol(&name)), "{text}");
        }
    }
}
