//! Elements in order.

use super::{columns::*, keyword, rule};
use crate::{
    dim::{self, Dim},
    element::Element,
    ir::Type,
    relay::{
        Call, TensorType,
        operands::as_result,
        relation::{identity, normalize_axis},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("argsort", Opaque, NUMBERS, Decides, argsort),
    Row::new("sort", Opaque, NUMBERS, Moves, sort).with_operands(as_result),
    Row::new("topk", Opaque, NUMBERS, Decides, topk),
];

fn axis(call: &Call) -> Result<usize, String> {
    normalize_axis(call.attrs.int("axis")?, call.inputs[0].rank()).map_err(rule("C1"))
}

/// The type of subscripts.
fn dtype(call: &Call) -> Result<Type, String> {
    let dtype = call.attrs.ty("dtype")?;
    match Element::of(dtype) {
        Some(Element::I32 | Element::I64) => Ok(dtype),
        _ => Err(format!("dtype is {dtype}, expected i32 or i64 (C2)")),
    }
}

fn sort(call: &Call) -> Result<Vec<TensorType>, String> {
    axis(call)?;
    identity(call)
}

fn argsort(call: &Call) -> Result<Vec<TensorType>, String> {
    axis(call)?;
    let shape = call.inputs[0].shape.clone();
    Ok(vec![TensorType::new(shape, dtype(call)?)])
}

fn topk(call: &Call) -> Result<Vec<TensorType>, String> {
    let TensorType { mut shape, element } = call.inputs[0].clone();
    let axis = axis(call)?;
    let places = dtype(call)?;
    let count = call.attrs.int("k")?;
    if count > 0 {
        if dim::at_most(Dim::Known(count), shape[axis]).is_none() {
            return Err(format!(
                "{count} of {} elements are asked for (C3)",
                shape[axis]
            ));
        }
        shape[axis] = Dim::Known(count);
    }
    let what = keyword(call, "ret_type", &["both", "values", "indices"]).map_err(rule("C4"))?;
    Ok(wanted(&what, shape, [element, places]))
}

/// The axis, and the type of subscripts.
pub(super) fn axis_and_dtype(call: &Call) -> Result<(usize, Type), String> {
    Ok((axis(call)?, dtype(call)?))
}

/// The types of the first elements, of their places, or of both.
pub(super) fn wanted(what: &str, shape: Vec<Dim>, elements: [Type; 2]) -> Vec<TensorType> {
    let [elements, places] = elements.map(|element| TensorType::new(shape.clone(), element));
    match what {
        "values" => vec![elements],
        "indices" => vec![places],
        _ => vec![elements, places],
    }
}
