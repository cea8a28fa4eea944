//! What is worth asking for before it is read, and how long before.

use super::Cycles;
use crate::schedule::Machine;
use relay_dialects::index::ceil_div;

/// The most requests that stand one after the other, without a loop. By hand: as many cache lines as a step of a panel reads.
pub const MOST_UNROLLED: i64 = 32;

/// The lines of a stream that are asked for before they are read: one for each step of a tile, some hundred
/// multiply-adds in all, which is several times as long as the second cache takes to answer. Fitted by hand:
/// between 8 and 64 lines no difference was measured.
const LINES_AHEAD: i64 = 16;

/// Tiles of fewer registers wait for each other's sums or for memory, whatever is asked for. Derived: two
/// multiply-adds begin in a cycle, each of which takes four.
fn least_sums(machine: Machine) -> i64 {
    machine.fma_per_cycle * machine.fma_latency
}

/// How many steps before it is read a stream of vectors is asked for, of which a step of a tile reads
/// `step_bytes`, one after the other, and all steps `bytes`. None if it stays in the first cache, of which it
/// takes less than a quarter, or for a tile of few `sums`.
pub fn steps_ahead(step_bytes: i64, bytes: i64, sums: i64, machine: Machine) -> Option<i64> {
    let is_stream = 4 * bytes >= machine.l1_bytes && sums >= least_sums(machine);
    is_stream.then_some((LINES_AHEAD * machine.line_bytes / step_bytes.max(1)).max(1))
}

/// Whether a line for each pixel of a tile is worth asking for, where the next ones lie so many bytes after these:
/// those that lie closer are there, as the processor itself fetches the neighbours of what is read.
pub fn is_far(bytes: i64, sums: i64, machine: Machine) -> bool {
    bytes >= LINES_AHEAD * machine.line_bytes && sums >= least_sums(machine)
}

/// A panel of the second operand, which tiles of the same columns read one after the other.
#[derive(Clone, Copy)]
pub struct Panel {
    /// Its bytes.
    pub bytes: i64,
    /// How many tiles read it.
    pub readers: i64,
}

impl Panel {
    /// Whether it is worth asking for while tiles read the one before. A panel of an eighth of the first cache is
    /// there as soon as one asks. Two of them fill three quarters of the second cache at most, or each would drive the
    /// other out. Two readers are enough: Winograd's products of two tiles, 512 channels at 7 x 7, take 1.10 of the time
    /// where only streams are asked for.
    pub fn is_worth_asking(self, machine: Machine) -> bool {
        let is_small = 8 * self.bytes < machine.l1_bytes;
        self.readers > 1 && !is_small && !self.is_too_large(machine)
    }

    /// Whether two of them would fill more than three quarters of the second cache.
    pub fn is_too_large(self, machine: Machine) -> bool {
        8 * self.bytes > 3 * machine.l2_bytes
    }

    /// How many steps of a tile, of `depth` in all, ask for lines of the panel together: they divide the `extent` of a
    /// loop, and the lines are at most [`MOST_LINES_TOGETHER`]. None if few would.
    pub fn steps_together(self, extent: i64, depth: i64, machine: Machine) -> Option<i64> {
        let all_steps = self.readers * depth;
        let lines = |steps: i64| ceil_div(steps * self.bytes, all_steps * machine.line_bytes);
        let mut steps = (MIN_STEPS_TOGETHER..=STEPS_TOGETHER).rev();
        steps.find(|steps| extent % steps == 0 && lines(*steps) <= MOST_LINES_TOGETHER)
    }
}

/// So many steps of a tile ask for lines of a panel together: in each step it would cost as much as loading them.
/// Fitted by hand: products of 1024 x 1024 x 1024.
const STEPS_TOGETHER: i64 = 16;

/// With fewer, asking costs more than it brings. By hand: a step of a tile takes some ten cycles, what it takes to
/// ask two.
const MIN_STEPS_TOGETHER: i64 = 4;

/// The lines that a core waits for at a time: 16 fill buffers on Golden Cove (Intel's optimization manual). Winograd's
/// products of 512 channels at 7 x 7 that asked for 24 at a time took 0.71 ms in ResNet-18, and 0.63 when they asked for
/// 12 (Zen 5); at most 8 were no better than at most 16.
const MOST_LINES_TOGETHER: i64 = 16;

/// How many rows of so many cycles each are computed while memory answers; at least one.
pub fn rows_ahead(row: Cycles, machine: Machine) -> i64 {
    (machine.memory_latency as f64 / row.0.max(1.0))
        .ceil()
        .max(1.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_longer_than_the_first_cache_keeps() {
        let machine = Machine::new(512);
        assert_eq!(steps_ahead(64, 8 << 10, 8, machine), Some(16));
        assert_eq!(steps_ahead(32, 8 << 10, 8, machine), Some(32));
        assert_eq!(steps_ahead(64, 4 << 10, 8, machine), None);
        assert_eq!(steps_ahead(64, 8 << 10, 7, machine), None);
    }

    fn is_worth(bytes: i64, readers: i64, bits: i64) -> bool {
        Panel { bytes, readers }.is_worth_asking(Machine::new(bits))
    }

    #[test]
    fn panels_fit_the_second_cache_twice() {
        assert!(is_worth(768 << 10, 4, 512));
        assert!(!is_worth(800 << 10, 4, 512));
        assert!(!is_worth(1 << 10, 4, 512));
        // A smaller cache holds smaller ones.
        assert!(!is_worth(400 << 10, 4, 256));
    }

    #[test]
    fn panels_are_read_again() {
        assert!(is_worth(64 << 10, 2, 512));
        assert!(!is_worth(64 << 10, 1, 512));
    }

    #[test]
    fn strips_are_whole() {
        let together = |depth: i64| {
            let (bytes, readers) = (64 * depth, 2);
            Panel { bytes, readers }.steps_together(depth, depth, Machine::new(512))
        };
        assert_eq!(together(512), Some(16));
        assert_eq!(together(500), Some(10));
        assert_eq!(together(7), Some(7));
        assert_eq!(together(509), None);
    }

    #[test]
    fn few_lines_are_asked_for_together() {
        let together = |vectors: i64| {
            let (bytes, readers) = (64 * vectors * 512, 2);
            Panel { bytes, readers }.steps_together(16, 512, Machine::new(512))
        };
        // A line in a step, one and a half, and five.
        assert_eq!(together(2), Some(16));
        assert_eq!(together(3), Some(8));
        assert_eq!(together(10), None);
    }
}
