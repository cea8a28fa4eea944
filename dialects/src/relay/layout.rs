//! Layouts of tensors: which dimension is which, and which are split into blocks.
//!
//! `NCHW16c` has the dimensions N, C, H, W and the inner 16 of C: an upper-case letter is a
//! dimension (of its outer part, if it is split), a factor and a lower-case letter its inner part. Inner
//! parts may be split again: in `OIHW8i16o2i`, an input is 16 times I, twice the first inner part and the last.

use crate::dim::{self, Dim};

/// One dimension of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The letter, in upper case.
    pub letter: char,
    /// The factor of an inner part; `None` for an outer one or a whole dimension.
    pub factor: Option<i64>,
}

/// A layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(Vec<Axis>);

impl Layout {
    /// Parses a layout.
    ///
    /// # Errors
    /// If a dimension occurs twice, an inner part has no factor, or no outer part.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut axes: Vec<Axis> = Vec::new();
        let mut factor: Option<i64> = None;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                factor = Some(
                    factor
                        .unwrap_or(0)
                        .saturating_mul(10)
                        .saturating_add(i64::from(digit)),
                );
                continue;
            }
            let axis = match (letter, factor.take()) {
                ('A'..='Z', None) => Axis {
                    letter,
                    factor: None,
                },
                ('a'..='z', Some(factor)) if factor > 0 => Axis {
                    letter: letter.to_ascii_uppercase(),
                    factor: Some(factor),
                },
                _ => return Err(format!("layout '{text}' is wrong at '{letter}'")),
            };
            if axis.factor.is_none() && axes.contains(&axis) {
                return Err(format!("layout '{text}' names '{letter}' twice"));
            }
            axes.push(axis);
        }
        let whole = |axis: &&Axis| axis.factor.is_some();
        if let Some(lost) = axes.iter().filter(whole).find(|axis| {
            !axes
                .iter()
                .any(|other| other.letter == axis.letter && other.factor.is_none())
        }) {
            return Err(format!(
                "layout '{text}' has no outer part of '{}'",
                lost.letter
            ));
        }
        if factor.is_some() {
            return Err(format!("layout '{text}' ends in a number"));
        }
        Ok(Self(axes))
    }

    /// The dimensions in order.
    pub fn axes(&self) -> &[Axis] {
        &self.0
    }

    /// The position of the dimension `letter`, or of its outer part.
    pub fn position(&self, letter: char) -> Option<usize> {
        self.0
            .iter()
            .position(|axis| axis.letter == letter && axis.factor.is_none())
    }

    /// The positions of D, H and W, in this order, as far as the layout has them.
    pub fn spatial(&self) -> Vec<usize> {
        "DHW"
            .chars()
            .filter_map(|letter| self.position(letter))
            .collect()
    }

    /// Whether dimension `letter` is split.
    pub fn is_split(&self, letter: char) -> bool {
        self.factors(letter).next().is_some()
    }

    /// The factors of the inner parts of dimension `letter`, outermost first.
    fn factors(&self, letter: char) -> impl Iterator<Item = i64> {
        let parts = self.0.iter().filter(move |axis| axis.letter == letter);
        parts.filter_map(|axis| axis.factor)
    }

    /// The factor of the inner parts of dimension `letter` together; 1 if it is not split.
    pub fn factor(&self, letter: char) -> i64 {
        crate::index::product(&self.factors(letter).collect::<Vec<_>>())
    }

    /// The distance in its dimension of two neighbours along a part, for each part.
    pub fn distances(&self) -> Vec<i64> {
        let inside = |at: usize, axis: &Axis| {
            let inner = self.0.iter().enumerate().filter(|(other, part)| {
                part.letter == axis.letter
                    && part.factor.is_some()
                    && (axis.factor.is_none() || *other > at)
            });
            let factors: Vec<i64> = inner.filter_map(|(_, part)| part.factor).collect();
            crate::index::product(&factors)
        };
        self.0
            .iter()
            .enumerate()
            .map(|(at, axis)| inside(at, axis))
            .collect()
    }

    /// The extent of dimension `letter`, all parts together, of a tensor in this layout; unknown
    /// if its outer part is.
    ///
    /// # Errors
    /// If there is no such dimension, or its extent exceeds 64 bits.
    pub fn extent(&self, letter: char, shape: &[Dim]) -> Result<Dim, String> {
        let outer = self.position(letter).and_then(|at| shape.get(at));
        let outer = outer.ok_or_else(|| format!("there is no dimension {letter}"))?;
        outer.times(self.factor(letter))
    }

    /// Checks that a tensor `name` of `shape` is in this layout: its rank, and its blocks.
    ///
    /// # Errors
    /// If it is not.
    pub fn fits(&self, name: &str, shape: &[Dim]) -> Result<(), String> {
        let (expected, rank) = (self.0.len(), shape.len());
        if expected != rank {
            return Err(format!("expected {name} rank {expected}, got {rank}"));
        }
        for (axis, &dim) in self.0.iter().zip(shape) {
            if let Some(factor) = axis.factor
                && dim::unify(factor, dim).is_none()
            {
                let letter = axis.letter;
                return Err(format!(
                    "{name} has blocks of {dim} along {letter}, and its layout of {factor}"
                ));
            }
        }
        Ok(())
    }

    /// The shape in layout `to` of a tensor that has `shape` in this one.
    ///
    /// # Errors
    /// If the layouts name different dimensions, the tensor is not in this one, or a factor does not
    /// divide.
    pub fn convert(&self, shape: &[Dim], to: &Layout) -> Result<Vec<Dim>, String> {
        self.fits("data", shape)?;
        let letters = |layout: &Layout| {
            let mut letters: Vec<char> = layout
                .0
                .iter()
                .filter(|axis| axis.factor.is_none())
                .map(|axis| axis.letter)
                .collect();
            letters.sort_unstable();
            letters
        };
        if letters(self) != letters(to) {
            return Err("the layouts name different dimensions".into());
        }
        to.0.iter()
            .map(|axis| {
                let whole = self.extent(axis.letter, shape)?;
                let factor = to.factor(axis.letter);
                let outer = dim::quotient(whole, factor).ok_or_else(|| {
                    let letter = axis.letter;
                    format!("{factor} does not divide dimension {letter} of extent {whole}")
                })?;
                Ok(axis.factor.map_or(outer, Dim::Known))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::dim::{DYNAMIC, dims};

    #[test]
    fn converts_shapes() -> Result<(), String> {
        let (plain, packed) = (Layout::parse("NCHW")?, Layout::parse("NCHW16c")?);
        assert_eq!(
            plain.convert(&dims(&[1, 64, 7, 9]), &packed)?,
            [1, 4, 7, 9, 16]
        );
        assert_eq!(
            packed.convert(&dims(&[1, 4, 7, 9, 16]), &plain)?,
            [1, 64, 7, 9]
        );
        assert_eq!(
            packed.convert(&dims(&[1, 4, 7, 9, 16]), &Layout::parse("NCHW8c")?)?,
            [1, 8, 7, 9, 8]
        );
        assert_eq!(
            packed.convert(&dims(&[1, DYNAMIC, 7, 9, 16]), &plain)?,
            dims(&[1, DYNAMIC, 7, 9])
        );
        let (weight, pairs) = (Layout::parse("OIHW")?, Layout::parse("OIHW8i16o2i")?);
        assert_eq!(
            weight.convert(&dims(&[32, 48, 3, 5]), &pairs)?,
            [2, 3, 3, 5, 8, 16, 2]
        );
        assert_eq!(
            pairs.convert(&dims(&[2, 3, 3, 5, 8, 16, 2]), &weight)?,
            [32, 48, 3, 5]
        );
        assert_eq!(pairs.distances(), [16, 16, 1, 1, 2, 1, 1]);
        assert!(
            packed
                .convert(&dims(&[1, i64::MAX, 7, 9, 16]), &plain)
                .is_err()
        );
        assert!(plain.convert(&dims(&[1, 60, 7, 9]), &packed).is_err());
        assert!(plain.convert(&dims(&[1, 60, 7]), &packed).is_err());
        assert!(packed.convert(&dims(&[1, 4, 7, 9, 8]), &plain).is_err());
        Ok(())
    }

    #[test]
    fn rejects_bad_layouts() {
        for text in ["NCHWc", "NCHW16", "NN", "NHW16c", "N?"] {
            assert!(Layout::parse(text).is_err(), "{text}");
        }
    }
}
