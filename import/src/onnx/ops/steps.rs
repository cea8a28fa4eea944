//! What is repeated: as a loop, or written out step by step.

pub(super) use crate::compose::steps::{FEW_STEPS_OF_CELLS, element, joined, written_out};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::check_dims,
        error::Result,
        value::{Value, normalize_axis},
    },
    onnx::{item::Item, subgraph::Subgraph},
};
use relay_dialects::dim::{self, Dim};

/// The most steps. More of them make modules that take too long to compile.
const MOST_STEPS: i64 = 1 << 12;

/// The most steps of a body that are written out where a loop is possible, too: so a body may know its step.
pub(super) const FEW_STEPS: i64 = 4;

/// Fails if there are too many steps.
pub(super) fn check_steps(steps: i64) -> Result<()> {
    if steps > MOST_STEPS {
        return Err(format!(
            "it has {steps} steps, each of which is written out; at most {MOST_STEPS} are supported"
        ));
    }
    Ok(())
}

/// An output of a body that has to be a tensor.
pub(super) fn tensor_of(output: &Item) -> Result<Value> {
    let tensor = output.tensor();
    tensor
        .cloned()
        .map_err(|what| format!("an output of the body is {what}"))
}

/// Fails if the body of an operator does not have so many inputs, and at least so many outputs.
pub(super) fn check_body(body: &Subgraph<'_>, inputs: usize, outputs: usize) -> Result<()> {
    if body.input_count() != inputs || body.output_count() < outputs {
        return Err(format!(
            "the body has {} inputs and {} outputs, expected {inputs} and at least {outputs}",
            body.input_count(),
            body.output_count()
        ));
    }
    Ok(())
}

/// Adds what a step returned to what those before it did.
pub(super) fn collect(
    collected: &mut [Vec<Value>],
    outputs: impl IntoIterator<Item = Item>,
) -> Result<()> {
    for (all, output) in collected.iter_mut().zip(outputs) {
        all.push(tensor_of(&output)?);
    }
    Ok(())
}

/// Joins tensors of one shape, of which there is at least one, along a new axis.
pub(super) fn stacked(b: &mut GraphBuilder, parts: Vec<Value>, axis: usize) -> Result<Value> {
    if let Some(other) = parts.iter().find(|part| part.dims() != parts[0].dims()) {
        return Err(format!(
            "what is collected has shapes {:?} and {:?}, expected the same in each step",
            parts[0].dims(),
            other.dims()
        ));
    }
    let with_axis = |part: &Value| {
        let mut shape = part.dims().to_vec();
        shape.insert(axis, Dim::Known(1));
        b.reshape(part, &shape)
    };
    let parts = parts.iter().map(with_axis).collect::<Result<_>>()?;
    joined(b, parts, axis)
}

/// What is collected in no steps along an axis: a tensor without elements, of the type that the body declares, or else makes of some
/// arguments. What is written out for that is read by nobody.
pub(super) fn nothing(
    b: &mut GraphBuilder,
    (body, output): (&Subgraph<'_>, usize),
    axis: i64,
    arguments: &[Item],
) -> Result<Value> {
    let (element, mut shape) = match body.declared(output) {
        Some((element, shape)) => (element, dim::dims(&shape)),
        None => {
            let value = tensor_of(&body.write(b, "none", arguments)?[output])?;
            (value.element(), value.dims().to_vec())
        }
    };
    let axis = normalize_axis(axis, shape.len() + 1)?;
    shape.insert(axis, Dim::Known(0));
    check_dims(&shape)?;
    b.full(element, &shape, 0.0)
}
