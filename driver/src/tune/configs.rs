//! The choices that a schedule with knobs leaves, in the order of a tuner.

use super::{
    learner::Learner,
    propose::{Known, Proposal, Proposer},
    task::Task,
};
use crate::DriverError;
use relay_tune::{
    knobs::{Config, Knob},
    space::{Point, Space},
    tuners::Tuner,
};
use std::collections::HashSet;

/// A choice that was tried, or is no schedule, is replaced by another one so often.
const DRAWS: usize = 1000;

/// The choices of a schedule with knobs.
pub struct Configs {
    knobs: Vec<Knob>,
    space: Space,
    tuner: Box<dyn Tuner>,
    tried: HashSet<String>,
}

impl Configs {
    /// Those of a kernel's template.
    pub fn new(knobs: Vec<Knob>, tuner: Box<dyn Tuner>) -> Self {
        let sizes = knobs.iter().map(|knob| knob.values.len());
        Self {
            space: Space::new(sizes.collect()),
            knobs,
            tuner,
            tried: HashSet::new(),
        }
    }

    fn config(&self, point: &Point) -> Config {
        let knobs = self.knobs.iter().zip(point);
        Config(
            knobs
                .map(|(knob, digit)| (knob.name.clone(), knob.values[*digit]))
                .collect(),
        )
    }

    fn point(&self, config: &Config) -> Option<Point> {
        let digit = |knob: &Knob| {
            let value = config.0.get(&knob.name)?;
            knob.values.iter().position(|known| known == value)
        };
        self.knobs.iter().map(digit).collect()
    }
}

impl Proposer for Configs {
    fn name(&self) -> String {
        let knobs: Vec<String> = (self.knobs.iter())
            .map(|knob| format!("{}:{}", knob.name, knob.values.len()))
            .collect();
        format!("{} over knobs {}", self.tuner.name(), knobs.join(" "))
    }

    fn propose(
        &mut self,
        task: &Task<'_>,
        count: usize,
        _: Option<&Learner>,
    ) -> Result<Vec<Proposal>, DriverError> {
        let mut proposals = Vec::new();
        for _ in 0..DRAWS {
            if proposals.len() >= count || self.tried.len() as u128 >= self.space.count() {
                break;
            }
            let Some(point) = self.tuner.propose(&self.space) else {
                break;
            };
            let config = self.config(&point);
            let from = config.to_string();
            if !self.tried.insert(from.clone()) {
                continue;
            }
            match task.configured(&config)? {
                Some((schedule, features)) => proposals.push(Proposal {
                    from,
                    schedule,
                    features,
                }),
                None => self.tuner.learn(&point, f64::INFINITY),
            }
        }
        Ok(proposals)
    }

    fn learn(&mut self, known: &Known) {
        self.tried.insert(known.from.clone());
        let point = known
            .from
            .parse()
            .ok()
            .and_then(|config| self.point(&config));
        if let Some(point) = point {
            self.tuner
                .learn(&point, known.of_default.unwrap_or(f64::INFINITY));
        }
    }
}
