//! Elements that indices replace.
//!
//! Relay computes each element of a result for itself, so each one looks for the updates that are meant for it. That takes as many comparisons
//! as the product of the numbers of elements and updates. Where the indices are known, `fold-constant` computes them, and a choice is left.

use super::{
    gather::{check_indices, flattened, taken},
    reduce::along,
    row::{Row, row},
    subscript::{check_comparisons, from_start, subscripts},
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Scatter", 9, scatter_elements).until(10),
    row("ScatterElements", 11, scatter_elements),
    row("ScatterND", 11, scatter_nd),
];

/// How updates are reduced with the element that they are for.
struct Reduction {
    /// The operator on the element and one update.
    join: &'static str,
    /// The same operator as a reduction of several updates.
    reduce: &'static str,
    /// The number that changes nothing.
    neutral: f64,
}

/// Reads `reduction`; `None` where updates replace the element, of several of them the last one.
fn reduction(n: &Node<'_>, element: Element) -> Result<Option<Reduction>> {
    let known = |join, reduce, neutral| {
        Ok(Some(Reduction {
            join,
            reduce,
            neutral,
        }))
    };
    match n.attr_str_or("reduction", "none")?.as_str() {
        "none" => Ok(None),
        "add" => known("add", "sum", 0.0),
        "mul" => known("multiply", "prod", 1.0),
        "max" if element.is_float() => known("maximum", "max", f64::NEG_INFINITY),
        "min" if element.is_float() => known("minimum", "min", f64::INFINITY),
        other => Err(format!(
            "attribute 'reduction' is '{other}', which is not supported for {element}"
        )),
    }
}

/// The elements `data`, [outer, elements, inner], with `updates`, [outer, updates, inner]. `places` says for which element an update is; it
/// has the shape of the updates, or 1 in the place of the inner extent.
fn updated(
    b: &mut GraphBuilder,
    data: &Value,
    (places, updates): (&Value, &Value),
    reduction: Option<Reduction>,
) -> Result<Value> {
    let (&[outer, elements, inner], &[_, count, _]) = (data.shape(), updates.shape()) else {
        return Err(format!(
            "elements of shape {:?} are not updated",
            data.shape()
        ));
    };
    if data.shape().contains(&0) || count == 0 {
        return Ok(data.clone());
    }
    let own = places.shape()[2];
    check_comparisons(&[outer, elements, count, own])?;
    let places = b.reshape(places, &[outer, 1, count, own])?;
    let own_places = subscripts(b, 4, 1, elements)?;
    let hits = b.binary("equal", &places, &own_places)?;
    if let Some(reduction) = reduction {
        check_comparisons(&[outer, elements, count, inner])?;
        let terms = b.reshape(updates, &[outer, 1, count, inner])?;
        let neutral = b.scalar(data.element(), reduction.neutral);
        let terms = b.op("where", &[hits, terms, neutral], &[])?;
        let all = along(b, reduction.reduce, &terms, (&[2], false))?;
        return b.binary(reduction.join, data, &all);
    }
    let numbers = subscripts(b, 4, 2, count)?;
    let none = b.scalar(Element::I64, -1.0);
    let last = b.op("where", &[hits, numbers, none], &[])?;
    let last = along(b, "max", &last, (&[2], false))?;
    let is_updated = b.with_scalar("greater_equal", &last, 0.0)?;
    let found = picked(b, updates, &last)?;
    b.op("where", &[is_updated, found, data.clone()], &[])
}

/// Picks updates, [outer, updates, inner], by their numbers, [outer, elements, inner]; the inner extent of these may be 1. What is picked by a
/// number below 0 is not used.
fn picked(b: &mut GraphBuilder, updates: &Value, numbers: &Value) -> Result<Value> {
    let (&[outer, _, inner], &[_, elements, own]) = (updates.shape(), numbers.shape()) else {
        return Err(format!(
            "numbers of shape {:?} pick nothing",
            numbers.shape()
        ));
    };
    let numbers = b.with_scalar("maximum", numbers, 0.0)?;
    if outer == 1 && own == 1 {
        let flat = b.reshape(&numbers, &[1, elements])?;
        let rows = b.reshape(updates, &updates.shape()[1..])?;
        return taken(b, &rows, &flat, 0);
    }
    let numbers = b.broadcast(&numbers, &[outer, elements, inner])?;
    b.op(
        "gather",
        &[updates.clone(), numbers],
        &[("axis", Param::Int(1))],
    )
}

/// Each index is a list of subscripts of the first axes, and its update is what lies there.
fn scatter_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, indices, updates) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let reduction = reduction(n, x.element())?;
    let wrong = || {
        format!(
            "indices of shape {:?} and updates of shape {:?} do not fit an input of shape {:?}",
            indices.shape(),
            updates.shape(),
            x.shape()
        )
    };
    let (&length, lists) = indices.shape().split_last().ok_or_else(wrong)?;
    let length = usize::try_from(length).map_err(|_| wrong())?;
    if length == 0 || length > x.rank() || updates.shape() != [lists, &x.shape()[length..]].concat()
    {
        return Err(wrong());
    }
    let (dims, rest) = x.shape().split_at(length);
    let (elements, inner): (i64, i64) = (dims.iter().product(), rest.iter().product());
    let count = lists.iter().product();
    let places = flattened(b, &indices, dims)?;
    let places = b.reshape(&places, &[1, count, 1])?;
    let updates = b.reshape(&updates, &[1, count, inner])?;
    let flat = b.reshape(&x, &[1, elements, inner])?;
    let result = updated(b, &flat, (&places, &updates), reduction)?;
    Ok(vec![b.reshape(&result, x.shape())?])
}

/// Each index is a subscript of one axis; the others are those of the index itself.
fn scatter_elements(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, indices, updates) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let reduction = reduction(n, x.element())?;
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    let extent = x.shape()[axis];
    check_indices(&indices, extent)?;
    let dims = || x.shape().iter().zip(indices.shape()).enumerate();
    let fits = indices.rank() == x.rank()
        && updates.shape() == indices.shape()
        && dims().all(|(dim, (extent, count))| dim == axis || count <= extent);
    if !fits {
        return Err(format!(
            "indices of shape {:?} and updates of shape {:?} do not fit an input of shape {:?}",
            indices.shape(),
            updates.shape(),
            x.shape()
        ));
    }
    let indices = b.cast(&indices, Element::I64)?;
    let places = from_start(b, &indices, extent)?;
    // Where the indices end, there is nothing to update: no element has a place below 0.
    let more =
        dims().flat_map(|(dim, (extent, count))| [0, if dim == axis { 0 } else { extent - count }]);
    let more: Vec<i64> = more.collect();
    let none = b.scalar(Element::I64, -1.0);
    let places = b.pad(&places, &none, more.clone(), "constant")?;
    let zero = b.scalar(x.element(), 0.0);
    let updates = b.pad(&updates, &zero, more, "constant")?;
    let count = updates.shape()[axis];
    let outer: i64 = x.shape()[..axis].iter().product();
    let inner: i64 = x.shape()[axis + 1..].iter().product();
    let places = b.reshape(&places, &[outer, count, inner])?;
    let updates = b.reshape(&updates, &[outer, count, inner])?;
    let flat = b.reshape(&x, &[outer, extent, inner])?;
    let result = updated(b, &flat, (&places, &updates), reduction)?;
    Ok(vec![b.reshape(&result, x.shape())?])
}
