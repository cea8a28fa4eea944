//! Loop programs over buffers.

use crate::ir::{Attr, Op, Type};

/// How a `tir.for` can run.
pub const LOOP_KINDS: [&str; 5] = [
    "serial",
    "parallel",
    "vectorized",
    "unrolled",
    "thread_binding",
];

/// The axes of a grid of threads.
pub const THREADS: [&str; 7] = [
    "blockIdx.x",
    "blockIdx.y",
    "blockIdx.z",
    "threadIdx.x",
    "threadIdx.y",
    "threadIdx.z",
    "vthread",
];

/// The scopes of `tir.alloc_buffer`.
pub const SCOPES: [&str; 2] = ["global", "local"];

/// What an iteration variable of `tir.block` can be.
pub const ITER_TYPES: [&str; 2] = ["spatial", "reduce"];

/// The types of a `tir.block`'s iteration variables, in order.
pub fn iter_types(block: Op) -> Vec<String> {
    let types = block.attr("iter_types").and_then(Attr::as_array);
    let types = types.unwrap_or_default().into_iter();
    types.map(|ty| ty.as_str().unwrap_or_default()).collect()
}

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
            one_of(op, "kind", &LOOP_KINDS)?;
            match op.attr("kind").and_then(Attr::as_str).as_deref() {
                Some("thread_binding") => one_of(op, "thread", &THREADS),
                _ => Ok(()),
            }
        }
        "tir.block" => verify_block(op),
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
                Some(value) if holds(buffer, value) => Ok(()),
                _ => Err(format!(
                    "the value is not of the buffer's shape and element type, {buffer}"
                )),
            }
        }
        _ => Ok(()),
    }
}

/// Whether a buffer holds the elements of a tensor: those of one without any have no shape.
fn holds(buffer: Type, tensor: Type) -> bool {
    let is_empty = buffer.count() == 0 && tensor.count() == 0;
    tensor.element() == buffer.element() && (is_empty || tensor.shape() == buffer.shape())
}

fn verify_block(op: Op) -> Result<(), String> {
    let types = iter_types(op);
    if let Some(ty) = types.iter().find(|ty| !ITER_TYPES.contains(&ty.as_str())) {
        let known = ITER_TYPES.join(", ");
        return Err(format!("iteration type '{ty}' is none of {known}"));
    }
    let count = op.operand_count();
    if types.len() != count {
        let types = types.len();
        return Err(format!("has {count} bindings and {types} iteration types"));
    }
    let init = op.block_in(1);
    for block in [op.block_in(0), init].into_iter().flatten() {
        let arguments = block.args();
        if arguments.len() != count || arguments.iter().any(|value| !value.ty().is_index()) {
            return Err(format!(
                "its regions take {count} arguments of type index, one for each binding"
            ));
        }
    }
    if init.is_some() && !types.iter().any(|ty| ty == "reduce") {
        return Err("has an init, but no reduce variable to start from".into());
    }
    Ok(())
}

fn one_of(op: Op, name: &str, known: &[&str]) -> Result<(), String> {
    let value = op.attr(name).and_then(Attr::as_str).unwrap_or_default();
    if known.contains(&value.as_str()) {
        return Ok(());
    }
    Err(format!("{name} '{value}' is none of {}", known.join(", ")))
}
