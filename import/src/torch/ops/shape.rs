//! Other shapes, and other orders of axes.

use super::{
    alias,
    row::{Row, row},
};
use crate::{
    compose::shape::reshaped,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::Const,
        error::Result,
        value::{Value, normalize_axis},
    },
    torch::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_reshape_alias", |n, b| {
        n.ignore(&["stride"]);
        reshape(n, b, "size")
    })
    .view(alias::reshaped),
    row("_unsafe_view", |n, b| reshape(n, b, "size")).view(alias::reshaped),
    row("adjoint", |n, b| {
        let x = n.tensor("self")?;
        swapped(b, &x, -2, -1)
    })
    .view(alias::unwritten),
    row("as_strided", as_strided)
        .view(alias::unwritten)
        .of_memory(),
    row("atleast_1d", |n, b| {
        let x = n.tensor("self")?;
        match x.rank() {
            0 => b.reshape(&x, &[Dim::Known(1)]),
            _ => Ok(x),
        }
    })
    .view(alias::unwritten),
    row("atleast_2d", |n, b| {
        let x = n.tensor("self")?;
        match *x.dims() {
            [] => b.reshape(&x, &[Dim::Known(1); 2]),
            [extent] => b.reshape(&x, &[Dim::Known(1), extent]),
            _ => Ok(x),
        }
    })
    .view(alias::unwritten),
    row("atleast_3d", |n, b| {
        let (x, one) = (n.tensor("self")?, Dim::Known(1));
        match *x.dims() {
            [] => b.reshape(&x, &[one; 3]),
            [extent] => b.reshape(&x, &[one, extent, one]),
            [rows, columns] => b.reshape(&x, &[rows, columns, one]),
            _ => Ok(x),
        }
    })
    .view(alias::unwritten),
    row("broadcast_to", expand).view(alias::repeated),
    row("channel_shuffle", shuffle),
    row("expand", expand).view(alias::repeated),
    row("expand_as", |n, b| {
        let (x, other) = (n.tensor("self")?, n.tensor("other")?);
        expanded(b, &x, other.dims())
    })
    .view(alias::repeated),
    row("flatten", flatten).view_or_copy(alias::reshaped),
    row("movedim", move_axes).view(alias::unwritten),
    row("moveaxis", move_axes).view(alias::unwritten),
    row("mT", |n, b| {
        let x = n.tensor("self")?;
        swapped(b, &x, -2, -1)
    })
    .view(alias::unwritten),
    row("native_channel_shuffle", shuffle),
    row("numpy_T", |n, b| {
        let x = n.tensor("self")?;
        let axes: Vec<usize> = (0..x.rank()).rev().collect();
        b.transpose(&x, &axes)
    })
    .view(alias::unwritten),
    row("permute", permute).view(alias::turned),
    row("pixel_shuffle", pixel_shuffle),
    row("pixel_unshuffle", pixel_unshuffle),
    row("ravel", |n, b| {
        let x = n.tensor("self")?;
        reshaped(b, &x, &[Dim::Known(-1)])
    })
    .view_or_copy(alias::reshaped),
    row("reshape", |n, b| reshape(n, b, "shape")).view_or_copy(alias::reshaped),
    row("reshape_as", |n, b| {
        let (x, other) = (n.tensor("self")?, n.tensor("other")?);
        b.reshape(&x, other.dims())
    })
    .view_or_copy(alias::reshaped),
    row("squeeze", squeeze).view(alias::reshaped),
    row("squeeze_copy", squeeze),
    row("swapdims", |n, b| {
        let (first, second) = (n.required_int("dim0")?, n.required_int("dim1")?);
        let x = n.tensor("self")?;
        swapped(b, &x, first, second)
    })
    .view(alias::turned),
    row("swapaxes", |n, b| {
        let (first, second) = (n.required_int("axis0")?, n.required_int("axis1")?);
        let x = n.tensor("self")?;
        swapped(b, &x, first, second)
    })
    .view(alias::unwritten),
    row("t", |n, b| {
        let x = n.tensor("self")?;
        match x.rank() {
            0 | 1 => Ok(x),
            _ => swapped(b, &x, 0, 1),
        }
    })
    .view(alias::turned),
    row("transpose", transpose).view(alias::turned),
    row("transpose_copy", transpose),
    row("unflatten", unflatten).view(alias::reshaped),
    row("unsqueeze", unsqueeze).view(alias::reshaped),
    row("unsqueeze_copy", unsqueeze),
    row("view", |n, b| reshape(n, b, "size")).view(alias::reshaped),
    row("view_as", |n, b| {
        let (x, other) = (n.tensor("self")?, n.tensor("other")?);
        b.reshape(&x, other.dims())
    })
    .view(alias::reshaped),
    row("view_copy", |n, b| reshape(n, b, "size")),
    row("view.dtype", view_bits).view(alias::unwritten),
    row("permute_copy", permute),
    row("expand_copy", expand),
    row("alias_copy", |n, _| n.tensor("self")),
];

fn reshape(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    let shape = n.dims(b, name)?.unwrap_or_default();
    reshaped(b, &x, &shape)
}

fn view_bits(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = n.element("dtype")?.ok_or("argument 'dtype' is missing")?;
    if element.bytes() != x.element().bytes() {
        return Err("a view as elements of another width is not supported".into());
    }
    b.op("reinterpret", &[x], &[("dtype", Param::Type(element))])
}

/// Elements at any strides. Those of a tensor in order, or with new axes of stride 0, are supported.
fn as_strided(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let size = n.ints("size")?.unwrap_or_default();
    let strides = n.ints("stride")?.unwrap_or_default();
    let offset = n.int_or("storage_offset", 0)?;
    let count: i64 = dim::product(x.dims())?
        .known()
        .ok_or("the input's extents are open")?;
    let places = crate::graph::constant::element_count(&size)?;
    let axes = size.iter().zip(&strides);
    let reach = axes.map(|(size, stride)| (size - 1).max(0).saturating_mul(*stride));
    let last = reach.fold(offset, i64::saturating_add);
    let is_back = strides.iter().any(|stride| *stride < 0);
    if is_back || places > MOST_PLACES || strides.len() != size.len() || offset < 0 || last >= count
    {
        return Err(format!(
            "sizes {size:?} with strides {strides:?} from {offset} on do not fit {count} elements"
        ));
    }
    let mut from = vec![offset];
    for (size, stride) in size.iter().zip(&strides) {
        from = (from.iter())
            .flat_map(|start| (0..*size).map(move |place| start + place * stride))
            .collect();
    }
    let from = b.known(Const::ints(&from));
    let flat = b.reshape(&x, &[count])?;
    let taken = b.taken(&flat, &from, 0)?;
    b.reshape(&taken, &size)
}

/// The most elements whose places are computed while a model is imported.
const MOST_PLACES: i64 = 1 << 24;

fn flatten(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    if x.rank() == 0 {
        n.ignore(&["start_dim", "end_dim"]);
        return b.reshape(&x, &[Dim::Known(1)]);
    }
    let first = x.axis(n.int_or("start_dim", 0)?)?;
    let last = x.axis(n.int_or("end_dim", -1)?)?;
    let dims = x.dims();
    let middle = dims
        .get(first..=last)
        .ok_or("argument 'end_dim' is before 'start_dim'")?;
    let shape = [&dims[..first], &[dim::product(middle)?], &dims[last + 1..]].concat();
    b.reshape(&x, &shape)
}

fn unflatten(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let mut sizes = n.dims(b, "sizes")?.unwrap_or_default();
    if let Some(free) = sizes.iter().position(|dim| *dim == -1) {
        sizes[free] = Dim::Known(1);
        sizes[free] = x.dims()[axis].floor_div(dim::product(&sizes)?)?;
    }
    let shape = [&x.dims()[..axis], &sizes, &x.dims()[axis + 1..]].concat();
    b.reshape(&x, &shape)
}

/// The axes that an argument lists.
pub fn axes(n: &Node<'_>, name: &str, x: &Value) -> Result<Vec<usize>> {
    x.axes(&n.ints(name)?.unwrap_or_default())
}

fn permute(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axes = axes(n, "dims", &x)?;
    b.transpose(&x, &axes)
}

fn transpose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (first, second) = (n.required_int("dim0")?, n.required_int("dim1")?);
    let x = n.tensor("self")?;
    swapped(b, &x, first, second)
}

/// A tensor of which two axes have changed places.
pub(super) fn swapped(b: &mut GraphBuilder, x: &Value, first: i64, second: i64) -> Result<Value> {
    if x.rank() == 0 {
        return Ok(x.clone());
    }
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    axes.swap(x.axis(first)?, x.axis(second)?);
    b.transpose(x, &axes)
}

fn move_axes(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let (from, to) = (axes(n, "source", &x)?, axes(n, "destination", &x)?);
    if from.len() != to.len() {
        return Err("arguments 'source' and 'destination' differ in length".into());
    }
    let mut order: Vec<Option<usize>> = vec![None; x.rank()];
    for (from, to) in from.iter().zip(&to) {
        order[*to] = Some(*from);
    }
    let mut others = (0..x.rank()).filter(|axis| !from.contains(axis));
    let order = order.into_iter().map(|axis| axis.or_else(|| others.next()));
    let order: Option<Vec<usize>> = order.collect();
    b.transpose(&x, &order.ok_or("argument 'source' repeats an axis")?)
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let dropped = match n.has("dim") {
        true if x.rank() == 0 => {
            n.ignore(&["dim"]);
            Vec::new()
        }
        true => axes(n, "dim", &x)?,
        false => (0..x.rank()).collect(),
    };
    let axes = x.dims().iter().enumerate();
    let kept = axes.filter(|(axis, dim)| **dim != 1 || !dropped.contains(axis));
    let shape: Vec<Dim> = kept.map(|(_, dim)| *dim).collect();
    b.reshape(&x, &shape)
}

fn unsqueeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = normalize_axis(n.required_int("dim")?, x.rank() + 1)?;
    let mut shape = x.dims().to_vec();
    shape.insert(axis, Dim::Known(1));
    b.reshape(&x, &shape)
}

/// A tensor repeated to a shape in which -1 is the tensor's own extent.
fn expand(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["implicit"]);
    let x = n.tensor("self")?;
    let shape = n.dims(b, "size")?.unwrap_or_default();
    expanded(b, &x, &shape)
}

/// As [`expand`].
pub fn expanded(b: &mut GraphBuilder, x: &Value, wanted: &[Dim]) -> Result<Value> {
    let new = wanted.len().checked_sub(x.rank());
    let new = new.ok_or_else(|| format!("cannot expand {:?} to {wanted:?}", x.dims()))?;
    let dims = wanted.iter().enumerate().map(|(axis, dim)| match *dim {
        Dim::Known(-1) if axis >= new => x.dims()[axis - new],
        dim => dim,
    });
    let shape: Vec<Dim> = dims.collect();
    b.broadcast(x, &shape)
}

/// The channels of groups by turns.
fn shuffle(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, groups) = (n.tensor("self")?, n.required_int("groups")?);
    if x.rank() < 3 || groups < 1 {
        return Err(format!("{groups} groups of channels of {:?}", x.dims()));
    }
    let (samples, channels) = (x.dims()[0], x.dims()[1]);
    let rest = dim::product(&x.dims()[2..])?;
    let shape = [
        samples,
        Dim::Known(groups),
        channels.floor_div(groups)?,
        rest,
    ];
    let apart = b.reshape(&x, &shape)?;
    let turned = b.transpose(&apart, &[0, 2, 1, 3])?;
    b.reshape(&turned, x.dims())
}

/// [..., c r^2, h, w] to [..., c, h r, w r].
fn pixel_shuffle(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, factor) = (n.tensor("self")?, n.required_int("upscale_factor")?);
    let (front, [channels, rows, columns]) = image(&x)?;
    let side = Dim::Known(factor);
    let few = channels.floor_div(
        factor
            .checked_mul(factor)
            .ok_or("the factor is too large")?,
    )?;
    let count = dim::product(&front)?;
    let apart = b.reshape(&x, &[count, few, side, side, rows, columns])?;
    let turned = b.transpose(&apart, &[0, 1, 4, 2, 5, 3])?;
    let shape = [
        &front[..],
        &[few, rows.times(factor)?, columns.times(factor)?],
    ]
    .concat();
    b.reshape(&turned, &shape)
}

/// [..., c, h r, w r] to [..., c r^2, h, w].
fn pixel_unshuffle(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, factor) = (n.tensor("self")?, n.required_int("downscale_factor")?);
    let (front, [channels, rows, columns]) = image(&x)?;
    let side = Dim::Known(factor);
    let (rows, columns) = (rows.floor_div(factor)?, columns.floor_div(factor)?);
    let count = dim::product(&front)?;
    let apart = b.reshape(&x, &[count, channels, rows, side, columns, side])?;
    let turned = b.transpose(&apart, &[0, 1, 3, 5, 2, 4])?;
    let many = channels.times(
        factor
            .checked_mul(factor)
            .ok_or("the factor is too large")?,
    )?;
    let shape = [&front[..], &[many, rows, columns]].concat();
    b.reshape(&turned, &shape)
}

/// The axes before those of an image, and its channels, rows and columns.
fn image(x: &Value) -> Result<(Vec<Dim>, [Dim; 3])> {
    match x.dims() {
        [front @ .., channels, rows, columns] => Ok((front.to_vec(), [*channels, *rows, *columns])),
        dims => Err(format!(
            "the input has shape {dims:?}, expected rank 3 at least"
        )),
    }
}
