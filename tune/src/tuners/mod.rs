//! Ways through a [`Space`]: which points are tried next, by what came of others.

mod genetic;

pub use genetic::Genetic;

use crate::space::{Point, Space};

/// A way through a space.
pub trait Tuner {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// A point to try; it may have been tried before. None if there are no more.
    fn propose(&mut self, space: &Space) -> Option<Point>;

    /// Takes in what a point costs: how many times as long as the default it takes, or infinity if it failed.
    fn learn(&mut self, point: &Point, cost: f64);
}
