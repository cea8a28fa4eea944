//! Convolutions of bytes in groups of channels.

use relay_dialects::relay::ops::qnn::WORD;

/// The numbers of 32-bit lanes that vectors have.
const LANES: [i64; 3] = [4, 8, 16];

/// The most groups that are computed together, with zeros for the inputs of others. Derived: a word of bytes is multiplied in the time of one float.
const MOST_GROUPS: i64 = WORD;

/// So many groups of a convolution are whole words of inputs and whole vectors of outputs; `None` if too many are. `kernel` is the shape of
/// its weight.
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
