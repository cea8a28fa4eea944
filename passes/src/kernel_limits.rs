//! What the tensors and the loops of a kernel may be at most. Passes that compute with sizes look at these first, so that no
//! product of sizes leaves 64 bits.

use crate::buffers::fits;
use relay_dialects::{
    Element, index,
    ir::{Op, Value},
    limits::TOO_LARGE,
    pass::{PassResult, fail},
    te::Compute,
};

/// The most iterations of a stage. They take a core months, and what is estimated of them is a small multiple.
const MOST_ITERATIONS: i64 = 1 << 54;

/// Checks that memory can hold static tensors, and that their elements are such.
///
/// # Errors
/// The first that it cannot, at `op`.
pub fn check_tensors(op: Op, values: &[Value]) -> PassResult {
    let types = values.iter().map(|value| value.ty());
    for ty in types.filter(|ty| ty.is_tensor() && ty.is_static()) {
        if let Err(reason) = Element::require_in_kernel(ty.element()) {
            return fail(op, format!("has a tensor of type {ty}: {reason}"));
        }
        if !fits(&ty.shape(), ty.element()) {
            return fail(op, format!("has a tensor of type {ty}, which {TOO_LARGE}"));
        }
    }
    Ok(())
}

/// Checks the results of a stage and the number of its iterations.
///
/// # Errors
/// A result that is too large, or loops that would never end.
pub fn check_stage(stage: Op) -> PassResult {
    check_tensors(stage, &stage.results())?;
    let extents = match (Compute::of(stage), stage.results().first()) {
        (Some(compute), _) => compute.extents(),
        (None, Some(result)) => result.ty().shape(),
        (None, None) => return Ok(()),
    };
    if index::product(&extents) > MOST_ITERATIONS {
        return fail(
            stage,
            "takes more than 2^54 iterations, which would not end in months",
        );
    }
    Ok(())
}
