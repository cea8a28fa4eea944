//! The numbers that bytes stand for.

/// The numbers between which a tensor's elements lie, or those that its bytes are to cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Range {
    /// The range that contains 0, too: padding and zeros after a relu must stay exact.
    pub fn with_zero(self) -> Self {
        Self {
            low: self.low.min(0.0),
            high: self.high.max(0.0),
        }
    }

    /// The part of the range whose numbers are at most `largest` in magnitude.
    pub fn within(self, largest: f64) -> Self {
        Self {
            low: self.low.max(-largest),
            high: self.high.min(largest),
        }
    }

    /// The greatest magnitude.
    pub fn largest(self) -> f64 {
        self.high.max(-self.low)
    }
}

/// A scale and a zero point: the integer q stands for scale * (q - zero), with q from `least` to `greatest`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The distance of two neighbours.
    pub scale: f64,
    /// The integer that stands for 0.
    pub zero: i64,
    /// The least integer.
    pub least: i64,
    /// The greatest integer.
    pub greatest: i64,
}

impl Grid {
    /// The grid of unsigned bytes for a range. The zero point is 0 if no number is negative.
    pub fn unsigned(range: Range) -> Self {
        let Range { low, high } = range.with_zero();
        let scale = positive((high - low) / 255.0);
        let zero = (-low / scale).round() as i64;
        Self {
            scale,
            zero: zero.clamp(0, 255),
            least: 0,
            greatest: 255,
        }
    }

    /// The grid of signed bytes for a range, with a zero point of 0. Numbers and their negatives have the same steps, up to -127.
    pub fn signed(range: Range) -> Self {
        Self {
            scale: positive(range.largest() / 127.0),
            zero: 0,
            least: -128,
            greatest: 127,
        }
    }

    /// The grid whose scale is the next greater power of two. The zero point moves with it.
    pub fn with_power_of_two(self) -> Self {
        let scale = self.scale.log2().ceil().exp2();
        let zero = (self.zero as f64 * self.scale / scale).round() as i64;
        Self {
            scale,
            zero,
            ..self
        }
    }

    /// The number that stands for another one.
    pub fn round(&self, number: f64) -> f64 {
        let (low, high) = (self.least - self.zero, self.greatest - self.zero);
        let steps = (number / self.scale).clamp(low as f64, high as f64);
        steps.round() * self.scale
    }
}

/// A scale that f32 can divide by; 1 for a tensor of zeros.
fn positive(scale: f64) -> f64 {
    if scale >= f64::from(f32::MIN_POSITIVE) {
        scale
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cover_a_range_and_zero() {
        let grid = Grid::unsigned(Range {
            low: 0.5,
            high: 2.0 * 255.0,
        });
        assert_eq!((grid.scale, grid.zero), (2.0, 0));
        let grid = Grid::unsigned(Range {
            low: -1.0,
            high: 1.55,
        });
        assert_eq!(grid.zero, 100);
        assert!((grid.round(-1.0) + 1.0).abs() < 1e-9 && (grid.round(9.0) - 1.55).abs() < 1e-9);
        assert_eq!(grid.round(0.0), 0.0, "zero is exact");
    }

    #[test]
    fn signed_bytes_are_symmetric() {
        let grid = Grid::signed(Range {
            low: -127.0,
            high: 1.0,
        });
        assert_eq!(
            (grid.zero, grid.round(-9.4), grid.round(200.0)),
            (0, -9.0, 127.0)
        );
    }

    #[test]
    fn a_power_of_two_is_not_smaller() {
        let range = Range {
            low: -1.0,
            high: 3.0,
        };
        let grid = Grid::unsigned(range).with_power_of_two();
        assert_eq!((grid.scale, grid.zero), (1.0 / 32.0, 32));
    }

    #[test]
    fn zeros_have_a_scale() {
        let range = Range {
            low: 0.0,
            high: 0.0,
        };
        assert_eq!(Grid::unsigned(range).scale, 1.0);
        assert_eq!(Grid::signed(range).scale, 1.0);
    }
}
