//! Operators whose results data select. How many elements they select is known when a model runs.

use super::{columns::*, keyword, one_dim, rule};
use crate::{
    dim::{self, Dim},
    element::{Element, Elements},
    relay::{Attrs, Call, TensorType, relation::normalize_axis},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nonzero", Opaque, VALUES, Decides, nonzero),
    Row::new("prefix", Injective, ANY, Moves, prefix),
    Row::new(
        "vision.all_class_non_max_suppression",
        Opaque,
        Elements::FLOATS,
        Jumps,
        non_max_suppression,
    ),
];

/// The types of the list of what was found, and of its length.
fn found(call: &Call, places: Vec<Dim>) -> Vec<TensorType> {
    let element = Element::I64.ty(call.ctx);
    vec![
        TensorType::new(places, element),
        TensorType::new(Vec::<Dim>::new(), element),
    ]
}

fn nonzero(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let count = dim::product(&data.shape)?;
    Ok(found(call, vec![Dim::Known(data.rank() as i64), count]))
}

fn prefix(call: &Call) -> Result<Vec<TensorType>, String> {
    let mut result = call.inputs[0].clone();
    let axis = normalize_axis(call.attrs.int("axis")?, result.rank()).map_err(rule("C1"))?;
    let extent = one_dim(&call.attrs, "extent").map_err(rule("C2"))?;
    let both = extent.known().zip(result.shape[axis].known());
    if both.is_some_and(|(extent, elements)| extent > elements) {
        let elements = result.shape[axis];
        return Err(format!(
            "{extent} of {elements} elements are asked for (C2)"
        ));
    }
    result.shape[axis] = extent;
    Ok(vec![result])
}

fn non_max_suppression(call: &Call) -> Result<Vec<TensorType>, String> {
    let [boxes, scores, numbers @ ..] = &call.inputs[..] else {
        return Err("takes five operands".into());
    };
    let fits = match (&boxes.shape[..], &scores.shape[..]) {
        ([batch, count, corners], [of_batch, _, of_count]) => {
            let pairs = [
                (batch, of_batch),
                (count, of_count),
                (corners, &Dim::Known(4)),
            ];
            pairs
                .into_iter()
                .all(|(one, other)| dim::unify(*one, *other).is_some())
        }
        _ => false,
    };
    let f32 = Element::F32.ty(call.ctx);
    if !fits || boxes.element != f32 || scores.element != f32 {
        let [boxes, scores] = [boxes, scores].map(TensorType::to_type);
        return Err(format!("boxes {boxes} and scores {scores} do not fit (C1)"));
    }
    let wanted = [Element::I64, Element::F32, Element::F32].map(|element| element.ty(call.ctx));
    let is_number =
        |(number, element): (&TensorType, _)| number.rank() == 0 && number.element == element;
    if numbers.len() != 3 || !numbers.iter().zip(wanted).all(is_number) {
        return Err("the limits are not an i64 and two f32 of rank 0 (C2)".into());
    }
    let most = most_of_class(&call.attrs, &scores.shape)?;
    let lines = scores.shape[0].times(scores.shape[1])?;
    let mut types = found(call, vec![lines.times(most)?, Dim::Known(3)]);
    if call.attrs.get("output_format").is_some() {
        keyword(call, "output_format", &["onnx"]).map_err(rule("C4"))?;
        types[1].shape = vec![Dim::Known(1)];
    }
    Ok(types)
}

/// How many boxes of a class may be selected at most, of scores of a shape.
///
/// # Errors
/// If the attribute is not one dimension.
pub fn most_of_class(attrs: &Attrs, scores: &[Dim]) -> Result<Dim, String> {
    match attrs.get("most") {
        None => Ok(scores[2]),
        Some(_) => one_dim(attrs, "most").map_err(rule("C3")),
    }
}
