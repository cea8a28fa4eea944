//! Where the greatest elements of windows lie, and tensors in which they are back where they were.

use super::{
    pool::{Windows, adaptive_max, batched, max, unbatched},
    row::{Row, row, rows},
};
use crate::{
    compose::{
        greatest::max_and_places,
        reduce::{along, arg_along},
        scatter::scattered,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::Const,
        error::Result,
        value::{Value, are_equal},
    },
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index::ceil_div,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows("adaptive_max_pool1d", |n, b| adaptive(n, b, 1)),
    rows("adaptive_max_pool2d", |n, b| adaptive(n, b, 2)),
    rows("adaptive_max_pool3d", |n, b| adaptive(n, b, 3)),
    rows("max_pool1d_with_indices", |n, b| pooled(n, b, 1)),
    rows("max_pool2d_with_indices", |n, b| pooled(n, b, 2)),
    rows("max_pool3d_with_indices", |n, b| pooled(n, b, 3)),
    row("max_pool2d_with_indices_backward", |n, b| gradient(n, b, 2)),
    row("max_pool3d_with_indices_backward", |n, b| gradient(n, b, 3)),
    row("max_unpool2d", |n, b| unpooled(n, b, 2)),
    row("max_unpool3d", |n, b| {
        n.ignore(&["stride", "padding"]);
        unpooled(n, b, 3)
    }),
];

/// The greatest element of each window, and its subscript in the plane, whose axes count as one.
fn pooled(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Vec<Value>> {
    if !n.uses(1) {
        return Ok(vec![max(n, b, axes)?]);
    }
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let image = &x.dims()[2..];
    let window = Windows::read(n, axes)?.over(image)?;
    let mut found = max_and_places(b, &x, &window, false)?;
    // The subscripts count on through all planes; here each plane begins at 0.
    if let Some(places) = found.last_mut() {
        *places = b.with_size("floor_mod", places, dim::product(image)?)?;
    }
    let found = found.into_iter();
    found.map(|it| unbatched(b, it, is_single)).collect()
}

/// The most elements of windows whose places are computed while a model is imported.
const MOST_PLACES: i64 = 1 << 24;

/// The `count` windows that cover an axis: the subscripts of the elements of each. A window that is smaller than others repeats its last one.
fn covering(extent: i64, count: i64) -> Vec<Vec<i64>> {
    let bounds = (0..count).map(|window| {
        let first = window * extent / count;
        (first, ceil_div((window + 1) * extent, count))
    });
    let bounds: Vec<(i64, i64)> = bounds.collect();
    let widest = bounds.iter().map(|(first, end)| end - first).max();
    let widest = widest.unwrap_or(0);
    let window =
        |(first, end): &(i64, i64)| (0..widest).map(|at| (first + at).min(end - 1)).collect();
    bounds.iter().map(window).collect()
}

/// The elements of all windows that cover a plane: [samples, channels, windows ..., elements], and their subscripts in the plane.
fn windows_of_plane(
    b: &mut GraphBuilder,
    x: &Value,
    (image, size): (&[i64], &[i64]),
) -> Result<[Value; 2]> {
    let (mut taken, mut places) = (x.clone(), vec![0]);
    let (mut apart, mut order, mut elements) = (Vec::new(), vec![0, 1], 1);
    for (axis, (extent, count)) in image.iter().zip(size).enumerate() {
        let windows = covering(*extent, *count);
        let list: Vec<i64> = windows.iter().flatten().copied().collect();
        let width = list.len() as i64 / count;
        apart.extend([*count, width].map(Dim::Known));
        order.push(2 + 2 * axis);
        elements *= width;
        taken = b.taken(&taken, &b.known(Const::ints(&list)), axis + 2)?;
        places = nested(&places, &list, *extent);
    }
    order.extend((0..image.len()).map(|axis| 3 + 2 * axis));
    let together = [dim::dims(size), vec![Dim::Known(elements)]].concat();
    let places = b.known(Const::ints(&places));
    let pairs = [
        (taken, [x.dims()[0], x.dims()[1]]),
        (places, [Dim::Known(1); 2]),
    ];
    let [taken, places] = pairs.map(|(value, front)| {
        let value = b.reshape(&value, &[&front[..], &apart].concat())?;
        let value = b.transpose(&value, &order)?;
        b.reshape(&value, &[&front[..], &together].concat())
    });
    Ok([taken?, places?])
}

/// The greatest element of each of so many windows that cover a plane, and its subscript in the plane.
fn adaptive(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Vec<Value>> {
    if !n.uses(1) {
        return Ok(vec![adaptive_max(n, b, axes)?]);
    }
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let size = n.ints_of("output_size", axes, 1)?;
    let image = (0..axes).map(|axis| x.extent(axis + 2));
    let image: Vec<i64> = image.collect::<Result<_>>()?;
    let most = |(extent, size): (&i64, &i64)| extent.saturating_add(2_i64.saturating_mul(*size));
    let most = image.iter().zip(&size).map(most);
    let most = most.fold(1, i64::saturating_mul);
    if most > MOST_PLACES || image.iter().chain(&size).any(|extent| *extent < 1) {
        return Err(format!(
            "the places of the greatest elements of {size:?} windows over {image:?} elements are not supported"
        ));
    }
    let [taken, places] = windows_of_plane(b, &x, (&image, &size))?;
    let places = b.broadcast(&places, taken.dims())?;
    let last = taken.rank() - 1;
    let chosen = arg_along(b, "argmax", &taken, (last, true), false)?;
    let chosen = b.cast(&chosen, Element::I64)?;
    let attrs = [("axis", Param::Int(last as i64))];
    let places = b.op("gather", &[places, chosen], &attrs)?;
    let values = along(b, "max", &taken, (&[last], false))?;
    let places = b.reshape(&places, values.dims())?;
    Ok(vec![
        unbatched(b, values, is_single)?,
        unbatched(b, places, is_single)?,
    ])
}

/// The subscripts of pairs where two axes count as one, the second of an extent.
fn nested(outer: &[i64], inner: &[i64], extent: i64) -> Vec<i64> {
    let pairs = outer
        .iter()
        .flat_map(|first| inner.iter().map(move |at| at + first * extent));
    pairs.collect()
}

/// Elements where subscripts of their planes say, and 0 elsewhere; or the sums of those at one place.
fn spread(
    b: &mut GraphBuilder,
    [x, places]: [&Value; 2],
    (axes, image): (usize, &[Dim]),
    mode: &'static str,
) -> Result<Value> {
    let Some(front) = x
        .rank()
        .checked_sub(axes)
        .filter(|_| are_equal(x.dims(), places.dims()))
    else {
        return Err(format!(
            "places of shape {:?} do not fit elements of shape {:?}",
            places.dims(),
            x.dims()
        ));
    };
    let (planes, windows) = x.dims().split_at(front);
    let rows = [dim::product(planes)?, dim::product(windows)?];
    let nothing = b.full(x.element(), &[rows[0], dim::product(image)?], 0.0)?;
    let (flat, places) = (b.reshape(x, &rows)?, b.reshape(places, &rows)?);
    let whole = scattered(b, [nothing, places, flat], (1, mode))?;
    b.reshape(&whole, &[planes, image].concat())
}

/// The gradient of each window, where its greatest element was.
fn gradient(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    n.ignore(&["kernel_size", "stride", "padding", "dilation", "ceil_mode"]);
    let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
    let places = n.tensor("indices")?;
    let front = x.rank().checked_sub(axes);
    let front = front.ok_or_else(|| format!("{:?} has no {axes} spatial axes", x.dims()))?;
    let image = x.dims()[front..].to_vec();
    spread(b, [&gradient, &places], (axes, &image), "add")
}

fn unpooled(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    let (x, places) = (n.tensor("self")?, n.tensor("indices")?);
    let size = n.dims(b, "output_size")?.unwrap_or_default();
    if size.len() != axes {
        return Err(format!("argument 'output_size' is {size:?}"));
    }
    spread(b, [&x, &places], (axes, &size), "update")
}
