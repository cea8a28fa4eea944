//! Layouts of tensors: which dimension is which, and which are split into blocks.
//!
//! `NCHW16c` has the dimensions N, C, H, W and the inner 16 of C: an upper-case letter is a
//! dimension (of its outer part, if it is split), a factor and a lower-case letter its inner part.

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
    /// If a letter occurs twice, an inner part has no factor, or no outer part.
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
            if axes.iter().any(|known| {
                known.letter == axis.letter && known.factor.is_some() == axis.factor.is_some()
            }) {
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

    /// Where the (outer part of the) dimension `letter` is.
    pub fn position(&self, letter: char) -> Option<usize> {
        self.0
            .iter()
            .position(|axis| axis.letter == letter && axis.factor.is_none())
    }

    /// Where D, H and W are, in this order, as far as the layout has them.
    pub fn spatial(&self) -> Vec<usize> {
        "DHW"
            .chars()
            .filter_map(|letter| self.position(letter))
            .collect()
    }

    /// Where the inner part of dimension `letter` is.
    pub fn inner_position(&self, letter: char) -> Option<usize> {
        self.0
            .iter()
            .position(|axis| axis.letter == letter && axis.factor.is_some())
    }

    /// The factor of the inner part of dimension `letter`; 1 if it is not split.
    pub fn factor(&self, letter: char) -> i64 {
        self.0
            .iter()
            .find_map(|axis| axis.factor.filter(|_| axis.letter == letter))
            .unwrap_or(1)
    }

    /// The extent of dimension `letter`, both parts together, of a tensor in this layout.
    pub fn extent(&self, letter: char, shape: &[i64]) -> Option<i64> {
        Some(shape.get(self.position(letter)?)? * self.factor(letter))
    }

    /// The shape in layout `to` of a tensor that has `shape` in this one.
    ///
    /// # Errors
    /// If the layouts name different dimensions, the rank is another, or a factor does not divide.
    pub fn convert(&self, shape: &[i64], to: &Layout) -> Result<Vec<i64>, String> {
        if shape.len() != self.0.len() {
            return Err(format!(
                "a layout of {} dimensions for a tensor of rank {}",
                self.0.len(),
                shape.len()
            ));
        }
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
                let whole = self
                    .extent(axis.letter, shape)
                    .ok_or("the layouts name different dimensions")?;
                let factor = to.factor(axis.letter);
                if whole % factor != 0 {
                    return Err(format!(
                        "{factor} does not divide dimension {} of extent {whole}",
                        axis.letter
                    ));
                }
                Ok(axis.factor.unwrap_or(whole / factor))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn converts_shapes() -> Result<(), String> {
        let (plain, packed) = (Layout::parse("NCHW")?, Layout::parse("NCHW16c")?);
        assert_eq!(plain.convert(&[1, 64, 7, 9], &packed)?, [1, 4, 7, 9, 16]);
        assert_eq!(packed.convert(&[1, 4, 7, 9, 16], &plain)?, [1, 64, 7, 9]);
        assert_eq!(
            packed.convert(&[1, 4, 7, 9, 16], &Layout::parse("NCHW8c")?)?,
            [1, 8, 7, 9, 8]
        );
        assert!(plain.convert(&[1, 60, 7, 9], &packed).is_err());
        assert!(plain.convert(&[1, 60, 7], &packed).is_err());
        Ok(())
    }

    #[test]
    fn rejects_bad_layouts() {
        for text in ["NCHWc", "NCHW16", "NN", "NHW16c", "N?"] {
            assert!(Layout::parse(text).is_err(), "{text}");
        }
    }
}
