//! Views of tensors, and tensors in which what is seen in a view is replaced.

use super::{
    node::Node,
    ops::{index::replaced, parts::range},
};
use crate::graph::{
    builder::GraphBuilder,
    error::Result,
    value::{Value, normalize_axis},
};
use relay_dialects::dim::{self, Dim};

/// What is written: the results of the node with which the tensor is seen now, which of them is replaced, and by what.
pub struct Written<'w> {
    /// The tensor.
    pub base: &'w Value,
    /// All results of the node.
    pub results: &'w [Value],
    /// Which of them is replaced.
    pub place: usize,
    /// The new elements.
    pub new: &'w Value,
}

/// Makes the tensor in which a view is replaced.
type Write = fn(&Node<'_>, &mut GraphBuilder, &Written<'_>) -> Result<Value>;

/// The operators whose results are views of their first argument, and how these are written into.
const VIEWS: &[(&str, Write)] = &[
    ("alias", same),
    ("chunk", part),
    ("cpu", same),
    ("detach", same),
    ("dropout", same),
    ("expand", repeated),
    ("flatten", reshaped),
    ("narrow", |n, b, written| {
        let axis = written.base.axis(n.required_int("dim")?)?;
        let start = n.dim(b, "start")?.ok_or("argument 'start' is missing")?;
        let end = start.plus(written.new.dims()[axis])?;
        replaced(b, (written.base, written.new), axis, (start, end, 1))
    }),
    ("permute", turned),
    ("reshape", reshaped),
    ("reshape_as", reshaped),
    ("select", select),
    ("slice", |n, b, written| {
        let axis = written.base.axis(n.int_or("dim", 0)?)?;
        let range = range(n, b, written.base.dims()[axis])?;
        replaced(b, (written.base, written.new), axis, range)
    }),
    ("split", part),
    ("split_with_sizes", part),
    ("squeeze", reshaped),
    ("t", turned),
    ("to", same),
    ("transpose", turned),
    ("type_as", same),
    ("unbind", part),
    ("unflatten", reshaped),
    ("unsqueeze", reshaped),
    ("view", reshaped),
    ("view_as", reshaped),
    ("_unsafe_view", reshaped),
    ("broadcast_to", repeated),
    ("expand_as", repeated),
    ("ravel", reshaped),
    ("_reshape_alias", reshaped),
    // What is written into these is not followed, but they are not taken for copies.
    ("adjoint", unwritten),
    ("as_strided", unwritten),
    ("atleast_1d", unwritten),
    ("atleast_2d", unwritten),
    ("atleast_3d", unwritten),
    ("diagonal", unwritten),
    ("dsplit", unwritten),
    ("hsplit", unwritten),
    ("mT", unwritten),
    ("movedim", unwritten),
    ("moveaxis", unwritten),
    ("numpy_T", unwritten),
    ("swapaxes", unwritten),
    ("swapdims", unwritten),
    ("tensor_split", unwritten),
    ("unfold", unwritten),
    ("vsplit", unwritten),
];

/// How views are written into that an operator makes, by its name in a file; none if it makes no views.
pub fn view(target: &str) -> Option<Write> {
    let name = target.strip_prefix("torch.ops.aten.")?;
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    let mut views = VIEWS.iter();
    views
        .find(|(known, _)| *known == name)
        .map(|(_, write)| *write)
}

fn unwritten(_: &Node<'_>, _: &mut GraphBuilder, _: &Written<'_>) -> Result<Value> {
    Err("it writes into a view of a kind that can only be read".into())
}

/// What is the tensor itself, unless it has other elements: then it is a copy.
fn same(_: &Node<'_>, _: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    Ok(written.new.clone())
}

fn reshaped(_: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
    b.reshape(written.new, written.base.dims())
}

fn repeated(_: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
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
fn turned(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
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

fn select(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
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
fn part(n: &Node<'_>, b: &mut GraphBuilder, written: &Written<'_>) -> Result<Value> {
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
