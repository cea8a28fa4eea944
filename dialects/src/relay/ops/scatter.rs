//! Elements that indices replace.

use super::{
    columns::*,
    keyword, rule,
    transform::{are_subscripts, axis_of_indices},
};
use crate::{
    dim::{self, Dim},
    element::{Element, Elements},
    relay::{
        Call, TensorType,
        relation::{identity, normalize_axis, show},
    },
};

/// The family's rows. What a reduction makes of two elements is rounded to their type, as a sum of two tensors is.
pub const ROWS: &[Row] = &[
    Row::new("scatter_elements", Opaque, ANY, Moves, elements),
    Row::new("scatter_nd", Opaque, ANY, Moves, parts),
    Row::new("cache_update", Opaque, ANY, Moves, cache_update),
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

fn cache_update(call: &Call) -> Result<Vec<TensorType>, String> {
    let [cache, update, position] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let axis = normalize_axis(call.attrs.int("axis")?, cache.rank()).map_err(rule("C1"))?;
    let fits = |(dim, (new, old)): (usize, (&Dim, &Dim))| match dim == axis {
        true => new
            .known()
            .zip(old.known())
            .is_none_or(|(new, old)| new <= old),
        false => dim::unify(*new, *old).is_some(),
    };
    let mut pairs = update.shape.iter().zip(&cache.shape).enumerate();
    if update.element != cache.element || update.rank() != cache.rank() || !pairs.all(fits) {
        return Err(format!(
            "an update of type {} does not fit a cache of type {} along axis {axis} (C2)",
            update.to_type(),
            cache.to_type()
        ));
    }
    let is_one_each = |count: Dim| axis > 0 && dim::unify(count, cache.shape[0]).is_some();
    let is_position = match position.shape[..] {
        [] => true,
        [count] => is_one_each(count),
        _ => false,
    };
    match is_position && are_subscripts(position.element) {
        true => identity(call),
        false => Err(format!(
            "positions of type {} are no integer, nor one for each index of dimension 0 (C3)",
            position.to_type()
        )),
    }
}

/// Checks that an attribute names a reduction of the data.
fn check_reduction(call: &Call, name: &str) -> Result<(), String> {
    let reduction = keyword(call, name, REDUCTIONS).map_err(rule("C5"))?;
    let element = Element::require(call.inputs[0].element)?;
    match reduction == "update" || Elements::NUMBERS.contains(element) {
        true => Ok(()),
        false if element == Element::Bool => {
            Err(format!("{name} '{reduction}' is none of booleans (C6)"))
        }
        false => Err(format!("{name} '{reduction}' is none of {element} (C6)")),
    }
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
