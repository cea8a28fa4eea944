//! What records say of a kernel when a search for it begins.

use super::{
    Settings,
    propose::{Proposal, Proposer},
    task::Task,
};
use relay_tune::{
    Database,
    record::{Choice, Finished, Outcome, Trial},
};

/// The records of a kernel on a machine with so many threads.
#[derive(Clone, Copy)]
pub struct Recorded<'d, 'c> {
    known: &'d Database,
    task: &'d Task<'c>,
    settings: &'d Settings,
    /// The schedule that leads the search or was chosen, for this kernel or else for the same one with another number of samples. None for
    /// the default.
    schedule: Option<&'d Choice>,
}

impl<'d, 'c> Recorded<'d, 'c> {
    /// What all records say of a kernel. The settings name the machine and the number of threads.
    pub fn of(known: &'d Database, task: &'d Task<'c>, settings: &'d Settings) -> Self {
        let (kernel, target) = (&task.kernel, &settings.machine);
        let own = known.lead_of(&kernel.key, target);
        let own = own.or_else(|| known.choice_of(&kernel.key, target));
        let relative = || known.find(&kernel.whole_key(), target);
        let found = own.or_else(|| relative().map(|(choice, _)| choice));
        Self {
            known,
            task,
            settings,
            schedule: found.filter(|choice| choice.schedule.is_some()),
        }
    }

    /// The trials that were run.
    pub fn tried(self) -> impl Iterator<Item = &'d Trial> {
        let threads = self.settings.threads;
        let ran = move |it: &&Trial| it.outcome != Outcome::Imported && it.threads == threads;
        self.trials().filter(ran)
    }

    /// All trials, with any number of threads, and what was imported.
    fn trials(self) -> impl Iterator<Item = &'d Trial> {
        let target = &self.settings.machine;
        self.known.trials_of(&self.task.kernel.key, target)
    }

    /// The schedule that the search goes on from: it was tried for this kernel with as many threads, and can still be carried out. It is
    /// timed beside the default again.
    pub fn start(self) -> Option<&'d Choice> {
        let choice = self.schedule?;
        let ran = |trial: &Trial| {
            trial.from == choice.from && matches!(trial.outcome, Outcome::Ran { .. })
        };
        let is_own = choice.key == self.task.kernel.key && self.tried().any(ran);
        let is_legal = || self.task.inserted(choice.schedule.as_ref()?);
        (is_own && is_legal().is_some()).then_some(choice)
    }

    /// The schedule that records have, and what was imported, as far as it was not tried yet; the last one first. What is no schedule of
    /// this kernel is left out.
    pub fn untried(self) -> Vec<Proposal> {
        let imported = self.trials().filter(|it| it.outcome == Outcome::Imported);
        let imported = imported.map(|trial| (&trial.from, &trial.schedule));
        let schedule = self
            .schedule
            .and_then(|it| Some((&it.from, it.schedule.as_ref()?)));
        let is_tried = |from: &str| self.tried().any(|trial| trial.from == from);
        let untried = schedule.into_iter().chain(imported);
        let untried = untried.filter(|(from, _)| !is_tried(from));
        let proposals = untried.filter_map(|(from, schedule)| {
            let (schedule, features) = self.task.inserted(schedule)?;
            Some(Proposal {
                from: from.clone(),
                schedule,
                features,
            })
        });
        let mut proposals: Vec<Proposal> = proposals.collect();
        proposals.reverse();
        proposals
    }

    /// What the kernel gets.
    pub fn chosen(self) -> Chosen {
        let (key, target) = (&self.task.kernel.key, &self.settings.machine);
        let chosen = self.known.choice_of(key, target);
        Chosen {
            from: chosen.map(|choice| choice.from.clone()),
            schedule: self.schedule.map(|choice| choice.from.clone()),
            is_led: self.known.lead_of(key, target).is_some(),
            has_relative: self.schedule.is_some_and(|choice| choice.key != *key),
        }
    }

    /// Whether a search by `proposer` has nothing more to try.
    pub fn is_finished(self, proposer: &dyn Proposer) -> bool {
        let finished = finished(self.task, self.settings, proposer);
        self.known.is_finished(&finished)
    }
}

/// The line that says that a search has nothing more to try.
pub fn finished(task: &Task<'_>, settings: &Settings, proposer: &dyn Proposer) -> Finished {
    Finished {
        key: task.kernel.key.clone(),
        target: settings.machine.clone(),
        tuner: proposer.name(),
        threads: settings.threads,
    }
}

/// What records say that a kernel gets.
#[derive(Debug)]
pub struct Chosen {
    /// What proposed the schedule that was chosen; empty for the default, none if nothing was chosen.
    from: Option<String>,
    /// What proposed the schedule that leads the search, or else was chosen, when this run began.
    schedule: Option<String>,
    /// Whether another schedule leads the search by now.
    pub is_led: bool,
    /// Whether it gets the schedule of the same kernel with another number of samples while nothing is chosen.
    has_relative: bool,
}

impl Chosen {
    /// Whether the records give the kernel another schedule than the default.
    pub fn has_schedule(&self) -> bool {
        match &self.from {
            Some(from) => !from.is_empty(),
            None => self.has_relative,
        }
    }

    /// Whether the kernel gets a schedule already, by what proposed it, and the records say nothing else.
    pub fn says(&self, from: &str) -> bool {
        let is_same = match &self.from {
            Some(chosen) => chosen == from,
            None => from.is_empty() && !self.has_relative,
        };
        is_same && !self.is_led
    }

    /// Whether the schedule that this kernel had is one of those that are still to be tried.
    pub fn is_among(&self, proposals: &[Proposal]) -> bool {
        let is_of = |from: &String| proposals.iter().any(|proposal| proposal.from == *from);
        !self.has_relative && self.schedule.as_ref().is_some_and(is_of)
    }
}
