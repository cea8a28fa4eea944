//! Droplet search: coordinate descent from the best point, as a drop runs down a slope.
//!
//! After M. Canesche et al., "The Droplet Search Algorithm for Kernel Scheduling", ACM TACO 2024, as AutoTVM's DropletTuner: the
//! neighbours of the best point are tried, which differ from it in one choice; the first one that is better moves the drop, and the
//! search goes on in that direction. A ring without one is followed by a wider ring, and the last ring ends the search.

use super::Tuner;
use crate::space::{Point, Space};
use std::collections::{HashMap, VecDeque};

/// A point is better if it takes less than this part of the time: what is nearer is noise.
const BETTER: f64 = 0.99;

/// The tuner.
#[derive(Debug, Default)]
pub struct Droplet {
    costs: HashMap<Point, f64>,
    /// The point where the drop is, and its cost.
    best: Option<(Point, f64)>,
    /// How far the ring is; 0 before the first one.
    step: usize,
    /// What is left of the ring.
    ring: VecDeque<Point>,
    /// The points that were proposed and not learned of yet.
    pending: Vec<Point>,
    /// Where the drop was before it moved.
    before: Option<Point>,
}

impl Droplet {
    /// Moves the drop to what is better.
    fn fall(&mut self, point: &Point, cost: f64) {
        let is_better = match &self.best {
            None => cost.is_finite(),
            Some((_, best)) => cost < BETTER * best,
        };
        if is_better {
            let before = self.best.replace((point.clone(), cost));
            self.before = before.map(|(point, _)| point);
            self.step = 0;
            self.ring.clear();
        }
    }

    /// The next ring; none if there is no wider one.
    fn widen(&mut self, space: &Space) -> Option<()> {
        let (best, _) = self.best.clone()?;
        let widest = space.sizes().iter().max().copied().unwrap_or(1);
        let before = self.before.take();
        let onward = before.and_then(|before| onward(&before, &best, space));
        self.step = (2 * self.step).max(1);
        if self.step >= widest && onward.is_none() {
            return None;
        }
        self.ring.extend(onward);
        self.ring.extend(space.neighbours(&best, self.step));
        Some(())
    }
}

/// The point twice as far behind `best` as that is behind `before`, as far as the choices go: steps grow while they gain.
fn onward(before: &Point, best: &Point, space: &Space) -> Option<Point> {
    let digits = before.iter().zip(best).zip(space.sizes());
    let digit = |((before, best), size): ((&usize, &usize), &usize)| {
        (3 * best).saturating_sub(2 * before).min(size - 1)
    };
    let point: Point = digits.map(digit).collect();
    (point != *best && space.has(&point)).then_some(point)
}

impl Tuner for Droplet {
    fn name(&self) -> &'static str {
        "droplet"
    }

    fn propose(&mut self, space: &Space) -> Option<Point> {
        if self.best.is_none() && self.pending.is_empty() {
            // Nothing runs yet: the drop falls from the first point that does.
            let mut all = (0..space.count()).map(|index| space.point(index));
            let first = all.find(|point| !self.costs.contains_key(point))?;
            self.pending.push(first.clone());
            return Some(first);
        }
        loop {
            while let Some(point) = self.ring.pop_front() {
                if !self.costs.contains_key(&point) && !self.pending.contains(&point) {
                    self.pending.push(point.clone());
                    return Some(point);
                }
            }
            if !self.pending.is_empty() {
                return None;
            }
            self.widen(space)?;
        }
    }

    fn learn(&mut self, point: &Point, cost: f64) {
        self.pending.retain(|known| known != point);
        self.costs.insert(point.clone(), cost);
        self.fall(point, cost);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::trials, *};

    fn fall(sizes: Vec<usize>, flat: f64) -> trials::Found {
        let space = Space::new(sizes);
        trials::run(&mut Droplet::default(), &space, 400, &|point| {
            trials::valley(point, flat)
        })
    }

    #[test]
    fn a_valley_is_found() {
        let found = fall(vec![32, 32, 32], 0.0);
        assert_eq!(found.cost, 1.0);
        // The grid has 32768 points.
        assert!(found.tried.len() < 200, "{}", found.tried.len());
    }

    #[test]
    fn a_plateau_ends_the_search() {
        let found = fall(vec![32, 32], f64::from(u8::MAX));
        // The first point, and two rings of each step 1, 2, 4, 8 and 16 inside the space.
        assert_eq!(found.tried.len(), 11);
        assert_eq!(fall(vec![1, 1], 0.0).tried.len(), 1);
    }

    #[test]
    fn a_large_space_is_not_enumerated() {
        let space = Space::new(vec![2; 40]);
        let ones = |point: &Point| 1.0 + (40 - point.iter().sum::<usize>()) as f64;
        let found = trials::run(&mut Droplet::default(), &space, 4000, &ones);
        assert_eq!(found.cost, 1.0);
        assert!(found.tried.len() < 1000, "{}", found.tried.len());
    }

    #[test]
    fn missing_points_are_stepped_over() {
        let points = (0..32).filter(|digit| digit % 4 == 0);
        let space = Space::listed(vec![32], points.map(|digit| vec![digit]).collect());
        let cost = |point: &Point| trials::valley(point, 0.0);
        let found = trials::run(&mut Droplet::default(), &space, 400, &cost);
        assert_eq!(found.cost, 1.0);
    }
}
