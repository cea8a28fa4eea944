//! Views of tensors, and tensors in which what is seen in a view is replaced: a column of the table of operators.

use super::{index::replaced, range::range, row::Written};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axis},
    },
    torch::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// Refuses to write: the elements of such views are not followed, but they are not taken for copies.
pub fn unwritten(_: &Node<'_>, _: &mut GraphBuilder, _: &Written<'_>) -> Result<Value> {
    Err("it writes into a view of a kind that can only be read".into())
}

/// What is the tensor itself, unless it has other elements: then it is a copy.
pub fn same(_: &Node<'_>, _: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    Ok(written.new.clone())
}

/// The same elements in another shape.
pub fn reshaped(_: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    b.reshape(written.new, written.base.dims())
}

/// A tensor that is repeated along axes, or not.
pub fn repeated(_: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let (count, of_base) = (
        dim::product(written.new.dims())?,
        dim::product(written.base.dims())?,
    );
    match count == of_base {
        true => b.reshape(written.new, written.base.dims()),
        false => Err("it writes into a tensor whose elements are repeated".into()),
    }
}

/// The order of axes that a view has, undone.
pub fn turned(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let rank = written.base.rank();
    let axes: Vec<usize> = match n.ints("dims")? {
        Some(axes) => {
            let axes = axes.into_iter().map(|axis| normalize_axis(axis, rank));
            axes.collect::<Result<_>>()?
        }
        None => {
            let mut axes: Vec<usize> = (0..rank).collect();
            if rank > 1 {
                let first = normalize_axis(n.int_or("dim0", 0)?, rank)?;
                let second = normalize_axis(n.int_or("dim1", 1)?, rank)?;
                axes.swap(first, second);
            }
            axes
        }
    };
    let mut inverse = vec![0; rank];
    for (to, from) in axes.into_iter().enumerate() {
        inverse[from] = to;
    }
    b.transpose(written.new, &inverse)
}

/// A range of an axis, by its start and its length.
pub fn narrowed(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let axis = written.base.axis(n.required_int("dim")?)?;
    let start = n.dim(b, "start")?.ok_or("argument 'start' is missing")?;
    let end = start.plus(written.new.dims()[axis])?;
    replaced(b, (written.base, written.new), axis, (start, end, 1))
}

/// A range of an axis, by its ends and its step.
pub fn sliced(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let axis = written.base.axis(n.int_or("dim", 0)?)?;
    let range = range(n, b, written.base.dims()[axis])?;
    replaced(b, (written.base, written.new), axis, range)
}

/// One element of an axis.
pub fn select(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let axis = written.base.axis(n.required_int("dim")?)?;
    let index = n.dim(b, "index")?.ok_or("argument 'index' is missing")?;
    let from = match index {
        Dim::Known(index) if index < 0 => written.base.dims()[axis].plus(index)?,
        index => index,
    };
    let mut shape = written.new.dims().to_vec();
    shape.insert(axis, Dim::Known(1));
    let new = b.reshape(written.new, &shape)?;
    replaced(b, (written.base, &new), axis, (from, from.plus(1)?, 1))
}

/// One of the parts that an axis is split into.
pub fn part(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    let axis = written.base.axis(n.int_or("dim", 0)?)?;
    let mut parts = written.results.to_vec();
    let part = parts
        .get_mut(written.place)
        .ok_or("there is no such part")?;
    *part = written.new.clone();
    if written.new.rank() < written.base.rank() {
        for part in &mut parts {
            let mut shape = part.dims().to_vec();
            shape.insert(axis, Dim::Known(1));
            *part = b.reshape(part, &shape)?;
        }
    }
    b.concatenate(&parts, axis)
}
