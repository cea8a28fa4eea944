//! Loop programs over buffers.

use crate::ir::{Attr, Op};

/// How a `tir.for` can run.
pub const LOOP_KINDS: [&str; 4] = ["serial", "parallel", "vectorized", "unrolled"];

/// The scopes of `tir.alloc_buffer`.
pub const SCOPES: [&str; 2] = ["global", "local"];

/// Checks a `tir` op beyond what ODS states.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    match op.name().as_str() {
        "tir.for" => {
            let arguments = op.body().args();
            if arguments.len() != 1 || !arguments[0].ty().is_index() {
                return Err("the body takes one argument of type index".into());
            }
            one_of(op, "kind", &LOOP_KINDS)
        }
        "tir.alloc_buffer" => {
            let ty = op.result(0).ty();
            if !ty.is_static() {
                return Err(format!("has the dynamic type {ty}"));
            }
            one_of(op, "scope", &SCOPES)
        }
        "tir.allocate_const" => {
            let (buffer, value) = (op.result(0).ty(), op.attr("value").map(Attr::typ));
            match value {
                Some(value)
                    if value.shape() == buffer.shape() && value.element() == buffer.element() =>
                {
                    Ok(())
                }
                _ => Err(format!(
                    "the value is not of the buffer's shape and element type, {buffer}"
                )),
            }
        }
        _ => Ok(()),
    }
}

fn one_of(op: Op, name: &str, known: &[&str]) -> Result<(), String> {
    let value = op.attr(name).and_then(Attr::as_str).unwrap_or_default();
    if known.contains(&value.as_str()) {
        return Ok(());
    }
    Err(format!("{name} '{value}' is none of {}", known.join(", ")))
}
