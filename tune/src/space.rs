//! Choices that are independent of each other, as points of a grid.

/// A point: for each choice, which of its values.
pub type Point = Vec<usize>;

/// The numbers of values of some choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    sizes: Vec<usize>,
}

impl Space {
    /// Of choices with so many values each; one at least.
    pub fn new(sizes: Vec<usize>) -> Self {
        Self {
            sizes: sizes.into_iter().map(|size| size.max(1)).collect(),
        }
    }

    /// The numbers of values.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many points there are, as far as a number of 128 bits counts.
    pub fn count(&self) -> u128 {
        self.sizes
            .iter()
            .fold(1, |count: u128, size| count.saturating_mul(*size as u128))
    }

    /// The point of an index below [`Space::count`]: the first choice changes fastest.
    pub fn point(&self, mut index: u128) -> Point {
        let digit = |size: &usize| {
            let digit = index % *size as u128;
            index /= *size as u128;
            digit as usize
        };
        self.sizes.iter().map(digit).collect()
    }

    /// The index of a point.
    pub fn index(&self, point: &[usize]) -> u128 {
        let digits = point.iter().zip(&self.sizes).rev();
        digits.fold(0, |index, (digit, size)| {
            index * *size as u128 + *digit as u128
        })
    }

    /// The points that differ from one in one choice, by one value.
    pub fn neighbours(&self, point: &[usize]) -> Vec<Point> {
        let mut found = Vec::new();
        for (choice, (digit, size)) in point.iter().zip(&self.sizes).enumerate() {
            let lower = digit.checked_sub(1);
            let upper = Some(digit + 1).filter(|digit| digit < size);
            for digit in [lower, upper].into_iter().flatten() {
                let mut neighbour = point.to_vec();
                neighbour[choice] = digit;
                found.push(neighbour);
            }
        }
        found
    }

    /// A point by chance.
    pub fn draw(&self, random: &mut fastrand::Rng) -> Point {
        self.sizes
            .iter()
            .map(|size| random.usize(0..*size))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted() {
        let space = Space::new(vec![3, 1, 4]);
        assert_eq!(space.count(), 12);
        for index in 0..12 {
            assert_eq!(space.index(&space.point(index)), index);
        }
        assert_eq!(space.point(5), [2, 0, 1]);
        assert_eq!(Space::new(vec![usize::MAX; 3]).count(), u128::MAX);
    }

    #[test]
    fn neighbours_differ_in_one_choice() {
        let space = Space::new(vec![3, 1, 2]);
        assert_eq!(
            space.neighbours(&[1, 0, 0]),
            [[0, 0, 0], [2, 0, 0], [1, 0, 1]]
        );
    }
}
