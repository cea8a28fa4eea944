//! Schedules that are like the best ones: edits of them, kept where they gain.
//!
//! When a [`Learner`] can rank them, many more are drawn than are tried: the best by its model, and a few at random, so that it learns
//! what it would not choose.

use super::{
    learner::Learner,
    population::Population,
    propose::{Known, Proposal, Proposer, choose},
    task::Task,
    tried::{Tried, draw_up_to},
};
use crate::DriverError;
use relay_tune::{
    edits::{Edit, Genome, edits},
    schedule::schedule,
};
use std::collections::{HashMap, HashSet};

/// So many templates' choices are tried before their offspring, by predicted cycles.
const FOUNDERS: usize = 16;

/// Offspring that is no schedule, or known, is drawn again so often.
const DRAWS: usize = 200;

/// What separates a base from its edits in a record's `from`.
const EDITS: &str = " | ";

/// The templates' choices and their offspring.
pub struct Evolution {
    random: fastrand::Rng,
    /// What was measured.
    population: Population<Individual>,
    tried: Tried,
    /// The bases that there are: the templates' choices, and the default.
    bases: HashSet<String>,
    dry: bool,
}

/// A schedule that was measured.
#[derive(Clone, Debug)]
struct Individual {
    base: String,
    genome: Genome,
}

impl Evolution {
    /// Nothing was tried yet; the default is there. `seed` decides on what is drawn.
    pub fn new(task: &Task<'_>, seed: u64) -> Self {
        // A schedule that was written by hand is of no template.
        let base = task.candidates.first().map(|default| default.knobs.clone());
        let founder = Individual {
            base: base.unwrap_or_default(),
            genome: Genome::default(),
        };
        let mut tried = Tried::default();
        tried.add(&founder.base);
        tried.add_schedule(&task.default);
        let choices = task.candidates.iter().map(|choice| choice.knobs.clone());
        let bases = choices.chain([founder.base.clone()]).collect();
        let mut population = Population::new();
        population.add(founder, 1.0);
        Self {
            random: fastrand::Rng::with_seed(seed),
            tried,
            bases,
            population,
            dry: false,
        }
    }

    /// The next templates' choices.
    fn founders(&mut self, task: &Task<'_>, count: usize) -> Result<Vec<Proposal>, DriverError> {
        let all = task.candidates.iter().take(FOUNDERS);
        let untried: Vec<_> = all
            .filter(|it| !self.tried.has(&it.knobs))
            .take(count)
            .cloned()
            .collect();
        let mut proposals = Vec::new();
        for candidate in untried {
            self.tried.add(&candidate.knobs);
            let (schedule, features) = task.schedule_of(&candidate)?;
            if self.tried.add_schedule(&schedule) {
                proposals.push(Proposal {
                    from: candidate.knobs,
                    schedule,
                    features,
                });
            }
        }
        Ok(proposals)
    }

    /// An offspring of the best; none if it was tried, or is no schedule.
    fn offspring(&mut self, task: &Task<'_>, bases: &mut Bases) -> Option<Proposal> {
        let parent = self.population.parent(&mut self.random)?;
        let other = self.population.parent(&mut self.random)?;
        let mut genome = parent.genome.clone();
        if other.base == parent.base && self.random.f64() < CROSSED {
            genome = genome.cross(&other.genome, &mut self.random);
        }
        let edits = bases.edits(task, &parent.base);
        for _ in 0..1 + self.random.usize(0..MOST_EDITS) {
            if edits.is_empty() {
                return None;
            }
            genome = match self.random.f64() < LEFT && !genome.is_empty() {
                true => genome.without(self.random.usize(0..genome.len())),
                false => genome.with(edits[self.random.usize(0..edits.len())].clone()),
            };
        }
        let from = format!("{}{EDITS}{genome}", parent.base);
        if genome.is_empty() || !self.tried.add(&from) {
            return None;
        }
        let (schedule, features) = task.edited(&parent.base, &genome)?;
        let is_new = self.tried.add_schedule(&schedule);
        is_new.then_some(Proposal {
            from,
            schedule,
            features,
        })
    }
}

/// How often two parents are crossed. This number and the next two were set by hand.
const CROSSED: f64 = 0.3;
/// How often an edit is taken back where another one could be made.
const LEFT: f64 = 0.2;
/// The most edits of an offspring at a time.
const MOST_EDITS: usize = 2;

/// The edits of bases.
#[derive(Default)]
struct Bases(HashMap<String, Vec<Edit>>);

impl Bases {
    fn edits(&mut self, task: &Task<'_>, base: &str) -> &[Edit] {
        self.0.entry(base.to_owned()).or_insert_with(|| {
            let mut found = Vec::new();
            task.ir.schedule_by(|function| {
                task.write_base(base, function);
                found = schedule(function).map(edits).unwrap_or_default();
            });
            found
        })
    }
}

impl Proposer for Evolution {
    fn name(&self) -> String {
        format!("evolution of {} choices of templates", self.bases.len())
    }

    fn propose(
        &mut self,
        task: &Task<'_>,
        count: usize,
        learner: Option<&Learner>,
    ) -> Result<Vec<Proposal>, DriverError> {
        let mut proposals = self.founders(task, count)?;
        let wanted = count - proposals.len();
        if self.dry || wanted == 0 {
            return Ok(proposals);
        }
        let mut bases = Bases::default();
        let draws = wanted * Learner::draws_for(learner);
        let drawn = draw_up_to(draws, DRAWS, || self.offspring(task, &mut bases));
        let (chosen, others) = choose(drawn, wanted, learner, &mut self.random);
        self.tried.forget(&others);
        proposals.extend(chosen);
        self.dry = proposals.is_empty();
        Ok(proposals)
    }

    fn learn(&mut self, known: &Known<'_>) {
        self.tried.add(known.from);
        self.tried.add_schedule(known.schedule);
        let (base, genome) = known.from.split_once(EDITS).unwrap_or((known.from, ""));
        let (Some(of_default), Ok(genome)) = (known.of_default, genome.parse()) else {
            return;
        };
        // Other tuners of the same file have tried what has no edits here.
        if self.bases.contains(base) {
            let base = base.to_owned();
            self.population.add(Individual { base, genome }, of_default);
        }
    }
}
