//! Operators of the namespace `prims`, which PyTorch's decompositions leave.

use super::{
    alias,
    row::{Row, row},
};
use crate::{
    compose::reduce::along,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("prims.broadcast_in_dim", broadcast),
    row("prims.collapse", collapse),
    row("prims.convert_element_type", |n, b| {
        let element = n.element("dtype")?.ok_or("argument 'dtype' is missing")?;
        b.cast(&n.tensor("a")?, element)
    }),
    row("prims.iota", iota),
    row("prims.prod", |n, b| reduced(n, b, "prod")),
    row("prims.split_dim", split).view(alias::reshaped),
    row("prims.squeeze", squeeze).view(alias::reshaped),
    row("prims.sum", |n, b| reduced(n, b, "sum")),
    row("prims.transpose", |n, b| {
        let x = n.tensor("a")?;
        let axes = x.axes(&n.ints("permutation")?.unwrap_or_default())?;
        b.transpose(&x, &axes)
    })
    .view(alias::unwritten),
    row("prims.view_of", |n, _| n.tensor("a")).view(alias::same),
];

/// Axes of a tensor stand at places in a shape, in which it is repeated.
fn broadcast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("a")?;
    let shape = n.dims(b, "shape")?.unwrap_or_default();
    let places = n.ints("broadcast_dimensions")?.unwrap_or_default();
    if places.len() != x.rank() {
        return Err(format!("{places:?} are no places of {} axes", x.rank()));
    }
    let mut own = vec![Dim::Known(1); shape.len()];
    for (place, extent) in places.into_iter().zip(x.dims()) {
        let place = crate::graph::value::normalize_axis(place, shape.len())?;
        own[place] = *extent;
    }
    let x = b.reshape(&x, &own)?;
    b.broadcast(&x, &shape)
}

/// The axes from one to another as one.
fn collapse(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("a")?;
    let (first, last) = (n.required_int("start")?, n.required_int("end")?);
    if x.rank() == 0 {
        return b.reshape(&x, &[Dim::Known(1)]);
    }
    let (first, last) = (x.axis(first)?, x.axis(last)?);
    let middle = x
        .dims()
        .get(first..=last)
        .ok_or("argument 'end' is before 'start'")?;
    let shape = [
        &x.dims()[..first],
        &[dim::product(middle)?],
        &x.dims()[last + 1..],
    ]
    .concat();
    b.reshape(&x, &shape)
}

/// One axis as two.
fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("a")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let outer = n
        .dim(b, "outer_length")?
        .ok_or("argument 'outer_length' is missing")?;
    let inner = x.dims()[axis].floor_div(outer)?;
    let shape = [&x.dims()[..axis], &[outer, inner], &x.dims()[axis + 1..]].concat();
    b.reshape(&x, &shape)
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("a")?;
    let axes = x.axes(&n.ints("dimensions")?.unwrap_or_default())?;
    let extents = x.dims().iter().enumerate();
    let rest = extents.filter(|(axis, extent)| !axes.contains(axis) || **extent != Dim::Known(1));
    let shape: Vec<Dim> = rest.map(|(_, extent)| *extent).collect();
    b.reshape(&x, &shape)
}

/// The numbers from a start on.
fn iota(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["device", "requires_grad"]);
    let length = n.dim(b, "length")?.ok_or("argument 'length' is missing")?;
    let element = n.element("dtype")?.unwrap_or(Element::I64);
    let places = b.iota(Element::I64, &[length], 0)?;
    let (start, step) = (n.dim(b, "start")?, n.dim(b, "step")?);
    let step = b.size(Element::I64, step.unwrap_or(Dim::Known(1)))?;
    let start = b.size(Element::I64, start.unwrap_or(Dim::Known(0)))?;
    let scaled = b.binary("multiply", &places, &step)?;
    let numbers = b.binary("add", &scaled, &start)?;
    b.cast(&numbers, element)
}

fn reduced(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let mut x = n.tensor("inp")?;
    let axes = match n.ints("dims")? {
        Some(axes) => x.axes(&axes)?,
        None => (0..x.rank()).collect(),
    };
    if let Some(element) = n.element("output_dtype")? {
        x = b.cast(&x, element)?;
    }
    along(b, op, &x, (&axes, false))
}
