//! Lists: sums up to each element, permutations, places in sorted lists.

use super::{columns::*, element, rule, transform::are_subscripts};
use crate::{
    dim::{self, Dim},
    element::{Element, Elements},
    ir::Type,
    relay::{
        Call, TensorType,
        relation::{identity, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("cumsum", Opaque, NUMBERS, Amplifies, cumulative),
    Row::new("cumprod", Opaque, NUMBERS, Amplifies, cumulative),
    Row::new(
        "invert_permutation",
        Opaque,
        INTEGERS,
        Decides,
        invert_permutation,
    ),
    Row::new("searchsorted", Opaque, NUMBERS, Decides, searchsorted),
    Row::new("sparse_to_dense", Opaque, INTEGERS, Moves, sparse_to_dense),
];

/// Checks that a type is one of numbers.
fn is_number(dtype: Type, numbers: Elements) -> Result<(), String> {
    element(dtype)?;
    match Element::of(dtype).is_some_and(|element| numbers.contains(element)) {
        true => Ok(()),
        false => Err(format!("dtype is {dtype}, no type of such numbers")),
    }
}

fn cumulative(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    let dtype = match call.attrs.get("dtype") {
        Some(_) => call.attrs.ty("dtype")?,
        None => data.element,
    };
    is_number(dtype, NUMBERS).map_err(rule("C2"))?;
    Ok(vec![TensorType::new(data.shape.clone(), dtype)])
}

fn invert_permutation(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    match data.rank() == 1 && are_subscripts(data.element) {
        true => identity(call),
        false => Err(format!(
            "data of type {} are no list of integers (C1)",
            data.to_type()
        )),
    }
}

fn searchsorted(call: &Call) -> Result<Vec<TensorType>, String> {
    let [sorted, values] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let fits = match (&sorted.shape[..], &values.shape[..]) {
        ([_], _) => true,
        ([lines @ .., _], [of_values @ .., _]) => {
            let mut pairs = lines.iter().zip(of_values);
            lines.len() == of_values.len()
                && pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
        }
        _ => false,
    };
    if !fits || sorted.element != values.element {
        return Err(format!(
            "values {} do not fit a sorted list {} (C1)",
            values.to_type(),
            sorted.to_type()
        ));
    }
    let dtype = call.attrs.ty("dtype")?;
    is_number(dtype, INTEGERS).map_err(rule("C2"))?;
    Ok(vec![TensorType::new(values.shape.clone(), dtype)])
}

fn sparse_to_dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, values, default] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let shape = call.attrs.ints("output_shape")?;
    if shape.iter().any(|extent| *extent < 0) {
        return Err(format!("output_shape {shape:?} has a negative extent (C3)"));
    }
    let fits = match &indices.shape[..] {
        [] | [_] => shape.len() == 1,
        [_, rank] => *rank == Dim::Known(shape.len() as i64),
        _ => false,
    };
    if !fits || !are_subscripts(indices.element) {
        return Err(format!(
            "sparse_indices {} do not fit output_shape {} (C1)",
            indices.to_type(),
            show(&shape)
        ));
    }
    let count = indices.shape.first().copied().unwrap_or(Dim::Known(1));
    let are_as_many = match values.shape[..] {
        [] => true,
        [values] => dim::unify(values, count).is_some(),
        _ => false,
    };
    if !are_as_many || default.rank() != 0 || default.element != values.element {
        return Err(format!(
            "sparse_values {} and default_value {} do not fit {count} subscripts (C2)",
            values.to_type(),
            default.to_type()
        ));
    }
    Ok(vec![TensorType::new(shape, values.element)])
}
