//! Shapes: reshaping, transposing, joining, repeating, padding.

use super::row::{Row, row};
use crate::{
    compose::shape::reshaped,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::element_count,
        error::Result,
        value::{Value, normalize_axes},
    },
    mxnet::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Concat", "concat"], concat),
    row(&["Flatten", "flatten"], flatten),
    row(&["Pad", "pad"], pad),
    row(&["Reshape", "reshape"], reshape),
    row(&["SwapAxis", "swapaxes"], swap_axes),
    row(&["_arange"], arange),
    row(&["_full"], full),
    row(&["_ones"], |n, b| of_shape(n, b, 1.0)),
    row(&["_zeros"], |n, b| of_shape(n, b, 0.0)),
    row(&["broadcast_axis", "broadcast_axes"], broadcast_axis),
    row(&["broadcast_like"], broadcast_like),
    row(&["broadcast_to"], broadcast_to),
    row(&["depth_to_space"], depth_to_space),
    row(&["expand_dims"], expand_dims),
    row(&["ones_like"], |n, b| like(n, b, 1.0)),
    row(&["repeat"], repeat),
    row(&["reshape_like"], reshape_like),
    row(&["space_to_depth"], space_to_depth),
    row(&["squeeze"], squeeze),
    row(&["stack"], stack),
    row(&["tile"], tile),
    row(&["transpose", "_np_transpose"], transpose),
    row(&["zeros_like"], |n, b| like(n, b, 0.0)),
];

fn concat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let axis = n.input(0)?.axis(n.attrs.int("dim")?.unwrap_or(1))?;
    Ok(vec![b.concatenate(&n.inputs, axis)?])
}

fn stack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let rank = n.input(0)?.rank() as i64;
    let axis = n.attrs.int("axis")?.unwrap_or(0);
    let axis = if axis < 0 { axis + rank + 1 } else { axis };
    Ok(vec![b.op(
        "stack",
        &n.inputs,
        &[("axis", Param::Int(axis))],
    )?])
}

fn flatten(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![b.matrix(&n.input(0)?, 1)?])
}

fn expand_dims(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = n.attrs.required("axis")?;
    let rank = x.rank() as i64;
    let place = if axis < 0 { axis + rank + 1 } else { axis };
    let place = usize::try_from(place)
        .ok()
        .filter(|place| *place <= x.rank());
    let place = place.ok_or_else(|| format!("there is no axis {axis}"))?;
    let mut dims = x.dims().to_vec();
    dims.insert(place, Dim::Known(1));
    Ok(vec![b.reshape(&x, &dims)?])
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axes = match n.attrs.ints("axis")? {
        Some(axes) => normalize_axes(&axes, x.rank())?,
        None => (0..x.rank())
            .filter(|axis| x.dims()[*axis] == Dim::Known(1))
            .collect(),
    };
    let dims = x.dims().iter().enumerate();
    let mut dims: Vec<Dim> = dims
        .filter(|(axis, _)| !axes.contains(axis))
        .map(|(_, dim)| *dim)
        .collect();
    if dims.is_empty() {
        dims.push(Dim::Known(1));
    }
    Ok(vec![b.reshape(&x, &dims)?])
}

fn transpose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axes = match n.attrs.ints("axes")?.filter(|axes| !axes.is_empty()) {
        Some(axes) => x.axes(&axes)?,
        None => (0..x.rank()).rev().collect(),
    };
    Ok(vec![b.transpose(&x, &axes)?])
}

fn swap_axes(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (one, other) = (
        n.attrs.int("dim1")?.unwrap_or(0),
        n.attrs.int("dim2")?.unwrap_or(0),
    );
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    axes.swap(x.axis(one)?, x.axis(other)?);
    Ok(vec![b.transpose(&x, &axes)?])
}

fn reshape_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, like) = n.both()?;
    for name in ["lhs_begin", "lhs_end", "rhs_begin", "rhs_end"] {
        if n.attrs.text(name).is_some() {
            return Err(format!("attribute '{name}' is not supported"));
        }
    }
    Ok(vec![b.reshape(&x, like.dims())?])
}

/// Special numbers of a shape: 0 keeps a dimension, -1 is what is left, -2 keeps all that follow, -3 is the product of two, and -4 splits one
/// in the two that follow.
fn reshape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let shape = n.attrs.ints("shape")?.filter(|shape| !shape.is_empty());
    let old = n.attrs.ints("target_shape")?;
    n.attrs.flag("keep_highest", false)?;
    let shape = shape.or(old).ok_or("attribute 'shape' is missing")?;
    let dims = match n.attrs.flag("reverse", false)? {
        false => special(x.dims(), &shape)?,
        true => {
            let (dims, shape): (Vec<Dim>, Vec<i64>) = (
                x.dims().iter().rev().copied().collect(),
                shape.into_iter().rev().collect(),
            );
            if shape.contains(&-4) {
                return Err("a reversed shape that splits dimensions is not supported".into());
            }
            let mut dims = special(&dims, &shape)?;
            dims.reverse();
            dims
        }
    };
    Ok(vec![reshaped(b, &x, &dims)?])
}

/// The dimensions that a shape's special numbers stand for; -1 stays.
fn special(data: &[Dim], shape: &[i64]) -> Result<Vec<Dim>> {
    let mut rest = data.iter().copied();
    let mut next = || {
        rest.next()
            .ok_or("the shape has more dimensions than the data")
    };
    let mut made = Vec::new();
    let mut numbers = shape.iter().copied();
    while let Some(number) = numbers.next() {
        match number {
            0 => made.push(next()?),
            -1 => {
                // Where the data have a dimension here, it is the next one.
                let _ = next();
                made.push(Dim::Known(-1));
            }
            -2 => {
                while let Ok(dim) = next() {
                    made.push(dim);
                }
            }
            -3 => made.push(next()?.times(next()?)?),
            -4 => {
                let whole = next()?;
                let two = [numbers.next(), numbers.next()];
                let [Some(one), Some(other)] = two else {
                    return Err("-4 in a shape is not followed by two numbers".into());
                };
                made.extend(split(whole, one, other)?);
            }
            known if known > 0 => {
                let _ = next();
                made.push(Dim::Known(known));
            }
            other => return Err(format!("{other} in a shape is not supported")),
        }
    }
    Ok(made)
}

/// A dimension in two, one of which may be -1.
fn split(whole: Dim, one: i64, other: i64) -> Result<[Dim; 2]> {
    let rest = |part: i64| match whole.known() {
        Some(all) if part < 1 || all % part != 0 => {
            Err(format!("{all} elements do not divide by {part}"))
        }
        _ => whole.floor_div(part),
    };
    Ok(match (one, other) {
        (-1, other) => [rest(other)?, Dim::Known(other)],
        (one, -1) => [Dim::Known(one), rest(one)?],
        (one, other) => [Dim::Known(one), Dim::Known(other)],
    })
}

fn tile(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut x = n.input(0)?;
    let mut times = n.attrs.required_ints("reps")?;
    while times.len() < x.rank() {
        times.insert(0, 1);
    }
    if times.len() > x.rank() {
        let dims = [&vec![Dim::Known(1); times.len() - x.rank()][..], x.dims()].concat();
        x = b.reshape(&x, &dims)?;
    }
    Ok(vec![b.op("tile", &[x], &[("reps", Param::Ints(times))])?])
}

fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let times = n.attrs.required("repeats")?;
    let (x, axis) = match n.attrs.int("axis")? {
        Some(axis) => (x.clone(), x.axis(axis)?),
        None => {
            let count = dim::product(x.dims())?;
            (b.reshape(&x, &[count])?, 0)
        }
    };
    let attrs = [
        ("repeats", Param::Int(times)),
        ("axis", Param::Int(axis as i64)),
    ];
    Ok(vec![b.op("repeat", &[x], &attrs)?])
}

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let widths = n.attrs.required_ints("pad_width")?;
    let fill = n.attrs.float("constant_value", 0.0)?;
    let mode = match n.attrs.text_or("mode", "constant") {
        "constant" => "constant",
        "edge" => "edge",
        "reflect" => "reflect",
        other => return Err(format!("padding in the mode {other} is not supported")),
    };
    if widths.len() != 2 * x.rank() {
        return Err(format!(
            "attribute 'pad_width' has {} numbers for rank {}",
            widths.len(),
            x.rank()
        ));
    }
    let fill = b.scalar(x.element(), fill);
    Ok(vec![b.pad(&x, &fill, &widths, mode)?])
}

fn broadcast_to(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let shape = n.attrs.required_ints("shape")?;
    let dims = shape.iter().enumerate().map(|(axis, size)| match size {
        0 => x.dims().get(axis).copied().unwrap_or(Dim::Known(1)),
        size => Dim::Known(*size),
    });
    let dims: Vec<Dim> = dims.collect();
    Ok(vec![b.broadcast(&x, &dims)?])
}

fn broadcast_axis(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axes = x.axes(&n.attrs.required_ints("axis")?)?;
    let sizes = n.attrs.required_ints("size")?;
    let mut dims = x.dims().to_vec();
    for (axis, size) in axes.into_iter().zip(sizes) {
        dims[axis] = Dim::Known(size);
    }
    Ok(vec![b.broadcast(&x, &dims)?])
}

fn broadcast_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, like) = n.both()?;
    let dims = match (n.attrs.ints("lhs_axes")?, n.attrs.ints("rhs_axes")?) {
        (Some(own), Some(of_like)) => {
            let own = x.axes(&own)?;
            let of_like = like.axes(&of_like)?;
            let mut dims = x.dims().to_vec();
            for (axis, other) in own.into_iter().zip(of_like) {
                dims[axis] = like.dims()[other];
            }
            dims
        }
        _ => like.dims().to_vec(),
    };
    Ok(vec![b.broadcast(&x, &dims)?])
}

fn like(n: &Node<'_>, b: &mut GraphBuilder, number: f64) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![b.full(x.element(), x.dims(), number)?])
}

fn element(n: &Node<'_>) -> Result<Element> {
    Ok(super::elementwise::dtype(n, "dtype")?.unwrap_or(Element::F32))
}

fn of_shape(n: &Node<'_>, b: &mut GraphBuilder, number: f64) -> Result<Vec<Value>> {
    let shape = n.attrs.required_ints("shape")?;
    element_count(&shape)?;
    Ok(vec![b.filled(element(n)?, &shape, number)?])
}

fn full(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let number = n.attrs.float("value", 0.0)?;
    of_shape(n, b, number)
}

fn arange(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (start, step) = (n.attrs.float("start", 0.0)?, n.attrs.float("step", 1.0)?);
    let times = n.attrs.int("repeat")?.unwrap_or(1);
    n.attrs.flag("infer_range", false)?;
    // With one bound, it is the end.
    let (start, stop) = match n.attrs.text("stop") {
        Some(_) => (start, n.attrs.float("stop", 0.0)?),
        None => (0.0, start),
    };
    let count = ((stop - start) / step).ceil().max(0.0) as i64;
    let to = element(n)?;
    let places = b.iota(Element::F64, &[Dim::Known(count)], 0)?;
    let scaled = b.with_scalar("multiply", &places, step)?;
    let moved = b.with_scalar("add", &scaled, start)?;
    let made = b.cast(&moved, to)?;
    let attrs = [("repeats", Param::Int(times)), ("axis", Param::Int(0))];
    Ok(vec![match times {
        1 => made,
        _ => b.op("repeat", &[made], &attrs)?,
    }])
}

fn depth_to_space(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let attrs = [
        ("block_size", Param::Int(n.attrs.required("block_size")?)),
        ("mode", Param::Str("DCR")),
    ];
    Ok(vec![b.op("nn.depth_to_space", &[n.input(0)?], &attrs)?])
}

fn space_to_depth(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let attrs = [("block_size", Param::Int(n.attrs.required("block_size")?))];
    Ok(vec![b.op("nn.space_to_depth", &[n.input(0)?], &attrs)?])
}
