//! Images, lines and volumes at other sizes.

use super::{columns::*, keyword, rule};
use crate::{
    dim::{self, Dim},
    relay::{Call, Layout, TensorType},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("image.resize1d", Injective, NUMBERS, Averages, |call| {
        resize(call, 1)
    }),
    Row::new("image.resize2d", Injective, NUMBERS, Averages, |call| {
        resize(call, 2)
    })
    .with_layout(Spatial),
    Row::new("image.resize3d", Injective, NUMBERS, Averages, |call| {
        resize(call, 3)
    }),
    Row::new("nn.upsampling", Injective, NUMBERS, Averages, upsampling).with_layout(Spatial),
    Row::new(
        "nn.upsampling3d",
        Injective,
        NUMBERS,
        Averages,
        upsampling3d,
    ),
];

const COORDINATES: &[&str] = &[
    "half_pixel",
    "align_corners",
    "asymmetric",
    "pytorch_half_pixel",
    "tf_half_pixel_for_nn",
];

const ROUNDINGS: &[&str] = &[
    "round",
    "round_prefer_floor",
    "round_prefer_ceil",
    "floor",
    "ceil",
];

/// Checks that attribute `name` is one of the `known` words.
fn one_of(call: &Call, name: &str, known: &[&str]) -> Result<(), String> {
    keyword(call, name, known).map(drop).map_err(rule("C3"))
}

/// The positions of the `count` spatial dimensions, each of which must have elements.
fn spatial(call: &Call, count: usize) -> Result<Vec<usize>, String> {
    let dims = spatial_dims(call, count).map_err(rule("C1"))?;
    let shape = &call.inputs[0].shape;
    if let Some(empty) = dims.iter().find(|&&dim| shape[dim] == 0) {
        return Err(format!("dimension {empty} has no elements (C4)"));
    }
    Ok(dims)
}

/// The positions of the `count` spatial dimensions in the attribute `layout`, which is that of operand 0.
pub(super) fn spatial_dims(call: &Call, count: usize) -> Result<Vec<usize>, String> {
    let text = call.attrs.str("layout")?;
    let layout = Layout::parse(&text)?;
    let is_whole = |letter| layout.position(letter).is_some() && layout.factor(letter) == 1;
    let dims = layout.spatial();
    if dims.len() != count || !"DHW"[3 - count..].chars().all(is_whole) {
        return Err(format!(
            "layout {text} does not have {count} whole spatial dimensions"
        ));
    }
    let (shape, rank) = (&call.inputs[0].shape, layout.axes().len());
    if shape.len() != rank {
        return Err(format!(
            "expected rank {rank} for operand 0, got {}",
            shape.len()
        ));
    }
    Ok(dims)
}

/// The data's type with other extents along `dims`.
fn resized(call: &Call, dims: &[usize], size: &[Dim]) -> Vec<TensorType> {
    let mut result = call.inputs[0].clone();
    for (&dim, &extent) in dims.iter().zip(size) {
        result.shape[dim] = extent;
    }
    vec![result]
}

fn resize(call: &Call, count: usize) -> Result<Vec<TensorType>, String> {
    let dims = spatial(call, count)?;
    let size = call.attrs.dims("size")?;
    let is_empty = |size: &Dim| dim::at_most(Dim::Known(1), *size).is_none();
    if size.len() != count || size.iter().any(is_empty) {
        let expected = [
            "a width",
            "a height and a width",
            "a depth, height and width",
        ];
        return Err(format!("size {size:?} is not {} (C2)", expected[count - 1]));
    }
    one_of(call, "method", &["nearest_neighbor", "linear"])?;
    one_of(call, "coordinate_transformation_mode", COORDINATES)?;
    one_of(call, "rounding_method", ROUNDINGS)?;
    Ok(resized(call, &dims, &size))
}

/// The extents of `dims`, each times the factor in the attribute of `scales`.
fn scaled(call: &Call, dims: &[usize], scales: &[&str]) -> Result<Vec<Dim>, String> {
    let extents = dims.iter().map(|&dim| call.inputs[0].shape[dim]);
    extents
        .zip(scales)
        .map(|(extent, name)| {
            let scale = call.attrs.float(name)?;
            let Some(extent) = extent.known() else {
                return match scale.fract() == 0.0 && (1.0..=f64::from(i32::MAX)).contains(&scale) {
                    true => extent.times(scale as i64),
                    false => Ok(Dim::Unknown),
                };
            };
            let size = (extent as f64 * scale).round_ties_even();
            if !(1.0..=f64::from(i32::MAX)).contains(&size) {
                return Err(format!("{name} {scale} leaves {size} elements (C2)"));
            }
            Ok(Dim::Known(size as i64))
        })
        .collect()
}

fn upsampling(call: &Call) -> Result<Vec<TensorType>, String> {
    let dims = spatial(call, 2)?;
    one_of(call, "method", &["nearest_neighbor", "bilinear"])?;
    let size = scaled(call, &dims, &["scale_h", "scale_w"])?;
    Ok(resized(call, &dims, &size))
}

fn upsampling3d(call: &Call) -> Result<Vec<TensorType>, String> {
    let dims = spatial(call, 3)?;
    one_of(call, "method", &["nearest_neighbor", "trilinear"])?;
    one_of(call, "coordinate_transformation_mode", COORDINATES)?;
    let size = scaled(call, &dims, &["scale_d", "scale_h", "scale_w"])?;
    Ok(resized(call, &dims, &size))
}
