//! What the tensors and the loops of a kernel may be at most. Passes that compute with sizes look at these first, so that no
//! product of sizes leaves 64 bits.

use crate::buffers::fits;
use relay_dialects::{
    Element, index,
    ir::{DYNAMIC, Op, Type, Value},
    limits::TOO_LARGE,
    pass::{PassResult, fail},
    te::Compute,
};

/// The most iterations of a stage. They take a core months, and what is estimated of them is a small multiple.
const MOST_ITERATIONS: i64 = 1 << 54;

/// The most elements of a vector: as many f32 as all 32 vector registers of AVX-512 hold together. Conversions to LLVM
/// write some operations out element by element, and LLVM's time grows faster than the square of the number of elements.
/// Measured: cubic roots of 128 elements take 0.2 s of processor time to compile, of 512 they take 5.5 s, and those of
/// 1024 were not done after 19 s (LLVM 22, Zen 5).
pub const MOST_ELEMENTS: i64 = 512;

/// Checks that memory can hold static tensors, and that their elements are such.
///
/// # Errors
/// The first that it cannot, at `op`.
pub fn check_tensors(op: Op, values: &[Value]) -> PassResult {
    for ty in static_tensors(values) {
        if let Err(reason) = Element::require_in_kernel(ty.element()) {
            return fail(op, format!("has a tensor of type {ty}: {reason}"));
        }
        if !fits(&ty.shape(), ty.element()) {
            return fail(op, format!("has a tensor of type {ty}, which {TOO_LARGE}"));
        }
    }
    Ok(())
}

/// Whether memory can hold the static tensors that an operation takes and gives.
pub fn fits_memory(op: Op) -> bool {
    let values = [op.operands(), op.results()].concat();
    static_tensors(&values).all(|ty| fits(&ty.shape(), ty.element()))
}

fn static_tensors(values: &[Value]) -> impl Iterator<Item = Type> {
    let types = values.iter().map(|value| value.ty());
    types.filter(|ty| ty.is_tensor() && ty.is_static())
}

/// Checks that no operation inside `root` makes a vector beyond what compiles in a moment.
///
/// # Errors
/// The first vector with too many elements.
pub fn check_vectors(root: Op) -> PassResult {
    let Some((op, ty)) = root
        .find(|op| too_long(op).is_some())
        .and_then(|op| Some((op, too_long(op)?)))
    else {
        return Ok(());
    };
    fail(
        op,
        format!(
            "makes {ty}: a vector has at most {MOST_ELEMENTS} elements; take several, in a loop"
        ),
    )
}

/// The first vector beyond the limit that an operation makes.
fn too_long(op: Op) -> Option<Type> {
    let types = op.results().into_iter().map(|value| value.ty());
    let mut vectors = types.filter(|ty| ty.is_vector());
    vectors.find(|ty| ty.count() > MOST_ELEMENTS)
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
    let known: Vec<i64> = extents
        .into_iter()
        .filter(|extent| *extent != DYNAMIC)
        .collect();
    if index::product(&known) > MOST_ITERATIONS {
        return fail(
            stage,
            "takes more than 2^54 iterations, which would not end in months",
        );
    }
    Ok(())
}
