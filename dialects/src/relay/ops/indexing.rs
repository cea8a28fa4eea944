//! Elements at places that operands say, and the places of elements.

use super::{columns::*, transform::are_subscripts};
use crate::{
    dim::{self, Dim},
    element::Element,
    ir::Type,
    relay::{
        Attrs, Call, TensorType,
        relation::{broadcast_shapes, identity, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("adv_index", Injective, ANY, Moves, adv_index),
    Row::new("strided_set", Injective, ANY, Moves, strided_set),
    Row::new(
        "contrib_reverse_reshape",
        Injective,
        ANY,
        Moves,
        reverse_reshape,
    )
    .view(),
    Row::new("unique", Opaque, NUMBERS, Moves, unique),
    Row::new("sparse_reshape", Opaque, INTEGERS, Decides, sparse_reshape),
    Row::new("argwhere", Opaque, VALUES, Decides, argwhere).with_shape_operands(&[0]),
    Row::new(
        "sparse_fill_empty_rows",
        Opaque,
        INTEGERS,
        Decides,
        fill_empty_rows,
    )
    .with_shape_operands(&[2]),
];

fn adv_index(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, indices @ ..] = &call.inputs[..] else {
        return Err("takes data and subscripts".into());
    };
    let are_right = indices.iter().all(|ty| are_subscripts(ty.element));
    if indices.is_empty() || indices.len() > data.rank() || !are_right {
        return Err(format!(
            "{} operands do not subscript {} dimensions by integers (C1)",
            indices.len(),
            data.rank()
        ));
    }
    let mut shape = indices[0].shape.clone();
    for list in &indices[1..] {
        let (one, other) = (show(&shape), show(&list.shape));
        shape = broadcast_shapes(&shape, &list.shape)
            .map_err(|_| format!("subscripts of shapes {one} and {other} do not broadcast (C2)"))?;
    }
    shape.extend(&data.shape[indices.len()..]);
    Ok(vec![TensorType::new(shape, data.element)])
}

fn strided_set(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, values, lists @ ..] = &call.inputs[..] else {
        return Err("takes five operands".into());
    };
    if values.element != data.element || values.rank() != data.rank() {
        let [data, values] = [data, values].map(TensorType::to_type);
        return Err(format!("{values} is no slice of {data} (C1)"));
    }
    let is_list = |ty: &TensorType| match ty.shape[..] {
        [Dim::Known(length)] => are_subscripts(ty.element) && length <= data.rank() as i64,
        _ => false,
    };
    match lists.iter().find(|ty| !is_list(ty)) {
        None => identity(call),
        Some(other) => Err(format!(
            "{} is no vector of integers for {} dimensions (C2)",
            other.to_type(),
            data.rank()
        )),
    }
}

fn reverse_reshape(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let shape = reversed_shape(&call.attrs, &data.shape)?;
    Ok(vec![TensorType::new(shape, data.element)])
}

/// The dimensions that codes stand for, from the last ones on.
fn reversed_shape(attrs: &Attrs, data: &[Dim]) -> Result<Vec<Dim>, String> {
    let codes = attrs.ints("newshape")?;
    let allows_zero = attrs.bool("allowzero")?;
    let none = || format!("newshape {codes:?} does not fit {} (C1)", show(data));
    let (mut shape, mut own, mut left) = (Vec::new(), data.iter().rev().copied(), None);
    for &code in codes.iter().rev() {
        match code {
            0 if !allows_zero => shape.push(own.next().ok_or_else(none)?),
            -1 if left.is_none() => {
                own.next();
                left = Some(shape.len());
                shape.push(Dim::Known(1));
            }
            -2 => shape.extend(own.by_ref()),
            -3 => {
                let pair = own.next().zip(own.next()).ok_or_else(none)?;
                shape.push(pair.0.times(pair.1)?);
            }
            0.. => {
                own.next();
                shape.push(Dim::Known(code));
            }
            _ => return Err(none()),
        }
    }
    let differ = || {
        format!(
            "newshape {codes:?} has other elements than {} (C2)",
            show(data)
        )
    };
    let (all, others) = (dim::product(data)?, dim::product(&shape)?);
    match left {
        None => drop(dim::unify(all, others).ok_or_else(differ)?),
        Some(place) => {
            let factor = others.known().filter(|factor| *factor > 0);
            let rest = factor.and_then(|factor| dim::quotient(all, factor));
            shape[place] = rest.ok_or_else(differ)?;
        }
    }
    shape.reverse();
    Ok(shape)
}

fn i32s(call: &Call, shape: Vec<Dim>) -> TensorType {
    TensorType::new(shape, Element::I32.ty(call.ctx))
}

fn unique(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let [count] = data.shape[..] else {
        return Err(format!("data are of rank {}, not of 1 (C1)", data.rank()));
    };
    let places = i32s(call, vec![count]);
    let mut types = vec![
        data.clone(),
        places.clone(),
        places.clone(),
        i32s(call, vec![Dim::Known(1)]),
    ];
    if call.attrs.bool("return_counts")? {
        types.push(places);
    }
    Ok(types)
}

fn sparse_reshape(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, before, after] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let fits = match (&indices.shape[..], &before.shape[..], &after.shape[..]) {
        ([_, rank], [old], [new]) => {
            dim::unify(*rank, *old).is_some() && [old, new].iter().all(|rank| rank.is_known())
        }
        _ => false,
    };
    let are_integers = call.inputs.iter().all(|ty| are_subscripts(ty.element));
    if !fits || !are_integers {
        let types = call.inputs.iter().map(|ty| ty.to_type().to_string());
        let types: Vec<String> = types.collect();
        return Err(format!("operands {} do not fit (C1)", types.join(", ")));
    }
    if before.element != after.element {
        let [before, after]: [Type; 2] = [before.element, after.element];
        return Err(format!("shapes are of {before} and {after} (C2)"));
    }
    let places = TensorType::new(vec![indices.shape[0], after.shape[0]], indices.element);
    Ok(vec![places, after.clone()])
}

fn argwhere(call: &Call) -> Result<Vec<TensorType>, String> {
    let rank = call.inputs[0].rank();
    match rank {
        0 => Err("data are of rank 0 (C1)".into()),
        _ => Ok(vec![i32s(call, vec![Dim::Unknown, Dim::from(rank as i64)])]),
    }
}

fn fill_empty_rows(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, values, shape, default] = &call.inputs[..] else {
        return Err("takes four operands".into());
    };
    let i64 = Element::I64.ty(call.ctx);
    let rank = match (&indices.shape[..], &shape.shape[..]) {
        ([_, rank], [other]) => dim::unify(*rank, *other).filter(|rank| rank.known() > Some(0)),
        _ => None,
    };
    let are_i64 = indices.element == i64 && shape.element == i64;
    let rank = rank.filter(|_| are_i64).ok_or_else(|| {
        let [indices, shape] = [indices, shape].map(TensorType::to_type);
        format!("subscripts {indices} do not fit a shape {shape} (C1)")
    })?;
    let are_as_many =
        matches!(values.shape[..], [count] if dim::unify(count, indices.shape[0]).is_some());
    let is_one = default.shape.iter().all(|extent| *extent == 1) && default.rank() < 2;
    if !are_as_many || !is_one || default.element != values.element {
        let [values, default] = [values, default].map(TensorType::to_type);
        return Err(format!(
            "values {values} and default {default} do not fit the subscripts (C2)"
        ));
    }
    Ok(vec![
        TensorType::new(vec![Dim::Unknown, rank], i64),
        TensorType::new(vec![Dim::Unknown], values.element),
        TensorType::new(vec![Dim::Unknown], i64),
    ])
}
