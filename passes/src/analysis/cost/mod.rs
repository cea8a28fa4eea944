//! What the loops of a kernel say of the time that it takes: the features that a learned model of costs reads.
//!
//! They are of the loops that `lower-te` writes, before anything is vectorized, unrolled or simplified.

pub mod kernel;
pub mod nests;
pub mod statements;
pub mod stores;

use relay_dialects::ir::Op;
use relay_tune::cost::Features;

#[cfg(test)]
mod tests;

/// The features of a kernel of `tir` loops; `knobs` are the numbers of the schedule that it was written by.
pub fn features(kernel: Op, knobs: &[i64]) -> Features {
    let nests = nests::nests(kernel);
    let statements = statements::statements(kernel);
    Features {
        stores: stores::rows(&nests),
        kernel: kernel::row(&nests, statements, knobs),
        statements,
    }
}
