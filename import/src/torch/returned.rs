//! What a program returns: tensors by the names of nodes, and numbers beside them.

use super::{
    element::{name_of, number_of},
    item::Number,
    program::describe,
    schema::{Argument, GraphModule, OutputSpec, Symbolic, names},
};
use crate::{graph::error::Result, model::TensorInfo};
use relay_dialects::element::Element;

/// What a program returns at a place.
pub enum Returned<'g> {
    /// What a name of the graph stands for.
    Named(&'g str),
    /// A number, with the name that it gets and the element type of its tensor of rank 0.
    Number(String, Number, Element),
}

/// What a program returns, without what a run changes.
///
/// # Errors
/// If it returns gradients.
pub fn returned(module: &GraphModule) -> Result<Vec<Returned<'_>>> {
    let mut own = Vec::new();
    let outputs = module.graph.outputs.iter();
    for (output, spec) in outputs.zip(&module.signature.output_specs) {
        match spec {
            OutputSpec::UserOutput { .. } | OutputSpec::LossOutput { .. } => own.push(output),
            OutputSpec::UserInputMutation { .. }
            | OutputSpec::BufferMutation { .. }
            | OutputSpec::ParameterMutation { .. }
            | OutputSpec::Token { .. } => {}
            _ => return Err("gradients are not supported".into()),
        }
    }
    let count = own.len();
    let mut all = Vec::new();
    for (place, output) in own.into_iter().enumerate() {
        all.extend(names(output).into_iter().map(Returned::Named));
        if let Some((number, element)) = number(output) {
            let name = match count {
                1 => "output".into(),
                _ => format!("output_{place}"),
            };
            all.push(Returned::Number(name, number, element));
        }
    }
    Ok(all)
}

/// What a caller gets, with the types that the graph says.
pub fn infos(module: &GraphModule) -> Vec<TensorInfo> {
    let types = &module.graph.tensor_values;
    let all = returned(module).unwrap_or_default().into_iter();
    let infos = all.map(|returned| match returned {
        Returned::Named(name) => TensorInfo {
            name: name.into(),
            ty: types.get(name).map(describe).unwrap_or_default(),
        },
        Returned::Number(name, _, element) => TensorInfo {
            name,
            ty: format!("{}[]", name_of(number_of(element).unwrap_or_default())),
        },
    });
    infos.collect()
}

/// A number that is known, in the type that it has beside tensors: an i64, an f64 or a boolean.
fn number(output: &Argument) -> Option<(Number, Element)> {
    match output {
        Argument::AsInt(number) | Argument::AsSymInt(Symbolic::Known(number)) => {
            Some((Number::Int(*number), Element::I64))
        }
        Argument::AsFloat(number) | Argument::AsSymFloat(Symbolic::Known(number)) => {
            Some((Number::Float(number.0), Element::F64))
        }
        Argument::AsBool(flag) | Argument::AsSymBool(Symbolic::Known(flag)) => {
            Some((Number::Bool(*flag), Element::Bool))
        }
        _ => None,
    }
}
