//! How well models of costs rank schedules that were measured, of kernels that they never saw.

use super::kernel_module::KernelModule;
use crate::{DriverError, compile};
use relay_topi::{Machine, Plan};
use relay_tune::{
    Database,
    cost::{Features, Loss, Model, Sample, model, ranking},
    record::{Kernel, Outcome, Trial},
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    time::Duration,
};

/// The kernels are cut into so many parts, each of which is ranked by models of the others.
pub const FOLDS: usize = 5;

/// The schedules that are looked for the best among: those of a round.
pub const FIRST: usize = 8;

/// A kernel with fewer schedules says nothing about an order.
const LEAST: usize = 10;

/// How long training for a fold may take.
const LIMIT: Duration = Duration::from_secs(120);

/// How well all models rank.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The machine on which schedules were measured.
    pub machine: String,
    /// The kernels, and the schedules of them that ran.
    pub kernels: usize,
    /// See above.
    pub trials: usize,
    /// The parts into which kernels are cut.
    pub folds: usize,
    /// How well each model ranks.
    pub models: Vec<Quality>,
}

/// How well a model ranks the schedules of kernels: means over kernels.
#[derive(Debug, Serialize)]
pub struct Quality {
    /// Which schedules are ranked.
    pub among: String,
    /// The model.
    pub model: String,
    /// The kernels that have enough schedules.
    pub kernels: usize,
    /// Their schedules.
    pub trials: usize,
    /// Spearman's coefficient.
    pub spearman: f64,
    /// In what part of the kernels the best is among the first [`FIRST`].
    pub recall: f64,
    /// How many times as long as the best the best of those takes.
    pub regret: f64,
}

/// A schedule that ran, with what each model says of it.
struct Ranked {
    sample: Sample,
    /// The scores of the learned models.
    scores: Vec<f64>,
    /// The cycles that a template expects.
    cycles: Option<f64>,
}

const LOSSES: [Loss; 2] = [Loss::Squares, Loss::Pairs];

/// Trains models on some kernels of a file of records and ranks the schedules of the others by them. `machine` is what templates make
/// their choices for.
///
/// # Errors
/// If the kernels cannot be read, or too few schedules were measured.
pub fn rank(database: &Database, machine: Machine, folds: usize) -> Result<Report, DriverError> {
    let target = most_used(database)
        .ok_or_else(|| DriverError::Usage("the records have no trials to learn from".into()))?;
    let (mut all, kind) = ranked(database, &target, machine)?;
    let mut keys: Vec<String> = all.iter().map(|it| it.sample.kernel.clone()).collect();
    keys.sort();
    keys.dedup();
    if keys.len() < folds || folds < 2 {
        return Err(DriverError::Usage(format!(
            "there are schedules of {} kernels to rank in {folds} parts; measure more with relayc tune MODEL, or ask for fewer \
             parts (at least 2) with --folds",
            keys.len()
        )));
    }
    let fold_of: HashMap<&String, usize> = keys
        .iter()
        .enumerate()
        .map(|(place, key)| (key, place % folds))
        .collect();
    for fold in 0..folds {
        let is_held = |it: &Ranked| fold_of.get(&it.sample.kernel) == Some(&fold);
        let known: Vec<Sample> = all
            .iter()
            .filter(|it| !is_held(it))
            .map(|it| it.sample.clone())
            .collect();
        let models = LOSSES.map(|loss| Model::train(&known, (&kind, &target), loss, LIMIT));
        for held in all.iter_mut().filter(|it| is_held(it)) {
            held.scores = models
                .iter()
                .map(|model| model.score(&held.sample.rows))
                .collect();
        }
    }
    Ok(Report {
        machine: target,
        kernels: keys.len(),
        trials: all.len(),
        folds,
        models: qualities(&all),
    })
}

/// The machine with most trials.
fn most_used(database: &Database) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in database.trials() {
        *counts.entry(&trial.target).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(target, _)| target.to_owned())
}

/// The schedules that ran on a machine, and the kind of their features.
fn ranked(
    database: &Database,
    target: &str,
    machine: Machine,
) -> Result<(Vec<Ranked>, String), DriverError> {
    let context = compile::prepare();
    let mut all = Vec::new();
    let mut kind = String::new();
    for kernel in database.kernels() {
        // What an older version wrote may be no module any more.
        let Ok(recorded) = KernelModule::read(&context, kernel) else {
            continue;
        };
        let cycles = cycles(&recorded, machine);
        for (trial, time) in database.trials_of(&kernel.key, target).filter_map(ran) {
            let Ok(features) = recorded.features(&trial.schedule) else {
                continue;
            };
            kind = model::kind(&features);
            all.push(Ranked {
                sample: sample(kernel, &features, time),
                scores: Vec::new(),
                cycles: cycles.get(&trial.from).copied(),
            });
        }
    }
    Ok((all, kind))
}

/// A schedule that ran, as models are trained on it.
pub fn sample(kernel: &Kernel, features: &Features, time: f64) -> Sample {
    Sample {
        kernel: kernel.key.clone(),
        rows: model::rows(features),
        time,
    }
}

/// A trial with how many times as long as the default it took, if it ran.
pub fn ran(trial: &Trial) -> Option<(&Trial, f64)> {
    match trial.outcome {
        Outcome::Ran { of_default, .. } if of_default > 0.0 => Some((trial, of_default)),
        _ => None,
    }
}

/// The cycles that a kernel's template expects of each of its choices.
fn cycles(recorded: &KernelModule<'_>, machine: Machine) -> HashMap<String, f64> {
    let plan = Plan::of(recorded.function(), machine);
    let candidates = plan.map(|plan| plan.candidates()).unwrap_or_default();
    let all = candidates.into_iter();
    all.map(|it| (it.knobs, it.cycles.0)).collect()
}

fn qualities(all: &[Ranked]) -> Vec<Quality> {
    let everything: Vec<&Ranked> = all.iter().collect();
    let predicted: Vec<&Ranked> = all.iter().filter(|it| it.cycles.is_some()).collect();
    let mut found = Vec::new();
    for (among, of) in [
        ("all", everything),
        ("templates' choices", predicted.clone()),
    ] {
        for (place, loss) in LOSSES.iter().enumerate() {
            let name = format!("learned, {}", loss.describe());
            found.push(quality((among, &name), &of, |it| it.scores[place]));
        }
    }
    let cycles = |it: &Ranked| it.cycles.unwrap_or(f64::INFINITY);
    found.push(quality(
        ("templates' choices", "analytic"),
        &predicted,
        cycles,
    ));
    found
}

/// What a model says of the schedules of a kernel, and how long they took.
#[derive(Default)]
struct OfKernel {
    predicted: Vec<f64>,
    measured: Vec<f64>,
}

/// The means over the kernels that have enough schedules.
fn quality(
    (among, model): (&str, &str),
    all: &[&Ranked],
    predict: impl Fn(&Ranked) -> f64,
) -> Quality {
    let mut by_kernel: BTreeMap<&str, OfKernel> = BTreeMap::new();
    for it in all {
        let of = by_kernel.entry(&it.sample.kernel).or_default();
        of.predicted.push(predict(it));
        of.measured.push(it.sample.time);
    }
    by_kernel.retain(|_, of| of.predicted.len() >= LEAST);
    let mean = |value: fn(&[f64], &[f64]) -> f64| {
        let values = by_kernel.values();
        let sum: f64 = values.map(|of| value(&of.predicted, &of.measured)).sum();
        sum / by_kernel.len().max(1) as f64
    };
    Quality {
        among: among.to_owned(),
        model: model.to_owned(),
        kernels: by_kernel.len(),
        trials: by_kernel.values().map(|of| of.predicted.len()).sum(),
        // Who calls all equal says nothing.
        spearman: mean(|predicted, measured| ranking::spearman(predicted, measured).unwrap_or(0.0)),
        recall: mean(|predicted, measured| {
            f64::from(u8::from(ranking::finds_best(predicted, measured, FIRST)))
        }),
        regret: mean(|predicted, measured| ranking::regret(predicted, measured, FIRST)),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{}\n{} schedules of {} kernels, each ranked by models of {} of {} parts of the kernels; means over kernels with \
             at least {LEAST} schedules\n",
            self.machine,
            self.trials,
            self.kernels,
            self.folds - 1,
            self.folds
        )?;
        writeln!(
            formatter,
            "| schedules | model | kernels | trials | Spearman | best in first {FIRST} | time of first {FIRST} |\n\
             |---|---|---|---|---|---|---|"
        )?;
        for it in &self.models {
            writeln!(
                formatter,
                "| {} | {} | {} | {} | {:.3} | {:.3} | {:.3} |",
                it.among, it.model, it.kernels, it.trials, it.spearman, it.recall, it.regret
            )?;
        }
        Ok(())
    }
}
