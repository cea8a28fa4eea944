//! Shapes and types of tensors.

use super::{
    computed, random,
    row::{Row, item_row, row},
};
use crate::{
    compose::{activation::clipped, shape::reshaped_to},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::check_dims,
        error::Result,
        value::{Value, broadcast_shapes, is_open, normalize_axes},
    },
    onnx::{
        element::{of_name, of_onnx},
        item::Item,
        node::Node,
    },
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("BitCast", 26, bit_cast),
    row("Cast", 1, cast_by_name).until(5),
    row("Cast", 6, cast),
    row("CastLike", 15, cast_like),
    row("Dropout", 1, dropout),
    row("Expand", 8, expand),
    row("Flatten", 1, flatten),
    item_row("Identity", 1, identity),
    row("Reshape", 1, reshape_attr).until(4),
    row("Reshape", 5, reshape),
    row("Shape", 1, shape),
    row("Size", 1, size),
    row("Squeeze", 1, squeeze),
    row("Transpose", 1, transpose),
    row("Unsqueeze", 1, unsqueeze),
];

fn cast_by_name(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let to = n.attr_str_or("to", "")?;
    let x = n.input(0)?;
    converted(n, b, &x, of_name(&to)?)
}

fn cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let to = n.required_i64("to")?;
    let x = n.input(0)?;
    converted(n, b, &x, of_onnx(to)?)
}

/// The same bits as elements of another type.
fn bit_cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let to = of_onnx(n.required_i64("to")?)?;
    let x = n.input(0)?;
    if x.element() == to {
        return Ok(vec![x]);
    }
    Ok(vec![b.op(
        "reinterpret",
        &[x],
        &[("dtype", Param::Type(to))],
    )?])
}

/// To the type of the second input.
fn cast_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, like) = (n.input(0)?, n.input(1)?);
    converted(n, b, &x, like.element())
}

/// What a cast makes of a tensor. Floats of 8 bits saturate unless the node says that they do not.
fn converted(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, to: Element) -> Result<Vec<Value>> {
    // It is about float8e8m0, which is not supported.
    n.ignore_attr("round_mode");
    let saturates = n.attr_i64_or("saturate", 1)? != 0;
    let result = match saturates {
        true => saturated(b, x, to)?,
        false => b.cast(x, to)?,
    };
    Ok(vec![result])
}

/// A tensor cast to another type. What is too large for a float of 8 bits or fewer becomes its greatest number.
pub(super) fn saturated(b: &mut GraphBuilder, x: &Value, to: Element) -> Result<Value> {
    let Some(format) = to.minifloat().filter(|_| x.element() != to) else {
        return b.cast(x, to);
    };
    let wide = match x.element().is_float() {
        true => x.clone(),
        false => b.cast(x, Element::F32)?,
    };
    let bounded = clipped(b, &wide, -format.max(), format.max())?;
    b.cast(&bounded, to)
}

fn identity(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    Ok(vec![n.item(0)?.clone()])
}

/// Nothing is dropped at inference: the mask, if the node has that output, is all true then.
fn dropout(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let x = n.input(0)?;
    let attr = n.attr_f32_or("ratio", 0.5)?;
    let seed = n.attr_i64("seed")?;
    if n.opset < 7 && !n.attr_bool_or("is_test", false)? {
        return Err("attribute 'is_test' is 0: the node trains; make it 1 for inference".into());
    }
    let trains = match n.optional(2) {
        Some(_) => {
            let training = n.constant(2, "training mode")?;
            training.count() != 1 || training.to_floats() != [0.0]
        }
        None => false,
    };
    let ratio = match n.optional(1) {
        Some(_) if trains => {
            let ratio = n.constant(1, "the ratio")?.to_floats();
            ratio.first().copied().unwrap_or(0.0)
        }
        _ => attr,
    };
    if !(0.0..=1.0).contains(&ratio) {
        return Err(format!(
            "the ratio is {ratio}, expected a number from 0 to 1"
        ));
    }
    if trains && ratio != 0.0 {
        return dropped(n, b, &x, (ratio, seed));
    }
    if !n.has_output(1) {
        return Ok(vec![x]);
    }
    let element = if n.opset < 10 {
        x.element()
    } else {
        Element::Bool
    };
    let mask = b.full(element, x.dims(), 1.0)?;
    Ok(vec![x, mask])
}

/// In training, a part of the elements becomes 0, and the others grow, so that the mean stays. What becomes 0 is the same in each run.
fn dropped(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: &Value,
    (ratio, seed): (f64, Option<i64>),
) -> Result<Vec<Value>> {
    let key = match seed {
        Some(seed) => [seed as u32, (seed >> 32) as u32],
        None => random::key(b),
    };
    let unit = random::unit(b, x.dims(), x.element(), key)?;
    let mask = b.with_scalar("greater_equal", &unit, ratio)?;
    let grown = b.with_scalar("multiply", x, 1.0 / (1.0 - ratio).max(f64::MIN_POSITIVE))?;
    let zero = b.scalar(x.element(), 0.0);
    let result = b.op("where", &[mask.clone(), grown, zero], &[])?;
    match n.has_output(1) {
        true => Ok(vec![result, mask]),
        false => Ok(vec![result]),
    }
}

fn expand(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let asked = n.input(1)?;
    if !asked.is_known() {
        let shape = computed::expanded(b, x.dims(), &asked)?;
        return Ok(vec![b.broadcast(&x, &shape)?]);
    }
    let wanted = n.dims(1, "the shape")?;
    check_dims(&wanted)?;
    let shape = expanded(x.dims(), &wanted)?;
    Ok(vec![b.broadcast(&x, &shape)?])
}

/// The shape that another broadcasts to by request. An open dimension that is asked for in the place of another one is the
/// larger of the two, if either is 1 when the model runs; it is taken to be the one that is asked for.
fn expanded(from: &[Dim], wanted: &[Dim]) -> Result<Vec<Dim>> {
    let mut shape = broadcast_shapes(from, wanted)?;
    let places = shape.iter_mut().rev().zip(wanted.iter().rev());
    for (dim, wanted) in places.filter(|(_, wanted)| !wanted.is_known()) {
        if !dim.is_known() {
            *dim = *wanted;
        }
    }
    Ok(shape)
}

fn flatten(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let (axis, rank) = (n.attr_i64_or("axis", 1)?, x.rank() as i64);
    if !(-rank..=rank).contains(&axis) {
        return Err(format!("axis {axis} is out of range for rank {rank}"));
    }
    let axis = if axis < 0 { axis + rank } else { axis } as usize;
    Ok(vec![b.matrix(&x, axis)?])
}

fn reshape_attr(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let wanted = n
        .attr_ints("shape")?
        .ok_or("attribute 'shape' is missing")?;
    let wanted: Vec<Dim> = wanted.into_iter().map(Dim::Known).collect();
    let x = n.input(0)?;
    Ok(vec![reshaped(b, &x, &wanted, false)?])
}

fn reshape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let literal_zero = n.opset >= 14 && n.attr_bool_or("allowzero", false)?;
    let asked = n.input(1)?;
    if !asked.is_known() {
        return Ok(vec![computed::reshape(b, &x, &asked, literal_zero)?]);
    }
    let wanted = n.dims(1, "the shape")?;
    Ok(vec![reshaped(b, &x, &wanted, literal_zero)?])
}

/// A tensor in a shape in which a number may be -1, and a 0 copies the input's unless it is taken at its word.
fn reshaped(b: &mut GraphBuilder, x: &Value, wanted: &[Dim], literal_zero: bool) -> Result<Value> {
    let dims = wanted.iter().enumerate();
    let dims = dims.map(|(axis, dim)| match *dim {
        Dim::Known(0) if !literal_zero => x.dims().get(axis).copied().ok_or_else(|| {
            format!("shape {wanted:?} copies dimension {axis}, which the input lacks")
        }),
        dim => Ok(dim),
    });
    let shape = dims.collect::<Result<Vec<Dim>>>()?;
    check_dims(x.dims())?;
    reshaped_to(b, x, shape, wanted)
}

/// The shape is known, at least as forms; it becomes no op.
fn shape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let rank = x.rank() as i64;
    let bound = |value: i64| {
        let value = if value < 0 {
            value.saturating_add(rank)
        } else {
            value
        };
        value.clamp(0, rank) as usize
    };
    let (start, end) = if n.opset >= 15 {
        (n.attr_i64_or("start", 0)?, n.attr_i64_or("end", rank)?)
    } else {
        (0, rank)
    };
    let (start, end) = (bound(start), bound(end));
    let dims = x.dims().get(start..end).unwrap_or_default();
    Ok(vec![b.sizes(dims)])
}

/// The number of elements is known, so no op is made.
fn size(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    check_dims(x.dims())?;
    let count = b.sizes(&[dim::product(x.dims())?]);
    Ok(vec![b.reshape_to_scalar(&count)?])
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axes = match n.axes(13)? {
        Some(axes) => normalize_axes(&axes, x.rank())?,
        // The rank of the result would depend on the size of an open dimension.
        None => match x.dims().iter().find(|dim| !dim.is_known()) {
            Some(open) => return Err(format!("the axes are missing: {}", is_open(*open))),
            None => (0..x.rank()).filter(|&axis| x.dims()[axis] == 1).collect(),
        },
    };
    if let Some(axis) = axes
        .iter()
        .find(|&&axis| dim::unify(x.dims()[axis], 1).is_none())
    {
        return Err(format!(
            "dimension {axis} of shape {:?} is not 1 and cannot be squeezed",
            x.dims()
        ));
    }
    if axes.is_empty() {
        return Ok(vec![x]);
    }
    let axes = axes.into_iter().map(|axis| axis as i64).collect();
    Ok(vec![b.op(
        "squeeze",
        &[x],
        &[("axis", Param::Ints(axes))],
    )?])
}

fn unsqueeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut result = n.input(0)?;
    let axes = n.axes(13)?.ok_or("the axes are missing")?;
    if axes.len() > 64 {
        return Err(format!("{} axes are too many", axes.len()));
    }
    // The axes are those of the result, so they are inserted in rising order.
    for axis in normalize_axes(&axes, result.rank() + axes.len())? {
        let attrs = [
            ("axis", Param::Int(axis as i64)),
            ("num_newaxis", Param::Int(1)),
        ];
        result = b.op("expand_dims", &[result], &attrs)?;
    }
    Ok(vec![result])
}

fn transpose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axes: Vec<usize> = match n.attr_ints("perm")? {
        None => (0..x.rank()).rev().collect(),
        Some(perm) => {
            if normalize_axes(&perm, x.rank())?.len() != x.rank() {
                return Err(format!(
                    "attribute 'perm' is {perm:?}, not a permutation of {} axes",
                    x.rank()
                ));
            }
            perm.iter()
                .map(|&axis| x.axis(axis))
                .collect::<Result<_>>()?
        }
    };
    Ok(vec![b.transpose(&x, &axes)?])
}
