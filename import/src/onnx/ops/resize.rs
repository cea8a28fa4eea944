//! Resampling.
//!
//! Interpolation is separable: along each axis, an output element is a weighted sum of a few input
//! elements, its taps. Where shapes are known, taps and weights are constants, and any mode of
//! coordinates comes out exactly; of open dimensions they are computed (`open`). The usual cases of one to three spatial dimensions become one
//! `image.resize1d`, `image.resize2d` or `image.resize3d`.

mod open;

use super::{
    row::{Row, row},
    subscript::one_axis,
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers, element_count},
        error::Result,
        value::{Value, normalize_axes},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Resize", 10, resize_simple).until(10),
    row("Resize", 11, resize),
    row("Upsample", 1, upsample_images).until(6),
    row("Upsample", 7, upsample_attr).until(8),
    row("Upsample", 9, resize_simple).until(9),
];

/// How to resample.
struct Sampling {
    mode: Mode,
    coordinates: Coordinates,
    /// Weights of taps outside the input are 0, and the others grow to a sum of 1.
    exclude_outside: bool,
    /// What `tf_crop_and_resize` gives outside the input.
    extrapolation: f64,
    /// Where an axis shrinks, taps are as far apart as output elements, so that all input elements count.
    antialias: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Nearest(Rounding),
    Linear,
    Cubic(f64),
}

#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    PreferFloor,
    PreferCeil,
    Floor,
    Ceil,
}

#[derive(Clone, Copy, PartialEq)]
enum Coordinates {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    CropAndResize,
}

/// One axis: extents, the scale between them, and the region of interest.
#[derive(Clone, Copy, Debug)]
struct Axis {
    input: i64,
    output: i64,
    scale: f64,
    roi: (f64, f64),
}

impl Axis {
    /// Whether the scale is exactly that of the extents.
    fn is_exact(&self) -> bool {
        self.scale == self.output as f64 / self.input as f64
    }

    fn is_identity(&self, sampling: &Sampling) -> bool {
        self.input == self.output
            && self.scale == 1.0
            && (sampling.coordinates != Coordinates::CropAndResize || self.roi == (0.0, 1.0))
    }
}

/// `Upsample` with a scale for rows and one for columns.
fn upsample_images(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let scale = |name: &str| match n.attr_f32(name)? {
        Some(scale) => Ok(f64::from(scale)),
        None => Err(format!("attribute '{name}' is missing")),
    };
    let scales = [1.0, 1.0, scale("height_scale")?, scale("width_scale")?];
    simple(n, b, &scales)
}

/// `Upsample` with its scales in an attribute.
fn upsample_attr(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let scales = n
        .attr_floats("scales")?
        .ok_or("attribute 'scales' is missing")?;
    let scales: Vec<f64> = scales.into_iter().map(f64::from).collect();
    simple(n, b, &scales)
}

/// `Upsample` 9 and `Resize` 10: scales in input 1, asymmetric coordinates.
fn resize_simple(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let scales = n.floats(1, "the scales")?;
    simple(n, b, &scales)
}

fn simple(n: &Node<'_>, b: &mut GraphBuilder, scales: &[f64]) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let mode = match n.attr_str_or("mode", "nearest")?.as_str() {
        "nearest" => Mode::Nearest(Rounding::Floor),
        "linear" | "bilinear" => Mode::Linear,
        other => {
            return Err(format!(
                "attribute 'mode' is '{other}', expected nearest or linear"
            ));
        }
    };
    let sampling = Sampling {
        mode,
        coordinates: Coordinates::Asymmetric,
        exclude_outside: false,
        extrapolation: 0.0,
        antialias: false,
    };
    if scales.len() != x.rank() {
        return Err(format!(
            "{} scales do not fit rank {}",
            scales.len(),
            x.rank()
        ));
    }
    if x.dims().iter().any(|dim| !dim.is_known()) {
        return Ok(vec![open::by_scales(b, &x, scales, &sampling)?]);
    }
    let axes = x
        .shape()?
        .iter()
        .zip(scales)
        .map(|(&extent, &scale)| scaled(extent, scale))
        .collect::<Result<Vec<_>>>()?;
    Ok(vec![resample(b, &x, &axes, &sampling)?])
}

/// An axis resized by a factor. The extent is computed in float, as by definition.
fn scaled(input: i64, scale: f64) -> Result<Axis> {
    if !(scale > 0.0 && scale <= 1e6) {
        return Err(format!("scale {scale} is out of range"));
    }
    Ok(Axis {
        input,
        output: (input as f32 * scale as f32).floor() as i64,
        scale,
        roi: (0.0, 1.0),
    })
}

fn resize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let x = n.input(0)?;
    let sampling = sampling(n)?;
    let listed = if n.opset >= 18 {
        n.attr_ints("axes")?
    } else {
        None
    };
    let listed = match listed {
        Some(axes) => {
            normalize_axes(&axes, x.rank())?;
            axes.iter()
                .map(|&axis| x.axis(axis))
                .collect::<Result<Vec<_>>>()?
        }
        None => (0..x.rank()).collect(),
    };
    let is_computed = |index: usize| {
        let given = n.optional(index);
        given.is_some_and(|given| !given.is_empty() && given.constant().is_none())
    };
    if x.dims().iter().any(|dim| !dim.is_known()) || is_computed(2) || is_computed(3) {
        return Ok(vec![open::resize(n, b, &x, &listed, &sampling)?]);
    }
    let mut axes = x
        .shape()?
        .iter()
        .map(|&extent| scaled(extent, 1.0))
        .collect::<Result<Vec<_>>>()?;
    let resized = listed_axes(n, &x, &listed)?;
    for (&axis, resized) in listed.iter().zip(resized) {
        axes[axis] = resized;
    }
    if sampling.coordinates == Coordinates::CropAndResize {
        let roi = n.floats(1, "the region of interest")?;
        if roi.len() != 2 * listed.len() {
            return Err(format!(
                "a region of interest of {} numbers does not fit",
                roi.len()
            ));
        }
        for (i, &axis) in listed.iter().enumerate() {
            axes[axis].roi = (roi[i], roi[i + listed.len()]);
        }
    }
    Ok(vec![resample(b, &x, &axes, &sampling)?])
}

/// Whether an input is there. The scales and the sizes may be given as an empty tensor.
fn has_elements(n: &Node<'_>, index: usize) -> bool {
    n.optional(index).is_some_and(|value| !value.is_empty())
}

impl Sampling {
    /// Whether each element is repeated where a scale is a whole number.
    fn repeats(&self) -> bool {
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
fn repeated(b: &mut GraphBuilder, x: &Value, scales: &[(usize, i64)]) -> Result<Value> {
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

/// The listed axes after resizing by input `scales` or to input `sizes`.
fn listed_axes(n: &Node<'_>, x: &Value, listed: &[usize]) -> Result<Vec<Axis>> {
    let extents: Vec<i64> = listed
        .iter()
        .map(|&axis| x.extent(axis))
        .collect::<Result<_>>()?;
    let policy = if n.opset >= 18 {
        n.attr_str_or("keep_aspect_ratio_policy", "stretch")?
    } else {
        "stretch".into()
    };
    if has_elements(n, 2) {
        let scales = n.floats(2, "the scales")?;
        if scales.len() != listed.len() {
            return Err(format!(
                "{} scales do not fit {} axes",
                scales.len(),
                listed.len()
            ));
        }
        return extents
            .iter()
            .zip(scales)
            .map(|(&extent, scale)| scaled(extent, scale))
            .collect();
    }
    let sizes = n.ints(3, "the sizes")?;
    if sizes.len() != listed.len() || sizes.iter().any(|&size| size < 0) {
        return Err(format!("sizes {sizes:?} do not fit dimensions {extents:?}"));
    }
    element_count(&sizes)?;
    let ratio = |(&size, &extent): (&i64, &i64)| match (size, extent) {
        (0, _) | (_, 0) => 1.0,
        _ => size as f64 / extent as f64,
    };
    let ratios = sizes.iter().zip(&extents).map(ratio);
    let common = match policy.as_str() {
        "stretch" => None,
        "not_larger" => ratios.clone().reduce(f64::min),
        "not_smaller" => ratios.clone().reduce(f64::max),
        other => return Err(format!("attribute 'keep_aspect_ratio_policy' is '{other}'")),
    };
    Ok(extents
        .iter()
        .zip(&sizes)
        .zip(ratios)
        .map(|((&input, &size), ratio)| Axis {
            input,
            output: common.map_or(size, |scale| (scale * input as f64 + 0.5).floor() as i64),
            scale: common.unwrap_or(ratio),
            roi: (0.0, 1.0),
        })
        .collect())
}

fn sampling(n: &Node<'_>) -> Result<Sampling> {
    let unknown = |name: &str, value: &str| Err(format!("attribute '{name}' is '{value}'"));
    let rounding = match n
        .attr_str_or("nearest_mode", "round_prefer_floor")?
        .as_str()
    {
        "round_prefer_floor" => Rounding::PreferFloor,
        "round_prefer_ceil" => Rounding::PreferCeil,
        "floor" => Rounding::Floor,
        "ceil" => Rounding::Ceil,
        other => return unknown("nearest_mode", other),
    };
    let cubic = n.attr_f32_or("cubic_coeff_a", -0.75)?;
    let mode = match n.attr_str_or("mode", "nearest")?.as_str() {
        "nearest" => Mode::Nearest(rounding),
        "linear" => Mode::Linear,
        "cubic" => Mode::Cubic(cubic),
        other => return unknown("mode", other),
    };
    let name = "coordinate_transformation_mode";
    let coordinates = match n.attr_str_or(name, "half_pixel")?.as_str() {
        "half_pixel" => Coordinates::HalfPixel,
        "half_pixel_symmetric" => Coordinates::HalfPixelSymmetric,
        "pytorch_half_pixel" => Coordinates::PytorchHalfPixel,
        "align_corners" => Coordinates::AlignCorners,
        "asymmetric" => Coordinates::Asymmetric,
        "tf_crop_and_resize" => Coordinates::CropAndResize,
        other => return unknown(name, other),
    };
    Ok(Sampling {
        mode,
        coordinates,
        exclude_outside: n.attr_bool_or("exclude_outside", false)?,
        extrapolation: n.attr_f32_or("extrapolation_value", 0.0)?,
        antialias: n.opset >= 18
            && n.attr_bool_or("antialias", false)?
            && !matches!(mode, Mode::Nearest(_)),
    })
}

fn resample(b: &mut GraphBuilder, x: &Value, axes: &[Axis], sampling: &Sampling) -> Result<Value> {
    let shape: Vec<i64> = axes.iter().map(|axis| axis.output).collect();
    element_count(&shape)?;
    if shape.contains(&0) {
        return Ok(b.filled(x.element(), &shape, 0.0));
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
fn as_image(x: &Value, sampling: &Sampling) -> Option<(&'static str, Vec<(&'static str, Param)>)> {
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
