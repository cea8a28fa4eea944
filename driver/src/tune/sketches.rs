//! The search of Ansor: states of sketches, at random and by evolution.

use super::{
    learner::Learner,
    population::Population,
    propose::{Known, Proposal, Proposer, choose},
    task::Task,
    tried::{Tried, draw_up_to},
};
use crate::DriverError;
use relay_topi::Machine;
use relay_tune::sketch::{Space, State};

/// So many states at random come before their offspring; Ansor's first population is 50.
const FOUNDERS: usize = 32;

/// What part of the states is drawn at random later on: Ansor's epsilon is 0.05, beside a model that ranks.
const RANDOM: f64 = 0.1;

/// How often two states are crossed.
const CROSSED: f64 = 0.15;

/// The most decisions of an offspring that differ.
const MOST_MUTATIONS: usize = 3;

/// States that are known, or no schedules, are drawn again so often.
const DRAWS: usize = 400;

/// How a record says that a state proposed its schedule.
const PREFIX: &str = "sketch ";

/// States of sketches.
pub struct Sketches {
    space: Option<Space>,
    random: fastrand::Rng,
    population: Population<State>,
    /// How many states were tried, in earlier runs, too.
    count: usize,
    tried: Tried,
}

impl Sketches {
    /// Nothing was tried yet. `seed` decides on what is drawn.
    pub fn new(task: &Task<'_>, machine: Machine, seed: u64) -> Self {
        Self {
            space: Space::of(task.ir.function(), machine),
            random: fastrand::Rng::with_seed(seed),
            population: Population::new(),
            count: 0,
            tried: Tried::default(),
        }
    }

    /// The next state.
    fn draw(&mut self, space: &Space) -> Option<State> {
        let random = &mut self.random;
        if self.count < FOUNDERS || self.population.is_empty() || random.f64() < RANDOM {
            return Some(space.sample(random));
        }
        let mut state = self.population.parent(random)?;
        if random.f64() < CROSSED {
            let other = self.population.parent(random)?;
            state = space.crossover(&state, &other, random).unwrap_or(state);
        }
        for _ in 0..1 + random.usize(0..MOST_MUTATIONS) {
            state = space.mutate(&state, random).unwrap_or(state);
        }
        Some(state)
    }

    /// A schedule of the next state; none if it was tried, or is no schedule.
    fn offspring(&mut self, task: &Task<'_>, space: &Space) -> Option<Proposal> {
        let state = self.draw(space)?;
        let from = from_of(&state);
        if !self.tried.add(&from) {
            return None;
        }
        let (schedule, features) = task.sketched(space, &state)?;
        let is_new = self.tried.add_schedule(&schedule);
        is_new.then_some(Proposal {
            from,
            schedule,
            features,
        })
    }
}

/// What a record says of a state.
pub fn from_of(state: &State) -> String {
    format!(
        "{PREFIX}{}",
        serde_json::to_string(state).unwrap_or_default()
    )
}

/// The state in a record's `from`.
fn state_of(from: &str) -> Option<State> {
    serde_json::from_str(from.strip_prefix(PREFIX)?).ok()
}

impl Proposer for Sketches {
    fn name(&self) -> String {
        let sketches = self.space.as_ref().map_or(0, Space::sketches);
        format!("evolution of {sketches} sketches")
    }

    fn propose(
        &mut self,
        task: &Task<'_>,
        count: usize,
        learner: Option<&Learner>,
    ) -> Result<Vec<Proposal>, DriverError> {
        let Some(space) = self.space.take() else {
            return Ok(Vec::new());
        };
        let draws = count * Learner::draws_for(learner);
        let drawn = draw_up_to(draws, DRAWS, || self.offspring(task, &space));
        self.space = Some(space);
        let (chosen, others) = choose(drawn, count, learner, &mut self.random);
        self.tried.forget(&others);
        Ok(chosen)
    }

    fn learn(&mut self, known: &Known<'_>) {
        self.tried.add_schedule(known.schedule);
        let Some(state) = state_of(known.from) else {
            return;
        };
        self.tried.add(known.from);
        self.count += 1;
        let fits = |space: &Space| space.check(&state).is_ok();
        if let Some(of_default) = known.of_default
            && self.space.as_ref().is_none_or(fits)
        {
            self.population.add(state, of_default);
        }
    }
}
