//! Resampling.
//!
//! Of open dimensions, taps and weights are computed (`open`).

mod open;

use super::row::{Row, row};
use crate::compose::resample::{
    Axis, Coordinates, Mode, Rounding, Sampling, as_image, repeated, resample,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::element_count,
        error::Result,
        value::{Value, normalize_axes},
    },
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Resize", 10, resize_simple).until(10),
    row("Resize", 11, resize),
    row("Upsample", 1, upsample_images).until(6),
    row("Upsample", 7, upsample_attr).until(8),
    row("Upsample", 9, resize_simple).until(9),
];

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
