//! The types that a model declares of its inputs and outputs.

use super::{dims::Sizes, element::of_onnx, proto};
use crate::graph::{constant::element_count, error::Result, value::Value};
use relay_dialects::element::Element;

/// An input of `@main`.
pub struct Input {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// Its static shape.
    pub shape: Vec<i64>,
}

impl Input {
    /// An input as the model declares it, of the shape that was `given`, if one was.
    pub fn new(
        info: &proto::ValueInfo,
        given: Option<&Vec<i64>>,
        sizes: &Sizes<'_>,
    ) -> Result<Self> {
        let ty = tensor_type(info).ok_or("it is not a tensor; only tensors are supported")?;
        let element = of_onnx(i64::from(ty.elem_type))?;
        let shape = match (given, &ty.shape) {
            (Some(given), _) => given.clone(),
            (None, None) => {
                return Err(format!(
                    "not even its rank is known; give its shape: --shape {}=...",
                    info.name
                ));
            }
            (None, Some(shape)) => {
                let dims = shape.dim.iter().map(|dim| sizes.size(dim));
                dims.collect::<Result<_>>()?
            }
        };
        element_count(&shape)?;
        Ok(Self {
            name: info.name.clone(),
            element,
            shape,
        })
    }
}

/// A dimension that the model gives; some exporters write -1 for an open one.
pub fn known_dim(dim: &proto::Dimension) -> Option<i64> {
    dim.value.filter(|value| *value >= 0)
}

/// The type of a tensor; `None` of what is not one.
pub fn tensor_type(info: &proto::ValueInfo) -> Option<&proto::TensorType> {
    info.ty.as_ref()?.tensor.as_ref()
}

/// The element type and shape of a tensor, if both are known.
pub fn static_type(info: &proto::ValueInfo) -> Option<(Element, Vec<i64>)> {
    let ty = tensor_type(info)?;
    let element = of_onnx(i64::from(ty.elem_type)).ok()?;
    let dims = ty.shape.as_ref()?.dim.iter().map(known_dim);
    Some((element, dims.collect::<Option<_>>()?))
}

/// Compares what an output became with what the model declares.
pub fn check_declared(info: &proto::ValueInfo, value: &Value) -> Result<()> {
    let Some(ty) = tensor_type(info) else {
        return Ok(());
    };
    if ty.elem_type != 0 && of_onnx(i64::from(ty.elem_type))? != value.element() {
        return Err(format!(
            "declared as {}, but its elements are {:?}",
            describe_type(info),
            value.element()
        ));
    }
    let Some(shape) = &ty.shape else {
        return Ok(());
    };
    let fits = shape.dim.len() == value.rank()
        && shape
            .dim
            .iter()
            .zip(value.shape())
            .all(|(dim, size)| known_dim(dim).is_none_or(|value| value == *size));
    if fits {
        return Ok(());
    }
    Err(format!(
        "declared as {}, but its shape is {:?}",
        describe_type(info),
        value.shape()
    ))
}

/// `float[batch, 3]`.
pub fn describe_type(info: &proto::ValueInfo) -> String {
    let Some(ty) = tensor_type(info) else {
        return "not a tensor".into();
    };
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
