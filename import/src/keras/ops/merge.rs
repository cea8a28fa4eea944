//! Layers that merge tensors.

use super::row::{Row, item};
use crate::{
    compose::{linear::batched, reduce::along},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Item, Tensor},
        node::Node,
    },
};
use relay_dialects::{dim, dim::Dim, element::Element};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    item(&["Add"], |n, b| merged(n, b, "add")),
    item(&["Average"], average),
    item(&["Concatenate"], concatenate),
    item(&["Dot"], dot),
    item(&["Maximum"], |n, b| merged(n, b, "maximum")),
    item(&["Minimum"], |n, b| merged(n, b, "minimum")),
    item(&["Multiply"], |n, b| merged(n, b, "multiply")),
    item(&["Subtract"], |n, b| match n.tensors()?.len() {
        2 => merged(n, b, "subtract"),
        count => Err(format!("it takes 2 tensors, and {count} are given")),
    }),
];

/// The tensors in ranks that are equal: Keras puts axes behind the first one.
fn aligned(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let tensors = n.tensors()?;
    let rank = tensors.iter().map(|one| one.value.rank()).max();
    let rank = rank.unwrap_or(0);
    let mut all = Vec::new();
    for one in tensors {
        let dims = one.value.dims();
        let missing = rank - dims.len();
        let value = match (missing, dims) {
            (0, _) => one.value.clone(),
            (_, []) => return Err("a scalar cannot be merged with tensors".into()),
            (_, [first, rest @ ..]) => {
                let ones = vec![Dim::Known(1); missing];
                b.reshape(&one.value, &[&[*first], &ones[..], rest].concat())?
            }
        };
        all.push(value);
    }
    Ok(all)
}

/// A step counts if it does in one of the tensors; there is no mask if one of them has none.
fn either_mask(b: &mut GraphBuilder, tensors: &[&Tensor]) -> Result<Option<Value>> {
    let masks: Option<Vec<Value>> = tensors.iter().map(|one| one.mask.clone()).collect();
    let Some(masks) = masks else {
        return Ok(None);
    };
    let mut masks = masks.into_iter();
    let Some(mut mask) = masks.next() else {
        return Ok(None);
    };
    for other in masks {
        if other.dims() != mask.dims() {
            return Ok(None);
        }
        mask = b.binary("logical_or", &mask, &other)?;
    }
    Ok(Some(mask))
}

fn folded(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let mut all = aligned(n, b)?.into_iter();
    let mut made = all.next().ok_or("it is called without tensors")?;
    for other in all {
        made = b.binary(operator, &made, &other)?;
    }
    Ok(made)
}

fn merged(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Item> {
    let made = folded(n, b, operator)?;
    let mask = either_mask(b, &n.tensors()?)?;
    Ok(Item::masked(made, mask))
}

fn average(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let sum = folded(n, b, "add")?;
    let made = b.with_scalar("divide", &sum, n.tensors()?.len() as f64)?;
    let mask = either_mask(b, &n.tensors()?)?;
    Ok(Item::masked(made, mask))
}

fn concatenate(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let tensors = n.tensors()?;
    let axis = tensors[0].value.axis(n.config.int("axis")?.unwrap_or(-1))?;
    let values: Vec<Value> = tensors.iter().map(|one| one.value.clone()).collect();
    let made = b.concatenate(&values, axis)?;
    let mask = match tensors.iter().any(|one| one.mask.is_some()) {
        true => Some(mask_of_concatenation(b, &tensors, axis)?),
        false => None,
    };
    Ok(Item::masked(made, mask))
}

/// A step of a concatenation counts if one of its parts does; those without a mask do.
fn mask_of_concatenation(b: &mut GraphBuilder, tensors: &[&Tensor], axis: usize) -> Result<Value> {
    let mut masks = Vec::new();
    for tensor in tensors {
        let value = &tensor.value;
        masks.push(match &tensor.mask {
            None => b.full(Element::Bool, value.dims(), 1.0)?,
            Some(mask) if mask.rank() < value.rank() => {
                let ones = vec![Dim::Known(1); value.rank() - mask.rank()];
                let mask = b.reshape(mask, &[mask.dims(), &ones].concat())?;
                b.broadcast(&mask, value.dims())?
            }
            Some(mask) => mask.clone(),
        });
    }
    let all = b.concatenate(&masks, axis)?;
    let last = all.rank() - 1;
    along(b, "any", &all, (&[last], false))
}

/// The products of two tensors along an axis of each, one for each sample. The axes of the first one come first.
fn dot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let tensors = n.tensors()?;
    let [x, y] = &tensors[..] else {
        return Err(format!(
            "it takes 2 tensors, and {} are given",
            tensors.len()
        ));
    };
    let (mut x, mut y) = (x.value.clone(), y.value.clone());
    let axes = n
        .config
        .ints("axes")?
        .ok_or("attribute 'axes' is missing")?;
    let (of_x, of_y) = match axes[..] {
        [both] => (x.axis(both)?, y.axis(both)?),
        [first, second] => (x.axis(first)?, y.axis(second)?),
        _ => return Err(format!("attribute 'axes' is {axes:?}")),
    };
    if of_x == 0 || of_y == 0 {
        return Err("the samples are no axis of a product".into());
    }
    if n.config.flag("normalize", false)? {
        for (value, axis) in [(&mut x, of_x), (&mut y, of_y)] {
            let attrs = [
                ("eps", Param::Float(1e-12)),
                ("axis", Param::Ints(vec![axis as i64])),
            ];
            *value = b.op("nn.l2_normalize", std::slice::from_ref(value), &attrs)?;
        }
    }
    let moved = |value: &Value, axis: usize, is_first: bool| {
        let others: Vec<usize> = (1..value.rank()).filter(|other| *other != axis).collect();
        match is_first {
            true => [&[0], &others[..], &[axis]].concat(),
            false => [&[0, axis][..], &others].concat(),
        }
    };
    let (order_x, order_y) = (moved(&x, of_x, true), moved(&y, of_y, false));
    let (x, y) = (b.transpose(&x, &order_x)?, b.transpose(&y, &order_y)?);
    let rows = x.dims()[1..x.rank() - 1].to_vec();
    let columns = y.dims()[2..].to_vec();
    let (samples, inner) = (x.dims()[0], x.dims()[x.rank() - 1]);
    let x = b.reshape(&x, &[samples, dim::product(&rows)?, inner])?;
    let y = b.reshape(&y, &[samples, inner, dim::product(&columns)?])?;
    let made = batched(b, &x, &y)?;
    let mut shape = [&[samples], &rows[..], &columns].concat();
    if shape.len() == 1 {
        shape.push(Dim::Known(1));
    }
    Ok(Item::of(b.reshape(&made, &shape)?))
}
