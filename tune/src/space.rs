//! Choices as points of a grid: all points of it, or those that are listed.

use std::{collections::HashSet, sync::Arc};

/// A point: for each choice, which of its values.
pub type Point = Vec<usize>;

/// The numbers of values of some choices, and which points there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    sizes: Vec<usize>,
    listed: Option<Arc<Listed>>,
}

/// Points in an order, and the same to look one up.
#[derive(Debug, PartialEq, Eq)]
struct Listed {
    points: Vec<Point>,
    all: HashSet<Point>,
}

impl Listed {
    /// The nearest point whose value in one choice is so much larger or smaller at least: nearest in that choice, then in the others.
    fn nearest(
        &self,
        point: &[usize],
        choice: usize,
        (step, is_up): (usize, bool),
    ) -> Option<Point> {
        let is_there = |other: &&Point| {
            let (from, to) = (point[choice], other[choice]);
            to.abs_diff(from) >= step && (to > from) == is_up
        };
        let far = |other: &&Point| {
            let steps = point.iter().zip(other.iter()).map(|(a, b)| a.abs_diff(*b));
            (point[choice].abs_diff(other[choice]), steps.sum::<usize>())
        };
        self.points.iter().filter(is_there).min_by_key(far).cloned()
    }
}

impl Space {
    /// All points of choices with so many values each; one at least.
    pub fn new(sizes: Vec<usize>) -> Self {
        Self {
            sizes: sizes.into_iter().map(|size| size.max(1)).collect(),
            listed: None,
        }
    }

    /// Some points of choices with so many values each. Others are missing.
    pub fn listed(sizes: Vec<usize>, points: Vec<Point>) -> Self {
        let all = points.iter().cloned().collect();
        Self {
            listed: Some(Arc::new(Listed { points, all })),
            ..Self::new(sizes)
        }
    }

    /// The numbers of values.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many points there are, as far as a number of 128 bits counts.
    pub fn count(&self) -> u128 {
        if let Some(listed) = &self.listed {
            return listed.points.len() as u128;
        }
        self.sizes
            .iter()
            .fold(1, |count: u128, size| count.saturating_mul(*size as u128))
    }

    /// Whether there is a point.
    pub fn has(&self, point: &[usize]) -> bool {
        match &self.listed {
            Some(listed) => listed.all.contains(point),
            None => {
                point.len() == self.sizes.len()
                    && point
                        .iter()
                        .zip(&self.sizes)
                        .all(|(digit, size)| digit < size)
            }
        }
    }

    /// The point of an index below [`Space::count`]: the first choice changes fastest, or listed ones are in their order.
    pub fn point(&self, mut index: u128) -> Point {
        if let Some(listed) = &self.listed {
            return listed.points[index as usize].clone();
        }
        let digit = |size: &usize| {
            let digit = index % *size as u128;
            index /= *size as u128;
            digit as usize
        };
        self.sizes.iter().map(digit).collect()
    }

    /// The points around one: those that differ in one choice, by `step` values. Of listed points, those that differ by at least so
    /// much in a choice, and otherwise the least.
    pub fn neighbours(&self, point: &[usize], step: usize) -> Vec<Point> {
        let mut found: Vec<Point> = Vec::new();
        for choice in 0..point.len() {
            for is_up in [false, true] {
                let neighbour = match &self.listed {
                    None => self.moved(point, choice, (step, is_up)),
                    Some(listed) => listed.nearest(point, choice, (step, is_up)),
                };
                found.extend(neighbour.filter(|neighbour| !found.contains(neighbour)));
            }
        }
        found
    }

    /// A point with another value in one choice; none if there is no such value.
    fn moved(&self, point: &[usize], choice: usize, (step, is_up): (usize, bool)) -> Option<Point> {
        let mut moved = point.to_vec();
        moved[choice] = match is_up {
            true => moved[choice].checked_add(step)?,
            false => moved[choice].checked_sub(step)?,
        };
        self.has(&moved).then_some(moved)
    }

    /// A point by chance; none of an empty list.
    pub fn draw(&self, random: &mut fastrand::Rng) -> Option<Point> {
        match &self.listed {
            Some(listed) if listed.points.is_empty() => None,
            Some(listed) => Some(listed.points[random.usize(0..listed.points.len())].clone()),
            None => {
                let digits = self.sizes.iter();
                Some(digits.map(|size| random.usize(0..*size)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted() {
        let space = Space::new(vec![3, 1, 4]);
        assert_eq!(space.count(), 12);
        let mut points: Vec<Point> = (0..12).map(|index| space.point(index)).collect();
        assert_eq!(points[5], [2, 0, 1]);
        points.sort();
        points.dedup();
        assert!(points.len() == 12 && points.iter().all(|point| space.has(point)));
        assert_eq!(Space::new(vec![usize::MAX; 3]).count(), u128::MAX);
    }

    #[test]
    fn neighbours_differ_in_one_choice() {
        let space = Space::new(vec![3, 1, 2]);
        let found = [vec![0, 0, 0], vec![2, 0, 0], vec![1, 0, 1]];
        assert_eq!(space.neighbours(&[1, 0, 0], 1), found);
        assert_eq!(space.neighbours(&[0, 0, 0], 2), [vec![2, 0, 0]]);
    }

    #[test]
    fn other_points_than_listed_ones_are_missing() {
        let points = vec![vec![0, 0], vec![2, 1], vec![1, 0]];
        let space = Space::listed(vec![3, 2], points.clone());
        assert_eq!(space.count(), 3);
        assert!(!space.has(&[0, 1]) && space.has(&[2, 1]));
        assert_eq!(space.point(1), [2, 1]);
        assert_eq!(space.neighbours(&[0, 0], 1), [vec![1, 0], vec![2, 1]]);
        assert_eq!(space.neighbours(&[0, 0], 2), [vec![2, 1]]);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20 {
            assert!(
                space
                    .draw(&mut random)
                    .is_some_and(|it| points.contains(&it))
            );
        }
        assert_eq!(Space::listed(vec![3], Vec::new()).draw(&mut random), None);
    }
}
