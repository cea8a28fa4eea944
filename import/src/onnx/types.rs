//! The types that a model declares of its inputs and outputs.

use super::{element::of_onnx, proto};
use crate::graph::{constant::element_count, error::Result, value::Value};
use relay_dialects::element::Element;
use std::collections::HashMap;

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
    /// An input as the model declares it. Unknown dimensions are those of the shape that was `given`, those of `symbols`, or 1.
    pub fn new(
        info: &proto::ValueInfo,
        given: Option<&Vec<i64>>,
        symbols: &HashMap<String, i64>,
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
            (None, Some(shape)) => shape
                .dim
                .iter()
                .enumerate()
                .map(|(axis, dim)| static_dim(info, axis, dim, symbols))
                .collect(),
        };
        element_count(&shape)?;
        Ok(Self {
            name: info.name.clone(),
            element,
            shape,
        })
    }
}

fn static_dim(
    info: &proto::ValueInfo,
    axis: usize,
    dim: &proto::Dimension,
    symbols: &HashMap<String, i64>,
) -> i64 {
    if let Some(value) = known_dim(dim) {
        return value;
    }
    let symbol = dim.param.as_deref().unwrap_or("?");
    if let Some(&value) = symbols.get(symbol) {
        return value;
    }
    tracing::warn!(
        "input '{}': dimension {axis} ({symbol}) is unknown and taken to be 1; set it with \
         --shape {}=...",
        info.name,
        info.name
    );
    1
}

/// A dimension that the model gives; some exporters write -1 for an open one.
fn known_dim(dim: &proto::Dimension) -> Option<i64> {
    dim.value.filter(|value| *value >= 0)
}

/// Checks a shape given for an input, and notes the values of its symbolic dimensions.
pub fn bind_symbols(
    info: &proto::ValueInfo,
    given: &[i64],
    symbols: &mut HashMap<String, i64>,
) -> Result<()> {
    let Some(declared) = tensor_type(info).and_then(|ty| ty.shape.as_ref()) else {
        return Ok(());
    };
    let mismatch = || {
        format!(
            "the shape given, {given:?}, is not one of {}",
            describe_type(info)
        )
    };
    if declared.dim.len() != given.len() {
        return Err(mismatch());
    }
    for (dim, &size) in declared.dim.iter().zip(given) {
        match (known_dim(dim), &dim.param) {
            (Some(value), _) if value != size => return Err(mismatch()),
            (None, Some(symbol)) if !symbol.is_empty() => {
                let bound = *symbols.entry(symbol.clone()).or_insert(size);
                if bound != size {
                    return Err(format!(
                        "dimension '{symbol}' is given as {bound} and as {size}"
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
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
