//! The numbers of a machine that were fitted to measured times of kernels. No manual has them.
//!
//! `relayc refit` fits them to the measurements of `relayc candidates`, and prints old and new values. Other constants, set by hand,
//! are where [`cost`](crate::cost) uses them.
//!
//! Each number has two values. The first is for vectors of 512 bits; its comment describes it. The second is for narrower vectors. If it
//! differs, and its comment says nothing else, it is the rounded best fit of all numbers to up to 32 schedules of each of the 115 kernels
//! of ResNet-50, MobileNet-V2, BERT-base, ResNet-18 and SqueezeNet, with AVX2 on Zen 3, 1 thread. The values differ because a vector of
//! 512 bits is a whole cache line, and L2 delivers at most one load per cycle; a line has two vectors of 256 bits, and the second one
//! arrives with the first.

use super::WIDE_BITS;

/// Declares the numbers, with their values for vectors of 512 bits and for narrower ones, and a list of them by name.
macro_rules! fitted {
    ($($(#[doc = $doc:literal])* $name:ident = $wide:literal, $narrow:literal;)*) => {
        /// Numbers of a machine that were fitted to measured times.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Fitted {
            $($(#[doc = $doc])* pub $name: f64,)*
        }

        impl Fitted {
            /// The numbers of machines whose vectors have so many bits.
            pub fn of(vector_bits: i64) -> Self {
                match vector_bits >= WIDE_BITS {
                    true => Self { $($name: $wide,)* },
                    false => Self { $($name: $narrow,)* },
                }
            }

            /// All numbers, by name.
            pub fn by_name(&mut self) -> Vec<(&'static str, &mut f64)> {
                vec![$((stringify!($name), &mut self.$name),)*]
            }
        }
    };
}

fitted! {
    /// Cycles of a convolution per load of a vector or of a broadcast number. By hand: a register tile of 14 x 2 reaches 85% of
    /// peak FLOP/s, like a plain matrix product.
    cycles_of_load = 0.75, 0.8;
    /// Additional loads per vector of a convolution's weight, because it comes from L2 for each row of pixels. By hand.
    loads_of_weight = 3.0, 0.4;
    /// The same for a weight that comes from L1. By hand, like the next one, on the last 3 x 3 convolution of ResNet-50 with tiles of
    /// seven columns: 1.0 ms by channels, 0.84 ms by blocks of inputs. With ten columns or more there was no gain.
    loads_of_near_weight = 1.5, 0.2;
    /// Loads per sum that is stored and reloaded between two blocks of inputs, or two kernel positions. A 3 x 3 convolution with blocks
    /// of 16 has 144 multiply-adds in between, so this is 0.15 loads per multiply-add. Measured as the time by blocks of inputs / the
    /// time of the other order: 0.92, 1.00 and 1.31 for three 3 x 3 convolutions, 1.00 to 1.31 for nine 1 x 1 convolutions.
    loads_of_sums = 21.6, 2.0;
    /// The slowdown of the order by kernel positions, if a row has two or three tiles and more sums than registers. LLVM unrolls such
    /// loops and spills the sums within the innermost loops. By hand, with narrower vectors, as measured time / predicted time: 1.7 for a
    /// 3 x 3 convolution of 256 channels at 14 x 14, 1.2 to 1.4 for one of 7 x 1 at 17 x 17, no slowdown with four tiles or more. Not
    /// measured with vectors of 512 bits.
    slowdown_of_spilled_taps = 1.0, 1.5;
    /// The cost of loading a vector of a product's columns (from L2) / the cost of loading a number of its rows (from L1). By hand:
    /// matrix products of `./x bench kernels`. With narrower vectors it orders tiles of 4 x 3, 6 x 2 and 2 x 4 by their times (15.2, 16.6
    /// and 19.6 ms for 512 x 3072 by 3072 x 768 on Zen 3).
    column_loads = 2.5, 1.0;
    /// Cycles per load of a depthwise convolution. Fitted, like the next three, to 240 schedules of the depthwise convolutions of
    /// MobileNet-V2. The time of the cheapest schedule / the time of the best one was 1.22 before, and is 1.04 and 1.03 in two runs.
    cycles_of_depthwise_load = 0.65, 0.22;
    /// Additional cycles per multiply-add of a depthwise convolution, for each column of a tile beyond those that hide its latency, if a
    /// row has several tiles. Then only one tile is in flight.
    cycles_of_more_columns = 0.09, 0.09;
    /// Cycles to pad a vector: a bounds check, a load and a store.
    cycles_of_padded_vector = 2.45, 2.3;
    /// The load rate of recently written padded rows / the rate of L2.
    rate_of_padded_rows = 0.4, 1.3;
    /// The number of windows of a pool in flight; each is a chain of dependent operations. Fitted to the 19 pools in channel blocks of six
    /// networks: measured time / predicted time for one window at a time is 0.43. With narrower vectors, the fit gave more than 8, and
    /// 8 windows hide the whole latency.
    pools_under_way = 2.3, 8.0;
    /// The share of a load's time that counts although multiply-adds hide it. By hand: enough to prefer fewer loads if all else is
    /// equal.
    spare_loads = 0.1, 0.1;
    /// Cycles per function of a vector, such as a division or an exponential. Derived: our polynomials have 10 to 20 operations, at two
    /// per cycle; a division of 16 f32 takes 10 cycles (uops.info, VDIVPS on Ice Lake).
    cycles_of_function = 10.0, 10.0;
    /// Cycles per cache line that L1 has evicted before its next use. By hand: L2 has a latency of 14 cycles (Intel's optimization manual,
    /// Skylake server), and several requests overlap.
    cycles_of_line = 3.0, 3.0;
    /// Cycles per vector in one transform of Winograd's algorithm: a load, the sums of both dimensions, and a store. By hand.
    cycles_of_transform = 8.0, 8.0;
}
