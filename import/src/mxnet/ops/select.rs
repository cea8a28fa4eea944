//! Choosing elements: slices, parts, subscripts; and products of matrices.

use super::row::{Row, row};
use crate::{
    compose::{activation::clipped, linear::product, slice::sliced},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axes},
    },
    mxnet::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Embedding"], embedding),
    row(&["SliceChannel", "split"], split),
    row(&["_split_v2"], split_at),
    row(&["batch_dot"], batch_dot),
    row(&["batch_take", "pick"], pick),
    row(&["dot"], dot),
    row(&["gather_nd"], gather_nd),
    row(&["one_hot"], one_hot),
    row(&["reverse", "flip"], reverse),
    row(&["slice"], slice),
    row(&["slice_axis"], slice_axis),
    row(&["slice_like"], slice_like),
    row(&["take"], take),
    row(&["where"], choose),
];

/// The axis, where elements begin and end, and the step.
type Part = (usize, Dim, Dim, i64);

/// A slice along an axis: bounds that are nothing are the axis' own, negative ones count from its end.
fn part(
    x: &Value,
    axis: usize,
    bounds: (Option<i64>, Option<i64>),
    step: Option<i64>,
) -> Result<Part> {
    let extent = x.dims()[axis];
    let step = step.filter(|step| *step != 0).unwrap_or(1);
    let bound = |bound: i64| match bound < 0 {
        true => extent.plus(bound),
        false => Ok(Dim::Known(bound)),
    };
    let (begin, end) = match step < 0 {
        false => (Dim::Known(0), extent),
        // Before the first element.
        true => (extent.plus(-1)?, extent.times(Dim::Known(-1))?.plus(-1)?),
    };
    let begin = bounds.0.map_or(Ok(begin), bound)?;
    let end = match bounds.1 {
        Some(given) => bound(given)?,
        None => end,
    };
    let end = match (end.known(), extent.known()) {
        (Some(end), Some(extent)) => Dim::Known(end.min(extent)),
        _ => end,
    };
    Ok((axis, begin, end, step))
}

fn slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let begin = n
        .attrs
        .open_ints("begin")?
        .ok_or("attribute 'begin' is missing")?;
    let end = n
        .attrs
        .open_ints("end")?
        .ok_or("attribute 'end' is missing")?;
    let steps = n.attrs.open_ints("step")?.unwrap_or_default();
    if begin.len() > x.rank() || begin.len() != end.len() {
        return Err(format!(
            "{} bounds do not slice a tensor of rank {}",
            begin.len(),
            x.rank()
        ));
    }
    let bounds = begin.into_iter().zip(end).enumerate();
    let parts =
        bounds.map(|(axis, bounds)| part(&x, axis, bounds, steps.get(axis).copied().flatten()));
    let parts: Vec<Part> = parts.collect::<Result<_>>()?;
    Ok(vec![sliced(b, &x, &parts)?])
}

fn slice_axis(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.required("axis")?)?;
    let bounds = (n.attrs.int("begin")?, n.attrs.int("end")?);
    let part = part(&x, axis, bounds, None)?;
    Ok(vec![sliced(b, &x, &[part])?])
}

fn slice_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, like) = n.both()?;
    let axes = match n.attrs.ints("axes")?.filter(|axes| !axes.is_empty()) {
        Some(axes) => normalize_axes(&axes, x.rank())?,
        None => (0..x.rank()).collect(),
    };
    let mut parts = Vec::new();
    for axis in axes {
        let end = *like
            .dims()
            .get(axis)
            .ok_or("the second input has fewer dimensions")?;
        parts.push((axis, Dim::Known(0), end, 1));
    }
    Ok(vec![sliced(b, &x, &parts)?])
}

/// Equal parts, whose axis may go if its extent is 1 in them.
fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(1))?;
    let count = n.attrs.required("num_outputs")?;
    let squeezes = n.attrs.flag("squeeze_axis", false)?;
    let extent = x.extent(axis)?;
    if count < 1 || extent % count != 0 {
        return Err(format!("{extent} elements are not {count} equal parts"));
    }
    let length = extent / count;
    let ends: Vec<i64> = (1..=count).map(|part| part * length).collect();
    parts(b, &x, axis, &ends, squeezes && length == 1)
}

fn split_at(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(1))?;
    let squeezes = n.attrs.flag("squeeze_axis", false)?;
    let extent = x.extent(axis)?;
    let starts = n.attrs.ints("indices")?.unwrap_or_default();
    let ends: Vec<i64> = match n.attrs.int("sections")?.filter(|sections| *sections > 0) {
        Some(sections) if extent % sections == 0 => (1..=sections)
            .map(|part| part * (extent / sections))
            .collect(),
        Some(sections) => return Err(format!("{extent} elements are not {sections} equal parts")),
        // The first part begins at 0, which may be written.
        None => starts
            .into_iter()
            .filter(|start| *start != 0)
            .chain([extent])
            .collect(),
    };
    parts(b, &x, axis, &ends, squeezes)
}

/// Parts that end at some places.
fn parts(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    ends: &[i64],
    squeezes: bool,
) -> Result<Vec<Value>> {
    let mut begin = 0;
    let mut made = Vec::new();
    for &end in ends {
        let part = sliced(b, x, &[(axis, Dim::Known(begin), Dim::Known(end), 1)])?;
        begin = end;
        made.push(match squeezes {
            true => {
                let mut dims = part.dims().to_vec();
                dims.remove(axis);
                b.reshape(&part, &dims)?
            }
            false => part,
        });
    }
    Ok(made)
}

fn reverse(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut x = n.input(0)?;
    for axis in normalize_axes(&n.attrs.required_ints("axis")?, x.rank())? {
        x = b.op("reverse", &[x], &[("axis", Param::Int(axis as i64))])?;
    }
    Ok(vec![x])
}

/// Subscripts of any number type as whole numbers.
fn whole(b: &mut GraphBuilder, indices: &Value) -> Result<Value> {
    match indices.element() {
        Element::I32 | Element::I64 => Ok(indices.clone()),
        _ => b.cast(indices, Element::I64),
    }
}

fn take_by(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (data, indices): (Value, Value),
    axis: usize,
) -> Result<Vec<Value>> {
    let mode = match n.attrs.text_or("mode", "clip") {
        "clip" => "clip",
        "wrap" => "wrap",
        "raise" => return Err("subscripts that are checked (mode raise) are not supported".into()),
        other => return Err(format!("the mode {other} is not supported")),
    };
    let indices = whole(b, &indices)?;
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("mode", Param::Str(mode)),
    ];
    Ok(vec![b.op("take", &[data, indices], &attrs)?])
}

fn take(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let both = n.both()?;
    let axis = both.0.axis(n.attrs.int("axis")?.unwrap_or(0))?;
    take_by(n, b, both, axis)
}

fn embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (indices, table) = n.both()?;
    n.attrs.int("input_dim")?;
    n.attrs.int("output_dim")?;
    super::elementwise::dtype(n, "dtype")?;
    take_by(n, b, (table, indices), 0)
}

/// One element of each row along an axis, by a subscript for each.
fn pick(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, indices) = n.both()?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(-1))?;
    let stays = n.attrs.flag("keepdims", false)?;
    if n.attrs.text_or("mode", "clip") != "clip" {
        return Err("only subscripts that are clipped are supported".into());
    }
    let indices = whole(b, &indices)?;
    let last = x.extent(axis)? - 1;
    let indices = clipped(b, &indices, 0.0, last as f64)?;
    let mut dims = x.dims().to_vec();
    dims[axis] = Dim::Known(1);
    let indices = b.reshape(&indices, &dims)?;
    let made = b.op(
        "gather",
        &[x.clone(), indices],
        &[("axis", Param::Int(axis as i64))],
    )?;
    if !stays {
        dims.remove(axis);
    }
    Ok(vec![b.reshape(&made, &dims)?])
}

fn gather_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, indices) = n.both()?;
    let indices = whole(b, &indices)?;
    Ok(vec![b.op("gather_nd", &[x, indices], &[])?])
}

fn one_hot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let indices = whole(b, &n.input(0)?)?;
    let to = super::elementwise::dtype(n, "dtype")?.unwrap_or(Element::F32);
    let on = b.scalar(to, n.attrs.float("on_value", 1.0)?);
    let off = b.scalar(to, n.attrs.float("off_value", 0.0)?);
    let attrs = [
        ("depth", Param::Int(n.attrs.required("depth")?)),
        ("axis", Param::Int(-1)),
        ("dtype", Param::Type(to)),
    ];
    Ok(vec![b.op("one_hot", &[indices, on, off], &attrs)?])
}

/// Where the condition is not 0. One of a vector chooses rows.
fn choose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (condition, x, y) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let mut flags = match condition.element() {
        Element::Bool => condition,
        _ => b.with_scalar("not_equal", &condition, 0.0)?,
    };
    if flags.rank() == 1 && x.rank() > 1 {
        let dims = [flags.dims(), &vec![Dim::Known(1); x.rank() - 1][..]].concat();
        flags = b.reshape(&flags, &dims)?;
    }
    Ok(vec![b.op("where", &[flags, x, y], &[])?])
}

/// A tensor with its last two dimensions exchanged.
fn turned(b: &mut GraphBuilder, x: &Value, turns: bool) -> Result<Value> {
    if !turns || x.rank() < 2 {
        return Ok(x.clone());
    }
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    axes.swap(x.rank() - 2, x.rank() - 1);
    b.transpose(x, &axes)
}

fn batch_dot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    n.attrs.text("forward_stype");
    let x = turned(b, &x, n.attrs.flag("transpose_a", false)?)?;
    let y = turned(b, &y, n.attrs.flag("transpose_b", false)?)?;
    Ok(vec![product(b, &x, &y)?])
}

/// The last axis of the first tensor with the first one of the second.
fn dot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, y) = n.both()?;
    n.attrs.text("forward_stype");
    let (turns_x, turns_y) = (
        n.attrs.flag("transpose_a", false)?,
        n.attrs.flag("transpose_b", false)?,
    );
    if x.rank().max(y.rank()) > 2 && (turns_x || turns_y) {
        return Err(
            "products of transposed tensors of more than two dimensions are not supported".into(),
        );
    }
    let (x, y) = (turned(b, &x, turns_x)?, turned(b, &y, turns_y)?);
    let Some(last) = x.rank().checked_sub(1) else {
        return Err("the first input is a number".into());
    };
    let dims = [&x.dims()[..last], y.dims().get(1..).unwrap_or_default()].concat();
    let (rows, columns) = (b.matrix(&x, last)?, b.matrix(&y, 1)?);
    let made = product(b, &rows, &columns)?;
    Ok(vec![match dims.is_empty() {
        true => b.reshape(&made, &[1i64])?,
        false => b.reshape(&made, &dims)?,
    }])
}
