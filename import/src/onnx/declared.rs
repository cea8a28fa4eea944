//! What a model declares of a value, read and described.

use super::{element::of_onnx, proto};
use crate::graph::port::{Dimension, Port};

/// A dimension that the model gives; some exporters write -1 for an open one.
pub fn known_dim(dim: &proto::Dimension) -> Option<i64> {
    dim.value.filter(|value| *value >= 0)
}

/// The type of a tensor; `None` of what is not one.
pub fn tensor_type(info: &proto::ValueInfo) -> Option<&proto::TensorType> {
    info.ty.as_ref()?.tensor.as_ref()
}

/// An input as all importers describe it.
pub fn port(info: &proto::ValueInfo) -> Port {
    let text = describe_type(info);
    let ty = tensor_type(info);
    let element = match ty {
        Some(ty) => of_onnx(i64::from(ty.elem_type)),
        None => Err(format!(
            "it is {text}; only tensors, and sequences and optionals of them, are supported"
        )),
    };
    let shape = ty.and_then(|ty| ty.shape.as_ref());
    Port {
        name: info.name.clone(),
        text,
        element,
        dims: shape.map(|shape| shape.dim.iter().map(dimension).collect()),
    }
}

fn dimension(dim: &proto::Dimension) -> Dimension {
    match (known_dim(dim), dim.param.as_deref().map(str::trim)) {
        (Some(size), _) => Dimension::Known(size),
        (None, Some(name)) if names_something(name) => Dimension::Named(name.into()),
        _ => Dimension::Open,
    }
}

/// Whether two dimensions of this name are of one size. Exporters write `?`, `-1` or Python's `None` for any size.
fn names_something(name: &str) -> bool {
    name != "None" && name.contains(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// `float[batch, 3]`, `sequence of float[3]`.
pub fn describe_type(info: &proto::ValueInfo) -> String {
    describe(info.ty.as_ref())
}

fn describe(ty: Option<&proto::ValueType>) -> String {
    let holder = |name: &str, holder: &proto::Holder| {
        format!("{name} of {}", describe(holder.elem_type.as_deref()))
    };
    match ty {
        Some(proto::ValueType {
            tensor: Some(ty), ..
        }) => describe_tensor(ty),
        Some(proto::ValueType {
            sequence: Some(sequence),
            ..
        }) => holder("sequence", sequence),
        Some(proto::ValueType {
            optional: Some(optional),
            ..
        }) => holder("optional", optional),
        // A map or a sparse tensor.
        _ => "a type without tensors".into(),
    }
}

fn describe_tensor(ty: &proto::TensorType) -> String {
    let element = super::element::name(i64::from(ty.elem_type));
    let Some(shape) = &ty.shape else {
        return format!("{element} of unknown rank");
    };
    let dims: Vec<String> = shape
        .dim
        .iter()
        .map(|dim| match (dim.value, dim.param.as_deref()) {
            (Some(value), _) => value.to_string(),
            (None, Some(symbol)) if !symbol.is_empty() => symbol.into(),
            _ => "?".into(),
        })
        .collect();
    format!("{element}[{}]", dims.join(", "))
}
