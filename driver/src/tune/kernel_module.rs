//! A kernel of a model or of a file of records, as IR: a function of tensor expressions, into which schedules are written one after the
//! other.

use super::features::of_function;
use crate::{DriverError, candidates};
use melior::{Context, ir::Module};
use relay_dialects::ir::Op;
use relay_tune::{ScheduleText, cost::Features, record::Kernel, schedule::schedule};

/// A kernel's module. Its function has no schedule but while one is looked at.
pub struct KernelModule<'c> {
    module: Module<'c>,
    /// It lives in the module.
    function: Op,
}

impl<'c> KernelModule<'c> {
    /// Reads a kernel's module.
    ///
    /// # Errors
    /// If it is none, or has no kernel.
    pub fn read(context: &'c Context, kernel: &Kernel) -> Result<Self, DriverError> {
        let wrong = |reason| DriverError::Usage(format!("kernel {}: {reason}", kernel.key));
        let text = kernel.module.as_bytes();
        let module = relay_dialects::parse(context, text, "kernel.mlir");
        let module = module.ok_or_else(|| wrong("its module does not parse"))?;
        let function = Op::of_module(&module).lookup(candidates::kernel::NAME);
        let function = function.ok_or_else(|| wrong("its module has no kernel"))?;
        Ok(Self { module, function })
    }

    /// The function of tensor expressions.
    pub fn function(&self) -> Op {
        self.function
    }

    /// The module.
    pub fn whole(&self) -> Op {
        Op::of_module(&self.module)
    }

    /// The schedule that something writes into the function; none if it writes none that MLIR prints.
    pub fn schedule_by(&self, write: impl FnOnce(Op)) -> Option<ScheduleText> {
        write(self.function);
        let text = ScheduleText::of(self.function, self.whole());
        self.erase_schedule();
        text
    }

    /// The features under a schedule.
    ///
    /// # Errors
    /// If that is no schedule of the kernel: what is wrong with it.
    pub fn features(&self, text: &ScheduleText) -> Result<Features, String> {
        text.insert(self.function, self.whole())?;
        let found = of_function(self.function, self.whole());
        self.erase_schedule();
        found
    }

    fn erase_schedule(&self) {
        if let Some(schedule) = schedule(self.function) {
            schedule.erase();
        }
    }
}
