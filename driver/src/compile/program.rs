//! Models that are programs of the whole language, and no graphs.

use super::{CompileOptions, run_between, run_passes};
use crate::DriverError;
use melior::{Context, ir::Module};
use relay_codegen::{
    interface::{Executor, Taken},
    program,
};
use relay_dialects::ir::Op;
use relay_passes::pipeline::Level;

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

/// Takes a module down to a level. Below that of operators, the functions of a program are no part of it.
///
/// # Errors
/// If a pass fails, or a function holds what cannot be run.
pub(crate) fn lower(
    context: &Context,
    module: &mut Module<'_>,
    level: Level,
    options: &CompileOptions,
) -> Result<Option<Taken>, DriverError> {
    if !options.program || level == Level::Relay {
        run_passes(context, module, level, options)?;
        return Ok(None);
    }
    run_passes(context, module, Level::Relay, options)?;
    let taken = take(module, options)?;
    run_between(context, module, (Level::Relay, level), options)?;
    Ok(taken)
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
