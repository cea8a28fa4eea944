//! Tensors and elements that are repeated.

use super::row::{Row, row};
use crate::{
    compose::{
        reduce::{along, cumulative},
        shape::reshaped,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("repeat", repeat),
    row("repeat_interleave.self_int", repeat_interleave),
    row("repeat_interleave.self_Tensor", |n, b| {
        let mut x = n.tensor("self")?;
        let axis = match n.int("dim")? {
            Some(axis) => x.axis(axis)?,
            None => {
                x = reshaped(b, &x, &[Dim::Known(-1)])?;
                0
            }
        };
        let places = places_by_counts(n, b, x.dims()[axis])?;
        b.taken(&x, &places, axis)
    }),
    row("repeat_interleave.Tensor", |n, b| {
        let counts = n.tensor("repeats")?;
        let places = places_by_counts(n, b, dim::product(counts.dims())?)?;
        b.cast(&places, counts.element())
    }),
    row("tile", tile),
];

fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let counts = n.dims(b, "repeats")?.unwrap_or_default();
    repeated(b, &n.tensor("self")?, &counts)
}

fn tile(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let given = n.dims(b, "dims")?.unwrap_or_default();
    let mut counts = vec![Dim::Known(1); x.rank().saturating_sub(given.len())];
    counts.extend(given);
    repeated(b, &x, &counts)
}

/// A tensor so often along each axis; more numbers than axes stand for new ones in front.
fn repeated(b: &mut GraphBuilder, x: &Value, counts: &[Dim]) -> Result<Value> {
    let new = counts.len().checked_sub(x.rank());
    let new = new.ok_or("there are fewer repetitions than axes")?;
    let mut shape = vec![Dim::Known(1); new];
    shape.extend(x.dims());
    let known: Option<Vec<i64>> = counts.iter().map(|count| count.known()).collect();
    let x = b.reshape(x, &shape)?;
    if let Some(known) = known {
        return match known.iter().all(|count| *count == 1) {
            true => Ok(x),
            false => b.op("tile", &[x], &[("reps", Param::Ints(known))]),
        };
    }
    let (mut apart, mut wide, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for (extent, count) in shape.iter().zip(counts) {
        apart.extend([Dim::Known(1), *extent]);
        wide.extend([*count, *extent]);
        whole.push(count.times(*extent)?);
    }
    let apart = b.reshape(&x, &apart)?;
    let wide = b.broadcast(&apart, &wide)?;
    b.reshape(&wide, &whole)
}

/// Each element so often.
fn repeat_interleave(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["output_size"]);
    let (mut x, count) = (n.tensor("self")?, n.required_int("repeats")?);
    let axis = match n.int("dim")? {
        Some(axis) => x.axis(axis)?,
        None => {
            x = reshaped(b, &x, &[Dim::Known(-1)])?;
            0
        }
    };
    let mut shape = x.dims().to_vec();
    shape.insert(axis + 1, Dim::Known(1));
    let apart = b.reshape(&x, &shape)?;
    shape[axis + 1] = Dim::Known(count);
    let wide = b.broadcast(&apart, &shape)?;
    shape.remove(axis + 1);
    shape[axis] = shape[axis].times(count)?;
    b.reshape(&wide, &shape)
}

/// Each place below an extent as often as a list of counts says.
fn places_by_counts(n: &Node<'_>, b: &mut GraphBuilder, extent: Dim) -> Result<Value> {
    let counts = n.tensor("repeats")?;
    let counts = b.cast(&counts, Element::I64)?;
    let counts = b.broadcast(&counts, &[extent])?;
    let ends = cumulative(b, "cumsum", &counts, 0, [false, false])?;
    let total = match n.dim(b, "output_size")? {
        Some(total) => total,
        None => {
            let total = along(b, "sum", &counts, (&[0], false))?;
            b.define(&total, "repeated", None)?
        }
    };
    let places = b.iota(Element::I64, &[total], 0)?;
    let attrs = [
        ("right", Param::Bool(true)),
        ("dtype", Param::Type(Element::I64)),
    ];
    b.op("searchsorted", &[ends, places], &attrs)
}
