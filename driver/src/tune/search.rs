//! The search for a kernel's schedule: rounds of trials, each timed beside the best so far.

use super::{
    Event, Settings, Status, View,
    event::tell_failure,
    learner::Learner,
    population::Population,
    propose::{Known, Proposal, Proposer},
    protocol::{Reply, Request},
    recorded::{Chosen, Recorded, finished},
    task::Task,
    team::Team,
    workers::ask_all,
};
use crate::DriverError;
use relay_runner::{
    Pair,
    statistics::{Comparison, median},
};
use relay_tune::{
    Database, ScheduleText, Writer,
    record::{self, Choice, Failure, Line, Outcome, Trial},
    scheduler::Progress,
};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The trials of a round. The number was set by hand: two, four or eight builders share it evenly.
const BATCH: usize = 8;

/// The rounds of a first look at a schedule, and those of a test that decides; with the seconds of a turn in each.
pub(super) const LOOK: (usize, f64) = (3, 0.004);
pub(super) const TEST: (usize, f64) = (15, 0.008);

/// A schedule that gains less than this part of the time is no better than the one before.
pub(super) const LEAST_GAIN: f64 = 0.01;

/// The part of its time that a kernel needs at least: nobody knows that there is nothing to gain.
const NEAREST: f64 = 0.9;

/// How long compiling the default of a kernel may take.
pub const FIRST_LIMIT: Duration = Duration::from_secs(120);

/// How long compiling a kernel, and timing one, may take.
pub(super) const BUILD_LIMIT: Duration = Duration::from_secs(10);
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The search for one kernel.
pub struct Search<'t, 'c> {
    /// The kernel.
    pub task: &'t Task<'c>,
    /// What is known of it.
    pub progress: Progress,
    /// How many schedules were tried, those of earlier runs included, and how many of them failed.
    pub trials: usize,
    /// See above.
    pub failed: usize,
    /// The schedule to be beaten.
    pub best: Best,
    /// What the records say that the kernel gets.
    chosen: Chosen,
    /// Whether no network could be tested with what was found.
    is_untested: bool,
    /// The library of the best.
    incumbent: PathBuf,
    /// All that were measured.
    measured: Population<Best>,
    /// The nanoseconds of the default.
    pub default: f64,
    /// What was found elsewhere and nobody tried here yet, the last one first.
    untried: Vec<Proposal>,
    proposer: Box<dyn Proposer>,
    folder: PathBuf,
    built: usize,
    /// Whether this round has asked already if the machine works.
    is_checked: bool,
}

/// A schedule that was measured: the best so far, or one that may be.
#[derive(Clone, Debug)]
pub struct Best {
    /// What proposed it; empty for the default.
    pub from: String,
    /// The schedule.
    pub schedule: ScheduleText,
    /// How many times as long as the default it takes.
    pub of_default: f64,
}

impl Best {
    /// Whether it is the default.
    pub fn is_default(&self) -> bool {
        self.from.is_empty()
    }

    /// The default.
    pub fn default_of(task: &Task<'_>) -> Self {
        Self {
            from: String::new(),
            schedule: task.default.clone(),
            of_default: 1.0,
        }
    }

    /// What was chosen, or the default.
    fn of(choice: Option<&Choice>, task: &Task<'_>) -> Self {
        match choice {
            Some(Choice {
                from,
                schedule: Some(schedule),
                of_default,
                ..
            }) => Self {
                from: from.clone(),
                schedule: schedule.clone(),
                of_default: *of_default,
            },
            _ => Self::default_of(task),
        }
    }

    /// The line that says that a kernel gets it.
    pub fn choice(&self, task: &Task<'_>, settings: &Settings) -> Choice {
        Choice {
            key: task.kernel.key.clone(),
            target: settings.machine.clone(),
            from: self.from.clone(),
            schedule: (!self.is_default()).then(|| self.schedule.clone()),
            of_default: self.of_default,
        }
    }
}

/// A schedule that took at most so many times as long as the default alone may be faster in the network: a first look is wrong by 1 or
/// 2 of 100.
const NEARLY: f64 = 1.02;

/// The nanoseconds of a schedule and how it compares with the best so far; or in which way it failed, and why.
type Compared = Result<(f64, Comparison), (Failure, String)>;

/// What an answer says of a schedule.
fn compared(reply: Reply) -> Compared {
    let [incumbent, candidate] = reply.times()?;
    let seen = Comparison::of(&incumbent, &candidate);
    // A clock may be too coarse for a kernel, and a worker may answer anything.
    match seen.ratio.is_finite() && seen.ratio > 0.0 {
        true => Ok((median(candidate), seen)),
        false => Err((Failure::Crash, "its times are no times".into())),
    }
}

/// Has pairs of libraries timed, each by the next of those who time. What could not be built is answered as it was.
///
/// # Errors
/// If nobody can be asked.
pub fn time_all(
    built: Vec<Reply>,
    pairs: Vec<Pair>,
    shared: &mut Shared<'_>,
) -> Result<Vec<Reply>, DriverError> {
    let is_built = |reply: &Reply| !matches!(reply, Reply::Failed { .. });
    let requests = pairs.into_iter().zip(&built);
    let requests = requests.filter(|(_, built)| is_built(built));
    let requests: Vec<Request> = requests.map(|(pair, _)| Request::Time(pair)).collect();
    let mut timed = ask_all(&mut shared.team.runners, &requests, TIME_LIMIT)?.into_iter();
    let replies = built.into_iter().map(|built| match is_built(&built) {
        true => timed.next().unwrap_or(built),
        false => built,
    });
    Ok(replies.collect())
}

/// What all searches share.
pub struct Shared<'s> {
    /// How to tune.
    pub settings: &'s Settings,
    /// Who compiles and times.
    pub team: &'s mut Team,
    /// What ranks schedules before they are tried, if something is to.
    pub learner: Option<&'s mut Learner>,
    /// Where records go.
    pub writer: &'s mut Writer,
    /// Who is told.
    pub view: &'s mut dyn View,
}

impl<'t, 'c> Search<'t, 'c> {
    /// A search that goes on where the records end. `folder` takes the libraries.
    pub fn new(
        task: &'t Task<'c>,
        known: &Database,
        proposer: Box<dyn Proposer>,
        folder: &Path,
        settings: &Settings,
    ) -> Self {
        let recorded = Recorded::of(known, task, settings);
        let untried = recorded.untried();
        let best = Best::of(recorded.start(), task);
        let mut search = Self {
            task,
            progress: Progress {
                worth: task.calls as f64,
                least: task.kernel.flops as f64 / settings.gflops.max(f64::MIN_POSITIVE),
                finished: recorded.is_finished(&*proposer) && untried.is_empty(),
                ..Progress::default()
            },
            trials: 0,
            failed: 0,
            incumbent: first_library(folder, task, &best),
            best,
            chosen: recorded.chosen(),
            is_untested: false,
            measured: Population::new(),
            default: f64::NAN,
            untried,
            proposer,
            folder: folder.to_owned(),
            built: 0,
            is_checked: false,
        };
        for trial in recorded.tried() {
            search.learn(&trial.from, &trial.schedule, &trial.outcome);
        }
        search
    }

    /// Takes in what came of a schedule.
    fn learn(&mut self, from: &str, schedule: &ScheduleText, outcome: &Outcome) {
        self.trials += 1;
        let of_default = match outcome {
            Outcome::Ran { of_default, .. } => Some(*of_default),
            _ => None,
        };
        match of_default {
            Some(of_default) => {
                let measured = Best {
                    from: from.to_owned(),
                    schedule: schedule.clone(),
                    of_default,
                };
                self.measured.add(measured, of_default);
            }
            None => self.failed += 1,
        }
        self.proposer.learn(&Known {
            from,
            schedule,
            of_default,
        });
    }

    /// The schedules that may be the fastest one in the network, at most so many: the best one, and others that took not much longer.
    pub fn finalists(&self, count: usize) -> Vec<Best> {
        let best = (!self.best.is_default()).then(|| self.best.clone());
        let others = (self.measured.iter())
            .take_while(|(of_default, _)| *of_default < NEARLY)
            .filter(|(_, other)| other.from != self.best.from)
            .map(|(_, other)| other.clone());
        best.into_iter().chain(others).take(count).collect()
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        Status {
            name: self.task.kernel.name.clone(),
            key: self.task.kernel.key.clone(),
            calls: self.task.calls,
            trials: self.trials,
            failed: self.failed,
            finished: self.progress.finished,
            default: self.default,
            best: self.default * self.best.of_default,
            least: self.progress.least,
            flops: self.task.kernel.flops,
            from: self.best.from.clone(),
        }
    }

    /// The requests to compile what the search begins with: the default, and what records have instead.
    pub fn build_first(&self) -> Vec<Request> {
        let default = self.build(&self.task.default, &self.default_library());
        let best = (!self.best.is_default()).then(|| self.build_best());
        [default].into_iter().chain(best).collect()
    }

    /// The request to compile the best schedule so far.
    fn build_best(&self) -> Request {
        self.build(&self.best.schedule, &self.incumbent)
    }

    /// A first look at what the search begins with beside the default; at the default beside itself if it begins with that.
    pub fn first_look(&self, settings: &Settings) -> Pair {
        self.beside_default(LOOK, settings)
    }

    /// Where the default seems faster than what the records have, the times of the test that decides: a look is no proof, and what the
    /// records have won such a test once.
    ///
    /// # Errors
    /// If nobody can be asked.
    pub fn look_again(&self, looked: Reply, shared: &mut Shared<'_>) -> Result<Reply, DriverError> {
        let is_slower = || matches!(compared(looked.clone()), Ok((_, seen)) if seen.ratio > 1.0);
        if self.best.is_default() || !is_slower() {
            return Ok(looked);
        }
        let pair = self.beside_default(TEST, shared.settings);
        shared.team.ask(&Request::Time(pair), TIME_LIMIT)
    }

    fn beside_default(&self, turns: (usize, f64), settings: &Settings) -> Pair {
        Pair {
            incumbent: self.default_library(),
            ..self.pair(&self.incumbent, turns, settings)
        }
    }

    /// Takes in the times of what the search begins with. Where it cannot be timed, or the default is faster, and not by chance, the search
    /// begins with that; returns false if the default was not timed then.
    pub fn begin(&mut self, timed: Reply, view: &mut dyn View) -> bool {
        let is_beaten = matches!(&timed, Reply::Timed { incumbent, candidate }
            if Comparison::of(candidate, incumbent).is_win(0.0));
        match compared(timed) {
            Ok((now, seen)) => {
                let of_default = match self.best.is_default() {
                    true => 1.0,
                    false => seen.ratio,
                };
                self.default = now / of_default;
                self.best.of_default = of_default;
                if is_beaten {
                    self.restart();
                }
                let best = self.default * self.best.of_default;
                self.progress.best = vec![best];
                // The limit of a machine that was busy when it was measured is too long.
                self.progress.least = self.progress.least.min(NEAREST * best);
                true
            }
            Err((how, reason)) => {
                tell_failure(view, &self.task.kernel.name, how, &reason);
                let has_other = !self.best.is_default();
                self.progress.finished = !has_other;
                self.restart();
                !has_other
            }
        }
    }

    /// Begins with the default.
    fn restart(&mut self) {
        self.settle(None);
        self.incumbent = self.default_library();
    }

    /// The library of the default.
    fn default_library(&self) -> PathBuf {
        first_library(&self.folder, self.task, &Best::default_of(self.task))
    }

    /// Does a round: at most `most` schedules are compiled and timed beside the best so far, and what seems better is tested.
    ///
    /// # Errors
    /// If there are no workers, or the records cannot be written.
    pub fn round(&mut self, most: usize, shared: &mut Shared<'_>) -> Result<(), DriverError> {
        let start = Instant::now();
        self.is_checked = false;
        let count = BATCH.min(most);
        let rest = self.untried.len().saturating_sub(count);
        let mut proposals = self.untried.split_off(rest);
        proposals.reverse();
        if proposals.is_empty() {
            let learner = shared.learner.as_deref();
            proposals = self.proposer.propose(self.task, count, learner)?;
        }
        if proposals.is_empty() {
            return self.finish(shared);
        }
        let libraries: Vec<PathBuf> = proposals.iter().map(|_| self.library()).collect();
        let requests: Vec<Request> = (proposals.iter().zip(&libraries))
            .map(|(proposal, library)| self.build(&proposal.schedule, library))
            .collect();
        let built = ask_all(&mut shared.team.builders, &requests, BUILD_LIMIT)?;
        let mut built = built.into_iter();
        let mut measured = Vec::new();
        // As many at a time as there are who time: the next ones are timed beside what those before them have won.
        let many = shared.team.runners.len().max(1);
        for (proposals, libraries) in proposals.chunks(many).zip(libraries.chunks(many)) {
            let built = built.by_ref().take(proposals.len()).collect();
            let ratios = self.try_some(proposals, libraries, built, shared)?;
            let features = proposals.iter().map(|proposal| &proposal.features);
            let ran = features.zip(ratios);
            measured.extend(ran.filter_map(|(features, ratio)| Some((features, ratio?))));
        }
        if let Some(learner) = &mut shared.learner {
            learner.learn(&self.task.kernel.key, &measured);
        }
        self.progress.best.push(self.default * self.best.of_default);
        self.progress.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// There is nothing more to try in this run; if in no other one, it is written down.
    fn finish(&mut self, shared: &mut Shared<'_>) -> Result<(), DriverError> {
        self.progress.finished = true;
        if self.proposer.is_at_its_end() {
            let finished = finished(self.task, shared.settings, &*self.proposer);
            shared.writer.add(&Line::Finished(finished))?;
        }
        Ok(())
    }

    /// Has schedules that were built timed beside the best so far, and puts what is better in its place. Returns how many times as long
    /// as the default each takes; nothing of one that failed.
    fn try_some(
        &mut self,
        proposals: &[Proposal],
        libraries: &[PathBuf],
        built: Vec<Reply>,
        shared: &mut Shared<'_>,
    ) -> Result<Vec<Option<f64>>, DriverError> {
        let settings = shared.settings;
        let pairs = libraries.iter();
        let pairs = pairs.map(|library| self.pair(library, LOOK, settings));
        let timed = time_all(built, pairs.collect(), shared)?;
        let beside = self.best.of_default;
        let mut ratios = Vec::new();
        for ((proposal, library), timed) in proposals.iter().zip(libraries).zip(timed) {
            self.check_machine(&timed, shared)?;
            let outcome = match compared(timed) {
                Ok(seen) => self.judge(proposal, library, (seen, beside), shared)?,
                Err((how, reason)) => Outcome::Failed { how, reason },
            };
            ratios.push(match outcome {
                Outcome::Ran { of_default, .. } => Some(of_default),
                _ => None,
            });
            self.take(proposal, outcome, shared)?;
            // A library that is mapped stays so; the best is kept for the worker that may be started anew.
            if *library != self.incumbent {
                let _ = std::fs::remove_file(library);
            }
        }
        Ok(ratios)
    }

    /// Puts a schedule in the place of the best so far if it seems better, and is. It was seen beside one that takes `beside` of the
    /// default's time.
    fn judge(
        &mut self,
        proposal: &Proposal,
        library: &Path,
        ((nanoseconds, seen), beside): ((f64, Comparison), f64),
        shared: &mut Shared<'_>,
    ) -> Result<Outcome, DriverError> {
        let of_default = seen.ratio * beside;
        let ran = Outcome::Ran {
            nanoseconds,
            of_default,
        };
        if of_default >= (1.0 - LEAST_GAIN) * self.best.of_default {
            return Ok(ran);
        }
        let tested = match self.test(library, shared)? {
            Ok((_, tested)) => tested,
            Err((how, reason)) => return Ok(Outcome::Failed { how, reason }),
        };
        if tested.is_win(LEAST_GAIN) {
            self.best = Best {
                from: proposal.from.clone(),
                schedule: proposal.schedule.clone(),
                of_default: tested.ratio * self.best.of_default,
            };
            library.clone_into(&mut self.incumbent);
            let lead = self.best.choice(self.task, shared.settings);
            shared.writer.add(&Line::Lead(lead))?;
            self.chosen.is_led = true;
        }
        Ok(ran)
    }

    /// Where a schedule fails, the reason may be the machine: a full disk, or no memory. Then the best so far fails, too, and nothing is
    /// written down of it. A round asks once.
    fn check_machine(&mut self, reply: &Reply, shared: &mut Shared<'_>) -> Result<(), DriverError> {
        let of_machine = [Failure::Build, Failure::Crash, Failure::Memory];
        let is_suspicious = matches!(reply, Reply::Failed { how, .. } if of_machine.contains(how));
        if !is_suspicious || self.is_checked {
            return Ok(());
        }
        self.is_checked = true;
        let built = ask_all(&mut shared.team.builders, &[self.build_best()], FIRST_LIMIT)?;
        let pair = self.pair(&self.incumbent, LOOK, shared.settings);
        match time_all(built, vec![pair], shared)?.pop() {
            Some(Reply::Failed { how, reason }) if of_machine.contains(&how) => {
                Err(DriverError::Usage(format!(
                    "kernel {}: nothing can be compiled and timed any more, not even what could before: {}: {reason}; what \
                     was found so far is in the records",
                    self.task.kernel.name,
                    how.describe()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Goes back to the default in this run, in which the networks cannot be tested with what was found: the records stay as they are.
    pub fn leave(&mut self) {
        self.settle(None);
        self.is_untested = true;
    }

    /// What is best now: one of those that were measured, or the default.
    pub fn settle(&mut self, best: Option<Best>) {
        self.best = best.unwrap_or_else(|| Best::default_of(self.task));
    }

    /// Whether the kernel has another schedule than the default at the end.
    pub fn ends_tuned(&self) -> bool {
        match self.stays() {
            true => self.chosen.has_schedule(),
            false => !self.best.is_default(),
        }
    }

    /// Whether the records stay as they are.
    fn stays(&self) -> bool {
        let is_left = self.is_untested || self.chosen.is_among(&self.untried);
        (self.best.is_default() && is_left) || self.chosen.says(&self.best.from)
    }

    /// Writes down that the kernel gets the best, with which the networks were tested, unless the records say so. What another run has left,
    /// and this one has not tried for want of time, stays.
    ///
    /// # Errors
    /// If the records cannot be written.
    pub fn choose(&self, shared: &mut Shared<'_>) -> Result<(), DriverError> {
        if self.stays() {
            return Ok(());
        }
        let choice = self.best.choice(self.task, shared.settings);
        Ok(shared.writer.add(&Line::Choice(choice))?)
    }

    /// The nanoseconds of a schedule, and how it compares with the best so far, in the test that decides.
    fn test(&mut self, library: &Path, shared: &mut Shared<'_>) -> Result<Compared, DriverError> {
        let pair = self.pair(library, TEST, shared.settings);
        let reply = shared.team.ask(&Request::Time(pair), TIME_LIMIT)?;
        Ok(compared(reply))
    }

    /// Writes down what came of a trial.
    fn take(
        &mut self,
        proposal: &Proposal,
        outcome: Outcome,
        shared: &mut Shared<'_>,
    ) -> Result<(), DriverError> {
        self.learn(&proposal.from, &proposal.schedule, &outcome);
        let trial = Trial {
            key: self.task.kernel.key.clone(),
            target: shared.settings.machine.clone(),
            threads: shared.settings.threads,
            from: proposal.from.clone(),
            schedule: proposal.schedule.clone(),
            outcome,
            time: record::now(),
        };
        shared.view.see(&Event::Tried {
            kernel: &self.task.kernel.name,
            trial: &trial,
        });
        Ok(shared.writer.add(&Line::Trial(trial))?)
    }

    fn build(&self, schedule: &ScheduleText, library: &Path) -> Request {
        Request::Build {
            module: self.task.kernel.module.clone(),
            schedule: schedule.clone(),
            weights: self.task.weights.clone(),
            library: library.to_owned(),
        }
    }

    fn pair(&self, candidate: &Path, (rounds, turn): (usize, f64), settings: &Settings) -> Pair {
        Pair {
            incumbent: self.incumbent.clone(),
            candidate: candidate.to_owned(),
            weights: self.task.weights.clone(),
            footprint: self.task.footprint,
            seed: 0,
            threads: settings.threads,
            rounds,
            turn,
        }
    }

    /// Where the next library goes.
    fn library(&mut self) -> PathBuf {
        self.built += 1;
        let name = format!("{}-{}.so", self.task.kernel.key, self.built);
        self.folder.join(name)
    }
}

/// Where the library goes of what a search begins with.
fn first_library(folder: &Path, task: &Task<'_>, best: &Best) -> PathBuf {
    let which = if best.is_default() { "default" } else { "best" };
    folder.join(format!("{}-{which}.so", task.kernel.key))
}
