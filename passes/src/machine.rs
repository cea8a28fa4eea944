//! The machine that a pass decides for.

use relay_dialects::{
    attrs,
    ir::Op,
    pass::{PassFailed, fail},
};
use relay_topi::Machine;

/// What the module around an op, or the op itself, says of its machine in [`attrs::MACHINE`].
///
/// # Errors
/// If it says nothing, or what no machine has. The diagnostic says what to do.
pub(crate) fn machine(op: Op) -> Result<Machine, PassFailed> {
    match relay_machine::ir::machine_of(op) {
        Ok(Some(machine)) => Ok(machine),
        Ok(None) => fail(
            op,
            format!(
                "is for no machine: run attach-target first, which gives a module its {}; relay-opt --target does that",
                attrs::MACHINE
            ),
        ),
        Err(reason) => fail(op, reason),
    }
}
