//! The types that a model declares of its inputs and outputs.

use super::{
    declared::{describe_type, known_dim, tensor_type},
    element::of_onnx,
    proto,
};
use crate::graph::{error::Result, value::Value};
use relay_dialects::{dim::unify, element::Element};

/// The element type and shape of a tensor, if both are known.
pub fn static_type(info: &proto::ValueInfo) -> Option<(Element, Vec<i64>)> {
    let ty = tensor_type(info)?;
    let element = of_onnx(i64::from(ty.elem_type)).ok()?;
    let dims = ty.shape.as_ref()?.dim.iter().map(known_dim);
    Some((element, dims.collect::<Option<_>>()?))
}

/// Compares what an output became with what the model declares. Nodes decide the shape: where another one is declared, as in files whose
/// exporter did not know better, a warning says so.
///
/// # Errors
/// If the elements are of another type.
pub fn check_declared(info: &proto::ValueInfo, value: &Value) -> Result<()> {
    let Some(ty) = tensor_type(info) else {
        return Ok(());
    };
    check_element(info, value)?;
    let Some(shape) = &ty.shape else {
        return Ok(());
    };
    let fits =
        shape.dim.len() == value.rank()
            && shape.dim.iter().zip(value.dims()).all(|(dim, size)| {
                known_dim(dim).is_none_or(|value| unify(*size, value).is_some())
            });
    if fits {
        return Ok(());
    }
    tracing::warn!(
        "output '{}': declared as {}, but its shape is {:?}",
        info.name,
        describe_type(info),
        value.dims()
    );
    Ok(())
}

/// Checks the elements of a tensor against the type that the model declares of it, or of a sequence of such tensors.
///
/// # Errors
/// If the elements are of another type.
pub fn check_element(info: &proto::ValueInfo, value: &Value) -> Result<()> {
    let mut ty = info.ty.as_ref();
    while let Some(holder) = ty.and_then(|ty| ty.sequence.as_ref().or(ty.optional.as_ref())) {
        ty = holder.elem_type.as_deref();
    }
    let declared = ty.and_then(|ty| Some(ty.tensor.as_ref()?.elem_type));
    match declared.filter(|declared| *declared != 0) {
        Some(declared) if of_onnx(i64::from(declared))? != value.element() => Err(format!(
            "declared as {}, but its elements are {:?}",
            describe_type(info),
            value.element()
        )),
        _ => Ok(()),
    }
}
