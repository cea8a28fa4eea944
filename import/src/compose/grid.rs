//! Images sampled at positions that are computed.

use super::{linear::product, slice::strided_slice, subscript::subscripts};
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::check_dims,
    error::Result,
    value::{Value, are_equal},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// An image at the positions of a grid. It holds, for each sample, its position on each axis, that on the last axis first. -1 and 1 are the
/// centres of the outer elements if corners are aligned, else their edges.
///
/// # Errors
/// If the grid does not fit the image.
pub fn sampled(
    b: &mut GraphBuilder,
    (x, grid): (&Value, &Value),
    (mode, outside, aligned): (Mode, Outside, bool),
) -> Result<Value> {
    let axes = x.rank().saturating_sub(2);
    let fits = axes > 0
        && grid.rank() == x.rank()
        && are_equal(&grid.dims()[..1], &x.dims()[..1])
        && grid.dims()[axes + 1] == axes as i64;
    if !fits {
        return Err(format!(
            "a grid of shape {:?} does not fit an input of shape {:?}",
            grid.dims(),
            x.dims()
        ));
    }
    let (samples, channels, image) = (x.dims()[0], x.dims()[1], &x.dims()[2..]);
    let shape = [&[samples, channels], &grid.dims()[1..=axes]].concat();
    if x.is_empty() || grid.is_empty() {
        return b.full(x.element(), &shape, 0.0);
    }
    let (one, positions) = (Dim::Known(1), dim::product(&grid.dims()[1..=axes])?);
    let parts = b.reshape(grid, &[samples, positions, Dim::Known(axes as i64)])?;
    let parts = b.cast(&parts, Element::F32)?;
    let mut taps = Vec::new();
    for (axis, &extent) in image.iter().enumerate() {
        let at = (axes - 1 - axis) as i64;
        let part = strided_slice(b, &parts, &[(2, at, at + 1, 1)])?;
        let part = b.reshape(&part, &[samples, one, positions])?;
        let position = denormalized(b, &part, extent, aligned)?;
        taps.push(taps_at(b, &position, extent, (mode, outside, aligned))?);
    }
    let flat = b.reshape(x, &[samples, channels, dim::product(image)?])?;
    let sum = weighted(b, &flat, &taps, image, positions)?;
    b.reshape(&sum, &shape)
}

/// The positions that an image's elements have after each sample's affine map, in a grid as [`sampled`] takes it. A map's last column is
/// what it adds.
///
/// # Errors
/// If the maps do not fit the image.
pub fn affine_positions(
    b: &mut GraphBuilder,
    maps: &Value,
    size: &[Dim],
    aligned: bool,
) -> Result<Value> {
    let image = size.get(2..).unwrap_or_default();
    check_dims(image)?;
    let (axes, one) = (Dim::Known(image.len() as i64), Dim::Known(1));
    if axes == 0 || !are_equal(maps.dims(), &[size[0], axes, axes.plus(1)?]) {
        return Err(format!(
            "maps of shape {:?} do not fit an image of size {size:?}",
            maps.dims()
        ));
    }
    let positions = dim::product(image)?;
    let mut columns = Vec::new();
    for axis in (0..image.len()).rev() {
        let places = normalized(b, image, axis, aligned)?;
        let places = b.broadcast(&places, image)?;
        columns.push(b.reshape(&places, &[positions, one])?);
    }
    columns.push(b.full(Element::F64, &[positions, one], 1.0)?);
    let columns = b.concatenate(&columns, 1)?;
    let columns = b.cast(&columns, maps.element())?;
    let maps = b.transpose(maps, &[0, 2, 1])?;
    let grid = product(b, &columns, &maps)?;
    let shape = [&size[..1], image, &[axes]].concat();
    b.reshape(&grid, &shape)
}

/// Which elements around a sample it is made of.
#[derive(Clone, Copy)]
pub enum Mode {
    /// The nearest element; of two that are as near, the one with the even subscript.
    Nearest,
    /// The two around it on each axis; the nearer one weighs more.
    Linear,
    /// The four around it on each axis, weighed by Keys' cubic convolution (1981).
    Cubic,
}

/// The parameter of Keys' convolution, a number without a unit: that of ONNX's GridSample and PyTorch's grid_sampler.
const KEYS: f64 = -0.75;

/// What lies outside of an image.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// Zeros.
    Zeros,
    /// The nearest element.
    Border,
    /// The image, mirrored.
    Reflection,
}

/// An element that a sample is made of, on one axis: its subscript and its weight.
pub struct Tap {
    /// The subscript.
    pub subscript: Value,
    /// The weight.
    pub weight: Value,
}

/// The positions of an image's elements on an axis: -1 and 1 are the centres of the outer ones, or else their edges.
fn normalized(b: &mut GraphBuilder, image: &[Dim], axis: usize, aligned: bool) -> Result<Value> {
    let extent = image[axis];
    let places = subscripts(b, image.len(), axis, extent)?;
    let places = b.cast(&places, Element::F64)?;
    // Twice the distance from the first edge or centre, in steps of which so many are from -1 to 1.
    let twice = b.with_scalar("multiply", &places, 2.0)?;
    let (distance, steps) = match aligned {
        true => (twice, extent.minus(1)?.max(1)?),
        false => (b.with_scalar("add", &twice, 1.0)?, extent),
    };
    let scaled = b.with_size("divide", &distance, steps)?;
    b.with_scalar("subtract", &scaled, 1.0)
}

/// Turns positions from -1 to 1 into positions that count elements.
fn denormalized(b: &mut GraphBuilder, x: &Value, extent: Dim, aligned: bool) -> Result<Value> {
    let last = extent.minus(1)?;
    let scale = half(b, x, if aligned { last } else { extent })?;
    let shift = half(b, x, last)?;
    let scaled = b.binary("multiply", x, &scale)?;
    b.binary("add", &scaled, &shift)
}

/// Half a dimension, as a number of the type of a tensor's.
fn half(b: &mut GraphBuilder, x: &Value, dim: Dim) -> Result<Value> {
    match dim.known() {
        Some(dim) => Ok(b.scalar(x.element(), dim as f64 / 2.0)),
        None => {
            let size = b.size(x.element(), dim)?;
            b.with_scalar("multiply", &size, 0.5)
        }
    }
}

/// The elements of one axis that samples at some positions are made of.
pub fn taps_at(
    b: &mut GraphBuilder,
    position: &Value,
    extent: Dim,
    (mode, outside, aligned): (Mode, Outside, bool),
) -> Result<Vec<Tap>> {
    let first = match mode {
        Mode::Nearest => b.unary("round", position)?,
        Mode::Linear | Mode::Cubic => b.unary("floor", position)?,
    };
    let distance = b.binary("subtract", position, &first)?;
    let offsets = match mode {
        Mode::Nearest => 0..1,
        Mode::Linear => 0..2,
        Mode::Cubic => -1..3,
    };
    let mut taps = Vec::new();
    for offset in offsets {
        let place = b.with_scalar("add", &first, f64::from(offset))?;
        let weight = match mode {
            Mode::Nearest => b.filled(Element::F32, &[], 1.0)?,
            Mode::Linear if offset == 1 => distance.clone(),
            Mode::Linear => {
                let one = b.scalar(Element::F32, 1.0);
                b.binary("subtract", &one, &distance)?
            }
            Mode::Cubic => keys(b, &distance, offset)?,
        };
        taps.push(inside(b, &place, weight, extent, (outside, aligned))?);
    }
    Ok(taps)
}

/// Keys' weight of an element. A sample lies at `distance` behind the element before it; this element is `offset` behind that one.
fn keys(b: &mut GraphBuilder, distance: &Value, offset: i32) -> Result<Value> {
    let offset = b.scalar(Element::F32, f64::from(offset));
    let away = b.binary("subtract", distance, &offset)?;
    let away = b.unary("abs", &away)?;
    // This is Horner's scheme: ((c0 t + c1) t + c2) t + c3.
    let mut polynomial = |coefficients: [f64; 4]| -> Result<Value> {
        let mut sum = b.with_scalar("multiply", &away, coefficients[0])?;
        for (place, &coefficient) in coefficients[1..].iter().enumerate() {
            sum = b.with_scalar("add", &sum, coefficient)?;
            if place < 2 {
                sum = b.binary("multiply", &sum, &away)?;
            }
        }
        Ok(sum)
    };
    let near = polynomial([KEYS + 2.0, -(KEYS + 3.0), 0.0, 1.0])?;
    let far = polynomial([KEYS, -5.0 * KEYS, 8.0 * KEYS, -4.0 * KEYS])?;
    let is_near = b.with_scalar("less_equal", &away, 1.0)?;
    b.op("where", &[is_near, near, far], &[])
}

/// The element that stands for a place, which may be outside of the image.
fn inside(
    b: &mut GraphBuilder,
    place: &Value,
    weight: Value,
    extent: Dim,
    (outside, aligned): (Outside, bool),
) -> Result<Tap> {
    let last = b.size(place.element(), extent.minus(1)?)?;
    let (place, weight) = match outside {
        Outside::Border => (place.clone(), weight),
        Outside::Reflection => (reflected(b, place, extent, aligned)?, weight),
        Outside::Zeros => {
            let after_start = b.with_scalar("greater_equal", place, 0.0)?;
            let before_end = b.binary("less_equal", place, &last)?;
            let is_inside = b.binary("logical_and", &after_start, &before_end)?;
            let zero = b.scalar(Element::F32, 0.0);
            (
                place.clone(),
                b.op("where", &[is_inside, weight, zero], &[])?,
            )
        }
    };
    let clipped = clipped(b, place, &last)?;
    Ok(Tap {
        subscript: b.cast(&clipped, Element::I64)?,
        weight,
    })
}

/// Moves places between 0 and the last one. A place that is no number becomes 0.
pub fn clipped(b: &mut GraphBuilder, place: Value, last: &Value) -> Result<Value> {
    let is_behind = b.with_scalar("greater", &place, 0.0)?;
    let first = b.scalar(place.element(), 0.0);
    let low = b.op("where", &[is_behind, place, first], &[])?;
    b.binary("minimum", &low, last)
}

/// Moves places into an image that goes on mirrored. The mirrors stand at the centres of the outer elements if corners are aligned, else at
/// their edges.
fn reflected(b: &mut GraphBuilder, place: &Value, extent: Dim, aligned: bool) -> Result<Value> {
    let (start, width) = match aligned {
        true => (0.0, extent.minus(1)?),
        false => (-0.5, extent),
    };
    if width == 0 {
        return b.with_scalar("multiply", place, 0.0);
    }
    let moved = b.with_scalar("subtract", place, start)?;
    let moved = b.unary("abs", &moved)?;
    // The image repeats after two widths: there and back.
    let width = b.size(Element::F32, width.times(2)?)?;
    let there = b.binary("mod", &moved, &width)?;
    let back = b.binary("subtract", &width, &there)?;
    let folded = b.binary("minimum", &there, &back)?;
    b.with_scalar("add", &folded, start)
}

/// The sums over all combinations of one tap of each axis. `flat` has the image as one axis.
pub fn weighted(
    b: &mut GraphBuilder,
    flat: &Value,
    taps: &[Vec<Tap>],
    image: &[Dim],
    positions: Dim,
) -> Result<Value> {
    let (samples, channels) = (flat.dims()[0], flat.dims()[1]);
    let count: usize = taps.iter().map(Vec::len).product();
    let mut sum: Option<Value> = None;
    for combination in 0..count {
        let mut rest = combination;
        let mut place = b.scalar(Element::I64, 0.0);
        let mut weight = b.scalar(Element::F32, 1.0);
        for (axis, of_axis) in taps.iter().enumerate() {
            let Tap {
                subscript,
                weight: own,
            } = &of_axis[rest % of_axis.len()];
            rest /= of_axis.len();
            let stride = dim::product(&image[axis + 1..])?;
            let term = b.with_size("multiply", subscript, stride)?;
            place = b.binary("add", &place, &term)?;
            weight = b.binary("multiply", &weight, own)?;
        }
        let place = b.broadcast(&place, &[samples, channels, positions])?;
        let found = b.op("gather", &[flat.clone(), place], &[("axis", Param::Int(2))])?;
        let weight = b.cast(&weight, flat.element())?;
        let term = b.binary("multiply", &found, &weight)?;
        sum = Some(match sum {
            Some(sum) => b.binary("add", &sum, &term)?,
            None => term,
        });
    }
    sum.ok_or_else(|| "there is nothing to sample".into())
}
