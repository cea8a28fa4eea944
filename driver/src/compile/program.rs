//! Models that are programs of the whole language, and no graphs.

use super::CompileOptions;
use crate::DriverError;
use melior::ir::Module;
use relay_codegen::{
    interface::{Executor, Taken},
    program,
};
use relay_dialects::ir::Op;

impl CompileOptions {
    /// The same for a module, of which they say whether it is a program: what the virtual machine is to run is one, too.
    #[must_use]
    pub fn of_module(&self, module: &Module<'_>) -> Self {
        let is_program = self.program
            || self.executor == Executor::Vm
            || program::is_program(Op::of_module(module));
        Self {
            program: is_program,
            ..self.clone()
        }
    }
}

/// Takes the functions out of a program.
///
/// # Errors
/// If a function holds what cannot be run.
pub(super) fn take(
    module: &Module<'_>,
    options: &CompileOptions,
) -> Result<Option<Taken>, DriverError> {
    let take = || program::take(Op::of_module(module), options.executor);
    Ok(options.program.then(take).transpose()?)
}

/// Refuses to make a bare model of a program.
///
/// # Errors
/// If the module is one.
pub(super) fn refuse_bare(options: &CompileOptions) -> Result<(), DriverError> {
    match options.program {
        false => Ok(()),
        true => Err(DriverError::Usage(
            "a bare model is a graph of operators, and has no memory for closures, data types and recursion; leave \
             --emit bare out"
                .into(),
        )),
    }
}
