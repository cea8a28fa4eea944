//! What is learned of a machine while it is tuned: a model of costs that ranks schedules before they are tried.
//!
//! It lies in a file beside the records, where the next run finds it. It is not asked before it has seen enough, nor while it ranks
//! badly what is measured.

use super::{kernel_module::KernelModule, rank::ran};
use melior::Context;
use relay_tune::{
    Database,
    cost::{Features, Loss, Model, Sample, model, ranking::spearman},
};
use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// So many times as many are drawn as are tried, when a model ranks them. The number was set by hand.
const DRAWN: usize = 16;

/// The schedules that are measured before anything is learned, as in Ansor.
const FEWEST: usize = 100;

/// The schedules that a model is trained on at most: those that records begin with, and the latest of this run.
const MOST: usize = 3000;

/// A model is trained anew when it has not seen so many.
const NEW: usize = 64;

/// How long training may take, and reading the features of what was measured before.
const TRAINING: Duration = Duration::from_secs(5);
const READING: Duration = Duration::from_secs(10);

/// So many of the last rounds say whether the model can be trusted.
const ROUNDS: usize = 6;

/// The rank correlation in a round that a model must reach on average: a draw reaches 0.
const TRUSTED: f64 = 0.1;

/// Fewer schedules of a round say nothing about an order.
const LEAST: usize = 4;

/// A model that grows with what is measured.
pub struct Learner {
    /// The machine, as records name it.
    machine: String,
    /// Where the model lies.
    path: PathBuf,
    model: Option<Model>,
    /// What was measured, of this run and of those before, and the kind of its features.
    samples: Vec<Sample>,
    kind: String,
    /// How many samples the model has not seen.
    unseen: usize,
    /// The rank correlations of the last rounds.
    correlations: VecDeque<f64>,
}

impl Learner {
    /// Goes on with the model beside a file of records, and with what that says was measured on a machine. A model of another machine,
    /// or of another version, is left alone until there is a new one.
    pub fn open(context: &Context, records: &Path, (known, machine): (&Database, &str)) -> Self {
        let path = records.with_extension("model.json");
        let model = Model::load(&path).unwrap_or_else(|error| {
            tracing::warn!("{error}");
            None
        });
        let model = model.filter(|model| model.machine == machine);
        let mut learner = Self {
            machine: machine.to_owned(),
            path,
            model,
            samples: Vec::new(),
            kind: String::new(),
            unseen: 0,
            correlations: VecDeque::new(),
        };
        learner.read(context, known);
        let seen = learner.model.as_ref().map_or(0, |model| model.samples);
        learner.unseen = learner.samples.len().saturating_sub(seen);
        learner
    }

    /// Takes in what records say, kernel after kernel.
    fn read(&mut self, context: &Context, known: &Database) {
        let start = Instant::now();
        let machine = self.machine.clone();
        for kernel in known.kernels() {
            let Ok(recorded) = KernelModule::read(context, kernel) else {
                continue;
            };
            for (trial, time) in known.trials_of(&kernel.key, &machine).filter_map(ran) {
                if start.elapsed() > READING || self.samples.len() >= MOST {
                    return;
                }
                if let Ok(features) = recorded.features(&trial.schedule) {
                    self.take(&kernel.key, &features, time);
                }
            }
        }
    }

    /// Takes in a schedule of a kernel, and how many times as long as the default it took.
    fn take(&mut self, kernel: &str, features: &Features, time: f64) {
        if features.stores.is_empty() {
            return;
        }
        self.kind = model::kind(features);
        self.unseen += 1;
        self.samples.push(Sample {
            kernel: kernel.to_owned(),
            rows: model::rows(features),
            time,
        });
    }

    /// What the model says of a schedule, the less the better; none if it knows nothing of such.
    fn score(&self, features: &Features) -> Option<f64> {
        let model = self.model.as_ref()?;
        let is_known = model.features == model::kind(features);
        is_known.then(|| model.score(&model::rows(features)))
    }

    /// Of schedules of a kernel, what the model says of each; none if it knows too little, or ranked badly in the last rounds. What it
    /// knows nothing of, such as a schedule that cannot be carried out, comes last.
    pub fn rank<'f>(&self, all: impl IntoIterator<Item = &'f Features>) -> Option<Vec<f64>> {
        if !self.is_trusted() {
            return None;
        }
        let score = |features| self.score(features).unwrap_or(f64::INFINITY);
        Some(all.into_iter().map(score).collect())
    }

    /// How many schedules are drawn for each one that is tried: more than one where a learner can rank them.
    pub fn draws_for(learner: Option<&Self>) -> usize {
        match learner {
            Some(learner) if learner.is_trusted() => DRAWN,
            _ => 1,
        }
    }

    /// Whether the model ranks schedules better than draws do, as far as is known.
    pub fn is_trusted(&self) -> bool {
        let sum: f64 = self.correlations.iter().sum();
        let mean = sum / self.correlations.len().max(1) as f64;
        self.model.is_some() && (self.correlations.is_empty() || mean >= TRUSTED)
    }

    /// Takes in a round, in which schedules of a kernel were measured: looks how the model would have ranked them, and trains it anew
    /// when there is enough to learn. Times are in units of the default's.
    pub fn learn(&mut self, kernel: &str, measured: &[(&Features, f64)]) {
        let score = |(features, time): &(&Features, f64)| Some((self.score(features)?, *time));
        let (scores, times): (Vec<f64>, Vec<f64>) = measured.iter().filter_map(score).unzip();
        for (features, time) in measured {
            self.take(kernel, features, *time);
        }
        if scores.len() >= LEAST
            && let Some(correlation) = spearman(&scores, &times)
        {
            tracing::debug!("the model's rank correlation in this round: {correlation:.2}");
            self.correlations.push_back(correlation);
            if self.correlations.len() > ROUNDS {
                self.correlations.pop_front();
            }
        }
        if self.samples.len() >= FEWEST && self.unseen >= NEW {
            self.train();
        }
    }

    /// Trains a model, which is saved for other runs. This run needs no file of it: where there can be none, it goes on.
    fn train(&mut self) {
        let oldest = self.samples.len().saturating_sub(MOST);
        self.samples.drain(..oldest);
        let known = (&self.kind[..], &self.machine[..]);
        let model = Model::train(&self.samples, known, Loss::default(), TRAINING);
        tracing::info!("a model of costs learns from {} schedules", model.samples);
        if let Err(error) = model.save(&self.path) {
            tracing::warn!("the next run learns anew: {error}");
        }
        self.model = Some(model);
        self.unseen = 0;
    }
}
