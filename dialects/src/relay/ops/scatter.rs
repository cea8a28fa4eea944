//! Elements that indices replace.

use super::{
    columns::*,
    keyword, rule,
    transform::{are_subscripts, axis_of_indices},
};
use crate::{
    dim::{self, Dim},
    relay::{
        Call, TensorType,
        relation::{identity, show},
    },
};

/// The family's rows. What a reduction makes of two elements is rounded to their type, as a sum of two tensors is.
pub const ROWS: &[Row] = &[
    Row::new("scatter_elements", Opaque, ANY, Moves, elements),
    Row::new("scatter_nd", Opaque, ANY, Moves, parts),
];

/// What becomes of an element and its update.
const REDUCTIONS: &[&str] = &["update", "add", "mul", "min", "max"];

fn elements(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, indices, updates] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let axis = axis_of_indices(call, (data, indices))?;
    check_updates(updates, (data, &indices.shape))?;
    let exceeds = |dim: &usize| {
        let extents = data.shape[*dim].known().zip(indices.shape[*dim].known());
        *dim != axis && extents.is_some_and(|(extent, count)| count > extent)
    };
    if let Some(dim) = (0..data.rank()).find(exceeds) {
        return Err(format!(
            "indices {} are more than elements {} in dimension {dim} (C4)",
            show(&indices.shape),
            show(&data.shape)
        ));
    }
    check_reduction(call, "reduction")?;
    identity(call)
}

fn parts(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, indices, updates] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let wrong = || {
        format!(
            "indices of type {} are no lists of integers (C1)",
            indices.to_type()
        )
    };
    if !are_subscripts(indices.element) {
        return Err(wrong());
    }
    let (&length, lists) = indices.shape.split_first().ok_or_else(wrong)?;
    let Some(length) = length.known() else {
        return Err("the number of subscripts is not known (C2)".into());
    };
    let chosen = usize::try_from(length).ok();
    let Some((chosen, rest)) = chosen.and_then(|count| data.shape.split_at_checked(count)) else {
        return Err(format!(
            "{length} subscripts choose of {} dimensions (C2)",
            data.rank()
        ));
    };
    if chosen.contains(&Dim::Known(0)) && !lists.contains(&Dim::Known(0)) {
        return Err(format!(
            "there are no elements in dimensions {} (C2)",
            show(chosen)
        ));
    }
    check_updates(updates, (data, &[lists, rest].concat()))?;
    check_reduction(call, "mode")?;
    identity(call)
}

/// Checks that an attribute names a reduction of the data.
fn check_reduction(call: &Call, name: &str) -> Result<(), String> {
    let reduction = keyword(call, name, REDUCTIONS).map_err(rule("C5"))?;
    if call.inputs[0].element.is_bool() && reduction != "update" {
        return Err(format!("{name} '{reduction}' is none of booleans (C6)"));
    }
    Ok(())
}

/// Checks that there is an update of some data for each index.
fn check_updates(
    updates: &TensorType,
    (data, wanted): (&TensorType, &[Dim]),
) -> Result<(), String> {
    if updates.element != data.element {
        return Err(format!(
            "element types {} and {} differ (C3)",
            data.element, updates.element
        ));
    }
    let mut pairs = updates.shape.iter().zip(wanted);
    let fits = updates.rank() == wanted.len() && pairs.all(|(a, b)| dim::unify(*a, *b).is_some());
    match fits {
        true => Ok(()),
        false => Err(format!(
            "updates have shape {}, expected {} (C3)",
            show(&updates.shape),
            show(wanted)
        )),
    }
}
