//! What was measured, the fastest first: parents of what is tried next.

/// So many of the best have offspring.
const PARENTS: usize = 8;

/// Individuals, by how many times as long as the default they take.
#[derive(Debug)]
pub struct Population<T> {
    all: Vec<(f64, T)>,
}

impl<T: Clone> Population<T> {
    /// Nobody.
    pub fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// Takes one in. Of equal ones the earlier is first.
    pub fn add(&mut self, individual: T, of_default: f64) {
        let place = self.all.partition_point(|(known, _)| *known <= of_default);
        self.all.insert(place, (of_default, individual));
    }

    /// One of the best, the better ones more often; none of nobody.
    pub fn parent(&self, random: &mut fastrand::Rng) -> Option<T> {
        let best = self.all.len().min(PARENTS);
        if best == 0 {
            return None;
        }
        // The smaller of two draws.
        let place = random.usize(0..best).min(random.usize(0..best));
        Some(self.all[place].1.clone())
    }

    /// All, the fastest first.
    pub fn iter(&self) -> impl Iterator<Item = &(f64, T)> {
        self.all.iter()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
