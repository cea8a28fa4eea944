//! Which parameters of a function over buffers are its inputs.

use relay_dialects::{
    ir::{Op, Value},
    ops::{builtin, func, memref, vector},
};
use std::collections::HashSet;

/// How many parameters are inputs: those that are only read. Those that are written, its outputs, follow them.
///
/// # Errors
/// If an input follows an output.
pub fn count_inputs(main: Op) -> Result<usize, String> {
    let parameters = main.body().args().into_iter();
    let is_output: Vec<bool> = parameters
        .map(|parameter| is_written(parameter, &mut HashSet::new()))
        .collect();
    let inputs = is_output.iter().take_while(|is_output| !**is_output);
    let inputs = inputs.count();
    match is_output[inputs..].iter().position(|is_output| !is_output) {
        Some(after) => Err(format!(
            "writes parameter {inputs} and only reads parameter {}: the outputs follow the inputs",
            inputs + after
        )),
        None => Ok(inputs),
    }
}

/// Whether something is stored into a buffer, into a view of it, or by a function that takes it. Functions may call
/// each other in a circle: what was `seen` is not looked at again.
fn is_written(buffer: Value, seen: &mut HashSet<Value>) -> bool {
    if !seen.insert(buffer) {
        return false;
    }
    buffer.uses().into_iter().any(|(op, index)| {
        match op.name().as_str() {
            // An element that is stored is no buffer: the buffer that a store has is the one that it writes to.
            memref::Store::NAME
            | vector::Store::NAME
            | vector::MaskedStore::NAME
            | vector::Scatter::NAME
            | vector::TransferWrite::NAME => true,
            memref::Copy::NAME => index == 1,
            func::Call::NAME => {
                parameter(op, index).is_some_and(|parameter| is_written(parameter, seen))
            }
            _ => {
                let mut views = op
                    .results()
                    .into_iter()
                    .filter(|view| view.ty().is_memref());
                views.any(|view| is_written(view, seen))
            }
        }
    })
}

/// What a call's operand is inside of the function that it calls; `None` if that has no body.
fn parameter(call: Op, index: usize) -> Option<Value> {
    let callee = call.attr("callee")?.as_symbol()?;
    let function = call.ancestor(builtin::Module::NAME)?.lookup(&callee)?;
    function.block_in(0)?.args().get(index).copied()
}
