//! Operators that move elements, or make them of sizes.

use super::{
    base::all_but_last,
    row::{Row, row},
};
use crate::{
    compose::{
        shape::{parts, reshaped},
        slice::strided_slice,
        subscript::{computed_range, known_range, open_range},
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers, check_dims},
        error::Result,
        value::{Value, broadcast_shapes, normalize_axes, normalize_axis},
    },
    tensorflow::node::{Node, sizes},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Reshape"], |n, b| {
        let asked = n.sizes(b, 1)?;
        Ok(vec![reshaped(b, &n.input(0)?, &asked)?])
    }),
    row(&["Squeeze"], squeeze),
    row(&["ExpandDims"], expand_dims),
    row(&["Shape", "ShapeN"], shape),
    row(&["Size"], size),
    row(&["Rank"], |n, b| {
        Ok(vec![b.scalar(Element::I32, n.input(0)?.rank() as f64)])
    }),
    row(&["Transpose"], transpose),
    row(&["Pack"], pack),
    row(&["Unpack"], unpack),
    row(&["Concat"], |n, b| {
        let values = n.tensors(1..n.inputs.len())?;
        concatenate(n, b, 0, &values)
    }),
    row(&["ConcatV2"], |n, b| {
        let values = all_but_last(n)?;
        concatenate(n, b, values.len(), &values)
    }),
    row(&["Split"], split),
    row(&["SplitV"], split_v),
    row(&["Tile"], tile),
    row(&["BroadcastTo"], |n, b| {
        let shape = n.sizes(b, 1)?;
        Ok(vec![b.broadcast(&n.input(0)?, &shape)?])
    }),
    row(&["BroadcastArgs"], broadcast_args),
    row(&["Fill"], fill),
    row(&["Range"], range),
    row(&["LinSpace"], linspace),
    row(&["ReverseV2"], reverse),
    row(&["ReverseSequence"], reverse_sequence),
    row(&["Roll"], roll),
    row(&["Pad"], pad),
    row(&["PadV2"], pad),
    row(&["MirrorPad"], mirror_pad),
    row(&["SpaceToBatchND"], |n, b| {
        let widths = ("paddings", n.known(2)?);
        by_blocks(n, b, "nn.space_to_batch_nd", widths)
    }),
    row(&["BatchToSpaceND"], |n, b| {
        let widths = ("crops", n.known(2)?);
        by_blocks(n, b, "nn.batch_to_space_nd", widths)
    }),
    row(&["SpaceToDepth"], |n, b| {
        to_depth(n, b, "nn.space_to_depth")
    }),
    row(&["DepthToSpace"], |n, b| {
        to_depth(n, b, "nn.depth_to_space")
    }),
    row(&["InvertPermutation"], |n, b| {
        Ok(vec![b.unary("invert_permutation", &n.input(0)?)?])
    }),
];

fn squeeze(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axes = normalize_axes(n.attrs.ints("squeeze_dims")?, x.rank())?;
    let is_dropped = |axis: usize| match axes.is_empty() {
        true => x.dims()[axis] == 1,
        false => axes.contains(&axis),
    };
    let is_other = |axis: &&usize| dim::unify(x.dims()[**axis], 1).is_none();
    if let Some(axis) = axes.iter().find(is_other) {
        return Err(format!("dimension {axis} of {:?} is not 1", x.dims()));
    }
    let kept = (0..x.rank()).filter(|axis| !is_dropped(*axis));
    let kept: Vec<Dim> = kept.map(|axis| x.dims()[axis]).collect();
    Ok(vec![b.reshape(&x, &kept)?])
}

fn expand_dims(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = n.axis(1, x.rank() + 1)?;
    let mut dims = x.dims().to_vec();
    dims.insert(axis, Dim::Known(1));
    Ok(vec![b.reshape(&x, &dims)?])
}

/// Shapes are known, at least as forms; they become no op.
fn shape(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let to = n.attrs.element("out_type", Element::I32)?;
    let inputs = n.tensors(0..n.inputs.len())?;
    let shapes = inputs.iter().map(|input| {
        let sizes = b.sizes(input.dims());
        b.cast(&sizes, to)
    });
    shapes.collect()
}

fn size(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let to = n.attrs.element("out_type", Element::I32)?;
    let count = dim::product(n.input(0)?.dims())?;
    Ok(vec![b.size(to, count)?])
}

fn transpose(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, axes) = (n.input(0)?, n.known(1)?);
    let places = x.axes(&axes)?;
    if normalize_axes(&axes, x.rank())?.len() != x.rank() {
        return Err(format!(
            "axes {axes:?} are no order of {} dimensions",
            x.rank()
        ));
    }
    Ok(vec![b.transpose(&x, &places)?])
}

fn pack(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let inputs = n.tensors(0..n.inputs.len())?;
    let first = inputs.first().ok_or("there are no inputs")?;
    let axis = normalize_axis(n.attrs.int("axis", 0)?, first.rank() + 1)?;
    let parts = inputs.iter().map(|value| {
        let mut dims = value.dims().to_vec();
        if value.rank() != first.rank() {
            return Err(format!(
                "inputs of shapes {:?} and {:?}",
                first.dims(),
                value.dims()
            ));
        }
        dims.insert(axis, Dim::Known(1));
        b.reshape(value, &dims)
    });
    let parts: Vec<Value> = parts.collect::<Result<_>>()?;
    Ok(vec![b.concatenate(&parts, axis)?])
}

/// The most parts of a tensor.
const MOST_PARTS: i64 = 1 << 16;

fn check_parts(count: i64) -> Result<usize> {
    let is_fine = (1..=MOST_PARTS).contains(&count);
    let count = usize::try_from(count).ok().filter(|_| is_fine);
    count.ok_or_else(|| "the number of parts is out of range".into())
}

fn unpack(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = normalize_axis(n.attrs.int("axis", 0)?, x.rank())?;
    let count = n.attrs.optional_int("num")?;
    let count = check_parts(count.ok_or("attribute 'num' is missing")?)?;
    let mut dims = x.dims().to_vec();
    dims.remove(axis);
    let made = parts(b, &x, axis, &vec![1; count])?;
    made.iter().map(|part| b.reshape(part, &dims)).collect()
}

/// Tensors one after the other along the axis that an input says. A scalar among them has nothing to join.
fn concatenate(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    place: usize,
    values: &[Value],
) -> Result<Vec<Value>> {
    let rank = values.first().ok_or("there are no inputs")?.rank();
    let axis = n.axis(place, rank)?;
    Ok(vec![b.concatenate(values, axis)?])
}

fn split(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(1)?;
    let axis = n.axis(0, x.rank())?;
    let count = n.attrs.optional_int("num_split")?;
    let count = count.ok_or("attribute 'num_split' is missing")?;
    let (parts_count, extent) = (check_parts(count)?, x.extent(axis)?);
    if extent % count != 0 {
        return Err(format!(
            "{count} equal parts of dimension {axis} of {:?}",
            x.dims()
        ));
    }
    parts(b, &x, axis, &vec![extent / count; parts_count])
}

fn split_v(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    n.attrs.ignore(&["num_split"]);
    let axis = n.axis(2, x.rank())?;
    let mut extents = n.known(1)?;
    check_parts(extents.len() as i64)?;
    let known = extents.iter().filter(|extent| **extent >= 0);
    let known = known.fold(0i64, |sum, extent| sum.saturating_add(*extent));
    // One part may be what the others leave.
    if let Some(rest) = extents.iter_mut().find(|extent| **extent == -1) {
        *rest = x.extent(axis)?.saturating_sub(known);
    }
    parts(b, &x, axis, &extents)
}

fn tile(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let times = n.sizes(b, 1)?;
    let is_negative = |times: &Dim| times.known().is_some_and(|times| times < 0);
    if times.len() != x.rank() || times.iter().any(is_negative) {
        return Err(format!("{times:?} times a tensor of rank {}", x.rank()));
    }
    let known: Option<Vec<i64>> = times.iter().map(|times| times.known()).collect();
    let pairs = x.dims().iter().zip(&times);
    let dims = pairs.map(|(dim, times)| dim.times(*times));
    let dims: Vec<Dim> = dims.collect::<Result<_>>()?;
    check_dims(&dims)?;
    if let Some(known) = known {
        return Ok(vec![b.op("tile", &[x], &[("reps", Param::Ints(known))])?]);
    }
    // Each dimension after a new one, along which it is repeated.
    let ones = x.dims().iter().flat_map(|dim| [Dim::Known(1), *dim]);
    let apart = b.reshape(&x, &ones.collect::<Vec<Dim>>())?;
    let more = times.iter().zip(x.dims());
    let more: Vec<Dim> = more.flat_map(|(times, dim)| [*times, *dim]).collect();
    let repeated = b.broadcast(&apart, &more)?;
    Ok(vec![b.reshape(&repeated, &dims)?])
}

/// The shape to which two shapes broadcast.
fn broadcast_args(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (lhs, rhs) = (n.sizes(b, 0)?, n.sizes(b, 1)?);
    let sizes = b.sizes(&broadcast_shapes(&lhs, &rhs)?);
    Ok(vec![b.cast(&sizes, n.input(0)?.element())?])
}

fn fill(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.attrs.ignore(&["index_type"]);
    let shape = n.sizes(b, 0)?;
    check_dims(&shape)?;
    let value = b.reshape_to_scalar(&n.input(1)?)?;
    if let Some(number) = value.scalar() {
        return Ok(vec![b.full(value.element(), &shape, number)?]);
    }
    let attrs = [("shape", Param::Dims(shape))];
    Ok(vec![b.op("full", &[value], &attrs)?])
}

/// From a number on, in steps, before another number.
fn range(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let [start, limit, step] = [0, 1, 2].map(|place| n.input(place));
    let ends = [start?, limit?, step?];
    let known = ends.each_ref().map(Value::constant);
    if let [Some(start), Some(limit), Some(step)] = known {
        return Ok(vec![known_range(b, [start, limit, step])?]);
    }
    if ends.iter().all(Value::is_known)
        && let Some(range) = open_range(&ends, b)?
    {
        return Ok(vec![range]);
    }
    Ok(vec![computed_range(b, &ends)?])
}

/// So many numbers from one to another.
fn linspace(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (start, stop, count) = (n.scalar(0)?, n.scalar(1)?, n.known_int(2)?);
    if !(1..1 << 24).contains(&count) {
        return Err(format!("{count} numbers"));
    }
    let step = (stop - start) / (count - 1).max(1) as f64;
    let numbers = (0..count).map(|place| start + place as f64 * step);
    let element = n.input(0)?.element();
    let numbers = Numbers::Floats(numbers.collect());
    Ok(vec![b.known(Const::new(element, vec![count], &numbers))])
}

fn reverse(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut x = n.input(0)?;
    for axis in normalize_axes(&n.known(1)?, x.rank())? {
        x = b.op("reverse", &[x], &[("axis", Param::Int(axis as i64))])?;
    }
    Ok(vec![x])
}

fn reverse_sequence(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let axis = n.attrs.optional_int("seq_dim")?;
    let attrs = [
        (
            "seq_axis",
            Param::Int(axis.ok_or("attribute 'seq_dim' is missing")?),
        ),
        ("batch_axis", Param::Int(n.attrs.int("batch_dim", 0)?)),
    ];
    let (x, lengths) = n.both()?;
    Ok(vec![b.op("reverse_sequence", &[x, lengths], &attrs)?])
}

/// The elements of axes moved towards the end, and those behind it to the beginning.
fn roll(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mut x = n.input(0)?;
    let (shifts, axes) = (n.known(1)?, n.known(2)?);
    if shifts.len() != axes.len() {
        return Err(format!("shifts {shifts:?} of axes {axes:?}"));
    }
    for (shift, axis) in shifts.iter().zip(x.axes(&axes)?) {
        let extent = x.extent(axis)?;
        let first = match extent {
            0 => 0,
            extent => (-shift).rem_euclid(extent),
        };
        if first != 0 {
            let end = strided_slice(b, &x, &[(axis, first, extent, 1)])?;
            let start = strided_slice(b, &x, &[(axis, 0, first, 1)])?;
            x = b.concatenate(&[end, start], axis)?;
        }
    }
    Ok(vec![x])
}

/// How many elements come before each axis and after it.
fn widths(n: &Node<'_, '_>, b: &mut GraphBuilder, x: &Value) -> Result<Vec<Dim>> {
    let list = n.input(1)?;
    if list.dims() != [Dim::Known(x.rank() as i64), Dim::Known(2)] {
        return Err(format!(
            "widths of shape {:?} for data of shape {:?}",
            list.dims(),
            x.dims()
        ));
    }
    let flat = b.reshape(&list, &[2 * x.rank() as i64])?;
    let widths = sizes(b, &flat)?;
    let mut known = widths.iter().filter_map(|width| width.known());
    match known.find(|width| *width < 0) {
        Some(width) => Err(format!("a width of {width}")),
        None => Ok(widths),
    }
}

fn pad(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let widths = widths(n, b, &x)?;
    let fill = match n.inputs.len() {
        3 => b.reshape_to_scalar(&n.input(2)?)?,
        _ => b.scalar(x.element(), 0.0),
    };
    Ok(vec![b.pad(&x, &fill, &widths, "constant")?])
}

fn mirror_pad(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let mode = match n.attrs.text_or("mode", "")? {
        "REFLECT" => "REFLECT",
        "SYMMETRIC" => "SYMMETRIC",
        other => return Err(format!("attribute 'mode' is '{other}', which is unknown")),
    };
    let widths = widths(n, b, &x)?;
    let known: Option<Vec<i64>> = widths.iter().map(|width| width.known()).collect();
    let known = known.ok_or("widths that depend on open dimensions are not supported")?;
    let attrs = [
        ("pad_width", Param::Ints(known)),
        ("mode", Param::Str(mode)),
    ];
    Ok(vec![b.op("nn.mirror_pad", &[x], &attrs)?])
}

fn by_blocks(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    op: &str,
    (name, widths): (&str, Vec<i64>),
) -> Result<Vec<Value>> {
    let attrs = [
        ("block_shape", Param::Ints(n.known(1)?)),
        (name, Param::Ints(widths)),
    ];
    Ok(vec![b.op(op, &[n.input(0)?], &attrs)?])
}

/// Images with their channels before their extents, through an operator, and back.
fn to_depth(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.of_rank(0, 4)?;
    let size = n.attrs.positive("block_size", 0)?;
    let attrs = [("block_size", Param::Int(size))];
    match n.attrs.text_or("data_format", "NHWC")? {
        "NHWC" => {
            let x = b.transpose(&x, &[0, 3, 1, 2])?;
            let made = b.op(op, &[x], &attrs)?;
            Ok(vec![b.transpose(&made, &[0, 2, 3, 1])?])
        }
        "NCHW" => Ok(vec![b.op(op, &[x], &attrs)?]),
        other => Err(format!(
            "attribute 'data_format' is '{other}', expected NHWC or NCHW"
        )),
    }
}
