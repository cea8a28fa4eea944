//! AutoTVM's grid search: all points in their order.

use super::Tuner;
use crate::space::{Point, Space};

/// The tuner.
#[derive(Debug, Default)]
pub struct Grid {
    next: u128,
}

impl Tuner for Grid {
    fn name(&self) -> &'static str {
        "grid"
    }

    fn propose(&mut self, space: &Space) -> Option<Point> {
        let index = Some(self.next).filter(|index| *index < space.count())?;
        self.next += 1;
        Some(space.point(index))
    }

    fn learn(&mut self, _: &Point, _: f64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_comes_once_and_in_order() {
        let space = Space::new(vec![2, 2]);
        let mut tuner = Grid::default();
        let all: Vec<Point> = std::iter::from_fn(|| tuner.propose(&space)).collect();
        assert_eq!(all, [[0, 0], [1, 0], [0, 1], [1, 1]]);
        assert_eq!(Grid::default().propose(&Space::new(vec![])), Some(vec![]));
        let none = Space::listed(vec![2], Vec::new());
        assert_eq!(Grid::default().propose(&none), None);
    }
}
