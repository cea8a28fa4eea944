//! Fits the numbers of a machine ([`Fitted`]) again, to what was measured.
//!
//! The cost model itself is asked what it predicts with other numbers: each kernel of a record is scheduled anew. Numbers
//! are changed one after the other, by factors that become smaller, for as long as the error becomes less. The error of a
//! kernel is the mean of the logarithms by which predictions of its schedules are off, and what the schedule that would be the
//! default loses to the best, twenty times: a default that is slower by a tenth is as bad as predictions that are off by a factor
//! of e squared.

use super::{Measured, Record, kernel::NAME};
use crate::{DriverError, compile, compile::CompileOptions};
use melior::{Context, ir::Module};
use relay_codegen::Target;
use relay_dialects::{ir::Op, names};
use relay_passes::{Candidate, Fitted, Machine, Plan, pipeline::Level};
use std::{collections::HashMap, fmt::Write};

/// What the loss of a default counts beside errors of predictions.
const WEIGHT_OF_LOSS: f64 = 20.0;

/// The factors by which numbers are changed, the largest first.
const FACTORS: [f64; 3] = [1.5, 1.2, 1.07];

/// How often all numbers are changed by a factor at most.
const SWEEPS: usize = 4;

/// Kernels that take less, in nanoseconds, are left out: calls and clocks are a part of their times.
const SHORTEST: f64 = 5000.0;

/// The errors of a model, over the kernels of a record.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// The mean of what is minimised.
    pub mean: f64,
    /// The median of |predicted / measured - 1| of the defaults.
    pub median: f64,
    /// How many times as long as the best of those measured the defaults take: the geometric mean.
    pub of_best: f64,
}

/// Numbers before and after.
#[derive(Debug)]
pub struct Refit {
    /// The numbers of today, with their errors.
    pub before: (Fitted, Errors),
    /// The numbers that fit the record.
    pub after: (Fitted, Errors),
    /// The kernels.
    pub kernels: usize,
}

/// Fits all numbers to a record.
///
/// # Errors
/// If a kernel of the record does not compile any more.
pub fn refit(record: &Record, options: &CompileOptions) -> Result<Refit, DriverError> {
    let context = compile::prepare();
    let mut samples = Vec::new();
    for kernel in record.kernels.iter().filter(|kernel| counts(kernel)) {
        samples.push(Sample::of(&context, kernel, options)?);
    }
    let machine = options.target.schedules_for();
    let before = (machine.fitted, errors(&samples, machine));
    let mut best = before;
    for factor in FACTORS {
        for _ in 0..SWEEPS {
            if !sweep(&samples, machine, factor, &mut best) {
                break;
            }
        }
    }
    Ok(Refit {
        before,
        after: best,
        kernels: samples.len(),
    })
}

/// Whether a kernel's times say something of the model.
fn counts(kernel: &Measured) -> bool {
    let times = kernel.candidates.iter().map(|timed| timed.nanoseconds);
    times.fold(f64::INFINITY, f64::min) >= SHORTEST
}

/// Changes each number by a factor, up and down; whether that was good for one of them.
fn sweep(
    samples: &[Sample<'_>],
    machine: Machine,
    factor: f64,
    best: &mut (Fitted, Errors),
) -> bool {
    let mut better = false;
    for number in 0..best.0.by_name().len() {
        for factor in [factor, 1.0 / factor] {
            let mut fitted = best.0;
            if let Some((_, value)) = fitted.by_name().get_mut(number) {
                **value *= factor;
            }
            let found = errors(samples, Machine { fitted, ..machine });
            if found.mean < best.1.mean {
                *best = (fitted, found);
                better = true;
            }
        }
    }
    better
}

/// A kernel that was measured.
struct Sample<'c> {
    /// Its tensor expressions, without a schedule.
    module: Module<'c>,
    /// The cycles that were measured, by knobs.
    measured: HashMap<String, f64>,
}

impl<'c> Sample<'c> {
    fn of(
        context: &'c Context,
        kernel: &Measured,
        options: &CompileOptions,
    ) -> Result<Self, DriverError> {
        let fail = |reason: String| DriverError::Kernel {
            model: kernel.model.clone(),
            name: kernel.name.clone(),
            reason,
        };
        let mut module = relay_dialects::parse(context, kernel.text.as_bytes(), "kernel.mlir")
            .ok_or_else(|| fail("its module does not parse any more".into()))?;
        compile::run_between(context, &mut module, (Level::Relay, Level::Te), options)
            .map_err(|error| fail(error.to_string()))?;
        for schedule in Op::of_module(&module).find_all(names::te::SCHEDULE) {
            schedule.erase();
        }
        let cycles = |nanoseconds: f64| nanoseconds * kernel.cycles_per_nanosecond;
        let timed = kernel.candidates.iter();
        let measured = timed.map(|timed| (timed.knobs.clone(), cycles(timed.nanoseconds)));
        Ok(Self {
            measured: measured.collect(),
            module,
        })
    }

    /// What a machine's model predicts of each schedule that was measured, the cheapest first.
    fn predictions(&self, machine: Machine) -> Vec<Prediction> {
        let function = Op::of_module(&self.module).lookup(NAME);
        let plan = function.and_then(|function| Plan::of(function, machine));
        let candidates = plan.map(|plan| plan.candidates()).unwrap_or_default();
        let beside = |candidate: &Candidate| {
            Some(Prediction {
                predicted: candidate.cycles.0,
                measured: *self.measured.get(&candidate.knobs)?,
            })
        };
        candidates.iter().filter_map(beside).collect()
    }
}

/// The cycles of a schedule.
struct Prediction {
    predicted: f64,
    measured: f64,
}

impl Prediction {
    fn ratio(&self) -> f64 {
        self.predicted / self.measured
    }
}

/// The errors of a machine's model.
fn errors(samples: &[Sample<'_>], machine: Machine) -> Errors {
    let all = samples.iter().map(|sample| sample.predictions(machine));
    let all: Vec<Vec<Prediction>> = all.filter(|found| !found.is_empty()).collect();
    let mean = |of: &dyn Fn(&[Prediction]) -> f64| {
        let sum: f64 = all.iter().map(|found| of(found)).sum();
        sum / all.len().max(1) as f64
    };
    let defaults = all.iter().map(|found| (found[0].ratio() - 1.0).abs());
    let mut defaults: Vec<f64> = defaults.collect();
    defaults.sort_by(f64::total_cmp);
    Errors {
        mean: mean(&|found| off(found) + WEIGHT_OF_LOSS * loss(found)),
        median: defaults.get(defaults.len() / 2).copied().unwrap_or(0.0),
        of_best: mean(&loss).exp(),
    }
}

/// The logarithm of what the default, the first, takes of the best.
fn loss(found: &[Prediction]) -> f64 {
    let measured = found.iter().map(|prediction| prediction.measured);
    (found[0].measured / measured.fold(f64::INFINITY, f64::min)).ln()
}

/// The mean of the logarithms by which predictions are off.
fn off(found: &[Prediction]) -> f64 {
    let logarithms = found.iter().map(|prediction| prediction.ratio().ln().abs());
    logarithms.sum::<f64>() / found.len() as f64
}

impl Refit {
    /// Old and new numbers and errors, a line each, and the lines of those that changed for the file of the target's CPU.
    pub fn describe(&mut self, target: &Target) -> String {
        let mut text = format!("{:<28} {:>10} {:>10}\n", "number", "old", "new");
        let (before, after) = (&mut self.before, &mut self.after);
        // Writing to a string does not fail.
        for ((name, old), (_, new)) in before.0.by_name().iter().zip(after.0.by_name()) {
            let _ = writeln!(text, "{name:<28} {old:>10.4} {new:>10.4}");
        }
        let errors = [
            ("median error of defaults", before.1.median, after.1.median),
            ("default / best measured", before.1.of_best, after.1.of_best),
            ("what is minimised", before.1.mean, after.1.mean),
        ];
        for (name, old, new) in errors {
            let _ = writeln!(text, "{name:<28} {old:>10.4} {new:>10.4}");
        }
        let _ = writeln!(text, "over {} kernels", self.kernels);
        text + &self.lines(target)
    }

    /// The lines of the numbers that changed, as a [file of a machine](relay_machine) has them.
    fn lines(&mut self, target: &Target) -> String {
        let source = format!(
            "relayc refit over {} kernels on {}",
            self.kernels, target.cpu
        );
        let (before, after) = (&mut self.before.0, &mut self.after.0);
        let mut text = String::new();
        for ((name, old), (_, new)) in before.by_name().iter().zip(after.by_name()) {
            if **old != *new {
                let _ = writeln!(
                    text,
                    "{name} = {{ value = {new:.3}, source = \"{source}\" }}"
                );
            }
        }
        match text.is_empty() {
            true => text,
            false => format!(
                "\nfor machine/machines/{}.toml:\n\n[fitted]\n{text}",
                target.file()
            ),
        }
    }
}
