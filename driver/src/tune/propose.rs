//! Where the schedules come from that are tried.

use super::task::Task;
use crate::DriverError;
use relay_topi::Machine;
use relay_tune::ScheduleText;
use std::collections::HashSet;

/// A schedule to try.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// What proposes it: a template and its knobs, or a sketch and its decisions.
    pub from: String,
    /// The schedule.
    pub schedule: ScheduleText,
}

/// What came of a proposal.
#[derive(Clone, Debug)]
pub struct Known {
    /// See [`Proposal::from`].
    pub from: String,
    /// How many times as long as the default it takes; none if it failed.
    pub of_default: Option<f64>,
}

/// Something that proposes schedules for a kernel.
pub trait Proposer {
    /// What it is called; its name and its space, for records of what is finished.
    fn name(&self) -> String;

    /// Up to `count` schedules that were not tried yet; none if there are no more.
    ///
    /// # Errors
    /// If a schedule cannot be written.
    fn propose(&mut self, task: &Task<'_>, count: usize) -> Result<Vec<Proposal>, DriverError>;

    /// Takes in what came of a proposal, of this run or of one before.
    fn learn(&mut self, known: &Known);
}

/// The templates' choices, by predicted cycles.
pub struct Templates {
    machine: Machine,
    tried: HashSet<String>,
}

impl Templates {
    /// Nothing was tried yet.
    pub fn new(machine: Machine) -> Self {
        Self {
            machine,
            tried: HashSet::new(),
        }
    }
}

impl Proposer for Templates {
    fn name(&self) -> String {
        "templates by predicted cycles".into()
    }

    fn propose(&mut self, task: &Task<'_>, count: usize) -> Result<Vec<Proposal>, DriverError> {
        // The first is the default, which all others are timed beside.
        let others = task.candidates.iter().skip(1);
        let untried = others.filter(|it| !self.tried.contains(&it.knobs));
        let chosen: Vec<_> = untried.take(count).cloned().collect();
        let propose = |candidate: &relay_topi::Candidate| {
            Ok(Proposal {
                from: candidate.knobs.clone(),
                schedule: task.schedule_of(candidate, self.machine)?,
            })
        };
        let proposals = chosen.iter().map(propose).collect();
        self.tried.extend(chosen.iter().map(|it| it.knobs.clone()));
        proposals
    }

    fn learn(&mut self, known: &Known) {
        self.tried.insert(known.from.clone());
    }
}
