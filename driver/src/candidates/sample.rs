//! Which schedules of a space are measured.

/// Ranks by predicted cycles, of a space of `count`, no more than `most`: all where there are no more; else the cheapest
/// for half of them, the default among these, and for the rest an even sample of the others.
pub fn ranks(count: usize, most: usize) -> Vec<usize> {
    let most = most.max(1);
    if count <= most {
        return (0..count.max(1)).collect();
    }
    let cheapest = most.div_ceil(2);
    let (left, others) = (most - cheapest, count - cheapest);
    let sampled = (1..=left).map(|number| cheapest + number * others / left - 1);
    (0..cheapest).chain(sampled).collect()
}

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn small_spaces_are_taken_whole() {
        assert_eq!(ranks(3, 8), [0, 1, 2]);
        assert_eq!(ranks(0, 8), [0]);
    }

    #[test]
    fn of_large_ones_half_are_the_cheapest() {
        assert_eq!(ranks(100, 8), [0, 1, 2, 3, 27, 51, 75, 99]);
        assert_eq!(ranks(9, 8), [0, 1, 2, 3, 4, 5, 6, 8]);
        assert_eq!(ranks(9, 1), [0]);
    }

    #[test]
    fn none_is_taken_twice() {
        for count in 1..200 {
            for most in 1..70 {
                let found = ranks(count, most);
                assert_eq!(found.len(), count.min(most));
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(found.iter().all(|rank| *rank < count));
            }
        }
    }
}
