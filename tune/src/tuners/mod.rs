//! Ways through a [`Space`]: which points are tried next, by what came of others.

mod annealing;
mod droplet;
mod genetic;
mod grid;
mod random;

pub use annealing::{Annealing, Nearest, Rank};
pub use droplet::Droplet;
pub use genetic::Genetic;
pub use grid::Grid;
pub use random::Random;

use crate::space::{Point, Space};

/// A way through a space.
pub trait Tuner {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// A point of the space to try; it may have been tried before. None if there are no more, or if what comes next depends on
    /// what comes of points that were proposed before.
    fn propose(&mut self, space: &Space) -> Option<Point>;

    /// Takes in what a point costs: how many times as long as the default it takes, or infinity if it failed.
    fn learn(&mut self, point: &Point, cost: f64);
}

/// What the tests of tuners share: functions over spaces, and the loop around a tuner.
#[cfg(test)]
mod trials {
    use super::{Point, Space, Tuner};
    use std::collections::HashSet;

    /// How far a point is from a valley at 20 in each choice, as a cost; all points nearer than `flat` are as good.
    pub fn valley(point: &Point, flat: f64) -> f64 {
        let far: f64 = point.iter().map(|digit| (*digit as f64 - 20.0).abs()).sum();
        1.0 + far.max(flat)
    }

    /// What a tuner comes to.
    pub struct Found {
        /// The least cost.
        pub cost: f64,
        /// The distinct points that were tried, in order.
        pub tried: Vec<Point>,
    }

    /// Tries up to `most` distinct points, in batches of eight as the tuner for kernels does.
    pub fn run(
        tuner: &mut dyn Tuner,
        space: &Space,
        most: usize,
        cost: &dyn Fn(&Point) -> f64,
    ) -> Found {
        let mut known = HashSet::new();
        let (mut best, mut tried) = (f64::INFINITY, Vec::new());
        while tried.len() < most {
            let mut batch = Vec::new();
            let count = (most - tried.len()).min(8);
            for _ in 0..1000 {
                let next = (batch.len() < count).then(|| tuner.propose(space));
                match next.flatten() {
                    Some(point) if known.insert(point.clone()) => batch.push(point),
                    Some(_) => {}
                    None => break,
                }
            }
            if batch.is_empty() {
                break;
            }
            for point in batch {
                assert!(space.has(&point));
                let cost = cost(&point);
                best = best.min(cost);
                tuner.learn(&point, cost);
                tried.push(point);
            }
        }
        Found { cost: best, tried }
    }
}
