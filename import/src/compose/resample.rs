//! Resampling.
//!
//! Interpolation is separable: along each axis, an output element is a weighted sum of a few input
//! elements, its taps. Where shapes are known, taps and weights are constants, and any mode of
//! coordinates comes out exactly. The usual cases of one to three spatial dimensions become one
//! `image.resize1d`, `image.resize2d` or `image.resize3d`.

use super::subscript::one_axis;
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::{Const, Numbers, element_count},
    error::Result,
    value::Value,
};
use relay_dialects::{dim::Dim, element::Element};

/// How to resample.
pub struct Sampling {
    /// Which elements an output element is made of.
    pub mode: Mode,
    /// Where an output element lies in the input.
    pub coordinates: Coordinates,
    /// Weights of taps outside the input are 0, and the others grow to a sum of 1.
    pub exclude_outside: bool,
    /// What `tf_crop_and_resize` gives outside the input.
    pub extrapolation: f64,
    /// Where an axis shrinks, taps are as far apart as output elements, so that all input elements count.
    pub antialias: bool,
}

/// Which elements an output element is made of, on an axis.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    /// The nearest one.
    Nearest(Rounding),
    /// The two around it.
    Linear,
    /// The four around it, weighed by Keys' convolution with this parameter.
    Cubic(f64),
}

/// How a coordinate is rounded.
#[derive(Clone, Copy, PartialEq)]
pub enum Rounding {
    /// To the nearest, halves down.
    PreferFloor,
    /// To the nearest, halves up.
    PreferCeil,
    /// Down.
    Floor,
    /// Up.
    Ceil,
}

/// Where an output element lies in the input.
#[derive(Clone, Copy, PartialEq)]
pub enum Coordinates {
    /// (x + 1/2) / scale - 1/2.
    HalfPixel,
    /// The same, moved so that the output lies in the middle of the input where its extent was rounded.
    HalfPixelSymmetric,
    /// As `HalfPixel`; 0 if there is one output element.
    PytorchHalfPixel,
    /// The outer elements lie on each other.
    AlignCorners,
    /// x / scale.
    Asymmetric,
    /// In a region of the input.
    CropAndResize,
}

/// One axis: extents, the scale between them, and the region of interest.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The extent.
    pub input: i64,
    /// The extent of the result.
    pub output: i64,
    /// The scale between them.
    pub scale: f64,
    /// Which part of the input is taken, from 0 to 1.
    pub roi: (f64, f64),
}

impl Axis {
    /// Whether the scale is exactly that of the extents.
    pub fn is_exact(&self) -> bool {
        self.scale == self.output as f64 / self.input as f64
    }

    pub fn is_identity(&self, sampling: &Sampling) -> bool {
        self.input == self.output
            && self.scale == 1.0
            && (sampling.coordinates != Coordinates::CropAndResize || self.roi == (0.0, 1.0))
    }
}

impl Sampling {
    /// Whether each element is repeated where a scale is a whole number.
    pub fn repeats(&self) -> bool {
        use Coordinates::{Asymmetric, HalfPixel, HalfPixelSymmetric, PytorchHalfPixel};
        use Rounding::{Floor, PreferCeil, PreferFloor};
        let repeats = match (self.coordinates, self.mode) {
            (Asymmetric, Mode::Nearest(Floor)) => true,
            // The centres of what an element becomes are nearer to its own than to others.
            (
                HalfPixel | HalfPixelSymmetric | PytorchHalfPixel,
                Mode::Nearest(PreferFloor | PreferCeil),
            ) => true,
            _ => false,
        };
        repeats && !self.exclude_outside
    }
}

/// A tensor whose elements are repeated along some axes.
pub fn repeated(b: &mut GraphBuilder, x: &Value, scales: &[(usize, i64)]) -> Result<Value> {
    let mut result = x.clone();
    for &(axis, scale) in scales {
        let mut dims = result.dims().to_vec();
        dims.insert(axis + 1, Dim::Known(1));
        let apart = b.reshape(&result, &dims)?;
        dims[axis + 1] = Dim::Known(scale);
        let more = b.broadcast(&apart, &dims)?;
        let times = dims.remove(axis + 1);
        dims[axis] = dims[axis].times(times)?;
        result = b.reshape(&more, &dims)?;
    }
    Ok(result)
}

/// A tensor with each axis resampled.
///
/// # Errors
/// If there is nothing to resample, or elements cannot be interpolated.
pub fn resample(
    b: &mut GraphBuilder,
    x: &Value,
    axes: &[Axis],
    sampling: &Sampling,
) -> Result<Value> {
    let shape: Vec<i64> = axes.iter().map(|axis| axis.output).collect();
    element_count(&shape)?;
    if shape.contains(&0) {
        return b.filled(x.element(), &shape, 0.0);
    }
    if x.shape()?.contains(&0) {
        return Err(format!(
            "{:?} has no elements to make {shape:?} of",
            x.dims()
        ));
    }
    if let Some(result) = resize_image(b, x, axes, sampling) {
        return result;
    }
    if !x.element().is_float() && !matches!(sampling.mode, Mode::Nearest(_)) {
        return Err(format!("{:?} elements cannot be interpolated", x.element()));
    }
    let mut result = x.clone();
    for (dim, axis) in axes.iter().enumerate() {
        if !axis.is_identity(sampling) {
            result = resample_axis(b, &result, dim, axis, sampling)?;
        }
    }
    Ok(result)
}

/// The op that resizes the spatial dimensions of a tensor so, up to three, and what it says beside their sizes.
pub fn as_image(
    x: &Value,
    sampling: &Sampling,
) -> Option<(&'static str, Vec<(&'static str, Param)>)> {
    let (method, rounding) = match sampling.mode {
        Mode::Nearest(rounding) => {
            let name = match rounding {
                Rounding::PreferFloor => "round_prefer_floor",
                Rounding::PreferCeil => "round_prefer_ceil",
                Rounding::Floor => "floor",
                Rounding::Ceil => "ceil",
            };
            ("nearest_neighbor", name)
        }
        Mode::Linear => ("linear", "round_prefer_floor"),
        Mode::Cubic(_) => return None,
    };
    let coordinates = match sampling.coordinates {
        Coordinates::HalfPixel => "half_pixel",
        Coordinates::AlignCorners => "align_corners",
        Coordinates::Asymmetric => "asymmetric",
        Coordinates::PytorchHalfPixel => "pytorch_half_pixel",
        Coordinates::HalfPixelSymmetric | Coordinates::CropAndResize => return None,
    };
    let (op, layout) = match x.rank() {
        3 => ("image.resize1d", "NCW"),
        4 => ("image.resize2d", "NCHW"),
        5 => ("image.resize3d", "NCDHW"),
        _ => return None,
    };
    // Weights are computed in f32.
    let has_weights = x.element() == Element::F32 || method == "nearest_neighbor";
    let attrs = vec![
        ("layout", Param::Str(layout)),
        ("method", Param::Str(method)),
        ("coordinate_transformation_mode", Param::Str(coordinates)),
        ("rounding_method", Param::Str(rounding)),
    ];
    (has_weights && !sampling.exclude_outside).then_some((op, attrs))
}

/// Up to three spatial dimensions as one op, where that op's definition is the same.
fn resize_image(
    b: &mut GraphBuilder,
    x: &Value,
    axes: &[Axis],
    sampling: &Sampling,
) -> Option<Result<Value>> {
    let (op, mut attrs) = as_image(x, sampling)?;
    let spatial = &axes[2..];
    if sampling.antialias && axes.iter().any(|axis| axis.scale < 1.0) {
        return None;
    }
    let usual = axes[..2].iter().all(|axis| axis.is_identity(sampling))
        && spatial.iter().all(Axis::is_exact);
    let size = spatial.iter().map(|axis| axis.output).collect();
    attrs.push(("size", Param::Ints(size)));
    usual.then(|| b.op(op, std::slice::from_ref(x), &attrs))
}

/// The weighted sum of taps along one axis.
fn resample_axis(
    b: &mut GraphBuilder,
    x: &Value,
    dim: usize,
    axis: &Axis,
    sampling: &Sampling,
) -> Result<Value> {
    // There is a constant of this length for each tap.
    const LONGEST: i64 = 1 << 20;
    if !x.element().is_float() && !matches!(sampling.mode, Mode::Nearest(_)) {
        return Err(format!(
            "elements of type {} are not interpolated; only floats are",
            x.element()
        ));
    }
    if axis.output > LONGEST {
        return Err(format!(
            "an extent of {} is too large to resize to; with this mode, it may be {LONGEST}",
            axis.output
        ));
    }
    let positions: Vec<Position> = (0..axis.output)
        .map(|at| position(at as f64, axis, sampling))
        .collect();
    // Constants along `dim`, in a shape that broadcasts over the axes after it.
    let shape = one_axis(x.rank() - dim, 0, axis.output);
    let mut sum: Option<Value> = None;
    for tap in 0..positions.first().map_or(0, |position| position.taps.len()) {
        let indices = positions.iter().map(|position| position.taps[tap].0);
        let indices = b.known(Const::ints(&indices.collect::<Vec<i64>>()));
        let attrs = [
            ("axis", Param::Int(dim as i64)),
            ("mode", Param::Str("clip")),
        ];
        let mut part = b.op("take", &[x.clone(), indices], &attrs)?;
        let weights: Vec<f64> = positions.iter().map(|p| p.taps[tap].1).collect();
        if weights.iter().any(|&weight| weight != 1.0) {
            let weights = Const::new(x.element(), shape.clone(), &Numbers::Floats(weights));
            let weights = b.known(weights);
            part = b.binary("multiply", &part, &weights)?;
        }
        sum = Some(match sum {
            Some(sum) => b.binary("add", &sum, &part)?,
            None => part,
        });
    }
    let result = sum.ok_or("the axis has no elements")?;
    if positions.iter().all(|position| !position.outside) {
        return Ok(result);
    }
    let outside = positions.iter().map(|p| p.outside.into()).collect();
    let mask = b.known(Const::new(Element::Bool, shape, &Numbers::Ints(outside)));
    let fill = b.scalar(x.element(), sampling.extrapolation);
    b.op("where", &[mask, fill, result], &[])
}

/// The input elements that an output element is computed from: taps with their weights.
struct Position {
    taps: Vec<(i64, f64)>,
    outside: bool,
}

fn position(at: f64, axis: &Axis, sampling: &Sampling) -> Position {
    let source = source(at, axis, sampling.coordinates);
    let last = axis.input - 1;
    let outside = sampling.coordinates == Coordinates::CropAndResize
        && !(0.0..=last as f64).contains(&source);
    let floor = source.floor();
    let ratio = source - floor;
    let first = floor as i64;
    let spread = match sampling.antialias {
        true => axis.scale.min(1.0),
        false => 1.0,
    };
    let mut taps = match sampling.mode {
        Mode::Linear | Mode::Cubic(_) if spread < 1.0 => {
            spread_taps(first, ratio, spread, sampling.mode)
        }
        Mode::Nearest(rounding) => {
            let up = match rounding {
                Rounding::PreferFloor => ratio > 0.5,
                Rounding::PreferCeil => ratio >= 0.5,
                Rounding::Floor => false,
                Rounding::Ceil => ratio > 0.0,
            };
            vec![(first + i64::from(up), 1.0)]
        }
        Mode::Linear => vec![(first, 1.0 - ratio), (first + 1, ratio)],
        Mode::Cubic(a) => (-1..3)
            .map(|tap| (first + tap, cubic((tap as f64 - ratio).abs(), a)))
            .collect(),
    };
    if sampling.exclude_outside {
        for (index, weight) in &mut taps {
            if !(0..=last).contains(index) {
                *weight = 0.0;
            }
        }
        let sum: f64 = taps.iter().map(|tap| tap.1).sum();
        taps.iter_mut().for_each(|tap| tap.1 /= sum);
    }
    for (index, _) in &mut taps {
        *index = (*index).clamp(0, last);
    }
    Position { taps, outside }
}

/// The taps around an element where the kernel is wider, by 1 / `spread`.
fn spread_taps(first: i64, ratio: f64, spread: f64, mode: Mode) -> Vec<(i64, f64)> {
    let reach = if mode == Mode::Linear { 1.0 } else { 2.0 };
    let start = (-reach / spread).floor() as i64 + 1;
    let weight = |tap: i64| {
        let distance = ((tap as f64 - ratio) * spread).abs();
        match mode {
            Mode::Cubic(a) => cubic(distance, a),
            _ => (1.0 - distance).max(0.0),
        }
    };
    let weights: Vec<f64> = (start..=1 - start).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    let taps = (start..).zip(weights);
    taps.map(|(tap, weight)| (first + tap, weight / sum))
        .collect()
}

/// The coordinate in the input of an output element.
fn source(at: f64, axis: &Axis, coordinates: Coordinates) -> f64 {
    let input = axis.input as f64;
    // The target extent before it was rounded down.
    let output = axis.scale * input;
    match coordinates {
        Coordinates::HalfPixel => (at + 0.5) / axis.scale - 0.5,
        Coordinates::HalfPixelSymmetric => {
            let offset = input / 2.0 * (1.0 - axis.output as f64 / output);
            offset + (at + 0.5) / axis.scale - 0.5
        }
        Coordinates::PytorchHalfPixel if axis.output == 1 => 0.0,
        Coordinates::PytorchHalfPixel => (at + 0.5) / axis.scale - 0.5,
        Coordinates::AlignCorners if output == 1.0 => 0.0,
        Coordinates::AlignCorners => at * (input - 1.0) / (output - 1.0),
        Coordinates::Asymmetric => at / axis.scale,
        Coordinates::CropAndResize => {
            let (start, end) = axis.roi;
            let span = (end - start) * (input - 1.0);
            start * (input - 1.0)
                + if output == 1.0 {
                    span / 2.0
                } else {
                    at * span / (output - 1.0)
                }
        }
    }
}

/// Keys' convolution kernel at a distance of less than 2.
fn cubic(x: f64, a: f64) -> f64 {
    if x <= 1.0 {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    } else {
        0.0
    }
}
