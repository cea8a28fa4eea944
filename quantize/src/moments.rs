//! Second moments of the data of a matrix product.

/// The sum over rows of data of x[i] * x[j]. By it, the squared error of a product follows from the errors of its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    size: usize,
    sums: Vec<f64>,
}

impl Moments {
    /// Those of no rows, of so many numbers each.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            sums: vec![0.0; size * size],
        }
    }

    /// The numbers of a row.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The memory that they take, in bytes.
    pub fn bytes(size: usize) -> usize {
        size * size * size_of::<f64>()
    }

    /// Adds the moments of some rows: a symmetric matrix.
    pub fn add(&mut self, moments: &[f32]) {
        for (sum, moment) in self.sums.iter_mut().zip(moments) {
            *sum += f64::from(*moment);
        }
    }

    /// That of two numbers of a row.
    pub fn at(&self, first: usize, second: usize) -> f64 {
        self.sums[first * self.size + second]
    }

    /// The sums of the squares.
    pub fn squares(&self) -> Vec<f64> {
        (0..self.size).map(|place| self.at(place, place)).collect()
    }

    /// Whether all are numbers.
    pub fn are_finite(&self) -> bool {
        self.sums.iter().all(|sum| sum.is_finite())
    }
}
