//! The features of kernels under schedules, from the loops that these make.

use crate::{DriverError, candidates};
use melior::{Context, ir::Module};
use relay_dialects::ir::Op;
use relay_passes::{analysis::cost::features, te::lower_te::look_at_kernel};
use relay_tune::{
    ScheduleText, cost::Features, edits::numbers, record::Kernel, schedule::schedule,
};

/// The features of a function of tensor expressions under the schedule that it has.
///
/// # Errors
/// If the schedule cannot be carried out: what is wrong with it.
pub fn of_function(function: Op, module: Op) -> Result<Features, String> {
    let knobs = schedule(function).map(numbers).unwrap_or_default();
    look_at_kernel(function, module, |kernel| features(kernel, &knobs))
}

/// A kernel of a file of records, as IR.
pub struct Recorded<'c> {
    module: Module<'c>,
}

impl<'c> Recorded<'c> {
    /// Reads a kernel's module.
    ///
    /// # Errors
    /// If it is none, or has no kernel.
    pub fn read(context: &'c Context, kernel: &Kernel) -> Result<Self, DriverError> {
        let wrong = |reason| DriverError::Usage(format!("kernel {}: {reason}", kernel.key));
        let text = kernel.module.as_bytes();
        let module = relay_dialects::parse(context, text, "kernel.mlir");
        let module = module.ok_or_else(|| wrong("its module does not parse"))?;
        let found = Self { module };
        found
            .function()
            .ok_or_else(|| wrong("its module has no kernel"))?;
        Ok(found)
    }

    /// The function of tensor expressions.
    pub fn function(&self) -> Option<Op> {
        Op::of_module(&self.module).lookup(candidates::kernel::NAME)
    }

    /// The features under a schedule.
    ///
    /// # Errors
    /// If that is no schedule of the kernel: what is wrong with it.
    pub fn features(&self, text: &ScheduleText) -> Result<Features, String> {
        let whole = Op::of_module(&self.module);
        let function = self.function().ok_or("the module has no kernel")?;
        text.insert(function, whole)?;
        let found = of_function(function, whole);
        if let Some(schedule) = schedule(function) {
            schedule.erase();
        }
        found
    }
}
