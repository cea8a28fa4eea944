//! Whether a difference of times is more than noise.

/// The middle one, or the one behind the middle; NaN of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A comparison of two programs that ran in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// How many times as long as the first the second took: the median over rounds.
    pub ratio: f64,
    /// The chance that the second wins as many rounds as it did if both are equally fast (sign test, one-sided).
    pub chance: f64,
}

impl Comparison {
    /// Of the times of both in the same rounds.
    pub fn of(first: &[f64], second: &[f64]) -> Self {
        let ratios = || {
            first
                .iter()
                .zip(second)
                .map(|(first, second)| second / first)
        };
        let rounds = ratios().count();
        let wins = ratios().filter(|ratio| *ratio < 1.0).count();
        Self {
            ratio: median(ratios()),
            chance: at_least(wins, rounds),
        }
    }

    /// Whether the second is faster by more than a part of the first's time, and not by chance.
    pub fn is_win(&self, least: f64) -> bool {
        self.ratio < 1.0 - least && self.chance <= SIGNIFICANT
    }
}

/// So many rounds suffice where each says the same, and clearly. If programs are equally fast and all rounds are outliers, all say the same
/// by a chance of 1 of 128.
const CLEAR_ROUNDS: usize = 8;

/// A round says clearly that a program is slower if it takes more than so many times as long as the other one.
const CLEARLY: f64 = 1.5;

/// Whether more rounds would say nothing new: in all so far the same one of two programs was clearly slower. `ratios` are how many times as
/// long as the first the second took in each.
pub fn is_clear(ratios: impl Iterator<Item = f64> + Clone) -> bool {
    ratios.clone().count() >= CLEAR_ROUNDS
        && (ratios.clone().all(|ratio| ratio > CLEARLY)
            || ratios.clone().all(|ratio| ratio < 1.0 / CLEARLY))
}

/// Chances below this are none: the usual level of a test.
pub const SIGNIFICANT: f64 = 0.05;

/// The chance that of so many fair coins at least so many show heads.
fn at_least(heads: usize, coins: usize) -> f64 {
    let mut ways = 1.0;
    let mut sum = 0.0;
    for count in 0..=coins {
        if count >= heads {
            sum += ways;
        }
        ways = ways * (coins - count) as f64 / (count + 1) as f64;
    }
    sum / 2f64.powi(i32::try_from(coins).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_are_fair() {
        assert!((at_least(0, 5) - 1.0).abs() < 1e-12);
        assert!((at_least(5, 5) - 1.0 / 32.0).abs() < 1e-12);
        assert!((at_least(8, 10) - 56.0 / 1024.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_clear_needs_no_more_rounds() {
        assert!(!is_clear([0.5; 7].into_iter()));
        assert!(is_clear([0.5; 8].into_iter()));
        assert!(is_clear([2.0; 8].into_iter()));
        assert!(!is_clear([0.9; 40].into_iter()));
        assert!(!is_clear(
            [2.0, 2.0, 2.0, 2.0, 0.5, 2.0, 2.0, 2.0, 2.0].into_iter()
        ));
    }

    #[test]
    fn noise_is_no_win() {
        let first = [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0];
        let mixed = [9.0, 9.0, 9.0, 11.0, 9.0, 11.0, 9.0];
        assert!(!Comparison::of(&first, &mixed).is_win(0.01));
        let better = [9.0, 9.0, 9.0, 9.5, 9.0, 9.9, 9.0];
        assert!(Comparison::of(&first, &better).is_win(0.01));
        assert!(!Comparison::of(&first, &first).is_win(0.01));
    }
}
