//! Parts of tensors, and tensors put together.

use super::{
    computed,
    row::{Row, row},
};
pub(super) use crate::compose::slice::{sliced, strided_slice};
use crate::{
    graph::{
        attr::Param,
        builder::{GraphBuilder, count_of_sizes},
        constant::check_dims,
        error::Result,
        value::{Value, are_equal, is_open, normalize_axes},
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("CenterCropPad", 18, center_crop_pad),
    row("Concat", 1, concat),
    row("DepthToSpace", 1, depth_to_space),
    row("Pad", 1, pad),
    row("Slice", 1, slice),
    row("SpaceToDepth", 1, space_to_depth),
    row("Split", 1, split),
    row("Tile", 1, tile_axis).until(5),
    row("Tile", 6, tile),
];

fn concat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let inputs = n.variadic()?;
    let axis = match n.opset {
        ..4 => n.attr_i64_or("axis", 1)?,
        _ => n.required_i64("axis")?,
    };
    let axis = inputs[0].axis(axis)?;
    Ok(vec![b.concatenate(&inputs, axis)?])
}

/// Where a block's elements lie in the channels.
enum BlockMode {
    /// A channel is numbered by the block's row, then its column, then the channel beside the block.
    Dcr,
    /// A channel is numbered by the channel beside the block, then the block's row, then its column.
    Crd,
}

/// Reads `mode`.
fn block_mode(n: &Node<'_>) -> Result<BlockMode> {
    match n.attr_str_or("mode", "DCR")?.as_str() {
        "DCR" => Ok(BlockMode::Dcr),
        "CRD" => Ok(BlockMode::Crd),
        other => Err(format!(
            "attribute 'mode' is '{other}', expected DCR or CRD"
        )),
    }
}

fn depth_to_space(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let block = n.required_i64("blocksize")?;
    let mode = match n.opset {
        ..11 => BlockMode::Dcr,
        _ => block_mode(n)?,
    };
    let fits =
        (1..=1 << 15).contains(&block) && x.rank() == 4 && x.extent(1)? % (block * block) == 0;
    if !fits {
        return Err(format!(
            "blocks of {block} do not fit an input of shape {:?}",
            x.dims()
        ));
    }
    let attrs = [
        ("block_size", Param::Int(block)),
        // ONNX's mode CRD (column, row, depth) is CDR in Relay.
        (
            "mode",
            Param::Str(match mode {
                BlockMode::Dcr => "DCR",
                BlockMode::Crd => "CDR",
            }),
        ),
    ];
    Ok(vec![b.op("nn.depth_to_space", &[x], &attrs)?])
}

/// Blocks of positions become channels.
fn space_to_depth(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let block = n.required_i64("blocksize")?;
    let axes = match block_mode(n)? {
        BlockMode::Dcr => [0, 3, 5, 1, 2, 4],
        BlockMode::Crd => [0, 1, 3, 5, 2, 4],
    };
    let [samples, channels, height, width] = *x.dims() else {
        return Err(format!("the input has rank {}, expected 4", x.rank()));
    };
    let is_multiple = |extent: Dim| dim::quotient(extent, block).is_some();
    if !(1..=1 << 15).contains(&block) || !is_multiple(height) || !is_multiple(width) {
        return Err(format!(
            "blocks of {block} do not fit an input of shape {:?}",
            x.dims()
        ));
    }
    let (rows, columns) = (height.floor_div(block)?, width.floor_div(block)?);
    let side = Dim::Known(block);
    let blocks = b.reshape(&x, &[samples, channels, rows, side, columns, side])?;
    let moved = b.transpose(&blocks, &axes)?;
    let shape = [samples, channels.times(block * block)?, rows, columns];
    Ok(vec![b.reshape(&moved, &shape)?])
}

/// A tensor as often along one axis as an input says.
fn tile_axis(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let x = n.input(0)?;
    let one = |index, what| match n.floats(index, what)?[..] {
        [number] if number.fract() == 0.0 => Ok(number as i64),
        ref numbers => Err(format!(
            "{what} (input {index}) is {numbers:?}, expected a whole number"
        )),
    };
    let (tiles, axis) = (one(1, "the number of tiles")?, one(2, "the axis")?);
    let axis = x.axis(axis)?;
    if tiles < 0 {
        return Err(format!("the number of tiles (input 1) is {tiles}"));
    }
    let mut reps = vec![1; x.rank()];
    reps[axis] = tiles;
    Ok(vec![b.op("tile", &[x], &[("reps", Param::Ints(reps))])?])
}

fn tile(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    if let Some(repeats) = n.optional(1).filter(|repeats| !repeats.is_known()) {
        return Ok(vec![tile_at_run_time(n, b, &x, &repeats)?]);
    }
    let reps = n.dims(1, "the repeats")?;
    let is_negative = |rep: &Dim| dim::at_most(Dim::Known(0), *rep).is_none();
    if reps.len() != x.rank() || reps.iter().any(is_negative) {
        return Err(format!(
            "repeats {reps:?} do not fit an input of rank {}",
            x.rank()
        ));
    }
    let product = |(dim, &rep): (&Dim, &Dim)| dim.times(rep);
    let shape: Vec<Dim> = (x.dims().iter().zip(&reps).map(product)).collect::<Result<_>>()?;
    check_dims(&shape)?;
    if reps.iter().all(|rep| *rep == 1) {
        return Ok(vec![x]);
    }
    match reps.iter().map(|rep| rep.known()).collect() {
        Some(reps) => Ok(vec![b.op("tile", &[x], &[("reps", Param::Ints(reps))])?]),
        None => Ok(vec![repeated(b, &x, &reps, &shape)?]),
    }
}

/// As [`tile`], with repeats that are computed at run time.
fn tile_at_run_time(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: &Value,
    repeats: &Value,
) -> Result<Value> {
    if !are_equal(repeats.dims(), &[Dim::Known(x.rank() as i64)]) {
        return Err(format!(
            "repeats of shape {:?} do not fit an input of rank {}",
            repeats.dims(),
            x.rank()
        ));
    }
    let repeats = n.sizes(b, 1, "the repeats")?;
    computed::tile(b, x, &repeats)
}

/// A tensor as often along each axis as `reps` says, which may be forms: broadcast along an axis before each of its own.
fn repeated(b: &mut GraphBuilder, x: &Value, reps: &[Dim], shape: &[Dim]) -> Result<Value> {
    let beside = |first: &dyn Fn(usize) -> Dim| -> Vec<Dim> {
        let axes = x.dims().iter().enumerate();
        axes.flat_map(|(axis, extent)| [first(axis), *extent])
            .collect()
    };
    let apart = b.reshape(x, &beside(&|_| Dim::Known(1)))?;
    let wide = b.broadcast(&apart, &beside(&|axis| reps[axis]))?;
    b.reshape(&wide, shape)
}

/// The parts' extents: given, or as many equal ones as there are outputs.
fn parts(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, axis: usize) -> Result<Vec<Dim>> {
    let given = if n.opset < 13 {
        n.check_inputs(if n.opset < 2 { 2 } else { 1 })?;
        let attr = n.attr_ints("split")?.map(known);
        n.optional_dims(1, "the parts")?.or(attr)
    } else {
        n.check_inputs(2)?;
        n.optional_dims(1, "the parts")?
    };
    if let Some(parts) = given {
        return Ok(parts);
    }
    let (outputs, extent) = (n.output_count() as i64, x.dims()[axis]);
    let count = if n.opset >= 18 {
        n.attr_i64_or("num_outputs", outputs)?
    } else {
        outputs
    };
    if count != outputs || count < 1 {
        return Err(format!(
            "it has {outputs} outputs, its attributes ask for {count}"
        ));
    }
    if n.opset < 18 {
        let whole = extent.floor_div(count)?.times(count)?;
        b.equate(extent, whole)
            .map_err(|_| format!("{extent} elements do not split into {count} equal parts"))?;
    }
    // Since opset 18 the last part may be smaller.
    let size = extent.ceil_div(count)?;
    let last = extent.minus(size.times(count - 1)?)?;
    let mut parts = vec![size; count as usize];
    parts[count as usize - 1] = last;
    Ok(parts)
}

fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    if let Some(extents) = n.optional(1).filter(|extents| !extents.is_known()) {
        n.check_inputs(2)?;
        return computed::split(b, &x, axis, &extents);
    }
    let parts = parts(n, b, &x, axis)?;
    if parts.len() < n.output_count() {
        return Err(format!(
            "it has {} outputs, but only {} parts",
            n.output_count(),
            parts.len()
        ));
    }
    match parts
        .iter()
        .map(|part| part.known())
        .collect::<Option<Vec<i64>>>()
    {
        Some(known) if x.dims()[axis].is_known() => cut(b, &x, axis, &known),
        _ => open_cut(b, &x, axis, &parts),
    }
}

/// The parts of a tensor along an axis, by their extents, which make up its own.
fn open_cut(b: &mut GraphBuilder, x: &Value, axis: usize, parts: &[Dim]) -> Result<Vec<Value>> {
    let mut start = Dim::Known(0);
    let mut results = Vec::new();
    for part in parts {
        let is_there = dim::at_most(Dim::Known(0), *part).is_some();
        let end = start.plus(*part)?;
        if !is_there {
            return Err(format!("a part has the extent {part}"));
        }
        let whole = if end == x.dims()[axis] {
            i64::MAX.into()
        } else {
            end
        };
        let piece = sliced(b, x, &[(axis, start, whole, 1)])?;
        b.equate(piece.dims()[axis], *part)?;
        results.push(piece);
        start = end;
    }
    b.equate(start, x.dims()[axis])
        .map_err(|reason| format!("the parts {parts:?} do not make up axis {axis}: {reason}"))?;
    Ok(results)
}

/// The parts of a tensor along an axis, by their extents.
pub(super) fn cut(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    extents: &[i64],
) -> Result<Vec<Value>> {
    let mut cuts = vec![0i64];
    for &extent in extents {
        let start = cuts[cuts.len() - 1];
        let end = (extent >= 0).then(|| start.checked_add(extent)).flatten();
        cuts.extend(end);
    }
    if cuts.len() != extents.len() + 1 || cuts[extents.len()] != x.extent(axis)? {
        return Err(format!(
            "parts of extents {extents:?} are not dimension {axis} of shape {:?}",
            x.dims()
        ));
    }
    if extents.is_empty() {
        return Ok(Vec::new());
    }
    if extents.len() == 1 {
        return Ok(vec![x.clone()]);
    }
    if x.constant().is_some() {
        let part = |pair: &[i64]| strided_slice(b, x, &[(axis, pair[0], pair[1], 1)]);
        return cuts.windows(2).map(part).collect();
    }
    let attrs = [
        ("indices", Param::Ints(cuts[1..extents.len()].to_vec())),
        ("axis", Param::Int(axis as i64)),
    ];
    b.ops("split", std::slice::from_ref(x), &attrs)
}

/// A slice that a node asks for along an axis.
struct Range {
    axis: usize,
    start: Dim,
    end: Dim,
    step: i64,
}

/// Bounds that are numbers.
fn known(bounds: Vec<i64>) -> Vec<Dim> {
    bounds.into_iter().map(Dim::Known).collect()
}

/// The slices that a node asks for.
fn ranges(n: &Node<'_>, x: &Value) -> Result<Vec<Range>> {
    let (starts, ends, axes, steps) = if n.opset < 10 {
        n.check_inputs(1)?;
        let starts = n
            .attr_ints("starts")?
            .ok_or("attribute 'starts' is missing")?;
        let ends = n.attr_ints("ends")?.ok_or("attribute 'ends' is missing")?;
        let [starts, ends] = [starts, ends].map(known);
        (starts, ends, n.attr_ints("axes")?, None)
    } else {
        n.check_inputs(5)?;
        let (starts, ends) = (n.dims(1, "the starts")?, n.dims(2, "the ends")?);
        let axes = n.optional_ints(3, "the axes")?;
        (starts, ends, axes, n.optional_ints(4, "the steps")?)
    };
    let count = starts.len();
    let axes = axes.unwrap_or_else(|| (0..count as i64).collect());
    let steps = steps.unwrap_or_else(|| vec![1; count]);
    if ends.len() != count || axes.len() != count || steps.len() != count {
        return Err("starts, ends, axes and steps differ in length".into());
    }
    normalize_axes(&axes, x.rank())?;
    let range = |place: usize| {
        Ok(Range {
            axis: x.axis(axes[place])?,
            start: starts[place],
            end: ends[place],
            step: steps[place],
        })
    };
    (0..count).map(range).collect()
}

fn slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let bounds = [1, 2].map(|input| n.optional(input));
    let mut bounds = bounds.iter().flatten();
    if n.opset >= 10 && bounds.any(|bound| !bound.is_known()) {
        return Ok(vec![slice_at_run_time(n, b, x)?]);
    }
    let mut slices = Vec::new();
    for range in ranges(n, &x)? {
        let extent = x.dims()[range.axis];
        let is_all = range.start == 0 && range.step == 1 && range.end == extent;
        if is_all {
            continue;
        }
        let (begin, end) = range.bounds(extent)?;
        let is_all = begin == 0 && range.step == 1 && (end == extent || end == i64::MAX);
        if !is_all {
            slices.push((range.axis, begin, end, range.step));
        }
    }
    if slices.is_empty() {
        return Ok(vec![x]);
    }
    Ok(vec![sliced(b, &x, &slices)?])
}

/// A list of bounds. One of a computed length, as a slice of one element of a list is, has to be of the length that is expected: the run
/// checks that.
fn of_length(b: &mut GraphBuilder, list: &Value, what: &str, expected: i64) -> Result<Value> {
    match *list.dims() {
        [Dim::Known(_)] => Ok(list.clone()),
        [length] => {
            let number = b.size(Element::I64, length)?;
            b.check_equal(&number, Dim::Known(expected), what)?;
            let shape = [("newshape", Param::Dims(vec![Dim::Known(expected)]))];
            b.op("view_as", std::slice::from_ref(list), &shape)
        }
        ref dims => Err(format!("the {what} are of shape {dims:?}")),
    }
}

/// A slice some of whose bounds are computed at run time.
fn slice_at_run_time(n: &Node<'_>, b: &mut GraphBuilder, x: Value) -> Result<Value> {
    n.check_inputs(5)?;
    let axes = n.optional_ints(3, "the axes")?;
    let expected = axes.as_ref().map_or(1, |axes| axes.len() as i64);
    let starts = of_length(b, &n.input(1)?, "starts", expected)?;
    let ends = of_length(b, &n.input(2)?, "ends", expected)?;
    let count = count_of_sizes(&starts)?;
    let axes = axes.unwrap_or_else(|| (0..count).collect());
    let steps = n.optional_ints(4, "the steps")?;
    let steps = steps.unwrap_or_else(|| vec![1; axes.len()]);
    let lengths = [axes.len() as i64, steps.len() as i64];
    if lengths != [count; 2] || ends.dims() != starts.dims() {
        return Err("starts, ends, axes and steps differ in length".into());
    }
    normalize_axes(&axes, x.rank())?;
    let is_of_one = computed::is_next(&starts, &ends) && steps.iter().all(|step| *step == 1);
    let [starts, ends] = [b.cast(&starts, Element::I64)?, b.cast(&ends, Element::I64)?];
    let mut result = x;
    for (place, (axis, step)) in axes.into_iter().zip(steps).enumerate() {
        let range = computed::Range {
            axis: result.axis(axis)?,
            start: b.element(&starts, place as i64)?,
            end: b.element(&ends, place as i64)?,
            step,
            is_of_one,
        };
        result = range.of(b, &result)?;
    }
    Ok(result)
}

impl Range {
    /// Begin and end on an axis, as Relay has them.
    fn bounds(&self, extent: Dim) -> Result<(Dim, Dim)> {
        let (start, end, step) = (self.start, self.end, self.step);
        if let (Dim::Known(start), Dim::Known(end)) = (start, end) {
            let (begin, end) = match extent.known() {
                Some(extent) => clamp(start, end, step, extent)?,
                None => unclamped(start, end, step, extent)?,
            };
            return Ok((Dim::Known(begin), Dim::Known(end)));
        }
        if step == 0 || step == i64::MIN {
            return Err(format!("step {step} is out of range"));
        }
        if step > 0 {
            return Ok((from_start(start, extent)?, from_start(end, extent)?));
        }
        // A start behind the axis becomes its last element, one before it the first.
        let last = extent.minus(1)?;
        let begin = from_start(start, extent)?.min(last)?.max(0)?;
        let end = match end.is_known() {
            true => end,
            false => from_start(end, extent)?,
        };
        Ok((begin, end))
    }
}

/// A bound that counts from the start. One below 0 counts from the end: the extent is added to it then.
fn from_start(bound: Dim, extent: Dim) -> Result<Dim> {
    match bound {
        // What is far away is so from either side.
        Dim::Known(0.. | ..-0x100_0000_0000) => Ok(bound),
        Dim::Known(_) => extent.plus(bound)?.max(0),
        _ => {
            // -1 below 0, and else 0.
            let is_negative = bound.min(0)?.max(-1)?;
            bound.minus(is_negative.times(extent)?)?.max(0)
        }
    }
}

/// Begin and end on an open axis, whose extent cuts them to what there is: Relay's slices count from the end and are cut as ONNX's are,
/// unless a negative step starts before the axis. An end that exporters write for the end of the axis is one.
fn unclamped(start: i64, end: i64, step: i64, extent: Dim) -> Result<(i64, i64)> {
    if step == 0 || step == i64::MIN {
        return Err(format!("step {step} is out of range"));
    }
    if step < 0 && start < -1 {
        return Err(is_open(extent));
    }
    let is_last = step > 0 && end >= i64::from(i32::MAX);
    Ok((start, if is_last { i64::MAX } else { end }))
}

/// Begin and end in range, as ONNX does it. With a negative step, a start before the axis becomes its first element, where numpy has none.
fn clamp(start: i64, end: i64, step: i64, extent: i64) -> Result<(i64, i64)> {
    if step == 0 || step == i64::MIN {
        return Err(format!("step {step} is out of range"));
    }
    let wrap = |value: i64| {
        if value < 0 {
            value.saturating_add(extent)
        } else {
            value
        }
    };
    if extent == 0 {
        return Ok((0, 0));
    }
    let last = if step > 0 { extent } else { extent - 1 };
    let begin = wrap(start).clamp(0, last);
    let end = wrap(end).clamp(if step > 0 { 0 } else { -1 }, last);
    // Negative ends count from the end, so before the first is one extent further down.
    Ok(match (step > 0, end) {
        (true, _) => (begin, end.max(begin)),
        (false, -1) => (begin, -1 - extent),
        (false, _) => (begin, end.min(begin)),
    })
}

/// The pads, two lists one after the other, for all axes.
fn pads(n: &Node<'_>, rank: usize) -> Result<Vec<(Dim, Dim)>> {
    let pads = if n.opset < 11 {
        n.check_inputs(1)?;
        let name = if n.opset < 2 { "paddings" } else { "pads" };
        let missing = || format!("attribute '{name}' is missing");
        known(n.attr_ints(name)?.ok_or_else(missing)?)
    } else {
        n.check_inputs(4)?;
        n.dims(1, "the pads")?
    };
    let axes: Vec<i64> = n
        .optional_ints(3, "the axes")?
        .unwrap_or_else(|| (0..rank as i64).collect());
    if pads.len() != 2 * axes.len() {
        return Err(format!("pads {pads:?} do not fit {} axes", axes.len()));
    }
    normalize_axes(&axes, rank)?;
    let mut known = pads.iter().filter_map(|pad| pad.known());
    if let Some(wide) = known.find(|pad| pad.unsigned_abs() > 1 << 31) {
        return Err(format!("pad {wide} is out of range"));
    }
    let mut all = vec![(Dim::Known(0), Dim::Known(0)); rank];
    for (i, &axis) in axes.iter().enumerate() {
        let axis = crate::graph::value::normalize_axis(axis, rank)?;
        all[axis] = (pads[i], pads[i + axes.len()]);
    }
    Ok(all)
}

/// Negative pads cut off.
fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    if let Some(pads) = n.optional(1).filter(|pads| !pads.is_known()) {
        return Ok(vec![pad_at_run_time(n, b, x, &pads)?]);
    }
    let pads = pads(n, x.rank())?;
    let mode = match n.attr_str_or("mode", "constant")?.as_str() {
        "constant" => "constant",
        "edge" => "edge",
        "reflect" => "reflect",
        "wrap" => "wrap",
        other => {
            return Err(format!(
                "attribute 'mode' is '{other}'; constant, edge, reflect and wrap are supported"
            ));
        }
    };
    let fill = if n.opset < 11 {
        let value = n.attr_f32_or("value", 0.0)?;
        b.scalar(x.element(), value)
    } else {
        match n.optional(2) {
            Some(value) => b.reshape_to_scalar(&value)?,
            None => b.scalar(x.element(), 0.0),
        }
    };
    // A form may be negative: an operator that pads needs it not to be.
    let less = |pad: Dim| pad.known().unwrap_or(0).min(0);
    let cuts_more = |(extent, pad): (&Dim, &(Dim, Dim))| {
        (extent.known()).is_some_and(|extent| extent + less(pad.0) + less(pad.1) < 0)
    };
    let result = if !x.dims().iter().zip(&pads).any(cuts_more) {
        let rest = cut_off(b, &x, &pads)?;
        pad_around(b, &rest, &fill, &pads, mode)?
    } else if mode == "constant" {
        // More is cut off than there is, so some of what is added at the other end is cut off, too.
        let whole = pad_around(b, &x, &fill, &pads, mode)?;
        cut_off(b, &whole, &pads)?
    } else {
        return Err(format!("pads {pads:?} cut off all of an axis"));
    };
    Ok(vec![result])
}

/// Pads that are computed at run time.
fn pad_at_run_time(n: &Node<'_>, b: &mut GraphBuilder, x: Value, pads: &Value) -> Result<Value> {
    n.check_inputs(4)?;
    let axes = n.optional_ints(3, "the axes")?;
    let axes = axes.unwrap_or_else(|| (0..x.rank() as i64).collect());
    let count = axes.len() as i64;
    if pads.dims() != [Dim::Known(2 * count)] {
        return Err(format!(
            "pads of shape {:?} do not fit {count} axes",
            pads.dims()
        ));
    }
    normalize_axes(&axes, x.rank())?;
    let padding = match n.attr_str_or("mode", "constant")?.as_str() {
        "constant" => computed::Padding::Constant,
        "edge" => computed::Padding::Edge,
        "reflect" => computed::Padding::Reflect,
        other => {
            return Err(format!(
                "attribute 'mode' is '{other}'; constant, edge and reflect are supported"
            ));
        }
    };
    let fill = match n.optional(2) {
        Some(value) => b.reshape_to_scalar(&value)?,
        None => b.scalar(x.element(), 0.0),
    };
    let pads = b.cast(pads, Element::I64)?;
    let mut result = x;
    for (place, axis) in (0..count).zip(axes) {
        let axis = result.axis(axis)?;
        let (before, behind) = (b.element(&pads, place)?, b.element(&pads, count + place)?);
        if before.is_zero() && behind.is_zero() {
            continue;
        }
        let widths = ([&before, &behind], padding);
        result = computed::pad(b, &result, &fill, axis, widths)?;
    }
    Ok(result)
}

/// The middle of each axis, or that with zeros at both ends, so that it has the extent that is asked for. The larger part is at the end.
fn center_crop_pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let wanted = n.dims(1, "the shape")?;
    let axes = match n.attr_ints("axes")? {
        Some(axes) => axes,
        None => (0..x.rank() as i64).collect(),
    };
    normalize_axes(&axes, x.rank())?;
    let is_negative = |extent: &Dim| extent.known().is_some_and(|extent| extent < 0);
    if axes.len() != wanted.len() || wanted.iter().any(is_negative) {
        return Err(format!("extents {wanted:?} do not fit axes {axes:?}"));
    }
    let (mut widths, mut cuts) = (vec![Dim::Known(0); 2 * x.rank()], Vec::new());
    for (&axis, &wanted) in axes.iter().zip(&wanted) {
        let axis = x.axis(axis)?;
        let extent = x.dims()[axis];
        let (more, less) = (wanted.minus(extent)?.max(0)?, extent.minus(wanted)?.max(0)?);
        // Where there is an odd number to add or to cut off, the end has one more.
        let (before, begin) = (more.floor_div(2)?, less.floor_div(2)?);
        widths[2 * axis] = before;
        widths[2 * axis + 1] = more.minus(before)?;
        if less != 0 {
            cuts.push((axis, begin, begin.plus(wanted.min(extent)?)?, 1));
        }
    }
    let rest = match cuts.is_empty() {
        true => x,
        false => sliced(b, &x, &cuts)?,
    };
    let zero = b.scalar(rest.element(), 0.0);
    Ok(vec![b.pad(&rest, &zero, &widths, "constant")?])
}

/// What the negative pads leave.
fn cut_off(b: &mut GraphBuilder, x: &Value, pads: &[(Dim, Dim)]) -> Result<Value> {
    let mut cuts = Vec::new();
    let number = |pad: Dim| pad.known().unwrap_or(0);
    let pads = pads.iter().map(|pad| (number(pad.0), number(pad.1)));
    for (axis, (before, after)) in pads.enumerate() {
        if before >= 0 && after >= 0 {
            continue;
        }
        let Some(extent) = x.dims()[axis].known() else {
            // Negative ends count from the end.
            let end = if after < 0 { after } else { i64::MAX };
            cuts.push((axis, (-before).max(0), end, 1));
            continue;
        };
        let (begin, end) = ((-before).max(0), extent - (-after).max(0));
        if end < begin {
            return Err(format!(
                "pads ({before}, {after}) cut off more than all of axis {axis}"
            ));
        }
        cuts.push((axis, begin, end, 1));
    }
    if cuts.is_empty() {
        return Ok(x.clone());
    }
    strided_slice(b, x, &cuts)
}

/// The input as if it were repeated without end along each axis, of which the positive pads add a part.
fn wrap_around(b: &mut GraphBuilder, x: &Value, pads: &[(Dim, Dim)]) -> Result<Value> {
    let mut result = x.clone();
    for (axis, &(before, behind)) in pads.iter().enumerate() {
        let (before, behind) = (added(before), added(behind));
        if before == 0 && behind == 0 {
            continue;
        }
        let extent = x.dims()[axis];
        if extent == 0 {
            return Err(format!("axis {axis} has no elements to repeat"));
        }
        let places = b.iota(Element::I64, &[extent.plus(before)?.plus(behind)?], 0)?;
        let places = b.with_size("subtract", &places, before)?;
        result = b.taken(&result, &places, axis)?;
    }
    Ok(result)
}

/// What a pad adds: a negative one adds nothing.
fn added(pad: Dim) -> Dim {
    match pad.known() {
        Some(pad) => Dim::Known(pad.max(0)),
        None => pad,
    }
}

/// The input with what the positive pads add.
fn pad_around(
    b: &mut GraphBuilder,
    x: &Value,
    fill: &Value,
    pads: &[(Dim, Dim)],
    mode: &'static str,
) -> Result<Value> {
    if mode == "wrap" {
        return wrap_around(b, x, pads);
    }
    let mut widths = Vec::new();
    for (axis, &(before, after)) in pads.iter().enumerate() {
        let (before, after) = (added(before), added(after));
        let widest = before.known().max(after.known()).unwrap_or(0);
        let extent = x.dims()[axis].known().unwrap_or(i64::MAX);
        if mode == "reflect" && widest > 0 && widest >= extent {
            return Err(format!("a reflection of {widest} does not fit axis {axis}"));
        }
        if mode == "edge" && widest > 0 && extent == 0 {
            return Err(format!("axis {axis} has no edge"));
        }
        widths.extend([before, after]);
    }
    b.pad(x, fill, &widths, mode)
}
