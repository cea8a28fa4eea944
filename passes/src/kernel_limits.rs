//! What the tensors and the loops of a kernel may be at most. Passes that compute with sizes look at these first, so that no
//! product of sizes leaves 64 bits.

use crate::buffers::fits;
use relay_dialects::{
    Element, index,
    ir::{Op, Type, Value},
    limits::TOO_LARGE,
    pass::{PassResult, fail},
    te::Compute,
};

/// The most iterations of a stage. They take a core months, and what is estimated of them is a small multiple.
const MOST_ITERATIONS: i64 = 1 << 54;

/// The most elements of a vector: as many floats as all registers of a core with AVX-512 hold together. Conversions to LLVM
/// write some operations out element by element, and LLVM's time grows with the square of their number and faster: a
/// cubic root of 128 elements took 0.1 s, of 512 5 s, of 1024 more than 20 s (LLVM 22, Zen 5).
pub const MOST_LANES: i64 = 512;

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

/// Checks that no operation inside `root` makes a vector beyond what compiles in a moment.
///
/// # Errors
/// The first vector with too many elements.
pub fn check_vectors(root: Op) -> PassResult {
    let mut long: Option<(Op, Type)> = None;
    root.walk(|op| {
        let types = op.results().into_iter().map(|value| value.ty());
        let mut vectors = types.filter(|ty| ty.is_vector());
        long = long.or_else(|| {
            vectors
                .find(|ty| ty.count() > MOST_LANES)
                .map(|ty| (op, ty))
        });
    });
    match long {
        None => Ok(()),
        Some((op, ty)) => fail(
            op,
            format!(
                "makes {ty}: a vector has at most {MOST_LANES} elements; take several, in a loop"
            ),
        ),
    }
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
