//! Which kernel of a model is tuned next: the one from which the model can still gain most in a second.
//!
//! As Ansor's task scheduler (Zheng et al., OSDI 2020, section 6), by the slope of a model's time over the trials of a kernel: half
//! from what its last rounds gained, half from what it may gain at best. Ours divides by the time that a round takes, so that a kernel
//! that compiles slowly has to promise more.

/// What is known of the search for a kernel.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What a nanosecond of a call is worth: how often a run of the model calls the kernel; with several models, the sum of what it is
    /// of each model's time.
    pub worth: f64,
    /// The nanoseconds of a call after each round, first with the default.
    pub best: Vec<f64>,
    /// The nanoseconds that a call takes at least, by the machine's limits.
    pub least: f64,
    /// The seconds that all rounds took.
    pub seconds: f64,
    /// Whether there is nothing more to try.
    pub finished: bool,
}

/// So many rounds back goes what a kernel gained of late.
const WINDOW: usize = 3;

/// What part of the way to the machine's limit a round is expected to go at best. This number and the next were set by hand. Defaults reach 60
/// to 90 of 100 of the limit; for them, it is 1 to 4 of 100 of a kernel's time.
const HOPE: f64 = 0.1;

/// What is left of that hope after each round that gained nothing.
const PATIENCE: f64 = 0.8;

impl Progress {
    /// The rounds that were done.
    pub fn rounds(&self) -> usize {
        self.best.len().saturating_sub(1)
    }

    /// The nanoseconds of a call with the best schedule that is known.
    pub fn now(&self) -> f64 {
        self.best.last().copied().unwrap_or(0.0)
    }

    /// What another round is expected to gain, in nanoseconds of a call times what they are worth.
    pub fn gain(&self) -> f64 {
        if self.finished {
            return 0.0;
        }
        let rounds = self.rounds();
        let back = rounds.min(WINDOW);
        let late = match back {
            0 => 0.0,
            _ => (self.best[rounds - back] - self.now()) / back as f64,
        };
        let hope = HOPE * PATIENCE.powi(self.idle()) * (self.now() - self.least).max(0.0);
        self.worth * (late + hope) / 2.0
    }

    /// The last rounds that gained nothing.
    fn idle(&self) -> i32 {
        let gained = self
            .best
            .windows(2)
            .rev()
            .take_while(|pair| pair[1] >= pair[0]);
        i32::try_from(gained.count()).unwrap_or(i32::MAX)
    }

    /// The seconds that a round takes.
    fn seconds_of_round(&self) -> f64 {
        match self.rounds() {
            0 => 1.0,
            rounds => (self.seconds / rounds as f64).max(1e-3),
        }
    }
}

/// How kernels take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By what they may gain in a second.
    #[default]
    Gradient,
    /// One after the other.
    RoundRobin,
}

/// Below this part of the model's time, what all kernels together are expected to gain in all rounds to come is not worth it.
pub const WORTH: f64 = 0.01;

/// The kernel whose turn it is; none if nothing is left to try, or to gain.
pub fn next(all: &[Progress], strategy: Strategy) -> Option<usize> {
    let open = || {
        all.iter()
            .enumerate()
            .filter(|(_, progress)| !progress.finished)
    };
    match strategy {
        Strategy::RoundRobin => open()
            .min_by_key(|(_, it)| it.rounds())
            .map(|(place, _)| place),
        Strategy::Gradient => {
            let total: f64 = all.iter().map(|it| it.worth * it.now()).sum();
            // A round that gains nothing leaves so much of what is expected of the next one.
            let left = all.iter().map(Progress::gain).sum::<f64>() / (1.0 - PATIENCE);
            if left < WORTH * total {
                return None;
            }
            let slope = |progress: &Progress| progress.gain() / progress.seconds_of_round();
            open()
                .max_by(|(_, a), (_, b)| slope(a).total_cmp(&slope(b)))
                .map(|(place, _)| place)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(worth: f64, best: &[f64]) -> Progress {
        Progress {
            worth,
            best: best.to_vec(),
            least: 1.0,
            seconds: best.len() as f64,
            finished: false,
        }
    }

    #[test]
    fn the_kernel_with_most_to_gain_is_next() {
        let all = [progress(1.0, &[10.0]), progress(5.0, &[10.0])];
        assert_eq!(next(&all, Strategy::Gradient), Some(1));
        assert_eq!(next(&all, Strategy::RoundRobin), Some(0));
    }

    #[test]
    fn a_kernel_that_gains_nothing_has_to_wait() {
        let idle = progress(5.0, &[10.0, 10.0, 10.0, 10.0, 10.0, 10.0]);
        let all = [progress(1.0, &[10.0, 8.0]), idle];
        assert_eq!(next(&all, Strategy::Gradient), Some(0));
    }

    #[test]
    fn there_is_an_end() {
        let finished = Progress {
            finished: true,
            ..progress(1.0, &[10.0, 5.0])
        };
        assert_eq!(next(&[finished], Strategy::Gradient), None);
        let idle = progress(1.0, &[10.0; 22]);
        assert_eq!(next(std::slice::from_ref(&idle), Strategy::Gradient), None);
        assert_eq!(next(&[idle], Strategy::RoundRobin), Some(0));
    }
}
