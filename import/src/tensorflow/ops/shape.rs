//! Operators that move elements, or make them of sizes.

use super::{
    base::all_but_last,
    row::{Row, row},
};
use crate::{
    compose::{
        pad::{mirrored, widths, with_channels_first},
        shape::{
            equal_parts, filled, parts_and_rest, reshaped, reversed, squeezed, stacked, tiled,
            transposed, unstacked, with_axis,
        },
        slice::strided_slice,
        subscript::{computed_range, known_range, open_range},
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::{Value, broadcast_shapes, normalize_axis},
    },
    tensorflow::node::Node,
};
use relay_dialects::{dim, element::Element};

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
    row(&["Transpose"], |n, b| {
        Ok(vec![transposed(b, &n.input(0)?, &n.known(1)?)?])
    }),
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
    row(&["Tile"], |n, b| {
        let times = n.sizes(b, 1)?;
        Ok(vec![tiled(b, &n.input(0)?, &times)?])
    }),
    row(&["BroadcastTo"], |n, b| {
        let shape = n.sizes(b, 1)?;
        Ok(vec![b.broadcast(&n.input(0)?, &shape)?])
    }),
    row(&["BroadcastArgs"], broadcast_args),
    row(&["Fill"], fill),
    row(&["Range"], range),
    row(&["LinSpace"], linspace),
    row(&["ReverseV2"], |n, b| {
        Ok(vec![reversed(b, &n.input(0)?, &n.known(1)?)?])
    }),
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
    let axes = n.attrs.ints("squeeze_dims")?;
    Ok(vec![squeezed(b, &n.input(0)?, axes)?])
}

fn expand_dims(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = n.axis(1, x.rank() + 1)?;
    Ok(vec![with_axis(b, &x, axis)?])
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

fn pack(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let inputs = n.tensors(0..n.inputs.len())?;
    Ok(vec![stacked(b, &inputs, n.attrs.int("axis", 0)?)?])
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
    unstacked(b, &x, axis, count)
}

/// Tensors one after the other along the axis that an input says.
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
    equal_parts(b, &x, axis, check_parts(count)?)
}

fn split_v(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    n.attrs.ignore(&["num_split"]);
    let axis = n.axis(2, x.rank())?;
    let extents = n.known(1)?;
    check_parts(extents.len() as i64)?;
    parts_and_rest(b, &x, axis, extents)
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
    Ok(vec![filled(b, shape, &n.input(1)?)?])
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
            extent => (extent - shift.rem_euclid(extent)) % extent,
        };
        if first != 0 {
            let end = strided_slice(b, &x, &[(axis, first, extent, 1)])?;
            let start = strided_slice(b, &x, &[(axis, 0, first, 1)])?;
            x = b.concatenate(&[end, start], axis)?;
        }
    }
    Ok(vec![x])
}

fn pad(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let widths = widths(b, &x, &n.input(1)?)?;
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
    let widths = widths(b, &x, &n.input(1)?)?;
    Ok(vec![mirrored(b, &x, &widths, mode)?])
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
            let made = with_channels_first(b, &x, |b, x| b.op(op, &[x], &attrs));
            Ok(vec![made?])
        }
        "NCHW" => Ok(vec![b.op(op, &[x], &attrs)?]),
        other => Err(format!(
            "attribute 'data_format' is '{other}', expected NHWC or NCHW"
        )),
    }
}
