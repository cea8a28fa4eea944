//! Whether computes read what is there: part of `lower-te`.

use relay_dialects::{
    ir::Op,
    names,
    ops::tensor,
    pass::{PassResult, fail},
    te::Compute,
};
use relay_loops::analysis::linear::{Linear, form_interval, linear};

/// Checks what the expression of an op beside others in a function reads.
///
/// # Errors
/// A read of what is not there.
pub fn check(op: Op) -> PassResult {
    let is_empty = Compute::of(op).is_some_and(|compute| compute.extents().contains(&0))
        || op.results().iter().any(|result| result.ty().count() == 0);
    if is_empty || !(op.is(Compute::NAME) || op.is(names::te::SCAN)) {
        return Ok(());
    }
    // What stands in an scf.if is read where its condition holds.
    let reads = op.body().ops().into_iter();
    reads
        .filter(|read| read.is(tensor::Extract::NAME))
        .try_for_each(check_read)
}

/// Refuses a read that is certain to leave its tensor.
fn check_read(read: Op) -> PassResult {
    let shape = read.operand(0).ty().dims();
    let subscripts = read.operands().into_iter().skip(1);
    for (dimension, (subscript, extent)) in subscripts.zip(shape).enumerate() {
        let form = linear(subscript);
        let Some((low, high)) = reached(&form) else {
            continue;
        };
        if low < 0 || extent.known().is_some_and(|extent| high >= extent) {
            return fail(
                read,
                format!(
                    "reads at {low} to {high} in dimension {dimension}, which has {extent} \
                     elements; put what reads beyond them in an scf.if"
                ),
            );
        }
    }
    Ok(())
}

/// The first and last value of a form that it does take: one of axes, each of which takes all its
/// values with all of the others.
fn reached(form: &Linear) -> Option<(i64, i64)> {
    let of_axes = form.terms.iter().all(|(term, _)| term.def().is_none());
    of_axes.then(|| form_interval(form))?
}
