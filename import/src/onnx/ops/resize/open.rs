//! Resampling of open dimensions: where taps lie and what they weigh is computed when the model runs.

use super::{Coordinates, Mode, Rounding, Sampling, as_image, repeated};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, is_open},
    },
    onnx::{node::Node, ops::subscript::one_axis},
};
use relay_dialects::{dim::Dim, element::Element};

/// One axis that is resized.
struct Axis {
    axis: usize,
    input: Dim,
    output: Dim,
    /// The scale, a float of 64 bits, if it is not that of the extents.
    scale: Option<Value>,
}

/// A tensor of open dimensions whose `listed` axes are resized by input `scales`, or to input `sizes`.
pub(super) fn resize(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: &Value,
    listed: &[usize],
    sampling: &Sampling,
) -> Result<Value> {
    if n.opset >= 18 && n.attr_str_or("keep_aspect_ratio_policy", "stretch")? != "stretch" {
        return Err(
            "attribute 'keep_aspect_ratio_policy' is not supported of open dimensions".into(),
        );
    }
    let asked = asked(n, b, x, listed)?;
    let asked_axes = asked.len();
    if asked_axes != listed.len() {
        return Err(format!(
            "{asked_axes} scales or sizes do not fit {} axes",
            listed.len()
        ));
    }
    if n.opset >= 18
        && n.attr_bool_or("antialias", false)?
        && !matches!(sampling.mode, Mode::Nearest(_))
    {
        let grows = asked.iter().all(|asked| asked.grows());
        if !grows {
            return Err(
                "attribute 'antialias' is 1, which is not supported of dimensions that may shrink"
                    .into(),
            );
        }
    }
    let mut axes = Vec::new();
    for (&axis, asked) in listed.iter().zip(asked) {
        let input = x.dims()[axis];
        axes.push(match asked {
            Asked::Scale(scale) => scaled(b, axis, input, scale)?,
            Asked::Computed(scale) => scaled_at_run_time(b, axis, input, &scale)?,
            Asked::Size(output) => Axis {
                axis,
                input,
                output,
                scale: None,
            },
        });
    }
    resample(b, x, &axes, sampling)
}

/// What is asked for of an axis.
enum Asked {
    /// To be scaled.
    Scale(f64),
    /// Likewise, by a number that the model computes.
    Computed(Value),
    /// An extent.
    Size(Dim),
}

impl Asked {
    /// Whether it is certain that the axis does not shrink.
    fn grows(&self) -> bool {
        matches!(self, Self::Scale(scale) if *scale >= 1.0)
    }
}

/// What input `scales` or input `sizes` asks for.
fn asked(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, listed: &[usize]) -> Result<Vec<Asked>> {
    if !super::has_elements(n, 2) {
        let sizes = n.sizes(b, 3, "the sizes")?;
        return Ok(sizes.into_iter().map(Asked::Size).collect());
    }
    let given = n.input(2)?;
    if given.constant().is_some() {
        let scales = n.floats(2, "the scales")?;
        return Ok(scales.into_iter().map(Asked::Scale).collect());
    }
    if given.dims() != [Dim::Known(listed.len() as i64)] {
        return Err(format!(
            "scales of shape {:?} do not fit {} axes of {:?}",
            given.dims(),
            listed.len(),
            x.dims()
        ));
    }
    let places = 0..listed.len() as i64;
    let scales = places.map(|place| {
        let scale = b.element(&given, place)?;
        Ok(scale.scalar().map_or(Asked::Computed(scale), Asked::Scale))
    });
    scales.collect()
}

/// An axis resized by a factor that the model computes. The extent is computed in float, as by definition.
fn scaled_at_run_time(
    b: &mut GraphBuilder,
    axis: usize,
    input: Dim,
    scale: &Value,
) -> Result<Axis> {
    let extent = b.with_size("multiply", scale, input)?;
    let extent = b.unary("floor", &extent)?;
    let extent = b.cast(&extent, Element::I64)?;
    Ok(Axis {
        axis,
        input,
        output: b.define(&extent, "resized", None)?,
        scale: Some(b.cast(scale, Element::F64)?),
    })
}

/// A tensor of open dimensions, each of which is resized by a scale.
pub(super) fn by_scales(
    b: &mut GraphBuilder,
    x: &Value,
    scales: &[f64],
    sampling: &Sampling,
) -> Result<Value> {
    let axes = scales.iter().enumerate();
    let axes: Vec<Axis> = axes
        .map(|(axis, scale)| scaled(b, axis, x.dims()[axis], *scale))
        .collect::<Result<_>>()?;
    resample(b, x, &axes, sampling)
}

/// An axis resized by a factor. That of an open extent is a fraction with a small divisor, so that the product is exact.
fn scaled(b: &GraphBuilder, axis: usize, input: Dim, scale: f64) -> Result<Axis> {
    const LARGEST: i64 = 1 << 10;
    if !(scale > 0.0 && scale <= 1e6) {
        return Err(format!("scale {scale} is out of range"));
    }
    let output = match input.known() {
        Some(input) => Dim::Known((input as f32 * scale as f32).floor() as i64),
        None => {
            let divisors = (0..=LARGEST.ilog2()).map(|power| 1 << power);
            let divisor = divisors
                .into_iter()
                .find(|divisor: &i64| (scale * *divisor as f64).fract() == 0.0);
            let divisor = divisor.ok_or_else(|| {
                format!("scale {scale} is no fraction with a power of two up to {LARGEST} below, and {}", is_open(input))
            })?;
            input
                .times((scale * divisor as f64) as i64)?
                .floor_div(divisor)?
        }
    };
    let is_exact = output
        .known()
        .zip(input.known())
        .map_or(scale.fract() == 0.0, |(output, input)| {
            scale == output as f64 / input as f64
        });
    Ok(Axis {
        axis,
        input,
        output,
        scale: (!is_exact).then(|| b.scalar(Element::F64, scale)),
    })
}

fn resample(b: &mut GraphBuilder, x: &Value, axes: &[Axis], sampling: &Sampling) -> Result<Value> {
    if sampling.antialias {
        return Err(
            "attribute 'antialias' is 1, which is not supported where dimensions are open".into(),
        );
    }
    if sampling.coordinates == Coordinates::CropAndResize {
        let open = x.dims().iter().find(|dim| !dim.is_known());
        let reason = open.map_or(String::new(), |open| is_open(*open));
        return Err(format!(
            "attribute 'coordinate_transformation_mode' is 'tf_crop_and_resize': {reason}"
        ));
    }
    let axes = axes
        .iter()
        .filter(|axis| axis.output != axis.input || axis.scale.is_some());
    let axes: Vec<&Axis> = axes.collect();
    if axes.is_empty() {
        return Ok(x.clone());
    }
    if let Some(result) = image(b, x, &axes, sampling).or_else(|| whole(b, x, &axes, sampling)) {
        return result;
    }
    if !x.element().is_float() && !matches!(sampling.mode, Mode::Nearest(_)) {
        return Err(format!("{:?} elements cannot be interpolated", x.element()));
    }
    let mut result = x.clone();
    for axis in axes {
        result = resample_axis(b, &result, axis, sampling)?;
    }
    Ok(result)
}

/// The nearest elements where all scales are whole numbers: each element is repeated.
fn whole(
    b: &mut GraphBuilder,
    x: &Value,
    axes: &[&Axis],
    sampling: &Sampling,
) -> Option<Result<Value>> {
    let scale = |axis: &&Axis| {
        let scale = axis.output.multiple_of(axis.input)?;
        axis.scale.is_none().then_some((axis.axis, scale))
    };
    let scales: Vec<(usize, i64)> = axes.iter().map(scale).collect::<Option<_>>()?;
    sampling.repeats().then(|| repeated(b, x, &scales))
}

/// Up to three spatial dimensions as one op, where that op's definition is the same.
fn image(
    b: &mut GraphBuilder,
    x: &Value,
    axes: &[&Axis],
    sampling: &Sampling,
) -> Option<Result<Value>> {
    let is_usual = axes
        .iter()
        .all(|axis| axis.axis >= 2 && axis.scale.is_none());
    let (op, attrs) = as_image(x, sampling).filter(|_| is_usual)?;
    let mut size = x.dims()[2..].to_vec();
    for axis in axes {
        size[axis.axis - 2] = axis.output;
    }
    let size = [("size", Param::Dims(size))];
    Some(b.op(op, std::slice::from_ref(x), &[&size[..], &attrs].concat()))
}

/// The weighted sum of taps along one axis.
fn resample_axis(
    b: &mut GraphBuilder,
    x: &Value,
    axis: &Axis,
    sampling: &Sampling,
) -> Result<Value> {
    let place = source(b, axis, sampling.coordinates)?;
    let floor = b.unary("floor", &place)?;
    let ratio = b.binary("subtract", &place, &floor)?;
    let mut taps = match sampling.mode {
        Mode::Nearest(rounding) => vec![(rounded(b, (&floor, &ratio), rounding)?, None)],
        Mode::Linear => {
            let one = b.scalar(Element::F64, 1.0);
            let near = b.binary("subtract", &one, &ratio)?;
            let next = b.with_scalar("add", &floor, 1.0)?;
            vec![(floor, Some(near)), (next, Some(ratio))]
        }
        Mode::Cubic(a) => {
            let mut taps = Vec::new();
            for tap in -1..3 {
                let place = b.with_scalar("add", &floor, f64::from(tap))?;
                taps.push((place, Some(cubic(b, &ratio, (f64::from(tap), a))?)));
            }
            taps
        }
    };
    let last = b.size(Element::F64, axis.input.minus(1)?)?;
    if sampling.exclude_outside {
        exclude_outside(b, &mut taps, &last)?;
    }
    let shape = one_axis(x.rank() - axis.axis, 0, axis.output);
    let mut sum: Option<Value> = None;
    for (place, weight) in taps {
        let low = b.with_scalar("maximum", &place, 0.0)?;
        let inside = b.binary("minimum", &low, &last)?;
        let inside = b.cast(&inside, Element::I64)?;
        let attrs = [
            ("axis", Param::Int(axis.axis as i64)),
            ("mode", Param::Str("clip")),
        ];
        let mut part = b.op("take", &[x.clone(), inside], &attrs)?;
        if let Some(weight) = weight {
            let weight = b.cast(&weight, x.element())?;
            let weight = b.reshape(&weight, &shape)?;
            part = b.binary("multiply", &part, &weight)?;
        }
        sum = Some(match sum {
            Some(sum) => b.binary("add", &sum, &part)?,
            None => part,
        });
    }
    sum.ok_or_else(|| "the axis has no taps".into())
}

/// Where the elements of the result lie in the input, as floats of 64 bits.
fn source(b: &mut GraphBuilder, axis: &Axis, coordinates: Coordinates) -> Result<Value> {
    let at = b.iota(Element::F64, &[axis.output], 0)?;
    let (input, output) = (
        b.size(Element::F64, axis.input)?,
        b.size(Element::F64, axis.output)?,
    );
    let scale = match &axis.scale {
        Some(scale) => scale.clone(),
        None => b.binary("divide", &output, &input)?,
    };
    let centred = |b: &mut GraphBuilder| {
        let middle = b.with_scalar("add", &at, 0.5)?;
        let place = b.binary("divide", &middle, &scale)?;
        b.with_scalar("subtract", &place, 0.5)
    };
    match coordinates {
        Coordinates::Asymmetric => b.binary("divide", &at, &scale),
        Coordinates::HalfPixel => centred(b),
        Coordinates::PytorchHalfPixel => {
            let place = centred(b)?;
            let is_long = b.with_scalar("greater", &output, 1.0)?;
            let zero = b.scalar(Element::F64, 0.0);
            b.op("where", &[is_long, place, zero], &[])
        }
        Coordinates::HalfPixelSymmetric => {
            let place = centred(b)?;
            let whole = b.binary("multiply", &scale, &input)?;
            let part = b.binary("divide", &output, &whole)?;
            let one = b.scalar(Element::F64, 1.0);
            let rest = b.binary("subtract", &one, &part)?;
            let half = b.with_scalar("multiply", &input, 0.5)?;
            let offset = b.binary("multiply", &half, &rest)?;
            b.binary("add", &place, &offset)
        }
        Coordinates::AlignCorners | Coordinates::CropAndResize => {
            let whole = b.binary("multiply", &scale, &input)?;
            let steps = b.with_scalar("subtract", &whole, 1.0)?;
            // Of one element, the subscript is 0.
            let is_none = b.with_scalar("equal", &steps, 0.0)?;
            let one = b.scalar(Element::F64, 1.0);
            let steps = b.op("where", &[is_none, one, steps], &[])?;
            let last = b.with_scalar("subtract", &input, 1.0)?;
            let scaled = b.binary("multiply", &at, &last)?;
            b.binary("divide", &scaled, &steps)
        }
    }
}

/// The nearest place to one between two.
fn rounded(
    b: &mut GraphBuilder,
    (floor, ratio): (&Value, &Value),
    rounding: Rounding,
) -> Result<Value> {
    let up = match rounding {
        Rounding::Floor => return Ok(floor.clone()),
        Rounding::PreferFloor => b.with_scalar("greater", ratio, 0.5)?,
        Rounding::PreferCeil => b.with_scalar("greater_equal", ratio, 0.5)?,
        Rounding::Ceil => b.with_scalar("greater", ratio, 0.0)?,
    };
    let up = b.cast(&up, Element::F64)?;
    b.binary("add", floor, &up)
}

/// Keys' convolution kernel at the distance of a tap from places that lie behind an element by `ratio`.
fn cubic(b: &mut GraphBuilder, ratio: &Value, (tap, a): (f64, f64)) -> Result<Value> {
    let tap_place = b.scalar(Element::F64, tap);
    let away = b.binary("subtract", &tap_place, ratio)?;
    let away = b.unary("abs", &away)?;
    // The taps -1 and 2 are between 1 and 2 away, the others up to 1: one polynomial for each.
    let coefficients = match tap == 0.0 || tap == 1.0 {
        true => [a + 2.0, -(a + 3.0), 0.0, 1.0],
        false => [a, -5.0 * a, 8.0 * a, -4.0 * a],
    };
    let mut sum = b.with_scalar("multiply", &away, coefficients[0])?;
    for (place, coefficient) in coefficients[1..].iter().enumerate() {
        sum = b.with_scalar("add", &sum, *coefficient)?;
        if place < 2 {
            sum = b.binary("multiply", &sum, &away)?;
        }
    }
    Ok(sum)
}

/// Taps outside of the input weigh nothing, and the others grow to a sum of 1.
fn exclude_outside(
    b: &mut GraphBuilder,
    taps: &mut [(Value, Option<Value>)],
    last: &Value,
) -> Result<()> {
    let mut sum: Option<Value> = None;
    for (place, weight) in taps.iter_mut() {
        let Some(own) = weight else { continue };
        let after_start = b.with_scalar("greater_equal", place, 0.0)?;
        let before_end = b.binary("less_equal", place, last)?;
        let is_inside = b.binary("logical_and", &after_start, &before_end)?;
        let zero = b.scalar(Element::F64, 0.0);
        *own = b.op("where", &[is_inside, own.clone(), zero], &[])?;
        sum = Some(match sum {
            Some(sum) => b.binary("add", &sum, own)?,
            None => own.clone(),
        });
    }
    for (_, weight) in taps {
        if let (Some(own), Some(sum)) = (weight, &sum) {
            *own = b.binary("divide", own, sum)?;
        }
    }
    Ok(())
}
