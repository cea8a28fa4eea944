//! The numbers of a machine that were fitted to measured times of kernels. No manual has them.
//!
//! `relayc refit` fits them to the measurements of `relayc candidates`, and prints old and new values. The values, and what they were
//! fitted to, are in the [files](crate::files) of the microarchitectures. They differ between vectors of 512 bits and narrower ones
//! because a vector of 512 bits is a whole cache line, and L2 delivers at most one load per cycle; a line has two vectors of 256
//! bits, and the second one arrives with the first.

/// Declares the numbers and a list of them by name.
macro_rules! fitted {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {
        /// Numbers of a machine that were fitted to measured times.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Fitted {
            $($(#[doc = $doc])* pub $name: f64,)*
        }

        impl Fitted {
            /// The names of all numbers.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// The numbers that `value` gives by name.
            pub(crate) fn of_numbers(mut value: impl FnMut(&str) -> Option<f64>) -> Option<Self> {
                Some(Self { $($name: value(stringify!($name))?,)* })
            }

            /// All numbers, by name.
            pub fn by_name(&mut self) -> Vec<(&'static str, &mut f64)> {
                vec![$((stringify!($name), &mut self.$name),)*]
            }
        }
    };
}

fitted! {
    /// Cycles of a convolution per load of a vector or of a broadcast number.
    cycles_of_load;
    /// Additional loads per vector of a convolution's weight that comes from L2 for each row of pixels.
    loads_of_weight;
    /// The same for a weight that comes from L1.
    loads_of_near_weight;
    /// Loads per sum that is stored and reloaded between two blocks of inputs, or two kernel positions.
    loads_of_sums;
    /// The slowdown of the order by kernel positions, if a row has two or three tiles and more sums than registers. LLVM unrolls such
    /// loops and spills the sums within the innermost loops.
    slowdown_of_spilled_taps;
    /// The cost of loading a vector of a product's columns (from L2) / the cost of loading a number of its rows (from L1).
    column_loads;
    /// Cycles per load of a depthwise convolution.
    cycles_of_depthwise_load;
    /// Additional cycles per multiply-add of a depthwise convolution, for each column of a tile beyond those that hide its latency, if a
    /// row has several tiles. Then only one tile is in flight.
    cycles_of_more_columns;
    /// Cycles to pad a vector: a bounds check, a load and a store.
    cycles_of_padded_vector;
    /// The load rate of recently written padded rows / the rate of L2.
    rate_of_padded_rows;
    /// The number of windows of a pool in flight; each is a chain of dependent operations.
    pools_under_way;
    /// The share of a load's time that counts although multiply-adds hide it.
    spare_loads;
    /// Cycles per function of a vector, such as a division or an exponential.
    cycles_of_function;
    /// Cycles per cache line that L1 has evicted before its next use.
    cycles_of_line;
    /// Cycles per vector in one transform of Winograd's algorithm: a load, the sums of both dimensions, and a store.
    cycles_of_transform;
}
