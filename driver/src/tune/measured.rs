//! Takes in what `relay-runner` measured of [exported](super::export) candidates: trials, and the choice of each kernel.

use super::{models::Networks, protocol::failure, search::LEAST_GAIN, task::Task};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    records,
};
use relay_runner::{
    bundle::{
        plan::Kernel,
        results::{Measured, Outcome as Timed, Results, Stage},
    },
    statistics::{Comparison, median},
};
use relay_tune::{
    Database, ScheduleText, Writer,
    record::{self, Choice, Line, Outcome, Trial},
};
use std::path::{Path, PathBuf};

/// What was taken in.
#[derive(Clone, Debug, Default)]
pub struct TakenIn {
    /// The kernels of the plan.
    pub kernels: usize,
    /// The trials that were added, and those of them that failed.
    pub trials: usize,
    /// See above.
    pub failed: usize,
    /// The candidates that the file says nothing of.
    pub missing: usize,
    /// The lines of the file that are none.
    pub unread: usize,
    /// The kernels that get another schedule than the default, with how many times as long as that it takes.
    pub tuned: Vec<(String, f64)>,
}

/// Reads a file of results.
///
/// # Errors
/// If it cannot be read, or is none of this version.
pub fn read(path: &Path) -> Result<Results, DriverError> {
    Results::read(path).map_err(|error| DriverError::Data {
        path: path.into(),
        reason: error.to_string(),
    })
}

/// Writes what was measured of the kernels of models into a file of records.
///
/// # Errors
/// If the results are for another machine, or of a kernel that the models do not have; if a model cannot be compiled, or the records
/// cannot be written.
pub fn take_in(
    results: &Results,
    models: &[PathBuf],
    records: &Path,
    options: &CompileOptions,
) -> Result<TakenIn, DriverError> {
    let plan = &results.header.plan;
    let machine = records::machine(&options.target);
    if plan.machine != machine {
        return Err(DriverError::Usage(format!(
            "the results are for '{}', and the target is '{machine}'; leave --target out, or name the target of the export: \
             --target \"{}\"",
            plan.machine, plan.target
        )));
    }
    let context = compile::prepare();
    let tasks = Networks::read(&context, models, options)?.tasks;
    let mut taker = Taker {
        machine,
        threads: plan.threads,
        results,
        known: Database::read(records)?,
        writer: Writer::open(records)?,
        taken: TakenIn {
            kernels: plan.kernels.len(),
            unread: results.unread,
            ..TakenIn::default()
        },
    };
    let find = |kernel: &Kernel| {
        let task = tasks.iter().find(|task| task.kernel.key == kernel.key);
        task.ok_or_else(|| {
            DriverError::Usage(format!(
                "kernel {} ({}) of the results is none of these models; name the models, the options and the records of the export",
                kernel.name, kernel.key
            ))
        })
    };
    // Nothing is written of results that do not fit.
    let found: Vec<&Task<'_>> = plan.kernels.iter().map(find).collect::<Result<_, _>>()?;
    for (kernel, task) in plan.kernels.iter().zip(found) {
        taker.take(kernel, task)?;
    }
    Ok(taker.taken)
}

/// What takes in results.
struct Taker<'r> {
    machine: String,
    threads: usize,
    results: &'r Results,
    known: Database,
    writer: Writer,
    taken: TakenIn,
}

impl Taker<'_> {
    /// Takes in what was measured of a kernel.
    fn take(&mut self, kernel: &Kernel, task: &Task<'_>) -> Result<(), DriverError> {
        let known = self.known.kernel(&kernel.key);
        if known.is_none_or(|known| known.version < task.kernel.version) {
            self.writer.add(&Line::Kernel(task.kernel.clone()))?;
        }
        let mut best: Option<Choice> = None;
        for candidate in &kernel.candidates {
            let Some(looked) = self.measured(kernel, &candidate.from, Stage::Look) else {
                self.taken.missing += 1;
                continue;
            };
            let written = task.chosen(&candidate.from)?;
            let (schedule, _) = written.ok_or_else(|| {
                DriverError::Usage(format!(
                    "kernel {} has no schedule '{}' here; export the candidates with this version of relayc",
                    kernel.name, candidate.from
                ))
            })?;
            self.add_trial(&looked, &schedule)?;
            let tested = self.measured(kernel, &candidate.from, Stage::Test);
            let Some(of_default) = tested.as_ref().and_then(won) else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|best| of_default < best.of_default)
            {
                best = Some(Choice {
                    key: kernel.key.clone(),
                    target: self.machine.clone(),
                    from: candidate.from.clone(),
                    schedule: Some(schedule),
                    of_default,
                });
            }
        }
        if let Some(best) = best {
            self.taken
                .tuned
                .push((kernel.name.clone(), best.of_default));
            if self.known.choice_of(&best.key, &best.target) != Some(&best) {
                self.writer.add(&Line::Choice(best))?;
            }
        }
        Ok(())
    }

    /// What was measured of a candidate.
    fn measured(&self, kernel: &Kernel, from: &str, stage: Stage) -> Option<Measured> {
        let all = self.results.measured.iter();
        let mut of_candidate = all
            .filter(|it| (&it.key[..], &it.from[..], it.stage) == (&kernel.key[..], from, stage));
        of_candidate.next().cloned()
    }

    /// Whether the records have a trial, whenever it was made.
    fn is_known(&self, trial: &Trial) -> bool {
        let mut known = self.known.trials_of(&trial.key, &trial.target);
        let what = |trial: &Trial| (trial.from.clone(), trial.threads, trial.outcome.clone());
        known.any(|known| what(known) == what(trial))
    }

    /// Adds the trial of a candidate, unless the records have it.
    fn add_trial(&mut self, looked: &Measured, schedule: &ScheduleText) -> Result<(), DriverError> {
        let trial = Trial {
            key: looked.key.clone(),
            target: self.machine.clone(),
            threads: self.threads,
            from: looked.from.clone(),
            schedule: schedule.clone(),
            outcome: outcome(&looked.outcome),
            time: record::now(),
        };
        if self.is_known(&trial) {
            return Ok(());
        }
        self.taken.trials += 1;
        self.taken.failed += usize::from(matches!(trial.outcome, Outcome::Failed { .. }));
        Ok(self.writer.add(&Line::Trial(trial))?)
    }
}

/// What records say of a candidate that was timed beside the default.
fn outcome(timed: &Timed) -> Outcome {
    let failed = |how, reason: &str| Outcome::Failed {
        how,
        reason: reason.to_owned(),
    };
    match timed {
        Timed::Failed { how, reason } => failed(failure(*how), reason),
        Timed::Timed { default, candidate } => {
            let of_default = Comparison::of(default, candidate).ratio;
            // A clock may be too coarse for a kernel, and a file may hold anything.
            match of_default.is_finite() && of_default > 0.0 {
                true => Outcome::Ran {
                    nanoseconds: median(candidate.iter().copied()),
                    of_default,
                },
                false => failed(record::Failure::Crash, "its times are no times"),
            }
        }
    }
}

/// How many times as long as the default a candidate took in a test that it won.
fn won(tested: &Measured) -> Option<f64> {
    let Timed::Timed { default, candidate } = &tested.outcome else {
        return None;
    };
    let compared = Comparison::of(default, candidate);
    compared.is_win(LEAST_GAIN).then_some(compared.ratio)
}
