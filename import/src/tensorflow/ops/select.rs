//! Slices, and elements that subscripts choose.

use super::row::{Row, items, row};
use crate::{
    compose::{
        gather::{columns, gathered},
        masked_slice::{Masks, masked_slice},
        slice::{computed_slice, sized_slice},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{item::Item, node::Node},
};
use relay_dialects::{dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Slice"], slice),
    row(&["StridedSlice"], strided_slice),
    row(&["Gather"], |n, b| {
        let (x, places) = n.both()?;
        Ok(vec![gathered(b, (&x, &places), 0, 0)?])
    }),
    row(&["GatherV2"], gather),
    items(&["ResourceGather"], gather_of_variable),
    row(&["GatherNd"], gather_nd),
    items(&["ResourceGatherNd"], gather_nd_of_variable),
    row(&["ScatterNd"], scatter_nd),
    row(&["TensorScatterUpdate"], |n, b| scatter(n, b, "update")),
    row(&["TensorScatterAdd"], |n, b| scatter(n, b, "add")),
    row(&["TensorScatterMax"], |n, b| scatter(n, b, "max")),
    row(&["TensorScatterMin"], |n, b| scatter(n, b, "min")),
    row(&["TensorScatterSub"], |n, b| {
        let negative = b.unary("negative", &n.input(2)?)?;
        scattered(b, [n.input(0)?, n.input(1)?, negative], "add")
    }),
    row(&["SparseToDense"], sparse_to_dense),
    row(&["OneHot"], one_hot),
    row(&["UnravelIndex"], |n, b| {
        let (places, shape) = n.both()?;
        Ok(vec![b.binary("unravel_index", &places, &shape)?])
    }),
];

/// From a subscript on, so many elements; -1 for all that follow.
fn slice(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, begins) = n.both()?;
    let sizes = n.sizes(b, 2)?;
    if !begins.is_known() || !n.input(2)?.is_known() {
        return Ok(vec![computed_slice(b, &x, &begins, &sizes)?]);
    }
    let begins = n.sizes(b, 1)?;
    Ok(vec![sized_slice(b, &x, &begins, &sizes)?])
}

fn strided_slice(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mask = |name: &str| n.attrs.int(name, 0);
    let masks = Masks {
        begin: mask("begin_mask")?,
        end: mask("end_mask")?,
        ellipsis: mask("ellipsis_mask")?,
        new: mask("new_axis_mask")?,
        shrink: mask("shrink_axis_mask")?,
        is_offset: false,
    };
    let x = n.input(0)?;
    if let Some(made) = element_at(n, b, &x, &masks)? {
        return Ok(vec![made]);
    }
    let (begins, ends) = (n.sizes(b, 1)?, n.sizes(b, 2)?);
    let bounds = (&begins[..], &ends[..], &n.known(3)?[..]);
    Ok(vec![masked_slice(b, &x, &masks, bounds)?])
}

/// What lies at one computed subscript of the first dimension.
fn element_at(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    x: &Value,
    masks: &Masks,
) -> Result<Option<Value>> {
    let begin = n.input(1)?;
    let is_one = begin.dims() == [1] && masks.shrink == 1 && x.rank() > 0;
    if begin.is_known() || !is_one || masks.begin | masks.ellipsis | masks.new != 0 {
        return Ok(None);
    }
    let place = b.reshape_to_scalar(&begin)?;
    b.taken(x, &place, 0).map(Some)
}

fn gather(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, places) = n.both()?;
    let axis = n.axis(2, x.rank())?;
    let batches = n.attrs.int("batch_dims", 0)?;
    Ok(vec![gathered(b, (&x, &places), axis, batches)?])
}

/// The value of a variable, and subscripts.
fn of_variable(n: &Node<'_, '_>) -> Result<(Value, Value)> {
    n.attrs.ignore(&["dtype"]);
    let x = match n.item(0)? {
        Item::Variable(key) => n.host.value(key)?,
        other => other.tensor()?,
    };
    Ok((x, n.input(1)?))
}

fn gather_of_variable(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let (x, places) = of_variable(n)?;
    let batches = n.attrs.int("batch_dims", 0)?;
    let axis = usize::try_from(batches).map_err(|_| "attribute 'batch_dims' is negative")?;
    Ok(vec![gathered(b, (&x, &places), axis, batches)?.into()])
}

fn gathered_nd(b: &mut GraphBuilder, x: &Value, lists: &Value) -> Result<Value> {
    let lists = columns(b, lists)?;
    let attrs = [("batch_dims", Param::Int(0))];
    b.op("gather_nd", &[x.clone(), lists], &attrs)
}

fn gather_nd(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, lists) = n.both()?;
    Ok(vec![gathered_nd(b, &x, &lists)?])
}

fn gather_nd_of_variable(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let (x, lists) = of_variable(n)?;
    Ok(vec![gathered_nd(b, &x, &lists)?.into()])
}

/// Data with updates at the subscripts that lists have in their last dimension.
fn scattered(
    b: &mut GraphBuilder,
    [data, lists, updates]: [Value; 3],
    mode: &'static str,
) -> Result<Vec<Value>> {
    let lists = columns(b, &lists)?;
    let attrs = [("mode", Param::Str(mode))];
    Ok(vec![b.op("scatter_nd", &[data, lists, updates], &attrs)?])
}

fn scatter(n: &Node<'_, '_>, b: &mut GraphBuilder, mode: &'static str) -> Result<Vec<Value>> {
    scattered(b, [n.input(0)?, n.input(1)?, n.input(2)?], mode)
}

/// Updates that are added up in a tensor of zeros.
fn scatter_nd(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (lists, updates) = n.both()?;
    let shape = n.sizes(b, 2)?;
    let zeros = b.full(updates.element(), &shape, 0.0)?;
    let mode = match updates.element() {
        Element::Bool => "update",
        _ => "add",
    };
    scattered(b, [zeros, lists, updates], mode)
}

fn sparse_to_dense(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, values) = (n.input(0)?, n.input(2)?);
    let shape = n.sizes(b, 1)?;
    let rank = shape.len() as i64;
    let count = dim::product(places.dims())?.floor_div(rank.max(1))?;
    let lists = b.reshape(&places, &[count, rank.into()])?;
    let fill = b.reshape_to_scalar(&n.input(3)?)?;
    let filled = b.broadcast(&fill, &shape)?;
    let values = match values.rank() {
        0 => b.broadcast(&values, &[count])?,
        _ => values,
    };
    scattered(b, [filled, lists, values], "update")
}

fn one_hot(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let places = n.input(0)?;
    let depth = n.known_int(1)?;
    let on = b.reshape_to_scalar(&n.input(2)?)?;
    let off = b.reshape_to_scalar(&n.input(3)?)?;
    let attrs = [
        ("depth", Param::Int(depth)),
        ("axis", Param::Int(n.attrs.int("axis", -1)?)),
        ("dtype", Param::Type(on.element())),
    ];
    Ok(vec![b.op("one_hot", &[places, on, off], &attrs)?])
}
