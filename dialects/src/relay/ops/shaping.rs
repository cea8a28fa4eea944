//! Elements moved to other places: reversed, repeated, cut, masked, spread.

use super::{
    columns::*,
    element, keyword, rule,
    transform::{are_subscripts, slice_of},
};
use crate::{
    dim::{self, Dim},
    element::Elements,
    relay::{
        Call, TensorType,
        relation::{broadcast_shapes, identity, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("reverse", Injective, ANY, Moves, reverse),
    Row::new("repeat", Broadcast, ANY, Moves, repeat),
    Row::new("one_hot", Injective, Elements::INTEGERS, Chooses, one_hot),
    Row::new("gather_nd", Injective, ANY, Moves, gather_nd),
    Row::new("reverse_sequence", Injective, ANY, Moves, reverse_sequence),
    Row::new("sequence_mask", Injective, VALUES, Moves, sequence_mask),
    Row::new("slice_like", Injective, ANY, Moves, slice_like),
    Row::new("reshape_like", Injective, ANY, Moves, reshape_like),
    Row::new(
        "broadcast_to_like",
        Broadcast,
        ANY,
        Moves,
        broadcast_to_like,
    ),
    Row::new("cast_like", Elemwise, ANY, Moves, cast_like),
    Row::new("ndarray_size", Injective, ANY, Decides, ndarray_size),
    Row::new("trilu", Injective, VALUES, Moves, trilu),
    Row::new("unravel_index", Injective, INTEGERS, Decides, unravel_index),
    Row::new("matrix_set_diag", Injective, ANY, Moves, matrix_set_diag),
    Row::new("nn.dilate", Injective, VALUES, Moves, dilate),
    Row::new("nn.mirror_pad", Injective, ANY, Moves, mirror_pad),
    Row::new("nn.space_to_depth", Injective, ANY, Moves, space_to_depth),
    Row::new("nn.fifo_buffer", Injective, ANY, Moves, fifo_buffer),
    Row::new("sliding_window", Injective, ANY, Moves, sliding_window),
    Row::new("meshgrid", Injective, ANY, Moves, meshgrid),
    Row::new("vision.yolo_reorg", Injective, ANY, Moves, yolo_reorg),
];

fn one(shape: Vec<Dim>, call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

/// Two operands.
fn pair(call: &Call) -> Result<[&TensorType; 2], String> {
    match &call.inputs[..] {
        [first, second] => Ok([first, second]),
        _ => Err("takes two operands".into()),
    }
}

fn reverse(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    identity(call)
}

fn repeat(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    let repeats = call.attrs.int("repeats")?;
    if repeats < 1 {
        return Err(format!("repeats is {repeats}, not at least 1 (C2)"));
    }
    let mut shape = data.shape.clone();
    shape[axis] = shape[axis].times(repeats)?;
    one(shape, call)
}

fn one_hot(call: &Call) -> Result<Vec<TensorType>, String> {
    let [indices, numbers @ ..] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    if !are_subscripts(indices.element) {
        return Err(format!(
            "indices are of {}, expected integers (C1)",
            indices.element
        ));
    }
    if numbers.len() != 2 || numbers.iter().any(|number| number.rank() != 0) {
        return Err("on_value and off_value are not of rank 0 (C2)".into());
    }
    let axis = match call.attrs.int("axis")? {
        -1 => indices.rank(),
        axis => usize::try_from(axis)
            .ok()
            .filter(|&axis| axis <= indices.rank())
            .ok_or_else(|| format!("axis {axis} is not from -1 to {} (C3)", indices.rank()))?,
    };
    let depth = call.attrs.int("depth")?;
    if depth < 1 {
        return Err(format!("depth is {depth}, not at least 1 (C4)"));
    }
    let dtype = call.attrs.ty("dtype")?;
    element(dtype).map_err(rule("C5"))?;
    let mut shape = indices.shape.clone();
    shape.insert(axis, Dim::Known(depth));
    Ok(vec![TensorType::new(shape, dtype)])
}

fn gather_nd(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, indices] = pair(call)?;
    if !are_subscripts(indices.element) || indices.rank() == 0 {
        return Err(format!(
            "indices of type {} are no lists of integers (C1)",
            indices.to_type()
        ));
    }
    let wrong = || {
        format!(
            "indices {} do not fit data {} (C2)",
            show(&indices.shape),
            show(&data.shape)
        )
    };
    let batches = usize::try_from(call.attrs.int("batch_dims")?).map_err(|_| wrong())?;
    let count = indices.shape[0].known().ok_or_else(wrong)?;
    let chosen = usize::try_from(count).map_err(|_| wrong())?;
    let places = &indices.shape[1..];
    let first = batches.checked_add(chosen).ok_or_else(wrong)?;
    if first > data.rank() || batches > places.len() {
        return Err(wrong());
    }
    let mut pairs = data.shape.iter().zip(places).take(batches);
    if pairs.any(|(extent, place)| dim::unify(*extent, *place).is_none()) {
        return Err(wrong());
    }
    let is_nothing = |shape: &[Dim]| shape.contains(&Dim::Known(0));
    if is_nothing(&data.shape[batches..first]) && !is_nothing(places) {
        return Err(format!(
            "there are no elements in {} (C3)",
            show(&data.shape)
        ));
    }
    one([places, &data.shape[first..]].concat(), call)
}

/// Checks that an operand has an integer for each place of an axis of data.
fn check_lengths(lengths: &TensorType, extent: Dim) -> Result<(), String> {
    let fits = lengths.rank() == 1 && dim::unify(lengths.shape[0], extent).is_some();
    match fits && are_subscripts(lengths.element) {
        true => Ok(()),
        false => Err(format!(
            "lengths of type {} are not {extent} integers (C2)",
            lengths.to_type()
        )),
    }
}

fn reverse_sequence(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, lengths] = pair(call)?;
    let axis = |name| normalize_axis(call.attrs.int(name)?, data.rank()).map_err(rule("C1"));
    let (time, batch) = (axis("seq_axis")?, axis("batch_axis")?);
    if time == batch {
        return Err(format!("axis {time} is both of time and of the batch (C1)"));
    }
    check_lengths(lengths, data.shape[batch])?;
    identity_of(data)
}

/// The type of an operand as that of the result.
fn identity_of(data: &TensorType) -> Result<Vec<TensorType>, String> {
    Ok(vec![data.clone()])
}

fn sequence_mask(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, lengths] = pair(call)?;
    let axis = call.attrs.int("axis")?;
    if !(0..2).contains(&axis) || data.rank() < 2 {
        return Err(format!(
            "axis {axis} of rank {} is none of the first two (C1)",
            data.rank()
        ));
    }
    check_lengths(lengths, data.shape[1 - axis as usize])?;
    identity_of(data)
}

fn slice_like(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, like] = pair(call)?;
    let mut axes = call.attrs.ints("axes")?;
    if axes.is_empty() {
        if data.rank() != like.rank() {
            return Err(format!(
                "ranks {} and {} differ (C1)",
                data.rank(),
                like.rank()
            ));
        }
        axes = (0..data.rank() as i64).collect();
    }
    let mut shape = data.shape.clone();
    for axis in axes {
        let at = normalize_axis(axis, data.rank()).map_err(rule("C1"))?;
        let of_like = normalize_axis(axis, like.rank()).map_err(rule("C1"))?;
        if dim::at_most(like.shape[of_like], data.shape[at]).is_none() {
            return Err(format!(
                "{} of {} elements are taken along axis {at} (C2)",
                like.shape[of_like], data.shape[at]
            ));
        }
        shape[at] = like.shape[of_like];
    }
    one(shape, call)
}

/// The dimensions of a range that attributes say, which begin with `side`.
fn range_of(call: &Call, side: &str, rank: usize) -> Result<std::ops::Range<usize>, String> {
    let bound = |bound: i64| {
        let from_start = if bound < 0 {
            bound.saturating_add(rank as i64)
        } else {
            bound
        };
        let found = usize::try_from(from_start).ok().filter(|&at| at <= rank);
        found.ok_or_else(|| format!("{side}: {bound} is not within rank {rank} (C1)"))
    };
    let begin = bound(call.attrs.int(&format!("{side}_begin"))?)?;
    let name = format!("{side}_end");
    let end = match call.attrs.get(&name) {
        Some(_) => bound(call.attrs.int(&name)?)?,
        None => rank,
    };
    match begin <= end {
        true => Ok(begin..end),
        false => Err(format!("{side}: {end} is before {begin} (C1)")),
    }
}

fn reshape_like(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, like] = pair(call)?;
    let old = range_of(call, "lhs", data.rank())?;
    let new = range_of(call, "rhs", like.rank())?;
    let (count, wanted) = (
        dim::product(&data.shape[old.clone()])?,
        dim::product(&like.shape[new.clone()])?,
    );
    if dim::unify(count, wanted).is_none() {
        return Err(format!(
            "{} does not reshape to {} (C2)",
            show(&data.shape[old]),
            show(&like.shape[new])
        ));
    }
    let shape = [
        &data.shape[..old.start],
        &like.shape[new],
        &data.shape[old.end..],
    ];
    one(shape.concat(), call)
}

fn broadcast_to_like(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, like] = pair(call)?;
    if broadcast_shapes(&data.shape, &like.shape).as_ref() != Ok(&like.shape) {
        return Err(format!(
            "{} does not broadcast to {} (C1)",
            show(&data.shape),
            show(&like.shape)
        ));
    }
    one(like.shape.clone(), call)
}

fn cast_like(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, like] = pair(call)?;
    Ok(vec![TensorType::new(data.shape.clone(), like.element)])
}

fn ndarray_size(call: &Call) -> Result<Vec<TensorType>, String> {
    let dtype = call.attrs.ty("dtype")?;
    element(dtype).map_err(rule("C1"))?;
    Ok(vec![TensorType::new(Vec::<Dim>::new(), dtype)])
}

fn trilu(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, k] = pair(call)?;
    if data.rank() < 2 {
        return Err(format!(
            "data are of rank {}, not 2 at least (C1)",
            data.rank()
        ));
    }
    if k.rank() != 0 || !are_subscripts(k.element) {
        return Err(format!(
            "k is of type {}, no integer of rank 0 (C2)",
            k.to_type()
        ));
    }
    identity_of(data)
}

fn unravel_index(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, shape] = pair(call)?;
    let count = match shape.shape[..] {
        [Dim::Known(count)] if count > 0 => count,
        _ => 0,
    };
    let are_integers = are_subscripts(data.element) && data.element == shape.element;
    if count == 0 || data.rank() > 1 || !are_integers {
        return Err(format!(
            "numbers {} and extents {} do not fit (C1)",
            data.to_type(),
            shape.to_type()
        ));
    }
    one([&[Dim::Known(count)], &data.shape[..]].concat(), call)
}

fn matrix_set_diag(call: &Call) -> Result<Vec<TensorType>, String> {
    let [matrices, diagonal] = pair(call)?;
    let known = |dim: Dim| {
        dim.known().ok_or_else(|| {
            format!(
                "matrices of {} have open extents (C2)",
                show(&matrices.shape)
            )
        })
    };
    let [batch @ .., rows, columns] = &matrices.shape[..] else {
        return Err(format!(
            "input is of rank {}, not 2 at least (C1)",
            matrices.rank()
        ));
    };
    if matrices.element != diagonal.element {
        return Err(format!(
            "element types {} and {} differ (C1)",
            matrices.element, diagonal.element
        ));
    }
    let (rows, columns) = (known(*rows)?, known(*columns)?);
    let (low, high) = (call.attrs.int("k1")?, call.attrs.int("k2")?);
    if low > high || low <= -rows || high >= columns {
        return Err(format!(
            "diagonals {low} to {high} are not in matrices of {rows} x {columns} (C2)"
        ));
    }
    let longest = longest_diagonal((rows, columns), (low, high));
    let mut wanted = batch.to_vec();
    if low < high {
        wanted.push(Dim::Known(high - low + 1));
    }
    wanted.push(Dim::Known(longest));
    if diagonal.shape != wanted {
        return Err(format!(
            "diagonal is {}, expected {} (C3)",
            show(&diagonal.shape),
            show(&wanted)
        ));
    }
    identity_of(matrices)
}

/// The length of the longest of some diagonals of a matrix.
pub fn longest_diagonal((rows, columns): (i64, i64), (low, high): (i64, i64)) -> i64 {
    (rows + high.min(0)).min(columns - low.max(0))
}

fn dilate(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let strides = call.attrs.ints("strides")?;
    if strides.len() != data.rank() || strides.iter().any(|&stride| stride < 1) {
        return Err(format!(
            "strides {strides:?} are not one of at least 1 for each dimension (C1)"
        ));
    }
    let spread = |(extent, &stride): (&Dim, &i64)| match *extent {
        Dim::Known(0) => Ok(Dim::Known(0)),
        extent => extent.minus(1)?.times(stride)?.plus(1),
    };
    let shape: Result<Vec<Dim>, String> = data.shape.iter().zip(&strides).map(spread).collect();
    one(shape?, call)
}

fn mirror_pad(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let widths = call.attrs.ints("pad_width")?;
    if widths.len() != 2 * data.rank() || widths.iter().any(|&width| width < 0) {
        return Err(format!(
            "pad_width {widths:?} are not two numbers for each dimension (C1)"
        ));
    }
    let mode = keyword(call, "mode", &["SYMMETRIC", "REFLECT"]).map_err(rule("C2"))?;
    let less = i64::from(mode == "REFLECT");
    let mut shape = Vec::new();
    for (extent, widths) in data.shape.iter().zip(widths.chunks(2)) {
        let shown = extent.minus(less)?;
        let is_more =
            |&&width: &&i64| width > 0 && dim::at_most(Dim::Known(width), shown).is_none();
        if let Some(width) = widths.iter().find(is_more) {
            return Err(format!("a mirror shows {shown} elements, not {width} (C3)"));
        }
        shape.push(extent.plus(widths[0])?.plus(widths[1])?);
    }
    one(shape, call)
}

/// Data of rank 4, an attribute that is at least 1, and rows and columns by it.
fn blocks(call: &Call, name: &str) -> Result<(i64, Vec<Dim>), String> {
    let data = &call.inputs[0];
    let &[_, _, height, width] = &data.shape[..] else {
        return Err(format!("data are of rank {}, not 4 (C1)", data.rank()));
    };
    let block = call.attrs.int(name)?;
    let parts = [height, width].map(|extent| {
        let part = (block > 0).then(|| dim::quotient(extent, block)).flatten();
        part.ok_or_else(|| format!("{extent} does not make blocks of {block} (C2)"))
    });
    Ok((block, parts.into_iter().collect::<Result<_, _>>()?))
}

fn space_to_depth(call: &Call) -> Result<Vec<TensorType>, String> {
    let (block, parts) = blocks(call, "block_size")?;
    let shape = &call.inputs[0].shape;
    let channels = shape[1].times(block)?.times(block)?;
    one(vec![shape[0], channels, parts[0], parts[1]], call)
}

fn yolo_reorg(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = &call.inputs[0].shape;
    if shape.iter().any(|extent| !extent.is_known()) {
        return Err(format!("data of {} have open extents (C1)", show(shape)));
    }
    let (block, parts) = blocks(call, "stride")?;
    let area = block.checked_mul(block);
    if area
        .and_then(|area| dim::quotient(shape[1], area))
        .is_none()
    {
        return Err(format!(
            "{} channels do not make blocks of {block} by {block} (C2)",
            shape[1]
        ));
    }
    let channels = shape[1].times(block)?.times(block)?;
    one(vec![shape[0], channels, parts[0], parts[1]], call)
}

fn fifo_buffer(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, buffer] = pair(call)?;
    let axis = normalize_axis(call.attrs.int("axis")?, buffer.rank()).map_err(rule("C1"))?;
    let fits = |(at, (new, old)): (usize, (&Dim, &Dim))| match at == axis {
        true => dim::at_most(*new, *old).is_some(),
        false => dim::unify(*new, *old).is_some(),
    };
    let pairs = data.shape.iter().zip(&buffer.shape).enumerate();
    if data.rank() != buffer.rank() || data.element != buffer.element || !{ pairs }.all(fits) {
        return Err(format!(
            "data {} do not fit a buffer {} (C2)",
            data.to_type(),
            buffer.to_type()
        ));
    }
    identity_of(buffer)
}

fn sliding_window(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    let (window, strides) = (
        call.attrs.ints("window_shape")?,
        call.attrs.ints("strides")?,
    );
    let count = data.rank() - axis;
    let are_sizes = |sizes: &[i64]| sizes.len() == count && sizes.iter().all(|&size| size > 0);
    if !are_sizes(&window) || !are_sizes(&strides) {
        return Err(format!(
            "window_shape {window:?} and strides {strides:?} are not {count} sizes each (C2)"
        ));
    }
    let mut shape = data.shape[..axis].to_vec();
    for (extent, (&size, &stride)) in data.shape[axis..].iter().zip(window.iter().zip(&strides)) {
        if dim::at_most(Dim::Known(size), *extent).is_none() {
            return Err(format!(
                "a window of {size} does not fit into {extent} (C3)"
            ));
        }
        let range = (Dim::Known(0), extent.minus(size - 1)?, stride);
        shape.push(slice_of(range, *extent)?.1);
    }
    shape.extend(window.into_iter().map(Dim::Known));
    one(shape, call)
}

fn meshgrid(call: &Call) -> Result<Vec<TensorType>, String> {
    let indexing = keyword(call, "indexing", &["ij", "xy"]).map_err(rule("C2"))?;
    let fits = |input: &TensorType| input.rank() < 2 && input.element == call.inputs[0].element;
    if call.inputs.is_empty() || !call.inputs.iter().all(fits) {
        return Err("the operands are not lists of one element type (C1)".into());
    }
    let extents = call.inputs.iter();
    let extents = extents.map(|input| input.shape.first().copied().unwrap_or(Dim::Known(1)));
    let mut shape: Vec<Dim> = extents.collect();
    if indexing == "xy" && shape.len() > 1 {
        shape.swap(0, 1);
    }
    let result = TensorType::new(shape, call.inputs[0].element);
    Ok(vec![result; call.inputs.len()])
}
