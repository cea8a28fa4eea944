//! Slices, and elements that subscripts choose.

use super::{
    row::{Row, row},
    shape::axis_of,
};
use crate::{
    compose::slice::sliced,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("SLICE", slice),
    row("STRIDED_SLICE", strided_slice),
    row("DYNAMIC_UPDATE_SLICE", dynamic_update_slice),
    row("GATHER", gather),
    row("GATHER_ND", gather_nd),
    row("EMBEDDING_LOOKUP", embedding_lookup),
    row("SCATTER_ND", scatter_nd),
    row("SPARSE_TO_DENSE", sparse_to_dense),
];

/// From a subscript on, so many elements; -1 for all that follow.
fn slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let count = n.input(2)?;
    let (Some(begins), true) = (known_or_forms(n, 1)?, count.is_known()) else {
        return computed_slice(n, b, &x);
    };
    let sizes = n.sizes(b, 2)?;
    if begins.len() != x.rank() || sizes.len() != x.rank() {
        return Err(format!(
            "{} begins and {} sizes for data of shape {:?}",
            begins.len(),
            sizes.len(),
            x.dims()
        ));
    }
    let mut slices = Vec::new();
    for (axis, (begin, size)) in begins.iter().zip(&sizes).enumerate() {
        let extent = x.dims()[axis];
        let end = match *size == -1 {
            true => extent,
            false => begin.plus(*size)?,
        };
        if let (Some(begin), Some(end), Some(extent)) = (begin.known(), end.known(), extent.known())
            && !(0 <= begin && begin <= end && end <= extent)
        {
            return Err(format!(
                "the slice from {begin} to {end} of dimension {axis} of {:?}",
                x.dims()
            ));
        }
        if *begin != 0 || end != extent {
            slices.push((axis, *begin, end, 1));
        }
    }
    match slices.is_empty() {
        true => Ok(vec![x]),
        false => Ok(vec![sliced(b, &x, &slices)?]),
    }
}

/// The numbers of an input, if they are known at least as forms.
fn known_or_forms(n: &Node<'_>, place: usize) -> Result<Option<Vec<Dim>>> {
    let input = n.input(place)?;
    let known = input.constant().and_then(|constant| constant.to_ints());
    Ok(match known {
        Some(known) => Some(known.into_iter().map(Dim::Known).collect()),
        None => input.elements().map(<[Dim]>::to_vec),
    })
}

/// A slice from subscripts that are computed: elements at the subscripts behind them.
fn computed_slice(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Vec<Value>> {
    let (begins, sizes) = (n.input(1)?, n.sizes(b, 2)?);
    let begins = b.cast(&begins, Element::I64)?;
    let mut made = x.clone();
    for (axis, size) in sizes.iter().enumerate() {
        if *size == x.dims()[axis] {
            continue;
        }
        if *size == -1 {
            return Err(
                "what follows a subscript that is computed has a size that nobody knows".into(),
            );
        }
        let begin = b.element(&begins, axis as i64)?;
        let steps = b.iota(Element::I64, &[*size], 0)?;
        let places = b.binary("add", &steps, &begin)?;
        let attrs = [
            ("axis", Param::Int(axis as i64)),
            ("mode", Param::Str("clip")),
        ];
        made = b.op("take", &[made, places], &attrs)?;
    }
    Ok(vec![made])
}

/// What the options of a slice say of each of its bounds: a bit for each.
struct Masks {
    begin: i64,
    end: i64,
    ellipsis: i64,
    new: i64,
    shrink: i64,
    /// Whether ends are counted from begins.
    is_offset: bool,
}

fn is_set(mask: i64, place: usize) -> bool {
    place < 32 && mask >> place & 1 == 1
}

impl Masks {
    fn of(n: &Node<'_>) -> Result<Self> {
        Ok(Self {
            begin: n.int("begin_mask")?,
            end: n.int("end_mask")?,
            ellipsis: n.int("ellipsis_mask")?,
            new: n.int("new_axis_mask")?,
            shrink: n.int("shrink_axis_mask")?,
            is_offset: n.flag("offset")?,
        })
    }

    /// Where the slice of a dimension begins and ends, for the bounds at a place.
    fn bounds(
        &self,
        place: usize,
        [begin, end]: [Dim; 2],
        stride: i64,
        extent: Dim,
    ) -> Result<(Dim, Dim)> {
        let is_begin_open = is_set(self.begin, place);
        if !is_set(self.shrink, place) {
            let end = match (is_set(self.end, place), self.is_offset) {
                (true, _) => None,
                (false, true) => Some(begin.plus(end)?),
                (false, false) => Some(end),
            };
            return resolved((!is_begin_open).then_some(begin), end, stride, extent);
        }
        let begin = match is_begin_open {
            true => Dim::Known(0),
            false => from_end(begin, extent)?,
        };
        let is_outside =
            |place: i64| place < 0 || extent.known().is_some_and(|extent| place >= extent);
        match begin.known() {
            Some(place) if is_outside(place) => {
                Err(format!("subscript {place} of a dimension of {extent}"))
            }
            _ => Ok((begin, begin.plus(1)?)),
        }
    }
}

/// A slice, and then the axes that are left; none for new ones of 1.
#[derive(Default)]
struct Cut {
    slices: Vec<(usize, Dim, Dim, i64)>,
    shape: Vec<Option<usize>>,
}

fn strided_slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let masks = Masks::of(n)?;
    let strides = n.known(3)?;
    let (begins, ends) = (n.sizes(b, 1)?, n.sizes(b, 2)?);
    if begins.len() != strides.len() || ends.len() != strides.len() {
        return Err("begins, ends and strides are not as many".into());
    }
    let bounds: Vec<_> = begins.iter().zip(&ends).zip(strides).collect();
    let Cut { slices, shape } = cut(&x, &masks, &bounds)?;
    let cut = match slices.is_empty() {
        true => x,
        false => sliced(b, &x, &slices)?,
    };
    let dim = |axis: &Option<usize>| axis.map_or(Dim::Known(1), |axis| cut.dims()[axis]);
    let dims: Vec<Dim> = shape.iter().map(dim).collect();
    Ok(vec![b.reshape(&cut, &dims)?])
}

fn cut(x: &Value, masks: &Masks, bounds: &[((&Dim, &Dim), i64)]) -> Result<Cut> {
    const TOO_MANY: &str = "more bounds than dimensions";
    let is_ellipsis = |place: &usize| is_set(masks.ellipsis, *place);
    let of_data =
        (0..bounds.len()).filter(|place| !is_set(masks.new, *place) && !is_ellipsis(place));
    let rest = x.rank().checked_sub(of_data.count()).ok_or(TOO_MANY)?;
    if (0..bounds.len()).filter(is_ellipsis).count() > 1 {
        return Err("two ellipses".into());
    }
    let mut made = Cut::default();
    let mut axis = 0;
    for (place, ((begin, end), stride)) in bounds.iter().enumerate() {
        if is_ellipsis(&place) {
            made.shape.extend((axis..axis + rest).map(Some));
            axis += rest;
            continue;
        }
        if is_set(masks.new, place) {
            made.shape.push(None);
            continue;
        }
        let extent = *x.dims().get(axis).ok_or(TOO_MANY)?;
        let stride = match (is_set(masks.shrink, place), *stride) {
            (_, 0) => return Err("a stride is 0".into()),
            (true, _) => 1,
            (false, stride) => stride,
        };
        let (begin, end) = masks.bounds(place, [**begin, **end], stride, extent)?;
        if !is_set(masks.shrink, place) {
            made.shape.push(Some(axis));
        }
        if begin != 0 || end != extent || stride != 1 {
            made.slices.push((axis, begin, end, stride));
        }
        axis += 1;
    }
    made.shape.extend((axis..x.rank()).map(Some));
    Ok(made)
}

/// A subscript counted from the end if negative.
fn from_end(place: Dim, extent: Dim) -> Result<Dim> {
    match place.known() {
        Some(known) if known < 0 => extent.plus(known),
        _ => Ok(place),
    }
}

/// Where a slice begins and ends: subscripts in range; for a negative stride, what is before the first element is below 0.
fn resolved(begin: Option<Dim>, end: Option<Dim>, stride: i64, extent: Dim) -> Result<(Dim, Dim)> {
    let bound = |bound: Option<Dim>, default: Dim| {
        bound.map_or(Ok(default), |bound| from_end(bound, extent))
    };
    if stride > 0 {
        let cut = |place: Dim| match (place.known(), extent.known()) {
            (Some(place), Some(extent)) => Dim::Known(place.clamp(0, extent)),
            (Some(place), None) => Dim::Known(place.max(0)),
            _ => place,
        };
        let begin = cut(bound(begin, Dim::Known(0))?);
        let end = cut(bound(end, extent)?);
        let end = match (begin.known(), end.known()) {
            (Some(begin), Some(end)) => Dim::Known(end.max(begin)),
            _ => end,
        };
        return Ok((begin, end));
    }
    let Some(known) = extent.known() else {
        return Err(format!(
            "a stride of {stride} along the open dimension {extent} is not supported"
        ));
    };
    let before = -known - 1;
    let place = |bound: Option<Dim>, default: i64| match bound {
        None => Ok(default),
        Some(bound) => {
            let place = bound
                .known()
                .ok_or_else(|| format!("a bound of {bound} with a negative stride"))?;
            let place = if place < 0 {
                place.saturating_add(known)
            } else {
                place
            };
            Ok::<i64, String>(place.clamp(-1, known - 1))
        }
    };
    let (begin, end) = (place(begin, known - 1)?, place(end, -1)?);
    if known == 0 || begin <= end {
        return Ok((Dim::Known(0), Dim::Known(0)));
    }
    let end = if end < 0 { before } else { end };
    Ok((Dim::Known(begin), Dim::Known(end)))
}

/// Data with other elements from computed subscripts on. They are moved so that all fit.
fn dynamic_update_slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, update) = (n.input(0)?, n.input(1)?);
    if x.rank() != update.rank() {
        return Err(format!(
            "data of shape {:?} and an update of {:?}",
            x.dims(),
            update.dims()
        ));
    }
    let begins = b.cast(&n.input(2)?, Element::I64)?;
    let mut made = update;
    // From the last dimension on, what is written grows to the data's extents.
    let moved: Vec<usize> = (0..x.rank())
        .filter(|axis| made.dims()[*axis] != x.dims()[*axis])
        .collect();
    let Some((&first, others)) = moved.split_first() else {
        return Ok(vec![made]);
    };
    if !others.is_empty() {
        return by_places(b, &x, &made, &begins);
    }
    let begin = b.element(&begins, first as i64)?;
    let most = x.dims()[first].minus(made.dims()[first])?;
    let begin = within(b, &begin, most)?;
    made = b.op(
        "cache_update",
        &[x, made, begin],
        &[("axis", Param::Int(first as i64))],
    )?;
    Ok(vec![made])
}

/// A number, moved to be from 0 to another.
fn within(b: &mut GraphBuilder, number: &Value, most: Dim) -> Result<Value> {
    let most = b.size(Element::I64, most)?;
    let least = b.scalar(Element::I64, 0.0);
    let moved = b.binary("minimum", number, &most)?;
    b.binary("maximum", &moved, &least)
}

/// The same where several dimensions are written in part: each element has its subscripts.
fn by_places(
    b: &mut GraphBuilder,
    x: &Value,
    update: &Value,
    begins: &Value,
) -> Result<Vec<Value>> {
    let mut lists = Vec::new();
    for axis in 0..x.rank() {
        let begin = b.element(begins, axis as i64)?;
        let begin = within(b, &begin, x.dims()[axis].minus(update.dims()[axis])?)?;
        let steps = b.iota(Element::I64, update.dims(), axis)?;
        let places = b.binary("add", &steps, &begin)?;
        let dims = [&[Dim::Known(1)], update.dims()].concat();
        lists.push(b.reshape(&places, &dims)?);
    }
    let places = b.concatenate(&lists, 0)?;
    let mode = [("mode", Param::Str("update"))];
    Ok(vec![b.op(
        "scatter_nd",
        &[x.clone(), places, update.clone()],
        &mode,
    )?])
}

fn take(b: &mut GraphBuilder, x: &Value, places: &Value, axis: usize) -> Result<Value> {
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("mode", Param::Str("clip")),
    ];
    b.op("take", &[x.clone(), places.clone()], &attrs)
}

fn gather(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, places) = (n.input(0)?, n.input(1)?);
    let axis = axis_of(n.int("axis")?, x.rank())?;
    let batches = n.int("batch_dims")?;
    let batches = if batches < 0 {
        batches + places.rank() as i64
    } else {
        batches
    };
    let batches = usize::try_from(batches)
        .ok()
        .filter(|it| *it <= axis && *it <= places.rank());
    let batches = batches.ok_or("option 'batch_dims' is out of range")?;
    if batches == 0 {
        return Ok(vec![take(b, &x, &places, axis)?]);
    }
    // The dimension moves behind the batches, and what is chosen back.
    let mut order: Vec<usize> = (0..x.rank()).filter(|place| *place != axis).collect();
    order.insert(batches, axis);
    let moved = b.transpose(&x, &order)?;
    let lists = b.reshape(&places, &[&[Dim::Known(1)], places.dims()].concat())?;
    let attrs = [("batch_dims", Param::Int(batches as i64))];
    let made = b.op("gather_nd", &[moved, lists], &attrs)?;
    // Batches, the lists' other dimensions, those between, and those behind.
    let (chosen, between) = (places.rank() - batches, axis - batches);
    let mut back: Vec<usize> = (0..batches).collect();
    back.extend(batches + chosen..batches + chosen + between);
    back.extend(batches..batches + chosen);
    back.extend(batches + chosen + between..made.rank());
    Ok(vec![b.transpose(&made, &back)?])
}

/// Lists of subscripts in the last dimension, as columns.
fn columns(b: &mut GraphBuilder, lists: &Value) -> Result<Value> {
    let last = lists
        .rank()
        .checked_sub(1)
        .ok_or("subscripts are of rank 0")?;
    let order: Vec<usize> = std::iter::once(last).chain(0..last).collect();
    b.transpose(lists, &order)
}

fn gather_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let lists = columns(b, &n.input(1)?)?;
    let attrs = [("batch_dims", Param::Int(0))];
    Ok(vec![b.op("gather_nd", &[n.input(0)?, lists], &attrs)?])
}

fn embedding_lookup(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, mut table) = (n.input(0)?, n.input(1)?);
    if n.is_quantised(1) && !n.is_quantised_result(0)? {
        table = n.grain(1)?.dequantised(b, &table)?;
    }
    Ok(vec![take(b, &table, &places, 0)?])
}

/// Updates that are added up in a tensor of zeros.
fn scatter_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (lists, updates, shape) = (n.input(0)?, n.input(1)?, n.sizes(b, 2)?);
    let zeros = b.full(updates.element(), &shape, 0.0)?;
    let lists = columns(b, &lists)?;
    let mode = match updates.element() {
        Element::Bool => "update",
        _ => "add",
    };
    Ok(vec![b.op(
        "scatter_nd",
        &[zeros, lists, updates],
        &[("mode", Param::Str(mode))],
    )?])
}

fn sparse_to_dense(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("validate_indices")?;
    let (places, values, fill) = (n.input(0)?, n.input(2)?, n.input(3)?);
    let shape = n.sizes(b, 1)?;
    let rank = shape.len() as i64;
    let count = dim::product(places.dims())?.floor_div(rank.max(1))?;
    let lists = b.reshape(&places, &[count, rank.into()])?;
    let lists = columns(b, &lists)?;
    let fill = b.reshape_to_scalar(&fill)?;
    let filled = b.broadcast(&fill, &shape)?;
    let values = match values.rank() {
        0 => b.broadcast(&values, &[count])?,
        _ => values,
    };
    Ok(vec![b.op(
        "scatter_nd",
        &[filled, lists, values],
        &[("mode", Param::Str("update"))],
    )?])
}
