//! The numbers of a machine that were fitted to measured times of kernels, and stand in no manual.
//!
//! `relayc refit` fits them again, to what `relayc candidates` measured, and prints old and new values. Others that are set
//! by hand stand where [`cost`](crate::cost) uses them.
//!
//! Each number has two values. The first is for vectors of 512 bits, and is what its comment speaks of. The second is for narrower ones:
//! where it is another number, it is, rounded, what fits best together with the others to up to 32 schedules of each of the 115 kernels of
//! ResNet-50, MobileNet-V2, BERT-base, ResNet-18 and SqueezeNet with AVX2 on Zen 3, 1 thread, if its comment says nothing else. A vector of 512 bits is a line of the caches, and comes
//! from the second one at the rate of a load in a cycle at best; two of 256 bits are in a line, and the second one is there with the first.

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
    /// The cycles that a convolution takes for each load of a vector, or of a number that all lanes share. By hand: a tile
    /// of 14 x 2 runs at 85 of 100 of the peak, as a plain product of matrices does.
    cycles_of_load = 0.75, 0.8;
    /// The loads that a vector of a convolution's weight takes beside its own, because it comes from the second cache for
    /// each row of pixels. By hand.
    loads_of_weight = 3.0, 0.4;
    /// Of these loads, what is left of a weight that comes from the first cache. By hand, as the next one: the last 3 x 3
    /// convolution of ResNet-50, 1.0 ms with all rows of some channels before the next, with tiles of seven columns,
    /// 0.84 ms with a block of inputs at a time; with ten columns and more there was no gain.
    loads_of_near_weight = 1.5, 0.2;
    /// The loads that it takes to keep a sum in memory between two blocks of inputs, or two taps: 0.15 for each multiply-add of a 3 x 3
    /// convolution on blocks of 16. Of twelve convolutions that were measured in both orders, this one took 0.92, 1.00 and
    /// 1.31 of the other's time for those of 3 x 3, and 1.00 to 1.31 for nine of 1 x 1.
    loads_of_sums = 21.6, 2.0;
    /// How much longer one tap after the other takes where a row has two or three tiles and more sums than there are registers. LLVM unrolls
    /// such loops and makes values of all sums, which wait on the stack within the innermost loops then. By hand, with narrower vectors: a
    /// 3 x 3 convolution of 256 channels at 14 x 14 took 1.7 times as long as it was expected to, and one of 7 x 1 at 17 x 17 1.2 to 1.4 times; four tiles and more were
    /// no slower than expected. Not measured with those of 512 bits.
    slowdown_of_spilled_taps = 1.0, 1.5;
    /// What a vector of the columns of a product costs, which comes from the second cache, in numbers of the rows, which
    /// come from the first. By hand: matrix products of `./x bench kernels`; with narrower vectors so that tiles of 4 x 3 are cheaper than those of
    /// 6 x 2, and these than those of 2 x 4 (512 x 3072 by 3072 x 768, Zen 3: 15.2, 16.6 and 19.6 ms).
    column_loads = 2.5, 1.0;
    /// The cycles that a load of a depthwise convolution takes. Fitted, as the next three, to 240 schedules of the depthwise
    /// convolutions of MobileNet-V2: the cheapest took 1.22 times as long as the best before, and takes 1.04 and 1.03
    /// times as long in two runs.
    cycles_of_depthwise_load = 0.65, 0.22;
    /// The cycles that a multiply-add of a depthwise convolution takes longer for each column of a tile beyond those that hide
    /// its latency, where a row has several tiles. One tile is under way at a time then.
    cycles_of_more_columns = 0.09, 0.09;
    /// The cycles in which a vector is padded: whether it is inside is asked, and it is read and written.
    cycles_of_padded_vector = 2.45, 2.3;
    /// What part of the second cache's rate padded rows have, which were written a moment ago.
    rate_of_padded_rows = 0.4, 1.3;
    /// The windows of a pool that are under way at a time, each of which waits for one element after the other. Fitted to the
    /// 19 pools on blocks of channels of six networks, which took 0.43 of the time predicted for one at a time. With narrower vectors the fit found more
    /// than hide all of the wait, which 8 do.
    pools_under_way = 2.3, 8.0;
    /// What part of a load's time shows although it is hidden behind multiply-adds. By hand: enough to prefer fewer loads
    /// where all else is equal.
    spare_loads = 0.1, 0.1;
    /// The cycles that a function of a vector takes, such as a division or an exponential. Derived: our polynomials have 10
    /// to 20 operations, of which two begin in a cycle; a division of 16 f32 takes 10 (uops.info, VDIVPS on Ice Lake).
    cycles_of_function = 10.0, 10.0;
    /// The cycles that a line takes that is no longer in the first cache when the next element of it is wanted. By hand: the
    /// second cache answers after 14 (Intel's optimization manual, Skylake server), and several answers are under way.
    cycles_of_line = 3.0, 3.0;
    /// The cycles in which a vector takes part in the sums of one transform of Winograd's algorithm: it is read, takes part
    /// in both dimensions' sums, and is written. By hand.
    cycles_of_transform = 8.0, 8.0;
}
