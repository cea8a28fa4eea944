//! Products of bytes.

use relay_dialects::{dim::Dim, relay::ops::qnn::WORD};

/// The numbers of 32-bit lanes that vectors have.
const LANES: [i64; 3] = [4, 8, 16];

/// The most groups that are computed together, with zeros for the inputs of others. Derived: a word of bytes is multiplied in the time of one float.
const MOST_GROUPS: i64 = WORD;

/// The fewest groups of a convolution whose inputs fill whole words and whose outputs fill whole vectors; `None` if that takes more than
/// [`MOST_GROUPS`]. `kernel` is the shape of its weight.
pub fn groups_together(groups: i64, kernel: &[i64], lanes: i64) -> Option<i64> {
    let (inputs, outputs) = (kernel[1], kernel[0] / groups.max(1));
    let is_whole = |together: &i64| {
        let divides = groups % together == 0;
        divides && together * inputs % WORD == 0 && together * outputs % lanes == 0
    };
    (1..=MOST_GROUPS).find(is_whole)
}

/// Whether kernels of bytes compute the groups of a convolution, whatever the target's vectors are.
pub fn fits_groups(groups: i64, kernel: &[i64]) -> bool {
    let fits = |lanes| groups_together(groups, kernel, lanes).is_some();
    groups == 1 || LANES.into_iter().all(fits)
}

/// The fewest rows of data for which the second operand of a product is packed into words when the model runs. Measured, in 12 products of 384 x 64 by
/// 64 x 384 on a core of Zen 4: packing takes 0.26 ns for a byte, with a transposition before, and a row saves 0.018 ns for each byte.
const FEWEST_ROWS: i64 = 16;

/// Whether packing a matrix into words takes less time than its products with so many rows save.
pub fn is_worth_packing(rows: Dim) -> bool {
    rows.known().is_some_and(|rows| rows >= FEWEST_ROWS)
}
