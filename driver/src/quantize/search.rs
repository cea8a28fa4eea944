//! Which layers cost accuracy, and which stay float for it.

use super::{
    figures::{Alone, percent},
    journal::Journal,
    metric::{Metric, Runs, Tally},
    samples::Samples,
    switched::Switched,
};
use crate::{DriverError, progress::Stage};
use relay_codegen::Stop;
use relay_quantize::Errors;
use std::collections::BTreeSet;

/// The layers that are measured in one pass over the samples. Each pass runs the float model, too; after each, the journal has more.
const TOGETHER: usize = 8;

/// Runs of a model on samples, with a metric.
#[derive(Debug)]
pub struct Trials<'a> {
    /// The model.
    pub model: Switched,
    /// The samples.
    pub samples: &'a Samples,
    /// The metric.
    pub metric: &'a Metric,
    /// Asked before each run.
    pub stop: &'a Stop,
    /// What was measured, by this search or by one before it that was stopped.
    pub journal: Journal,
    /// Whether to show progress on stderr.
    pub progress: bool,
}

/// What a search may lose, and what it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The drop of the metric.
    pub drop: f64,
    /// The choices of layers that are measured at most.
    pub evaluations: usize,
}

/// What is known of the layers.
#[derive(Debug)]
pub struct Sensitivity {
    /// The outputs of the float model.
    pub exact: Runs,
    /// Their score.
    pub score: f64,
    /// Each layer alone.
    pub alone: Vec<Alone>,
}

impl Trials<'_> {
    /// Quantises each layer alone.
    ///
    /// # Errors
    /// If the model or the metric fails.
    pub fn each_alone(&mut self, count: usize) -> Result<Sensitivity, DriverError> {
        let exact = self.runs(|_| false)?;
        let score = self.metric.score(self.model.outputs(), &exact, &exact)?;
        let open = (0..count).filter(|layer| self.journal.alone(*layer).is_none());
        let open: Vec<usize> = open.collect();
        let bar = Stage::new(self.progress, "layers alone", count, count - open.len());
        for part in open.chunks(TOGETHER) {
            self.measure(part, (&exact, score), &bar)?;
        }
        let alone = (0..count).filter_map(|layer| self.journal.alone(layer));
        let alone = alone.collect();
        Ok(Sensitivity {
            exact,
            score,
            alone,
        })
    }

    /// Measures some layers alone, beside the float model's outputs and their score.
    fn measure(
        &mut self,
        layers: &[usize],
        (exact, score): (&Runs, f64),
        bar: &Stage,
    ) -> Result<(), DriverError> {
        let inputs = self.model.inputs().to_vec();
        let mut tallies = vec![Tally::default(); layers.len()];
        let mut errors = vec![Errors::default(); layers.len()];
        let (model, stop) = (&mut self.model, self.stop);
        self.samples.each(&inputs, |inputs| {
            let floats = model.run(inputs, |_| false)?;
            for (place, layer) in layers.iter().enumerate() {
                stop.check()?;
                let results = model.run(inputs, |other| other == *layer)?;
                tallies[place].add(&results.outputs, &floats.outputs);
                let pair = [&results, &floats].map(|results| results.layers[*layer].as_slice());
                if let [Some(found), Some(exact)] = pair {
                    errors[place].add(found, exact);
                }
            }
            Ok(())
        })?;
        for (place, layer) in layers.iter().enumerate() {
            let (tally, errors) = (&tallies[place], &errors[place]);
            let found = match self.metric.score_of(tally) {
                Some(found) => found,
                // The outputs of one layer are in memory at a time.
                None => self.score(|other| other == *layer, exact)?,
            };
            let alone = Alone {
                sqnr_db: Some(errors.sqnr()).filter(|sqnr| sqnr.is_finite()),
                error: errors.relative(),
                output_error: tally.errors.relative(),
                drop: drop(score, found),
            };
            self.journal.add_alone(*layer, alone)?;
            bar.step();
        }
        Ok(())
    }

    /// The layers to leave float, so that the metric drops by no more than the limit.
    ///
    /// The first choice is among those of the layers that cost most alone: as few as suffice. Then each of these, the cheapest one
    /// first, is quantised again if the metric allows it. The choice is always one that was measured, or all layers.
    ///
    /// # Errors
    /// If the model or the metric fails.
    pub fn give_back(
        &mut self,
        known: &Sensitivity,
        limits: Limits,
    ) -> Result<BTreeSet<usize>, DriverError> {
        let order = known.costliest_first();
        let bar = Stage::new(self.progress, "choices of layers", limits.evaluations, 0);
        let mut left = limits.evaluations;
        // Without any layer in bytes there is no drop.
        let (mut least, mut most) = (0, order.len());
        while least < most && left > 0 {
            let middle = if least == 0 && most == order.len() {
                // Most models need none.
                0
            } else {
                usize::midpoint(least, most)
            };
            left -= 1;
            let float = order[..middle].iter().copied().collect();
            match self.drop_with(&float, known, &bar)? <= limits.drop {
                true => most = middle,
                false => least = middle + 1,
            }
        }
        let mut float: BTreeSet<usize> = order[..most].iter().copied().collect();
        // The last of them is needed, as the search has found.
        let others = order[..most].iter().rev().skip(usize::from(least == most));
        for layer in others.take(left) {
            let mut fewer = float.clone();
            fewer.remove(layer);
            if self.drop_with(&fewer, known, &bar)? <= limits.drop {
                float = fewer;
            }
        }
        Ok(float)
    }

    /// The drop of the metric with these layers float.
    fn drop_with(
        &mut self,
        float: &BTreeSet<usize>,
        known: &Sensitivity,
        bar: &Stage,
    ) -> Result<f64, DriverError> {
        let layers: Vec<usize> = float.iter().copied().collect();
        let score = match self.journal.score(&layers) {
            Some(score) => score,
            None => {
                let score = self.score(|layer| !float.contains(&layer), &known.exact)?;
                self.journal.add_score(&layers, score)?;
                score
            }
        };
        let drop = drop(known.score, score);
        bar.enter(&format!("{} float: drop {}", layers.len(), percent(drop)));
        bar.step();
        Ok(drop)
    }

    /// The score on all samples with some layers quantised.
    fn score(&mut self, is_on: impl Fn(usize) -> bool, exact: &Runs) -> Result<f64, DriverError> {
        let runs = self.runs(is_on)?;
        self.metric.score(self.model.outputs(), &runs, exact)
    }

    /// The outputs for all samples with some layers quantised.
    fn runs(&mut self, is_on: impl Fn(usize) -> bool) -> Result<Runs, DriverError> {
        let inputs = self.model.inputs().to_vec();
        let mut runs = Runs::new();
        let (model, stop) = (&mut self.model, self.stop);
        self.samples.each(&inputs, |inputs| {
            stop.check()?;
            runs.push(model.run(inputs, &is_on)?.outputs);
            Ok(())
        })?;
        Ok(runs)
    }
}

impl Sensitivity {
    /// The layers; those with the largest drop alone come first, and of equal ones those with the largest error of outputs.
    fn costliest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.alone.len()).collect();
        order.sort_by(|a, b| {
            let [a, b] = [a, b].map(|layer| self.alone[*layer]);
            let by_drop = b.drop.total_cmp(&a.drop);
            by_drop.then(b.output_error.total_cmp(&a.output_error))
        });
        order
    }
}

/// How far a score is below that of the float model, as a part of that.
pub fn drop(float: f64, found: f64) -> f64 {
    match float == 0.0 {
        true => float - found,
        false => (float - found) / float.abs(),
    }
}
