//! The choices of a template, or of a schedule with knobs, in the order of a tuner.

use super::{
    learner::Learner,
    propose::{Known, Proposal, Proposer, choose},
    task::Task,
};
use crate::DriverError;
use relay_tune::{choices::Choices, tuners::Tuner};
use std::collections::HashSet;

/// A choice that is no schedule, or was drawn twice, is replaced by another one so often. Those that earlier runs have tried come on top: a
/// tuner that goes through all choices in order meets them first.
const DRAWS: usize = 1000;

/// The choices of a kernel, as points of a space.
pub struct Points {
    choices: Choices,
    tuner: Box<dyn Tuner>,
    tried: HashSet<String>,
    /// Whether the tuner has no more points.
    is_at_its_end: bool,
    /// What draws those that the learned model does not choose, where the tuner is one that asks a model.
    random: Option<fastrand::Rng>,
}

impl Points {
    /// Those of the schedule with knobs, if there is one, or else of the templates. Nothing was tried yet but the default.
    pub fn new(task: &Task<'_>, tuner: Box<dyn Tuner>) -> Self {
        let choices = match &task.template {
            Some((knobs, _)) => Choices::of_knobs(knobs),
            None => Choices::of_texts(task.candidates.iter().map(|it| &it.knobs[..])),
        };
        let mut points = Self {
            choices,
            tuner,
            tried: HashSet::new(),
            is_at_its_end: false,
            random: None,
        };
        // The first candidate is the default, which all others are timed beside.
        if let (None, Some(default)) = (&task.template, task.candidates.first()) {
            points.learn(&Known {
                from: &default.knobs,
                schedule: &task.default,
                of_default: Some(1.0),
            });
        }
        points
    }

    /// Has the learned model choose among more points of the tuner than are tried, as AutoTVM's XGBTuner does.
    pub fn ranked(self, seed: u64) -> Self {
        Self {
            random: Some(fastrand::Rng::with_seed(seed)),
            ..self
        }
    }

    /// Up to so many of the tuner's points that were not tried.
    fn draw(&mut self, task: &Task<'_>, count: usize) -> Result<Vec<Proposal>, DriverError> {
        let mut proposals = Vec::new();
        for _ in 0..DRAWS + self.tried.len() {
            let all = self.choices.space().count();
            if proposals.len() >= count {
                break;
            }
            let all_tried = self.tried.len() as u128 >= all;
            let point = (!all_tried).then(|| self.tuner.propose(self.choices.space()));
            let Some(point) = point.flatten() else {
                self.is_at_its_end = true;
                break;
            };
            let from = self.choices.text(&point);
            if !self.tried.insert(from.clone()) {
                continue;
            }
            match task.chosen(&from)? {
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
}

impl Proposer for Points {
    fn name(&self) -> String {
        format!("{} over {}", self.tuner.name(), self.choices.describe())
    }

    fn propose(
        &mut self,
        task: &Task<'_>,
        count: usize,
        learner: Option<&Learner>,
    ) -> Result<Vec<Proposal>, DriverError> {
        let draws = match self.random {
            Some(_) => count * Learner::draws_for(learner),
            None => count,
        };
        let drawn = self.draw(task, draws)?;
        let Some(random) = &mut self.random else {
            return Ok(drawn);
        };
        let (chosen, others) = choose(drawn, count, learner, random);
        for other in others {
            self.tried.remove(&other.from);
        }
        Ok(chosen)
    }

    fn is_at_its_end(&self) -> bool {
        self.is_at_its_end
    }

    fn learn(&mut self, known: &Known<'_>) {
        // Other tuners of the same file have tried what is no point here.
        if let Some(point) = self.choices.point(known.from) {
            self.tried.insert(self.choices.text(&point));
            let cost = known.of_default.unwrap_or(f64::INFINITY);
            self.tuner.learn(&point, cost);
        }
    }
}
