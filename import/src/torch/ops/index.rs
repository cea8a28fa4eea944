//! Elements that indices pick or replace.

use super::{
    range::range,
    row::{Row, row, rows},
};
use crate::{
    compose::{
        gather::check_indices,
        scatter::scattered,
        shape::reshaped,
        slice::sliced,
        subscript::{computed_places, known_places, one_axis, subscripts},
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcast_shapes},
    },
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("embedding", embedding),
    row("gather", |n, b| {
        n.ignore(&["sparse_grad"]);
        gathered(n, b, &n.tensor("index")?)
    }),
    row("index", index),
    row("_unsafe_index", index),
    row("index_add", |n, b| along_indices(n, b, "source", "add")),
    row("index_copy", |n, b| along_indices(n, b, "source", "update")),
    row("index_fill", |n, b| along_indices(n, b, "value", "update")),
    row("index_put", index_put),
    row("_unsafe_index_put", index_put),
    row("_index_put_impl", index_put),
    row("index_select", |n, b| {
        let (x, indices) = (n.tensor("self")?, n.tensor("index")?);
        let axis = x.axis(n.required_int("dim")?)?;
        check_indices(b, &indices, x.dims()[axis])?;
        // One index without an axis picks an axis of one element.
        let list = reshaped(b, &indices, &[Dim::Known(-1)])?;
        b.taken(&x, &list, axis)
    }),
    row("masked_scatter", masked_scatter),
    row("masked_select", masked_select),
    row("argwhere", |n, b| {
        let places = places(b, &n.tensor("self")?)?;
        b.transpose(&places, &[1, 0])
    }),
    row("nonzero", |n, b| {
        let places = places(b, &n.tensor("self")?)?;
        b.transpose(&places, &[1, 0])
    }),
    rows("nonzero_numpy", |n, b| {
        let places = places(b, &n.tensor("self")?)?;
        apart(b, &places)
    }),
    row("scatter", scatter),
    row("scatter_add", |n, b| scatter_with(n, b, "add")),
    row("scatter_reduce", scatter_reduce),
    row("select_scatter", select_scatter),
    row("slice_scatter", slice_scatter),
    row("take", |n, b| {
        let (x, places) = (n.tensor("self")?, n.tensor("index")?);
        let flat = reshaped(b, &x, &[Dim::Known(-1)])?;
        b.taken(&flat, &places, 0)
    }),
    row("take_along_dim", |n, b| {
        let (x, indices) = (n.tensor("self")?, n.tensor("indices")?);
        let axis = x.axis(n.required_int("dim")?)?;
        let mut shape = x.dims().to_vec();
        shape[axis] = Dim::Known(1);
        let shape = broadcast_shapes(&shape, indices.dims())?;
        let indices = b.broadcast(&indices, &shape)?;
        gathered(n, b, &indices)
    }),
];

/// Rows of a table.
fn embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["padding_idx", "scale_grad_by_freq", "sparse"]);
    let (table, indices) = (n.tensor("weight")?, n.tensor("indices")?);
    if table.rank() != 2 {
        return Err(format!(
            "the table has shape {:?}, expected a matrix",
            table.dims()
        ));
    }
    check_indices(b, &indices, table.dims()[0])?;
    b.taken(&table, &indices, 0)
}

/// For each index, the element of its line. The other extents of indices may be smaller than those of the input.
fn gathered(n: &Node<'_>, b: &mut GraphBuilder, indices: &Value) -> Result<Value> {
    let mut x = n.tensor("self")?;
    if x.rank() == 0 {
        n.ignore(&["dim"]);
        return b.broadcast(&x, indices.dims());
    }
    let axis = x.axis(n.required_int("dim")?)?;
    check_indices(b, indices, x.dims()[axis])?;
    let cuts: Vec<_> = (0..x.rank().min(indices.rank()))
        .filter(|other| *other != axis && x.dims()[*other] != indices.dims()[*other])
        .map(|other| (other, Dim::Known(0), indices.dims()[other], 1))
        .collect();
    if !cuts.is_empty() {
        x = sliced(b, &x, &cuts)?;
    }
    let attrs = [("axis", Param::Int(axis as i64))];
    b.op("gather", &[x, indices.clone()], &attrs)
}

/// The subscripts of the elements that are not 0, a row for each axis.
fn places(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    match x.constant() {
        Some(known) => known_places(known, b),
        None => computed_places(x, b),
    }
}

/// The rows of a matrix, as lists.
fn apart(b: &mut GraphBuilder, rows: &Value) -> Result<Vec<Value>> {
    let (count, length) = (rows.extent(0)?, rows.dims()[1]);
    let lists = (0..count).map(|row| {
        let list = sliced(b, rows, &[(0, Dim::Known(row), Dim::Known(row + 1), 1)])?;
        b.reshape(&list, &[length])
    });
    lists.collect()
}

/// Subscripts of some axes of a tensor, of which the others are taken whole.
struct Subscripts {
    /// The axes that have subscripts.
    axes: Vec<usize>,
    /// Their subscripts.
    lists: Vec<Value>,
    /// Where the axes of the subscripts stand in the result: in the place of the first one, or in front where others stand between them.
    place: usize,
}

impl Subscripts {
    /// A mask stands for the subscripts of the elements for which it holds.
    fn read(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Self> {
        let (mut axes, mut lists, mut axis) = (Vec::new(), Vec::new(), 0);
        for given in n.optional_tensors("indices")? {
            let Some(given) = given else {
                axis += 1;
                continue;
            };
            let found = match given.element() {
                Element::Bool | Element::U8 => {
                    let places = places(b, &given)?;
                    apart(b, &places)?
                }
                _ => vec![given],
            };
            for list in found {
                axes.push(axis);
                lists.push(list);
                axis += 1;
            }
        }
        if axes.is_empty() || axis > x.rank() {
            return Err(format!(
                "the indices do not fit an input of shape {:?}",
                x.dims()
            ));
        }
        for (axis, list) in axes.iter().zip(&lists) {
            check_indices(b, list, x.dims()[*axis])?;
        }
        let are_neighbours = axes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let place = if are_neighbours { axes[0] } else { 0 };
        Ok(Self { axes, lists, place })
    }

    /// The axes in the order in which those with subscripts come first.
    fn order(&self, rank: usize) -> Vec<usize> {
        let others = (0..rank).filter(|axis| !self.axes.contains(axis));
        self.axes.iter().copied().chain(others).collect()
    }

    /// The shape that the subscripts broadcast to.
    fn shape(&self) -> Result<Vec<Dim>> {
        let lists = self.lists.iter();
        lists.clone().try_fold(Vec::new(), |shape, list| {
            broadcast_shapes(&shape, list.dims())
        })
    }
}

fn index(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let subscripts = Subscripts::read(n, b, &x)?;
    if let ([axis], [list]) = (&subscripts.axes[..], &subscripts.lists[..]) {
        return b.taken(&x, list, *axis);
    }
    let moved = b.transpose(&x, &subscripts.order(x.rank()))?;
    let mut operands = vec![moved];
    for list in &subscripts.lists {
        operands.push(b.cast(list, Element::I64)?);
    }
    let picked = b.op("adv_index", &operands, &[])?;
    let new = subscripts.shape()?.len();
    let place = subscripts.place;
    // The axes of the subscripts go behind those that stand before them.
    let front: Vec<usize> = (new..new + place).collect();
    let order: Vec<usize> = front
        .into_iter()
        .chain(0..new)
        .chain(new + place..picked.rank())
        .collect();
    b.transpose(&picked, &order)
}

/// Values at subscripts, or added to what is there.
fn index_put(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["unsafe"]);
    let (x, values) = (n.tensor("self")?, n.tensor("values")?);
    let values = b.cast(&values, x.element())?;
    let adds = n.bool_or("accumulate", false)?;
    if let [Some(mask)] = &n.optional_tensors("indices")?[..]
        && mask.element() == Element::Bool
        && dim::product(values.dims())? == 1
        && !adds
    {
        let mut shape = mask.dims().to_vec();
        shape.resize(x.rank(), Dim::Known(1));
        let mask = b.reshape(mask, &shape)?;
        let value = b.reshape_to_scalar(&values)?;
        return b.op("where", &[mask, value, x], &[]);
    }
    let subscripts = Subscripts::read(n, b, &x)?;
    let order = subscripts.order(x.rank());
    let moved = b.transpose(&x, &order)?;
    let shape = subscripts.shape()?;
    let mut rows = Vec::new();
    for list in &subscripts.lists {
        let list = b.cast(list, Element::I64)?;
        let list = b.broadcast(&list, &shape)?;
        rows.push(b.reshape(&list, &[&[Dim::Known(1)], &shape[..]].concat())?);
    }
    let indices = b.concatenate(&rows, 0)?;
    let rest = moved.dims()[subscripts.axes.len()..].to_vec();
    let place = subscripts.place;
    // Values have the axes of the subscripts where a result would have them.
    let whole = [&rest[..place], &shape, &rest[place..]].concat();
    let values = fitted(b, values, &whole)?;
    let values = b.broadcast(&values, &whole)?;
    let back: Vec<usize> = (place..place + shape.len())
        .chain(0..place)
        .chain(place + shape.len()..whole.len())
        .collect();
    let values = b.transpose(&values, &back)?;
    let mode = if adds { "add" } else { "update" };
    let result = b.op(
        "scatter_nd",
        &[moved, indices, values],
        &[("mode", Param::Str(mode))],
    )?;
    let mut inverse = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        inverse[*from] = to;
    }
    b.transpose(&result, &inverse)
}

/// Values of a number of subscripts that the model computes: it checks when it runs that there are as many.
fn fitted(b: &mut GraphBuilder, mut values: Value, whole: &[Dim]) -> Result<Value> {
    let front = whole.len().saturating_sub(values.rank());
    for axis in 0..values.rank() {
        let (found, wanted) = (values.dims()[axis], whole.get(front + axis).copied());
        let Some(wanted) = wanted.filter(|wanted| found != 1 && *wanted != found) else {
            continue;
        };
        if !wanted.is_known() {
            b.equate(found, wanted)?;
            values = b.prefix(&values, axis, wanted)?;
        }
    }
    Ok(values)
}

/// Slices at indices of an axis.
fn along_indices(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    updates: &str,
    mode: &'static str,
) -> Result<Value> {
    let (x, indices) = (n.tensor("self")?, n.tensor("index")?);
    let axis = x.axis(n.required_int("dim")?)?;
    check_indices(b, &indices, x.dims()[axis])?;
    let count = dim::product(indices.dims())?;
    let mut shape = x.dims().to_vec();
    shape[axis] = count;
    let updates = n.operand(updates)?.cast(b, x.element())?;
    let updates = super::binary::scaled(n, b, updates, "alpha")?;
    let updates = b.broadcast(&updates, &shape)?;
    let indices = b.reshape(&indices, &one_axis(x.rank(), axis, count))?;
    let indices = b.broadcast(&indices, &shape)?;
    scattered(b, [x, indices, updates], (axis, mode))
}

/// Elements at indices, which may be fewer than there are updates.
fn scatter_into(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (x, updates): (Value, Value),
    mode: &'static str,
) -> Result<Value> {
    let indices = n.tensor("index")?;
    let axis = x.axis(n.required_int("dim")?)?;
    check_indices(b, &indices, x.dims()[axis])?;
    let mut updates = b.cast(&updates, x.element())?;
    if updates.rank() == 0 && indices.rank() > 0 {
        updates = b.broadcast(&updates, indices.dims())?;
    }
    let cuts: Vec<_> = (0..updates.rank().min(indices.rank()))
        .filter(|axis| updates.dims()[*axis] != indices.dims()[*axis])
        .map(|axis| (axis, Dim::Known(0), indices.dims()[axis], 1))
        .collect();
    if !cuts.is_empty() {
        updates = sliced(b, &updates, &cuts)?;
    }
    scattered(b, [x, indices, updates], (axis, mode))
}

fn scatter(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mode = match n.text("reduce")? {
        None => "update",
        Some("add") => "add",
        Some("multiply") => "mul",
        Some(other) => return Err(format!("argument 'reduce' is '{other}'")),
    };
    scatter_with(n, b, mode)
}

fn scatter_with(n: &Node<'_>, b: &mut GraphBuilder, mode: &'static str) -> Result<Value> {
    let x = n.tensor("self")?;
    let updates = match n.has("value") {
        true => n.operand("value")?.cast(b, x.element())?,
        false => n.tensor("src")?,
    };
    scatter_into(n, b, (x, updates), mode)
}

fn scatter_reduce(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, updates) = (n.tensor("self")?, n.tensor("src")?);
    let element = x.element();
    let is_mean = n.text("reduce")? == Some("mean");
    let (mode, neutral) = match n.text("reduce")?.unwrap_or_default() {
        "sum" | "mean" => ("add", 0.0),
        "prod" => ("mul", 1.0),
        "amax" => ("max", element.least()),
        "amin" => ("min", element.greatest()),
        other => {
            return Err(format!(
                "argument 'reduce' is '{other}', which is not supported"
            ));
        }
    };
    let with_own = n.bool_or("include_self", true)?;
    let first = match with_own {
        true => x.clone(),
        // An element that no update reaches keeps its value.
        false => {
            let neutral = b.scalar(element, neutral);
            scatter_into(n, b, (x.clone(), neutral), "update")?
        }
    };
    let reduced = scatter_into(n, b, (first, updates), mode)?;
    if !is_mean {
        return Ok(reduced);
    }
    let own = b.full(element, x.dims(), f64::from(u8::from(with_own)))?;
    let one = b.scalar(element, 1.0);
    let counts = scatter_into(n, b, (own, one), "add")?;
    let counts = b.with_scalar("maximum", &counts, 1.0)?;
    let op = if element.is_float() {
        "divide"
    } else {
        "floor_divide"
    };
    b.binary(op, &reduced, &counts)
}

/// Another slice at a subscript of an axis.
fn select_scatter(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, part) = (n.tensor("self")?, n.tensor("src")?);
    let axis = x.axis(n.required_int("dim")?)?;
    let index = n.dim(b, "index")?.ok_or("argument 'index' is missing")?;
    let mut shape = part.dims().to_vec();
    shape.insert(axis.min(shape.len()), Dim::Known(1));
    let part = b.reshape(&part, &shape)?;
    let from = match index {
        Dim::Known(index) if index < 0 => x.dims()[axis].plus(index)?,
        index => index,
    };
    replaced(b, (&x, &part), axis, (from, from.plus(1)?, 1))
}

fn slice_scatter(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, part) = (n.tensor("self")?, n.tensor("src")?);
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let range = range(n, b, x.dims()[axis])?;
    replaced(b, (&x, &part), axis, range)
}

/// A tensor with another slice along an axis.
pub fn replaced(
    b: &mut GraphBuilder,
    (x, part): (&Value, &Value),
    axis: usize,
    (start, end, step): (Dim, Dim, i64),
) -> Result<Value> {
    let part = b.cast(part, x.element())?;
    let extent = x.dims()[axis];
    if step == 1 {
        let mut parts = Vec::new();
        if start != 0 {
            parts.push(sliced(b, x, &[(axis, Dim::Known(0), start, 1)])?);
        }
        let mut shape = x.dims().to_vec();
        shape[axis] = end.minus(start)?;
        parts.push(b.broadcast(&part, &shape)?);
        if end != extent {
            parts.push(sliced(b, x, &[(axis, end, extent, 1)])?);
        }
        return b.concatenate(&parts, axis);
    }
    let count = end.minus(start)?.ceil_div(step)?;
    let places = subscripts(b, x.rank(), axis, count)?;
    let places = b.with_scalar("multiply", &places, step as f64)?;
    let places = b.with_size("add", &places, start)?;
    let mut shape = x.dims().to_vec();
    shape[axis] = count;
    let places = b.broadcast(&places, &shape)?;
    let part = b.broadcast(&part, &shape)?;
    scattered(b, [x.clone(), places, part], (axis, "update"))
}

/// The elements for which a mask holds, as a list.
fn masked_select(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, mask) = (n.tensor("self")?, n.tensor("mask")?);
    let shape = broadcast_shapes(x.dims(), mask.dims())?;
    let (x, mask) = (b.broadcast(&x, &shape)?, b.broadcast(&mask, &shape)?);
    let (x, mask) = (
        reshaped(b, &x, &[Dim::Known(-1)])?,
        reshaped(b, &mask, &[Dim::Known(-1)])?,
    );
    let places = places(b, &mask)?;
    let places = b.reshape(&places, &[places.dims()[1]])?;
    b.taken(&x, &places, 0)
}

/// The elements of a source by turns where a mask holds: the first one at the first such place, and so on.
fn masked_scatter(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, mask, source) = (n.tensor("self")?, n.tensor("mask")?, n.tensor("source")?);
    let mask = b.broadcast(&mask, x.dims())?;
    let flat = reshaped(b, &mask, &[Dim::Known(-1)])?;
    let ones = b.cast(&flat, Element::I64)?;
    let attrs = [("axis", Param::Int(0)), ("exclusive", Param::Bool(true))];
    let numbers = b.op("cumsum", &[ones], &attrs)?;
    let source = reshaped(b, &source, &[Dim::Known(-1)])?;
    let source = b.cast(&source, x.element())?;
    let values = b.taken(&source, &numbers, 0)?;
    let values = b.reshape(&values, x.dims())?;
    b.op("where", &[mask, values, x], &[])
}
