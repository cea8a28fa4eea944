//! Slices whose bounds masks change.

use super::slice::sliced;
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;

/// What the options of a slice say of each of its bounds: a bit for each.
pub struct Masks {
    /// Begins that are left out.
    pub begin: i64,
    /// Ends that are left out.
    pub end: i64,
    /// A bound that stands for all dimensions that no other bound is of.
    pub ellipsis: i64,
    /// New dimensions of 1.
    pub new: i64,
    /// Dimensions of which one subscript is taken, and which are left out.
    pub shrink: i64,
    /// Whether ends are counted from begins.
    pub is_offset: bool,
}

fn is_set(mask: i64, place: usize) -> bool {
    place < 32 && mask >> place & 1 == 1
}

impl Masks {
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

/// The slice of a tensor for lists of begins, ends and strides.
///
/// # Errors
/// If the lists do not fit the tensor.
pub fn masked_slice(
    b: &mut GraphBuilder,
    x: &Value,
    masks: &Masks,
    (begins, ends, strides): (&[Dim], &[Dim], &[i64]),
) -> Result<Value> {
    if begins.len() != strides.len() || ends.len() != strides.len() {
        return Err("begins, ends and strides are not as many".into());
    }
    let strides = strides.iter().copied();
    let bounds: Vec<_> = begins.iter().zip(ends).zip(strides).collect();
    let Cut { slices, shape } = cut(x, masks, &bounds)?;
    let cut = match slices.is_empty() {
        true => x.clone(),
        false => sliced(b, x, &slices)?,
    };
    let dim = |axis: &Option<usize>| axis.map_or(Dim::Known(1), |axis| cut.dims()[axis]);
    let dims: Vec<Dim> = shape.iter().map(dim).collect();
    b.reshape(&cut, &dims)
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
