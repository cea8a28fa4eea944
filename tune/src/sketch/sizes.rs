//! Extents of tiles.

use relay_dialects::index::{ceil_div, divisors};

/// The longest tile that does not divide its axis. What is longer is worth nothing that a divisor near is not.
const LONGEST_UNEVEN: i64 = 64;

/// The extents, of no more than `most`, of tiles of an axis: those that divide it, and shorter ones that cover it with few
/// elements too many.
pub fn sizes(extent: i64, most: i64) -> Vec<i64> {
    let most = most.min(extent).max(1);
    let mut found: Vec<i64> = (1..=most.min(LONGEST_UNEVEN))
        .filter(|size| is_nearly_even(extent, *size))
        .collect();
    let longer = divisors(extent).into_iter();
    found.extend(longer.filter(|size| (LONGEST_UNEVEN + 1..=most).contains(size)));
    found
}

/// Whether tiles of a size cover an axis with at most a fifth too many elements.
pub fn is_nearly_even(extent: i64, size: i64) -> bool {
    let covered = ceil_div(extent, size) * size;
    covered - extent <= extent / 5
}

#[cfg(test)]
mod tests {
    use super::sizes;

    #[test]
    fn tiles_waste_little() {
        assert_eq!(sizes(13, 13), [1, 2, 3, 5, 7, 13]);
        assert_eq!(sizes(512, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(sizes(512, 512)[62..], [63, 64, 128, 256, 512]);
        assert_eq!(sizes(1, 8), [1]);
    }
}
