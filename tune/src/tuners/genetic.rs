//! AutoTVM's genetic tuner: points are crossed and changed, the better ones more often.

use super::Tuner;
use crate::space::{Point, Space};

/// The points by chance that the first ones are, and the most that have offspring. AutoTVM has 100 of both.
const FOUNDERS: usize = 24;
const PARENTS: usize = 32;

/// How often a choice of an offspring is drawn anew; AutoTVM's.
const MUTATED: f64 = 0.1;

/// The tuner.
#[derive(Debug)]
pub struct Genetic {
    random: fastrand::Rng,
    /// The cheapest points, in order.
    population: Vec<(f64, Point)>,
    drawn: usize,
}

impl Genetic {
    /// `seed` decides on what is drawn.
    pub fn new(seed: u64) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            population: Vec::new(),
            drawn: 0,
        }
    }

    /// A parent: the better of two by chance.
    fn parent(&mut self) -> Option<Point> {
        let count = self.population.len();
        if count == 0 {
            return None;
        }
        let place = self.random.usize(0..count).min(self.random.usize(0..count));
        Some(self.population[place].1.clone())
    }
}

impl Tuner for Genetic {
    fn name(&self) -> &'static str {
        "genetic"
    }

    fn propose(&mut self, space: &Space) -> Option<Point> {
        let founders = self.drawn < FOUNDERS;
        self.drawn += usize::from(founders);
        let parents = (!founders)
            .then(|| Some((self.parent()?, self.parent()?)))
            .flatten();
        let Some((first, second)) = parents else {
            return Some(space.draw(&mut self.random));
        };
        let cut = self.random.usize(0..=first.len());
        let mut point: Point = first[..cut].iter().chain(&second[cut..]).copied().collect();
        for (digit, size) in point.iter_mut().zip(space.sizes()) {
            if self.random.f64() < MUTATED {
                *digit = self.random.usize(0..*size);
            }
        }
        Some(point)
    }

    fn learn(&mut self, point: &Point, cost: f64) {
        if cost.is_finite() {
            self.population.push((cost, point.clone()));
            self.population.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.population.truncate(PARENTS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valley_is_found() {
        let space = Space::new(vec![32, 32, 32]);
        let cost = |point: &Point| {
            point
                .iter()
                .map(|digit| (*digit as f64 - 20.0).abs())
                .sum::<f64>()
        };
        let mut tuner = Genetic::new(3);
        let mut best = f64::INFINITY;
        for _ in 0..400 {
            let point = tuner.propose(&space).expect("it has always one more");
            best = best.min(cost(&point));
            tuner.learn(&point, cost(&point));
        }
        // 400 points by chance come within 4 of it half of the time.
        assert!(best <= 3.0, "{best}");
    }
}
