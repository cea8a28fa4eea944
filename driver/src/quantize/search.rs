//! Which layers cost accuracy, and which stay float for it.

use super::{
    metric::{Metric, Runs, Tally},
    samples::Samples,
    switched::Switched,
};
use crate::{DriverError, progress::Stage};
use relay_codegen::Stop;
use relay_quantize::Errors;
use serde::Serialize;
use std::collections::HashSet;

/// What quantising one layer alone does.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Alone {
    /// The ratio of signal to quantisation noise in the layer's result, in decibels; `None` if there is no error.
    pub sqnr_db: Option<f64>,
    /// The relative error of the layer's result.
    pub error: f64,
    /// The relative error of the model's outputs.
    pub output_error: f64,
    /// The drop of the metric.
    pub drop: f64,
}

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
    /// Whether to show progress on stderr.
    pub progress: bool,
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
        let inputs = self.model.inputs().to_vec();
        let mut exact = Runs::new();
        let mut tallies = vec![Tally::default(); count];
        let mut errors = vec![Errors::default(); count];
        let bar = Stage::new(self.progress, "layers alone, runs", 0, 0);
        let (model, stop) = (&mut self.model, self.stop);
        self.samples.each(&inputs, |inputs| {
            let floats = model.run(inputs, |_| false)?;
            for layer in 0..count {
                stop.check()?;
                let results = model.run(inputs, |other| other == layer)?;
                tallies[layer].add(&results.outputs, &floats.outputs);
                let pair = [&results, &floats].map(|results| results.layers[layer].as_slice());
                if let [Some(found), Some(exact)] = pair {
                    errors[layer].add(found, exact);
                }
            }
            exact.push(floats.outputs);
            bar.step();
            Ok(())
        })?;
        std::mem::drop(bar);
        let score = self.metric.score(self.model.outputs(), &exact, &exact)?;
        let mut alone = Vec::new();
        for layer in 0..count {
            let tally = tallies[layer];
            let found = match self.metric.score_of(&tally) {
                Some(found) => found,
                // The outputs of one layer are in memory at a time.
                None => self.score(|other| other == layer, &exact)?,
            };
            alone.push(Alone {
                sqnr_db: Some(errors[layer].sqnr()).filter(|sqnr| sqnr.is_finite()),
                error: errors[layer].relative(),
                output_error: tally.errors.relative(),
                drop: drop(score, found),
            });
        }
        Ok(Sensitivity {
            exact,
            score,
            alone,
        })
    }

    /// The layers to leave float, so that the metric drops by no more than `budget`: as few as possible of those that cost most alone.
    ///
    /// # Errors
    /// If the model or the metric fails.
    pub fn give_back(
        &mut self,
        known: &Sensitivity,
        budget: f64,
    ) -> Result<HashSet<usize>, DriverError> {
        let mut order: Vec<usize> = (0..known.alone.len()).collect();
        order.sort_by(|a, b| {
            let [a, b] = [a, b].map(|layer| known.alone[*layer]);
            let by_drop = b.drop.total_cmp(&a.drop);
            by_drop.then(b.output_error.total_cmp(&a.output_error))
        });
        // Without any layer in bytes there is no drop.
        let (mut least, mut most) = (0, order.len());
        while least < most {
            let middle = if least == 0 && most == order.len() {
                // Most models need none.
                0
            } else {
                usize::midpoint(least, most)
            };
            let float: HashSet<usize> = order[..middle].iter().copied().collect();
            let found = self.score(|layer| !float.contains(&layer), &known.exact)?;
            match drop(known.score, found) <= budget {
                true => most = middle,
                false => least = middle + 1,
            }
        }
        Ok(order[..most].iter().copied().collect())
    }

    /// The score on all samples with some layers quantised.
    fn score(&mut self, is_on: impl Fn(usize) -> bool, exact: &Runs) -> Result<f64, DriverError> {
        let inputs = self.model.inputs().to_vec();
        let mut runs = Runs::new();
        let (model, stop) = (&mut self.model, self.stop);
        self.samples.each(&inputs, |inputs| {
            stop.check()?;
            runs.push(model.run(inputs, &is_on)?.outputs);
            Ok(())
        })?;
        self.metric.score(self.model.outputs(), &runs, exact)
    }
}

/// How far a score is below that of the float model, as a part of that.
pub fn drop(float: f64, found: f64) -> f64 {
    match float == 0.0 {
        true => float - found,
        false => (float - found) / float.abs(),
    }
}
