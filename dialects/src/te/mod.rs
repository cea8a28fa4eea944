//! Tensor expressions and schedules.

pub mod build;
mod compute;
mod enums;
mod extent;
pub mod ops;

pub use compute::Compute;
pub use enums::{Cache, Pragma, Reducer, Role};

use crate::{
    dim::Dim,
    element::Element,
    ir::{Attr, Block, Op, Type},
    names,
    relay::{Attrs, relation::show},
};

/// Checks a `te` op beyond what ODS states.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    for ty in op.results().iter().map(|result| result.ty()) {
        if ty.is_tensor() {
            Element::require_in_kernel(ty.element()).map_err(|no| format!("makes {ty}: {no}"))?;
        }
    }
    match op.name().as_str() {
        Compute::NAME => verify_compute(op),
        names::te::EXTENT => verify_extent(op),
        names::te::TENSOR_INTRIN => verify_intrin(op),
        names::te::EXTERN => verify_extern(op),
        names::te::SCAN => verify_scan(op),
        names::te::PREFETCH => verify_prefetch(op),
        _ => Ok(()),
    }
}

/// The constraint C1 of `te.extent`.
fn verify_extent(op: Op) -> Result<(), String> {
    let form = Attrs::of(op).str("form")?;
    Dim::parse(&form)
        .map(drop)
        .map_err(|reason| format!("form '{form}': {reason} (C1)"))
}

/// Iterations share requests that are spread.
fn verify_prefetch(op: Op) -> Result<(), String> {
    let every = op.attr("every").and_then(Attr::as_i64);
    if op.operand_count() == 2 && every.is_some_and(|every| every > 1) {
        return Err(
            "takes `every` only with `over`, the loop over which the requests are spread".into(),
        );
    }
    Ok(())
}

/// The constraints C1 to C5 of `te.compute`.
fn verify_compute(op: Op) -> Result<(), String> {
    let types: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
    let shape = types.first().ok_or("has no results")?.dims();
    if let Some(other) = types.iter().find(|ty| ty.dims() != shape) {
        return Err(format!(
            "results have different shapes: {} and {} (C1)",
            show(&shape),
            show(&other.dims())
        ));
    }
    let compute = Compute::of(op).ok_or("is no te.compute")?;
    let extents = compute.reduce_dims()?;
    let is_negative = |extent: &&Dim| extent.known().is_some_and(|extent| extent < 0);
    if let Some(extent) = extents.iter().find(is_negative) {
        return Err(format!(
            "has a reduce axis of extent {extent}, which is negative (C2)"
        ));
    }
    if [&shape[..], &extents[..]].concat().contains(&Dim::Unknown) {
        return Err(
            "has an open dimension without a name; the encoding of a type names it (C1)".into(),
        );
    }
    verify_body(op.body(), shape.len() + extents.len(), &types)?;
    match (extents.is_empty(), compute.reducer()) {
        (false, None) => return Err("has reduce axes and no reducer (C4)".into()),
        (true, Some(reducer)) => {
            return Err(format!("has a reducer, {reducer}, and no reduce axes (C4)"));
        }
        (_, Some(Reducer::Custom))
            if compute.combiner().is_none() || compute.identity().len() != types.len() =>
        {
            let wrong = "a custom reducer needs a combiner region and one identity per result (C5)";
            return Err(wrong.into());
        }
        _ => {}
    }
    Ok(())
}

fn verify_body(body: Block, axes: usize, results: &[Type]) -> Result<(), String> {
    let arguments = body.args();
    if arguments.len() != axes || arguments.iter().any(|argument| !argument.ty().is_index()) {
        return Err(format!(
            "the body takes {} arguments of type index; expected one per dimension and reduce \
             extent, {axes} (C2)",
            arguments.len()
        ));
    }
    verify_yield(body, results)
}

/// A body yields one scalar per result.
fn verify_yield(body: Block, results: &[Type]) -> Result<(), String> {
    let yielded: Vec<Type> = body
        .terminator()
        .map(Op::operands)
        .unwrap_or_default()
        .iter()
        .map(|value| value.ty())
        .collect();
    let expected: Vec<Type> = results.iter().map(|ty| ty.element()).collect();
    if yielded != expected {
        return Err(format!(
            "the body yields {yielded:?}, expected {expected:?} (C3)"
        ));
    }
    Ok(())
}

/// The implementation's parameters are memrefs of the description's operands and results.
fn verify_intrin(op: Op) -> Result<(), String> {
    let (description, implementation) = (op.body(), op.block_in(1).ok_or("has no implementation")?);
    let yielded = description
        .ops()
        .last()
        .filter(|end| end.is(names::te::YIELD))
        .map(|end| end.operands())
        .ok_or("the description ends without te.yield")?;
    if description
        .args()
        .iter()
        .any(|operand| !operand.ty().is_tensor())
        || yielded
            .iter()
            .any(|result| result.def_of(Compute::NAME).is_none())
    {
        return Err("the description takes tensors and yields the result of a te.compute".into());
    }
    let tensors = description.args().into_iter().chain(yielded);
    let expected: Vec<Type> = tensors.map(|tensor| memref_of(tensor.ty())).collect();
    let types: Vec<Type> = implementation
        .args()
        .iter()
        .map(|value| value.ty())
        .collect();
    if types != expected {
        return Err(format!(
            "the implementation takes {types:?}, expected {expected:?}"
        ));
    }
    Ok(())
}

fn memref_of(tensor: Type) -> Type {
    Type::memref(&tensor.shape(), tensor.element())
}

/// The constraint C1 of `te.extern`.
fn verify_extern(op: Op) -> Result<(), String> {
    let results = op.results();
    if results.is_empty() {
        return Err("has no results".into());
    }
    let tensors = op.operands().into_iter().chain(results);
    let expected: Vec<Type> = tensors.map(|tensor| memref_of(tensor.ty())).collect();
    let types: Vec<Type> = op.body().args().iter().map(|value| value.ty()).collect();
    if types != expected {
        return Err(format!(
            "the region takes {types:?}, expected {expected:?} (C1)"
        ));
    }
    Ok(())
}

/// The constraints C1 to C3 of `te.scan`.
fn verify_scan(op: Op) -> Result<(), String> {
    let states: Vec<Type> = op.results().iter().map(|state| state.ty()).collect();
    let init: Vec<Type> = op.operands().iter().map(|init| init.ty()).collect();
    let shape = states.first().ok_or("has no states")?.shape();
    if states.len() != init.len() || shape.is_empty() {
        return Err("has one init per state, and a first dimension that is the time (C1)".into());
    }
    let steps = init[0].shape().first().copied().unwrap_or(0);
    let mut started = shape.clone();
    started[0] = steps;
    let fits = |(state, init): (&Type, &Type)| {
        state.shape() == shape && init.shape() == started && state.element() == init.element()
    };
    if !states.iter().zip(&init).all(fits) || !(1..=shape[0]).contains(&steps) {
        return Err(format!(
            "init is {init:?} and the states are {states:?}; they differ in more than the time, or \
             init has no steps or more than the states (C1)"
        ));
    }
    let arguments: Vec<Type> = op.body().args().iter().map(|value| value.ty()).collect();
    let index = Type::index(op.ctx());
    let expected: Vec<Type> = states
        .iter()
        .copied()
        .chain(shape.iter().map(|_| index))
        .collect();
    if arguments != expected {
        return Err(format!(
            "the body takes {arguments:?}, expected {expected:?} (C2)"
        ));
    }
    verify_yield(op.body(), &states)
}
