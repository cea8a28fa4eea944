//! Operators whose result has a shape that values of their operands say, and the shape of a tensor as a value.

use super::{columns::*, image::spatial_dims, keyword, rule, sort};
use crate::{
    dim::{self, Dim},
    element::Element,
    ir::{Attr, Op, Type},
    relay::{Call, Folded, TensorType, relation::MAX_NEW_AXES, relation::normalize_axis},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("shape_of", Opaque, ANY, Decides, shape_of).with_fold(fold_shape_of),
    Row::new("vm.shape_of", Opaque, ANY, Decides, shape_of).with_fold(fold_shape_of),
    Row::new("vm.reshape_tensor", Injective, ANY, Moves, reshape_tensor).view(),
    Row::new("dyn.reshape", Opaque, ANY, Moves, reshape).with_shape_operands(&[1]),
    Row::new("dyn.squeeze", Opaque, ANY, Moves, squeeze).with_shape_operands(&[1]),
    Row::new("dyn.expand_dims", Opaque, ANY, Moves, expand_dims).with_shape_operands(&[1]),
    Row::new("dyn.tile", Opaque, ANY, Moves, tile).with_shape_operands(&[1]),
    Row::new("dyn.broadcast_to", Opaque, ANY, Moves, broadcast_to).with_shape_operands(&[1]),
    Row::new("dyn.zeros", Opaque, ANY, Moves, init).with_shape_operands(&[0]),
    Row::new("dyn.ones", Opaque, ANY, Moves, init).with_shape_operands(&[0]),
    Row::new("dyn.full", Opaque, ANY, Moves, full).with_shape_operands(&[1]),
    Row::new("dyn.strided_slice", Opaque, ANY, Moves, strided_slice)
        .with_shape_operands(&[1, 2, 3]),
    Row::new("dyn.nn.pad", Opaque, ANY, Moves, pad).with_shape_operands(&[1]),
    Row::new("dyn.nn.upsampling", Opaque, NUMBERS, Averages, |call| {
        upsampling(call, 2)
    })
    .with_shape_operands(&[1, 2]),
    Row::new("dyn.nn.upsampling3d", Opaque, NUMBERS, Averages, |call| {
        upsampling(call, 3)
    })
    .with_shape_operands(&[1, 2, 3]),
    Row::new("dyn.image.resize2d", Opaque, NUMBERS, Averages, resize2d).with_shape_operands(&[1]),
    Row::new("dyn.one_hot", Opaque, INTEGERS, Decides, one_hot).with_shape_operands(&[3]),
    Row::new("dyn.topk", Opaque, NUMBERS, Decides, topk).with_shape_operands(&[1]),
    Row::new(
        "dyn.sparse_to_dense",
        Opaque,
        INTEGERS,
        Moves,
        sparse_to_dense,
    )
    .with_shape_operands(&[3]),
];

/// The element type of a `shape_of`.
fn shape_element(call: &Call) -> Result<Type, String> {
    match call.attrs.get("dtype") {
        Some(_) => call.attrs.ty("dtype"),
        None => Ok(Type::int(call.ctx, 32)),
    }
}

fn shape_of(call: &Call) -> Result<Vec<TensorType>, String> {
    let element = shape_element(call)?;
    if !is_integer(element) {
        return Err(format!("dtype is {element}, no type of integers (C1)"));
    }
    let rank = call.inputs[0].rank() as i64;
    Ok(vec![TensorType::new(vec![rank], element)])
}

/// The dimensions as a constant, where all of them are known.
fn fold_shape_of(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    let (data, result) = (op.operand(0).ty(), op.result(0).ty());
    if !data.is_tensor() || !data.is_static() || !result.is_tensor() {
        return None;
    }
    let width = Element::of(result.element())?.bytes();
    let dims = data.shape().into_iter().map(i64::to_le_bytes);
    let bytes: Vec<u8> = dims.flat_map(|dim| dim.into_iter().take(width)).collect();
    Attr::dense(result, &bytes).map(Folded::Constant)
}

fn is_integer(element: Type) -> bool {
    Element::of(element).is_some_and(Element::is_integer)
}

/// The extent of operand `index`, a vector of integers.
fn vector(call: &Call, index: usize, role: &str) -> Result<usize, String> {
    let ty = &call.inputs[index];
    let known = match ty.shape[..] {
        [Dim::Known(extent)] if is_integer(ty.element) => usize::try_from(extent).ok(),
        _ => None,
    };
    known
        .filter(|&extent| extent <= MAX_NEW_AXES)
        .ok_or_else(|| {
            let ty = ty.to_type();
            format!(
                "{role} is of {ty}, no vector of integers of a known extent up to {MAX_NEW_AXES} (C1)"
            )
        })
}

/// A tensor of `rank` dimensions that operands say.
fn open(rank: usize, element: Type) -> Vec<TensorType> {
    vec![TensorType::new(vec![Dim::Unknown; rank], element)]
}

fn reshape(call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(open(vector(call, 1, "newshape")?, call.inputs[0].element))
}

/// As `reshape`; the shape that is an operand is not read.
fn reshape_tensor(call: &Call) -> Result<Vec<TensorType>, String> {
    super::transform::reshape(call)
}

fn squeeze(call: &Call) -> Result<Vec<TensorType>, String> {
    let (rank, count) = (call.inputs[0].rank(), vector(call, 1, "axis")?);
    let left = rank.checked_sub(count);
    let left = left.ok_or_else(|| format!("{count} axes are more than {rank} dimensions (C2)"))?;
    Ok(open(left, call.inputs[0].element))
}

fn expand_dims(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, axis) = (&call.inputs[0], &call.inputs[1]);
    if axis.rank() != 0 || !is_integer(axis.element) {
        let axis = axis.to_type();
        return Err(format!("axis is of {axis}, no integer of rank 0 (C1)"));
    }
    let asked = call.attrs.int("num_newaxis")?;
    let count = usize::try_from(asked).ok();
    let count = count.filter(|&count| count <= MAX_NEW_AXES);
    let count =
        count.ok_or_else(|| format!("num_newaxis {asked} is not from 0 to {MAX_NEW_AXES} (C2)"))?;
    Ok(open(data.rank() + count, data.element))
}

fn tile(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let rank = data.rank().max(vector(call, 1, "reps")?);
    Ok(open(rank, data.element))
}

fn broadcast_to(call: &Call) -> Result<Vec<TensorType>, String> {
    let (rank, wanted) = (call.inputs[0].rank(), vector(call, 1, "shape")?);
    if wanted < rank {
        return Err(format!(
            "shape has {wanted} dimensions, fewer than the data's {rank} (C2)"
        ));
    }
    Ok(open(wanted, call.inputs[0].element))
}

fn init(call: &Call) -> Result<Vec<TensorType>, String> {
    let rank = vector(call, 0, "shape")?;
    let element = call.attrs.ty("dtype")?;
    super::element(element).map_err(rule("C2"))?;
    Ok(open(rank, element))
}

fn full(call: &Call) -> Result<Vec<TensorType>, String> {
    let (fill, rank) = (&call.inputs[0], vector(call, 1, "shape")?);
    if fill.rank() != 0 {
        let rank = fill.rank();
        return Err(format!("fill_value has rank {rank}, expected 0 (C3)"));
    }
    let element = match call.attrs.get("dtype") {
        Some(_) => call.attrs.ty("dtype")?,
        None => fill.element,
    };
    super::element(element).map_err(rule("C2"))?;
    Ok(open(rank, element))
}

fn strided_slice(call: &Call) -> Result<Vec<TensorType>, String> {
    let mut result = call.inputs[0].clone();
    let count = vector(call, 1, "begin")?;
    if vector(call, 2, "end")? != count || vector(call, 3, "strides")? != count {
        return Err("begin, end and strides differ in length (C1)".into());
    }
    let axes = match call.attrs.get("axes") {
        Some(_) => call.attrs.ints("axes")?,
        None => (0..count as i64).collect(),
    };
    if axes.len() != count {
        return Err(format!("axes {axes:?} are not {count} (C2)"));
    }
    let mut seen = Vec::new();
    for axis in axes {
        let axis = normalize_axis(axis, result.rank()).map_err(rule("C2"))?;
        if seen.contains(&axis) {
            return Err(format!("axis {axis} is given twice (C2)"));
        }
        seen.push(axis);
        result.shape[axis] = Dim::Unknown;
    }
    keyword(call, "slice_mode", &["end", "size"]).map_err(rule("C3"))?;
    Ok(vec![result])
}

fn pad(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, width, value] = &call.inputs[..] else {
        return Err("takes data, pad_width and pad_value".into());
    };
    let is_one_of_each = match width.shape[..] {
        [rows, columns] => {
            dim::unify(rows, data.rank() as i64).is_some() && dim::unify(columns, 2).is_some()
        }
        _ => false,
    };
    if !is_one_of_each || !is_integer(width.element) {
        let (width, rank) = (width.to_type(), data.rank());
        return Err(format!(
            "pad_width is of {width}, no matrix of integers of {rank} rows and 2 columns (C1)"
        ));
    }
    if value.rank() != 0 || value.element != data.element {
        let (value, element) = (value.to_type(), data.element);
        return Err(format!(
            "pad_value is of {value}, expected rank 0 and {element} (C2)"
        ));
    }
    keyword(call, "pad_mode", &["constant", "edge", "reflect"]).map_err(rule("C3"))?;
    Ok(open(data.rank(), data.element))
}

/// The data's type with `count` spatial dimensions that operands say.
fn resized(call: &Call, count: usize) -> Result<Vec<TensorType>, String> {
    let mut result = call.inputs[0].clone();
    for dim in spatial_dims(call, count).map_err(rule("C2"))? {
        result.shape[dim] = Dim::Unknown;
    }
    Ok(vec![result])
}

fn upsampling(call: &Call, count: usize) -> Result<Vec<TensorType>, String> {
    let is_scale =
        |ty: &TensorType| ty.rank() == 0 && Element::of(ty.element).is_some_and(Element::is_float);
    if let Some(other) = call.inputs[1..].iter().find(|ty| !is_scale(ty)) {
        let other = other.to_type();
        return Err(format!("a scale is of {other}, no float of rank 0 (C1)"));
    }
    resized(call, count)
}

fn resize2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let count = vector(call, 1, "size")?;
    if count != 2 {
        return Err(format!("size has {count} numbers, expected 2 (C1)"));
    }
    resized(call, 2)
}

/// Whether an operand is one integer.
fn is_one_integer(ty: &TensorType) -> bool {
    let is_one = match ty.shape[..] {
        [] => true,
        [extent] => dim::unify(extent, 1).is_some(),
        _ => false,
    };
    is_one && is_integer(ty.element)
}

fn one_hot(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, on, off, depth] = &call.inputs[..] else {
        return Err("takes four operands".into());
    };
    if on.rank() != 0 || off.rank() != 0 || !is_one_integer(depth) {
        return Err("on and off value are not of rank 0, or depth is no integer (C2)".into());
    }
    let rank = indices.rank();
    let axis = match call.attrs.int("axis")? {
        -1 => rank,
        axis => usize::try_from(axis)
            .ok()
            .filter(|&axis| axis <= rank)
            .ok_or_else(|| format!("axis {axis} is not from -1 to {rank} (C3)"))?,
    };
    let dtype = call.attrs.ty("dtype")?;
    super::element(dtype).map_err(rule("C4"))?;
    let mut shape = indices.shape.clone();
    shape.insert(axis, Dim::Unknown);
    Ok(vec![TensorType::new(shape, dtype)])
}

fn topk(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, count] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    if !is_one_integer(count) {
        return Err(format!("k is of {}, no integer (C3)", count.to_type()));
    }
    let (axis, places) = sort::axis_and_dtype(call)?;
    let mut shape = data.shape.clone();
    shape[axis] = Dim::Unknown;
    let what = keyword(call, "ret_type", &["both", "values", "indices"]).map_err(rule("C4"))?;
    Ok(sort::wanted(&what, shape, [data.element, places]))
}

fn sparse_to_dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, values, default, _] = &call.inputs[..] else {
        return Err("takes four operands".into());
    };
    let rank = vector(call, 3, "output_shape")?;
    if !is_integer(indices.element) || values.element != default.element {
        return Err(format!(
            "subscripts are of {}, values of {}, and the default is {} (C2)",
            indices.element, values.element, default.element
        ));
    }
    Ok(open(rank, values.element))
}
