//! References.

use crate::ir::{Op, Type};

/// Checks `relay.ref_create`.
pub(super) fn verify_create(op: Op) -> Result<(), String> {
    refers(op.result(0).ty(), "gives", op.operand(0).ty())
}

/// Checks `relay.ref_read`.
pub(super) fn verify_read(op: Op) -> Result<(), String> {
    refers(op.operand(0).ty(), "reads", op.result(0).ty())
}

/// Checks `relay.ref_write`.
pub(super) fn verify_write(op: Op) -> Result<(), String> {
    let result = op.result(0).ty();
    if result != Type::tuple(op.ctx(), &[]) && !result.is_incomplete() {
        return Err(format!("gives {result}, expected tuple<> (C2)"));
    }
    refers(op.operand(0).ty(), "writes to", op.operand(1).ty())
}

/// Checks that a type is a reference to another.
fn refers(reference: Type, does: &str, value: Type) -> Result<(), String> {
    if reference.is_incomplete() {
        return Ok(());
    }
    match reference.as_reference() {
        Some(inner) if inner.is_compatible(value) => Ok(()),
        _ => Err(format!(
            "{does} {reference}, expected !relay.ref<{value}> (C1)"
        )),
    }
}
