//! Choices read from a list of numbers, so that proptest's shrinking of the list makes the program and
//! its schedule simpler: at the list's end every choice is the first one.

/// A list of numbers that is read once, from front to back.
pub struct Tape<'a> {
    numbers: &'a [u16],
    at: usize,
}

impl<'a> Tape<'a> {
    /// Reads `numbers`.
    pub fn new(numbers: &'a [u16]) -> Self {
        Self { numbers, at: 0 }
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(number) % limit.max(1)
    }

    /// A number from `low` to `high`, both inclusive.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// One of the items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// True once in `times`; never at the list's end.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Whether all numbers have been read.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.numbers.len()
    }
}
