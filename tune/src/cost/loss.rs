//! What a model is trained to do: the derivatives of a loss by the scores of schedules.

use serde::{Deserialize, Serialize};

/// A loss over the schedules of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The squared error of the score as the logarithm of the time in units of the kernel's best.
    Squares,
    /// For each pair of schedules of a kernel, the logistic loss of the difference of their scores (RankNet: Burges et al., ICML 2005).
    #[default]
    Pairs,
}

/// The first and second derivative by a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// The first.
    pub gradient: f64,
    /// The second, or a bound of it.
    pub hessian: f64,
}

/// Logarithms of times that differ less are taken for equal: two timings of one schedule in turns differ by 1 or 2 of 100.
const SCATTER: f64 = 0.02;

/// The least second derivative of a pair. That of scores which are far apart is near 0, and leaves divide by sums of them.
const LEAST_CURVE: f64 = 1e-6;

impl Loss {
    /// How it is told.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Squares => "squares",
            Self::Pairs => "pairs",
        }
    }

    /// The slopes for the schedules of one kernel: `scores` and the logarithms of their times relative to the best.
    ///
    /// A schedule counts the more the faster it is, by the share of the best's speed that it has.
    pub fn slopes(self, scores: &[f64], times: &[f64]) -> Vec<Slope> {
        match self {
            Self::Squares => squares(scores, times),
            Self::Pairs => pairs(scores, times),
        }
    }
}

fn squares(scores: &[f64], times: &[f64]) -> Vec<Slope> {
    let all = scores.iter().zip(times);
    all.map(|(score, time)| {
        let weight = (-time).exp();
        Slope {
            gradient: weight * (score - time),
            hessian: weight,
        }
    })
    .collect()
}

fn pairs(scores: &[f64], times: &[f64]) -> Vec<Slope> {
    let mut slopes = vec![Slope::default(); scores.len()];
    // Each schedule has as much to say whether its kernel has many or few.
    let share = 2.0 / scores.len().max(1) as f64;
    for fast in 0..scores.len() {
        for slow in 0..scores.len() {
            let gap = times[slow] - times[fast];
            if gap <= SCATTER {
                continue;
            }
            let weight = share * (-times[fast]).exp() * gap.min(1.0);
            let wrong = 1.0 / (1.0 + (scores[slow] - scores[fast]).exp());
            let curve = (weight * wrong * (1.0 - wrong)).max(LEAST_CURVE);
            slopes[fast].gradient += weight * wrong;
            slopes[slow].gradient -= weight * wrong;
            slopes[fast].hessian += curve;
            slopes[slow].hessian += curve;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_that_are_the_times_have_no_slope_in_squares() {
        let times = [0.0, 0.5, 1.0];
        let slopes = Loss::Squares.slopes(&times, &times);
        assert!(slopes.iter().all(|slope| slope.gradient == 0.0));
    }

    #[test]
    fn pairs_pull_apart_what_differs() {
        let slopes = Loss::Pairs.slopes(&[0.0, 0.0, 0.0], &[0.0, 1.0, 1.01]);
        // The fast one goes down, the slow ones, which do not differ, go up alike.
        assert!(slopes[0].gradient > 0.0);
        assert!(slopes[1].gradient < 0.0);
        let sum: f64 = slopes.iter().map(|slope| slope.gradient).sum();
        assert!(sum.abs() < 1e-12);
        assert_eq!(slopes[1].hessian, slopes[0].hessian / 2.0);
    }
}
