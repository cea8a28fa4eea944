//! Where the schedules come from that are tried.

use super::{learner::Learner, task::Task};
use crate::DriverError;
use relay_tune::{ScheduleText, cost::Features};

/// A schedule to try.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// What proposes it: a template and its knobs, or a sketch and its decisions.
    pub from: String,
    /// The schedule.
    pub schedule: ScheduleText,
    /// What is known of it without compiling it.
    pub features: Features,
}

/// What came of a proposal.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// See [`Proposal::from`].
    pub from: &'k str,
    /// The schedule.
    pub schedule: &'k ScheduleText,
    /// How many times as long as the default it takes; none if it failed.
    pub of_default: Option<f64>,
}

/// Something that proposes schedules for a kernel.
pub trait Proposer {
    /// What it is called; its name and its space, for records of what is finished.
    fn name(&self) -> String;

    /// Up to `count` schedules that were not tried yet; none if there are no more. `learner` may be asked which are the better ones.
    ///
    /// # Errors
    /// If a schedule cannot be written.
    fn propose(
        &mut self,
        task: &Task<'_>,
        count: usize,
        learner: Option<&Learner>,
    ) -> Result<Vec<Proposal>, DriverError>;

    /// Whether no run will find more, after it has proposed none. Else it has given up for this run.
    fn is_at_its_end(&self) -> bool {
        true
    }

    /// Takes in what came of a proposal, of this run or of one before.
    fn learn(&mut self, known: &Known<'_>);
}

/// The share of what is tried that is not chosen by the model, as in Ansor.
const AT_RANDOM: f64 = 0.05;

/// So many of those that were drawn, and the others, which may be drawn again: the best by a learner that can rank, but for a few; else
/// those that came first.
pub fn choose(
    mut drawn: Vec<Proposal>,
    count: usize,
    learner: Option<&Learner>,
    random: &mut fastrand::Rng,
) -> (Vec<Proposal>, Vec<Proposal>) {
    let scores = learner.and_then(|it| it.rank(drawn.iter().map(|drawn| &drawn.features)));
    let Some(scores) = scores else {
        let others = drawn.split_off(count.min(drawn.len()));
        return (drawn, others);
    };
    let mut left: Vec<(f64, Proposal)> = scores.into_iter().zip(drawn).collect();
    left.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut chosen = Vec::new();
    while chosen.len() < count && !left.is_empty() {
        let place = match random.f64() < AT_RANDOM {
            true => random.usize(0..left.len()),
            false => 0,
        };
        chosen.push(left.remove(place).1);
    }
    (chosen, left.into_iter().map(|(_, other)| other).collect())
}
