//! Tensor expressions and schedules.

pub mod build;

use crate::{
    ir::{Attr, Block, Op, Type},
    relay::relation::show,
};

/// Checks a `te` op beyond what ODS states.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    match op.name().as_str() {
        "te.compute" => verify_compute(op),
        "te.tensor_intrin" => verify_intrin(op),
        _ => Ok(()),
    }
}

/// The constraints C1 to C5 of `te.compute`.
fn verify_compute(op: Op) -> Result<(), String> {
    let types: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
    let shape = types.first().ok_or("has no results")?.shape();
    if let Some(other) = types.iter().find(|ty| ty.shape() != shape) {
        return Err(format!(
            "results have different shapes: {} and {} (C1)",
            show(&shape),
            show(&other.shape())
        ));
    }
    let extents = op
        .attr("reduce_extents")
        .and_then(Attr::as_ints)
        .unwrap_or_default();
    verify_body(op.body(), shape.len() + extents.len(), &types)?;

    let reducer = op
        .attr("reducer")
        .and_then(Attr::as_str)
        .unwrap_or_default();
    let known = ["sum", "prod", "max", "min", "all", "any", "custom"].contains(&reducer.as_str());
    match (extents.is_empty(), reducer.is_empty(), known) {
        (false, _, false) => {
            return Err(format!(
                "has reduce axes and the reducer '{reducer}'; expected sum, prod, max, min, all, \
                 any or custom (C4)"
            ));
        }
        (true, false, _) => {
            return Err(format!(
                "has a reducer, '{reducer}', and no reduce axes (C4)"
            ));
        }
        _ => {}
    }
    let identities = op
        .attr("identity")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    if reducer == "custom" && (op.block_in(1).is_none() || identities.len() != types.len()) {
        return Err(
            "a custom reducer needs a combiner region and one identity per result (C5)".into(),
        );
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
        .filter(|end| end.is("te.yield"))
        .map(|end| end.operands())
        .ok_or("the description ends without te.yield")?;
    if description
        .args()
        .iter()
        .any(|operand| !operand.ty().is_tensor())
        || yielded
            .iter()
            .any(|result| result.def_of("te.compute").is_none())
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
