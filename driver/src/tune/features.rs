//! The features of kernels under schedules, from the loops that these make.

use relay_dialects::ir::Op;
use relay_passes::{analysis::cost::features, te::lower_te::look_at_kernel};
use relay_tune::{cost::Features, edits::numbers, schedule::schedule};

/// The features of a function of tensor expressions under the schedule that it has.
///
/// # Errors
/// If the schedule cannot be carried out: what is wrong with it.
pub fn of_function(function: Op, module: Op) -> Result<Features, String> {
    let knobs = schedule(function).map(numbers).unwrap_or_default();
    look_at_kernel(function, module, |kernel| features(kernel, &knobs))
}
