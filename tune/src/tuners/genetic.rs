//! AutoTVM's genetic tuner: points are crossed and changed, the better ones more often.

use super::Tuner;
use crate::space::{Point, Space};

/// While fewer points are known, more are drawn by chance. AutoTVM has 100; a run of ours tries fewer points of a kernel than that.
const FOUNDERS: usize = 24;

/// The most points that have offspring. AutoTVM has 100, too.
const PARENTS: usize = 32;

/// How often a choice of an offspring is drawn anew; AutoTVM's.
const MUTATED: f64 = 0.1;

/// Offspring that the space does not have is drawn again so often.
const DRAWS: usize = 20;

/// The tuner.
#[derive(Debug)]
pub struct Genetic {
    random: fastrand::Rng,
    /// The cheapest points, in order.
    population: Vec<(f64, Point)>,
}

impl Genetic {
    /// `seed` decides on what is drawn.
    pub fn new(seed: u64) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            population: Vec::new(),
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

    /// The first choices of one parent, the last ones of the other, and some anew.
    fn offspring(&mut self, first: &Point, second: &Point, space: &Space) -> Point {
        let cut = self.random.usize(0..=first.len());
        let mut point: Point = first[..cut].iter().chain(&second[cut..]).copied().collect();
        for (digit, size) in point.iter_mut().zip(space.sizes()) {
            if self.random.f64() < MUTATED {
                *digit = self.random.usize(0..*size);
            }
        }
        point
    }
}

impl Tuner for Genetic {
    fn name(&self) -> &'static str {
        "genetic"
    }

    fn propose(&mut self, space: &Space) -> Option<Point> {
        let is_founder = self.population.len() < FOUNDERS;
        let parents = (!is_founder)
            .then(|| Some((self.parent()?, self.parent()?)))
            .flatten();
        let Some((first, second)) = parents else {
            return space.draw(&mut self.random);
        };
        for _ in 0..DRAWS {
            let point = self.offspring(&first, &second, space);
            if space.has(&point) {
                return Some(point);
            }
        }
        space.draw(&mut self.random)
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
    use super::{super::trials, *};

    #[test]
    fn a_valley_is_found() {
        let space = Space::new(vec![32, 32, 32]);
        let cost = |point: &Point| trials::valley(point, 0.0);
        let found = trials::run(&mut Genetic::new(3), &space, 400, &cost);
        // 400 points by chance come within 4 of it half of the time.
        assert!(found.cost <= 4.0, "{}", found.cost);
    }

    #[test]
    fn offspring_is_of_the_space() {
        let all = Space::new(vec![32, 32]);
        let all = (0..all.count()).map(|index| all.point(index));
        let even = all.filter(|point| point.iter().sum::<usize>() % 2 == 0);
        let space = Space::listed(vec![32, 32], even.collect());
        let cost = |point: &Point| trials::valley(point, 0.0);
        let found = trials::run(&mut Genetic::new(3), &space, 128, &cost);
        assert!(found.cost <= 3.0, "{}", found.cost);
    }
}
