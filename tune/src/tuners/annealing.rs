//! AutoTVM's search with a model: simulated annealing finds the points that the model expects to be fastest.
//!
//! XGBTuner asks a model that learns from what was measured; here that is any [`Rank`]. Its annealing has so many points walk at a time,
//! of which each steps to a neighbour if that scores higher, and by chance if not, ever more rarely. Of the points that scored highest
//! and were not tried yet, a batch is chosen that differs in its choices.

use super::Tuner;
use crate::space::{Point, Space};
use std::collections::{HashMap, HashSet, VecDeque};

/// A model of what points cost.
pub trait Rank {
    /// A score for each point: the higher the faster.
    fn score(&self, points: &[Point]) -> Vec<f64>;

    /// Takes in what a point costs, or infinity if it failed.
    fn learn(&mut self, point: &Point, cost: f64);
}

/// What the nearest known point costs: the model where there is no other.
#[derive(Debug, Default)]
pub struct Nearest {
    known: Vec<(Point, f64)>,
}

/// A point that failed counts as one that takes so many times as long as the default.
const FAILED: f64 = 10.0;

/// How fast what a known point says fades: at a distance of 10, half of its score is left. The number was set by hand.
const FADING: f64 = 0.1;

impl Nearest {
    fn score(&self, point: &Point) -> f64 {
        let nearest = self
            .known
            .iter()
            .min_by_key(|(known, _)| distance(known, point));
        // Where nothing near is known, the score is near that of the default, which is 0.
        nearest.map_or(0.0, |(known, cost)| {
            -cost.ln() / (1.0 + FADING * distance(known, point) as f64)
        })
    }
}

/// How far two points are: the sum over choices of the binary digits of the steps between them, so that one choice that is far off does
/// not hide the others.
fn distance(a: &Point, b: &Point) -> u32 {
    let steps = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    steps.map(|steps| usize::BITS - steps.leading_zeros()).sum()
}

impl Rank for Nearest {
    fn score(&self, points: &[Point]) -> Vec<f64> {
        points.iter().map(|point| self.score(point)).collect()
    }

    fn learn(&mut self, point: &Point, cost: f64) {
        let cost = if cost.is_finite() { cost } else { FAILED };
        self.known
            .push((point.clone(), cost.max(f64::MIN_POSITIVE)));
    }
}

/// The points that walk at a time, and the most steps of each. AutoTVM has 128 and 500.
const WALKERS: usize = 32;
const STEPS: usize = 100;

/// The points of a batch that are proposed before the model is asked again. AutoTVM has 64.
const BATCH: usize = 16;

/// While fewer points are known, they are drawn by chance. This number and the next two were set by hand.
const FOUNDERS: usize = 16;
/// What part of the points is drawn by chance later on.
const RANDOM: f64 = 0.1;

/// How much a choice that no other point of the batch has counts, beside scores that lie between 0 and 1.
const DIVERSITY: f64 = 0.3;

/// The tuner.
pub struct Annealing {
    random: fastrand::Rng,
    model: Box<dyn Rank>,
    /// The cheapest points, in order: walks begin there.
    best: Vec<(f64, Point)>,
    known: HashSet<Point>,
    batch: VecDeque<Point>,
}

impl Annealing {
    /// `seed` decides on what is drawn, the model on what is proposed.
    pub fn new(seed: u64, model: Box<dyn Rank>) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            model,
            best: Vec::new(),
            known: HashSet::new(),
            batch: VecDeque::new(),
        }
    }

    /// Walks from the best points and from others by chance. Returns what was met and is not known, with its score.
    fn anneal(&mut self, space: &Space) -> Vec<(f64, Point)> {
        let starts = self.best.iter().take(WALKERS / 2);
        let mut points: Vec<Point> = starts.map(|(_, point)| point.clone()).collect();
        points.extend(
            std::iter::from_fn(|| space.draw(&mut self.random)).take(WALKERS - points.len()),
        );
        let mut scores = self.model.score(&points);
        let mut met: HashMap<Point, f64> = HashMap::new();
        for step in 0..STEPS {
            let steps: Vec<Point> = points
                .iter()
                .map(|from| walk(from, space, &mut self.random))
                .collect();
            let after = self.model.score(&steps);
            let temperature = 1.0 - step as f64 / STEPS as f64;
            for (place, (point, score)) in steps.into_iter().zip(after).enumerate() {
                met.insert(point.clone(), score);
                let loss = scores[place] - score;
                if loss <= 0.0 || self.random.f64() < (-loss / temperature.max(1e-6)).exp() {
                    (points[place], scores[place]) = (point, score);
                }
            }
        }
        let unknown = met
            .into_iter()
            .filter(|(point, _)| !self.known.contains(point));
        let mut unknown: Vec<(f64, Point)> = unknown.map(|(point, score)| (score, point)).collect();
        unknown.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        unknown.truncate(4 * BATCH);
        unknown
    }
}

/// A point that differs in one choice from another one; the same if the space has none such.
fn walk(from: &Point, space: &Space, random: &mut fastrand::Rng) -> Point {
    let open: Vec<usize> = (0..from.len())
        .filter(|it| space.sizes()[*it] > 1)
        .collect();
    for _ in 0..8 {
        let Some(choice) = random.choice(&open) else {
            break;
        };
        let mut point = from.clone();
        point[*choice] = random.usize(0..space.sizes()[*choice]);
        if point != *from && space.has(&point) {
            return point;
        }
    }
    from.clone()
}

/// Points that score high and differ in their choices: one after the other is taken, the best by its score and by how many of its
/// choices none before it has.
fn pick(mut scored: Vec<(f64, Point)>) -> VecDeque<Point> {
    let high = scored.first().map_or(0.0, |(score, _)| *score);
    let low = scored.last().map_or(0.0, |(score, _)| *score);
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    let mut picked = VecDeque::new();
    while picked.len() < BATCH && !scored.is_empty() {
        let worth = |(score, point): &(f64, Point)| {
            let new = point
                .iter()
                .copied()
                .enumerate()
                .filter(|it| !seen.contains(it))
                .count();
            (score - low) / (high - low).max(1e-12)
                + DIVERSITY * new as f64 / point.len().max(1) as f64
        };
        let worths = scored.iter().map(worth).enumerate();
        // Of equal ones the first is taken.
        let best = worths.rev().max_by(|a, b| a.1.total_cmp(&b.1));
        let (_, point) = scored.remove(best.map_or(0, |(place, _)| place));
        seen.extend(point.iter().copied().enumerate());
        picked.push_back(point);
    }
    picked
}

impl Tuner for Annealing {
    fn name(&self) -> &'static str {
        "annealing"
    }

    fn propose(&mut self, space: &Space) -> Option<Point> {
        if self.known.len() < FOUNDERS || self.random.f64() < RANDOM {
            return space.draw(&mut self.random);
        }
        if self.batch.is_empty() {
            self.batch = pick(self.anneal(space));
        }
        // Nothing unknown was met: there may be something far off.
        self.batch
            .pop_front()
            .or_else(|| space.draw(&mut self.random))
    }

    fn learn(&mut self, point: &Point, cost: f64) {
        self.known.insert(point.clone());
        self.batch.retain(|planned| planned != point);
        self.model.learn(point, cost);
        if cost.is_finite() {
            let place = self.best.partition_point(|(known, _)| *known <= cost);
            self.best.insert(place, (cost, point.clone()));
            self.best.truncate(WALKERS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::trials, *};

    fn anneal(space: &Space, most: usize, flat: f64) -> trials::Found {
        let mut tuner = Annealing::new(3, Box::new(Nearest::default()));
        trials::run(&mut tuner, space, most, &|point| {
            trials::valley(point, flat)
        })
    }

    /// A model that knows.
    struct Perfect;

    impl Rank for Perfect {
        fn score(&self, points: &[Point]) -> Vec<f64> {
            points
                .iter()
                .map(|point| -trials::valley(point, 0.0))
                .collect()
        }

        fn learn(&mut self, _: &Point, _: f64) {}
    }

    #[test]
    fn a_valley_is_found() {
        let found = anneal(&Space::new(vec![32, 32, 32]), 400, 0.0);
        // 400 points by chance come within 4 of it half of the time.
        assert!(found.cost <= 3.0, "{}", found.cost);
    }

    #[test]
    fn a_model_that_knows_finds_it_at_once() {
        let mut tuner = Annealing::new(3, Box::new(Perfect));
        let space = Space::new(vec![32, 32, 32]);
        let cost = |point: &Point| trials::valley(point, 0.0);
        let found = trials::run(&mut tuner, &space, 64, &cost);
        assert_eq!(found.cost, 1.0);
    }

    #[test]
    fn a_plateau_is_walked_without_repeats_and_a_point_is_enough() {
        let space = Space::new(vec![4, 4]);
        assert_eq!(anneal(&space, 16, f64::from(u8::MAX)).tried.len(), 16);
        assert_eq!(anneal(&Space::new(vec![1, 1]), 16, 0.0).tried.len(), 1);
    }

    #[test]
    fn a_large_space_is_not_enumerated() {
        let space = Space::new(vec![2; 40]);
        assert_eq!(anneal(&space, 100, 0.0).tried.len(), 100);
    }

    #[test]
    fn a_batch_differs_in_its_choices() {
        let near = (0..40).map(|digit| (1.0 - 0.001 * f64::from(digit), vec![0, digit as usize]));
        let other = (0.99, vec![1, 50]);
        let mut scored: Vec<_> = near.collect();
        scored.push(other.clone());
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let place = pick(scored).iter().position(|point| *point == other.1);
        // Ten score higher.
        assert!(place.is_some_and(|place| place < 8), "{place:?}");
    }
}
