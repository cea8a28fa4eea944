//! What schedules and their costs know of a machine.
//!
//! This file says what each number means and its unit. Its value, and where the value comes from, is in the
//! [file](crate::files) of the microarchitecture. None of these numbers changes a result.

use crate::{ByteDot, Fitted, Gpu, Units, dots::Sums};
use relay_dialects::index::ceil_div;

/// The bytes of an f32, in which sums of narrower floats are kept, too.
pub const F32_BYTES: i64 = 4;

/// The bytes of a cache line on all x86-64 and most AArch64 processors.
pub const LINE_BYTES: i64 = 64;

/// The least evaluations of elements, or of vectors of a register tile, for each thread that shares a loop. Two threads share twice as many,
/// five microseconds' work at a cycle each: another thread takes as long to wake up. Fitted by hand: small networks on a machine with other
/// work and sleeping threads.
pub const EVALUATIONS_OF_A_THREAD: i64 = 1 << 13;

/// Declares the numbers of a machine, and how they are read and written by name.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident: $type:ty;)*) => {
        /// A machine: one core of it, but for [`Machine::threads`].
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Machine {
            $($(#[doc = $doc])* pub $name: $type,)*
            /// The matrix instructions, from the target's features.
            pub units: Units,
            /// The instruction that multiplies bytes, from the target's features.
            pub byte_dot: Option<&'static ByteDot>,
            /// The GPU that kernels run on; the other numbers are of the processor beside it.
            pub gpu: Option<Gpu>,
            /// The numbers that were fitted to measured times of kernels.
            pub fitted: Fitted,
        }

        impl Machine {
            /// The names of the numbers beside those of [`Fitted`].
            pub const NUMBERS: &[&str] = &[$(stringify!($name)),*];

            /// A machine whose numbers `value` gives by name, without instructions for matrices and bytes.
            pub(crate) fn of_numbers(mut value: impl FnMut(&str) -> Option<f64>, fitted: Fitted) -> Option<Self> {
                Some(Self {
                    $($name: value(stringify!($name))? as $type,)*
                    units: Units::default(),
                    byte_dot: None,
                    gpu: None,
                    fitted,
                })
            }

            /// All numbers but those of [`Fitted`], by name.
            pub(crate) fn numbers(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name as f64)),*]
            }
        }
    };
}

numbers! {
    /// The bits of a vector register. From the target's features.
    vector_bits: i64;
    /// How many vector registers there are. From the target's features.
    registers: i64;
    /// The vector multiply-adds that start in a cycle.
    fma_per_cycle: i64;
    /// The cycles from a multiply-add to the next one that adds to its sum.
    fma_latency: i64;
    /// The vectors loaded from L1 in a cycle.
    loads_per_cycle: i64;
    /// The vectors stored to L1 in a cycle.
    stores_per_cycle: i64;
    /// The bytes of a cache line, which `te.prefetch` asks for at a time.
    line_bytes: i64;
    /// The bytes of a core's L1 data cache.
    l1_bytes: i64;
    /// The bytes of a core's own L2 cache. For the machine that the compiler runs on, what the system says.
    l2_bytes: i64;
    /// The bytes per cycle from L2 to L1.
    l2_bytes_per_cycle: f64;
    /// The bytes per cycle from the cache that cores share.
    l3_bytes_per_cycle: f64;
    /// The bytes per cycle from memory to one core.
    memory_bytes_per_cycle: f64;
    /// The cycles from a load to an answer of memory.
    memory_latency: i64;
    /// The threads that a schedule must be able to keep evenly busy. How many there will be is not known when a kernel is
    /// compiled, and results must have the same bits for any number.
    threads: i64;
}

impl Machine {
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

    /// Whether an instruction adds the products of four bytes to a sum of 32 bits.
    pub fn sums_bytes(self) -> bool {
        self.byte_dot.is_some_and(|dot| dot.sums == Sums::Bytes)
    }

    /// Whether so many bytes stay in L2 beside what streams through it, which takes the other half.
    pub fn stays_in_l2(self, bytes: i64) -> bool {
        bytes <= self.l2_bytes / 2
    }

    /// The bytes that stay in L1 beside what streams through it.
    pub fn kept_in_l1(self) -> i64 {
        self.l1_bytes / 2
    }

    /// The bytes of a block of data that is read again so soon that most of it is still in L1, or on its way from L2: twice L1.
    /// Fitted by hand: bands of padded rows of depthwise convolutions, and matrices whose rows lie a page apart.
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
