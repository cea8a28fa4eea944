//! What schedules and their costs know of a machine: every number with its unit and where it comes from.
//!
//! The width and number of vector registers follow from the target, the size of a core's second cache is
//! asked of the system for the machine itself. The others are those of no machine in particular: what
//! all x86-64 servers since Skylake have, or the least of them. None of them changes a result.

mod fitted;

pub use fitted::Fitted;

use relay_dialects::index::ceil_div;

/// The bytes of an f32, in which sums of narrower floats are kept, too.
pub const F32_BYTES: i64 = 4;

/// The bytes of a line of the caches: 64 on all x86-64 and most AArch64.
pub const LINE_BYTES: i64 = 64;

/// The bits of the vectors of AVX-512, with which other things are usual than with narrower ones.
const WIDE_BITS: i64 = 512;

/// A machine. One core of it, but for [`Machine::threads`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// The bits of a vector register. From the target's features.
    pub vector_bits: i64,
    /// How many vector registers there are. From the target's features.
    pub registers: i64,
    /// The vectors whose multiply-adds begin in a cycle. Two on x86-64 servers since Haswell
    /// (Intel's optimization manual, "port 0 and 5"), and on Zen.
    pub fma_per_cycle: i64,
    /// The cycles from the begin of a multiply-add to that of one that needs its sum. Four since Skylake
    /// and on Zen (uops.info, VFMADD231PS).
    pub fma_latency: i64,
    /// The vectors loaded in a cycle from the first cache. Two since Haswell (Intel's optimization manual).
    pub loads_per_cycle: i64,
    /// The vectors stored in a cycle to the first cache. One since Haswell; some newer ones store two.
    pub stores_per_cycle: i64,
    /// The bytes of a line of the caches: [`LINE_BYTES`], which `te.prefetch` asks for at a time.
    pub line_bytes: i64,
    /// The bytes of a core's first cache for data. 32 KiB is the least of x86-64 servers of the last ten
    /// years; newer ones have 48.
    pub l1_bytes: i64,
    /// The bytes of a core's own second cache: what the system says of this machine, or else a guess on
    /// the small side from the width of vectors.
    pub l2_bytes: i64,
    /// Bytes in a cycle from the second cache to the first. 48 on Skylake servers: what Intel's optimization manual
    /// gives as sustained, of 64 at best.
    pub l2_bytes_per_cycle: f64,
    /// Bytes in a cycle from the cache that cores share. Fitted by hand, with the times of Winograd's
    /// convolutions beside plain ones, whose weights come from there.
    pub l3_bytes_per_cycle: f64,
    /// Bytes in a cycle from memory to one core. From a product of one row and a matrix of 4096 x 4096 f32,
    /// which took two threads 1.51 ms at 3.3 GHz.
    pub memory_bytes_per_cycle: f64,
    /// The cycles from the begin of a load to an answer of memory: 100 ns (what Intel's Memory Latency Checker finds of
    /// servers since Skylake, 80 to 120) at 3.5 GHz.
    pub memory_latency: i64,
    /// The threads that a schedule must be able to feed evenly. How many there will be is not known when a
    /// kernel is compiled; results must be the same bits for any number, and for up to eight they are evenly busy.
    pub threads: i64,
    /// Whether there are instructions that multiply AMX tiles of bf16, as on x86-64. From the target's features.
    pub amx: bool,
    /// What was fitted to times of kernels.
    pub fitted: Fitted,
}

impl Machine {
    /// A machine with vectors of `vector_bits`, all else being what is usual with those.
    pub fn new(vector_bits: i64) -> Self {
        let is_wide = vector_bits >= WIDE_BITS;
        Self {
            vector_bits,
            registers: if is_wide { 32 } else { 16 },
            fma_per_cycle: 2,
            fma_latency: 4,
            loads_per_cycle: 2,
            stores_per_cycle: 1,
            line_bytes: LINE_BYTES,
            l1_bytes: 32 << 10,
            l2_bytes: if is_wide { 2 << 20 } else { 1 << 19 },
            l2_bytes_per_cycle: 48.0,
            l3_bytes_per_cycle: 5.0,
            memory_bytes_per_cycle: 6.7,
            memory_latency: 350,
            threads: 8,
            amx: false,
            fitted: Fitted::of(vector_bits),
        }
    }

    /// The elements of `bytes` each that a vector register holds.
    pub fn lanes(self, bytes: i64) -> i64 {
        (self.vector_bits / 8 / bytes.max(1)).max(1)
    }

    /// The channels of a block, the columns of a block of a product: a vector of f32, in which narrower
    /// floats are computed, too.
    pub fn block(self) -> i64 {
        self.lanes(F32_BYTES)
    }

    /// The registers that a block of `lanes` f32 takes: one, but for blocks that were made for a newer
    /// machine.
    pub fn registers_of(self, lanes: i64) -> i64 {
        ceil_div(lanes, self.block()).max(1)
    }

    /// Whether so many bytes stay in the second cache beside what streams through it: they take half of it.
    pub fn stays_in_l2(self, bytes: i64) -> bool {
        bytes <= self.l2_bytes / 2
    }

    /// The bytes that stay in the first cache beside what streams through it.
    pub fn kept_in_l1(self) -> i64 {
        self.l1_bytes / 2
    }

    /// The bytes of a block of data that is read again so soon that most of it is still in the first cache, or
    /// on its way from the second: twice the first cache. Fitted by hand: bands of padded rows of depthwise
    /// convolutions, and matrices whose rows lie a page apart.
    pub fn near_bytes(self) -> i64 {
        2 * self.l1_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn lanes_follow_from_the_type() {
        let machine = Machine::new(512);
        assert_eq!(
            [1, 2, 4, 8].map(|bytes| machine.lanes(bytes)),
            [64, 32, 16, 8]
        );
        assert_eq!(Machine::new(128).lanes(8), 2);
        assert_eq!(machine.registers_of(16), 1);
        assert_eq!(Machine::new(256).registers_of(16), 2);
    }
}
