//! Whether tensors can be had, and computes read what is there: part of `lower-te`.

use crate::{
    analysis::linear::{Linear, form_interval, linear},
    buffers::{TOO_LARGE, fits},
};
use relay_dialects::{
    Element, index,
    ir::{Op, Value},
    names,
    pass::{PassResult, fail},
    te::Compute,
};

/// Checks the results of an op beside others in a function, and what its expression reads.
///
/// # Errors
/// A result that is too large, a loop that would never end, a read of what is not there.
pub fn check(op: Op) -> PassResult {
    check_types(op, &op.results())?;
    let extents = match (Compute::of(op), op.results().first()) {
        (Some(compute), _) => compute.extents(),
        (None, Some(result)) => result.ty().shape(),
        (None, None) => return Ok(()),
    };
    if index::product(&extents) == i64::MAX {
        return fail(op, "takes more iterations than 64 bits count");
    }
    if extents.contains(&0) || !(op.is(Compute::NAME) || op.is(names::te::SCAN)) {
        return Ok(());
    }
    // What stands in an scf.if is read where its condition holds.
    let reads = op.body().ops().into_iter();
    reads
        .filter(|read| read.is("tensor.extract"))
        .try_for_each(check_read)
}

/// Checks that memory can hold static tensors, and that their elements are such.
///
/// # Errors
/// The first that it cannot, at `op`.
pub fn check_types(op: Op, values: &[Value]) -> PassResult {
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

/// Refuses a read that is certain to leave its tensor.
fn check_read(read: Op) -> PassResult {
    let shape = read.operand(0).ty().shape();
    let subscripts = read.operands().into_iter().skip(1);
    for (dimension, (subscript, extent)) in subscripts.zip(shape).enumerate() {
        let form = linear(subscript);
        let Some((low, high)) = reached(&form) else {
            continue;
        };
        if low < 0 || high >= extent {
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
