//! AutoTVM's random search: points by chance, none of them twice.

use super::Tuner;
use crate::space::{Point, Space};
use std::collections::HashMap;

/// The tuner.
#[derive(Debug)]
pub struct Random {
    random: fastrand::Rng,
    drawn: u128,
    /// A shuffle of all indices that is made as far as it is drawn from: those that do not stand at their own place.
    moved: HashMap<u128, u128>,
}

impl Random {
    /// `seed` decides on what is drawn.
    pub fn new(seed: u64) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            drawn: 0,
            moved: HashMap::new(),
        }
    }
}

impl Tuner for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    /// A step of Fisher's and Yates' shuffle: the next place changes with one by chance of those behind it.
    fn propose(&mut self, space: &Space) -> Option<Point> {
        let next = Some(self.drawn).filter(|next| *next < space.count())?;
        self.drawn += 1;
        let place = self.random.u128(next..space.count());
        let at_next = self.moved.remove(&next).unwrap_or(next);
        let index = match place == next {
            true => at_next,
            false => self.moved.insert(place, at_next).unwrap_or(place),
        };
        Some(space.point(index))
    }

    fn learn(&mut self, _: &Point, _: f64) {}
}

#[cfg(test)]
mod tests {
    use super::{super::trials, *};
    use std::collections::HashSet;

    #[test]
    fn each_point_comes_once() {
        let space = Space::new(vec![3, 5, 7]);
        let mut tuner = Random::new(1);
        let all: Vec<Point> = std::iter::from_fn(|| tuner.propose(&space)).collect();
        let distinct: HashSet<&Point> = all.iter().collect();
        assert_eq!((all.len(), distinct.len()), (105, 105));
        let in_order = (0..105).map(|index| space.point(index));
        assert!(!all.iter().cloned().eq(in_order));
    }

    #[test]
    fn a_large_space_is_not_enumerated() {
        let space = Space::new(vec![2; 40]);
        let found = trials::run(&mut Random::new(2), &space, 500, &|_| 1.0);
        assert_eq!(found.tried.len(), 500);
    }
}
