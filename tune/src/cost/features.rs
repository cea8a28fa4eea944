//! What the model knows of a schedule: numbers with names and units.
//!
//! The code that measures a feature names it, so that a vector and the list of what it holds cannot differ. A [digest](Row::digest) of
//! that list tells models whether rows are of the kind that they were trained on.

use crate::key::digest;
use std::fmt;

/// What a number counts. All but flags are given as the logarithm to base 2 of one more: sizes differ by factors, not by sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1 if it holds, and 0 if not.
    Flag,
    /// How many there are.
    Count,
    /// Bytes.
    Bytes,
    /// Elements of a buffer.
    Elements,
    /// Iterations of loops.
    Iterations,
    /// Operations for each byte.
    PerByte,
    /// Bytes for each operation.
    PerOperation,
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Flag => "0 or 1",
            Self::Count => "log2 of the number",
            Self::Bytes => "log2 of bytes",
            Self::Elements => "log2 of elements",
            Self::Iterations => "log2 of iterations",
            Self::PerByte => "log2 of operations for each byte",
            Self::PerOperation => "log2 of bytes for each operation",
        })
    }
}

/// What a number of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it is about: an operation, a kind of loops, a buffer.
    pub about: &'static str,
    /// The place of that among others of its kind.
    pub number: usize,
    /// What is measured of it.
    pub name: &'static str,
    /// In which unit.
    pub unit: Unit,
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            about,
            number,
            name,
            unit,
        } = self;
        write!(formatter, "{about} {number}: {name} ({unit})")
    }
}

/// Numbers with what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    features: Vec<Feature>,
    values: Vec<f32>,
}

impl Row {
    /// Adds a number, in its unit; a flag is 0 or 1.
    pub fn add(&mut self, about: (&'static str, usize), name: &'static str, unit: Unit, it: f64) {
        let value = match unit {
            Unit::Flag => it,
            _ => it.signum() * (1.0 + it.abs()).log2(),
        };
        self.values.push(value as f32);
        self.features.push(Feature {
            about: about.0,
            number: about.1,
            name,
            unit,
        });
    }

    /// Adds a flag for each name, of which one at most holds.
    pub fn add_flags(
        &mut self,
        about: (&'static str, usize),
        names: &[&'static str],
        holds: Option<usize>,
    ) {
        for (place, name) in names.iter().enumerate() {
            let flag = f64::from(u8::from(holds == Some(place)));
            self.add(about, name, Unit::Flag, flag);
        }
    }

    /// The numbers.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// What the numbers are.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// A number by what it is.
    pub fn get(&self, about: (&str, usize), name: &str) -> Option<f32> {
        let is_it = |it: &Feature| (it.about, it.number) == about && it.name == name;
        let place = self.features.iter().position(is_it)?;
        Some(self.values[place])
    }

    /// The numbers of both, those of `other` last.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            features: [&self.features[..], &other.features].concat(),
            values: [&self.values[..], &other.values].concat(),
        }
    }

    /// A text that is the same for rows of the same features, and for those only.
    pub fn digest(&self) -> String {
        let lines = self.features.iter().map(|feature| format!("{feature}\n"));
        digest(&lines.collect::<String>())
    }
}

/// What is known of a schedule without compiling it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// A row for each store, as Ansor has them.
    pub stores: Vec<Row>,
    /// A row for the kernel: loops, knobs and curves, as AutoTVM has them.
    pub kernel: Row,
    /// The statements after unrolling.
    pub statements: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_logarithms_and_flags_are_not() {
        let mut row = Row::default();
        row.add(("buffer", 0), "bytes", Unit::Bytes, 63.0);
        row.add_flags(("buffer", 0), &["read", "written"], Some(1));
        assert_eq!(row.values(), [6.0, 0.0, 1.0]);
        assert_eq!(row.get(("buffer", 0), "written"), Some(1.0));
        assert_eq!(
            row.features()[0].to_string(),
            "buffer 0: bytes (log2 of bytes)"
        );
    }

    #[test]
    fn the_digest_is_of_the_features_alone() {
        let row = |name, value| {
            let mut row = Row::default();
            row.add(("buffer", 0), name, Unit::Bytes, value);
            row
        };
        assert_eq!(row("bytes", 1.0).digest(), row("bytes", 2.0).digest());
        assert_ne!(row("bytes", 1.0).digest(), row("lines", 1.0).digest());
    }
}
