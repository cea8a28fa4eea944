//! Convolutions of volumes by Winograd's algorithm.

use super::{
    columns::*,
    conv::MAX_ALPHA,
    rule,
    window::{Window, numbers},
};
use crate::{
    dim::{self, Dim},
    relay::{Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "nn.contrib_conv3d_winograd_weight_transform",
        Opaque,
        FLOATS,
        Prepares,
        weight,
    ),
    Row::new(
        "nn.contrib_conv3d_winograd_without_weight_transform",
        OutElemwiseFusable,
        FLOATS,
        Sums,
        conv,
    ),
];

/// The dimensions of a kernel that are transformed: depth, height and width, or the last two.
pub fn transformed(depth: i64) -> &'static [usize] {
    match depth {
        3..=7 => &[0, 1, 2],
        _ => &[1, 2],
    }
}

/// The dimensions of a transformed kernel.
fn dims_of_kernel(kernel: &[i64], tile: i64) -> Result<Vec<i64>, String> {
    let places = transformed(kernel[0]);
    let alphas = places
        .iter()
        .map(|&dim| tile.saturating_add(kernel[dim] - 1));
    let mut dims: Vec<i64> = alphas.collect();
    if tile < 2 || dims.iter().any(|alpha| *alpha > MAX_ALPHA) {
        return Err(format!(
            "tile_size {tile} with a kernel of {kernel:?} gives tiles of {dims:?}, expected at most {MAX_ALPHA}, and tile_size at least 2"
        ));
    }
    if places.len() == 2 {
        dims.push(kernel[0]);
    }
    Ok(dims)
}

fn weight(call: &Call) -> Result<Vec<TensorType>, String> {
    let weight = &call.inputs[0];
    let kernel: Option<Vec<i64>> = weight.shape.iter().skip(2).map(|dim| dim.known()).collect();
    let is_kernel = |kernel: &Vec<i64>| kernel.len() == 3 && kernel.iter().all(|it| *it > 0);
    let kernel = kernel.filter(is_kernel).ok_or_else(|| {
        format!(
            "a weight of shape {} is no kernel of known extents (C1)",
            show(&weight.shape)
        )
    })?;
    let dims = dims_of_kernel(&kernel, call.attrs.int("tile_size")?).map_err(rule("C2"))?;
    let dims = dims.into_iter().map(Dim::Known);
    let shape = dims.chain(weight.shape[..2].iter().copied()).collect();
    Ok(vec![TensorType::new::<Dim>(shape, weight.element)])
}

fn conv(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    for (name, known) in [("data_layout", "NCDHW"), ("kernel_layout", "OIDHW")] {
        let layout = call.attrs.str(name)?;
        if layout != known {
            return Err(format!("{name} is '{layout}', not {known} (C1)"));
        }
    }
    if data.rank() != 5 || weight.rank() != 5 || data.element != weight.element {
        let [data, weight] = [data, weight].map(TensorType::to_type);
        return Err(format!("a weight {weight} does not fit data {data} (C1)"));
    }
    let kernel = numbers(&call.attrs, "kernel_size", 3, 1)?;
    let dims = dims_of_kernel(&kernel, call.attrs.int("tile_size")?).map_err(rule("C2"))?;
    let wanted: Vec<Dim> = dims.into_iter().map(Dim::Known).collect();
    let wanted = [&wanted[..], &[weight.shape[3], data.shape[1]]].concat();
    let mut pairs = weight.shape.iter().zip(&wanted);
    if !pairs.all(|(one, other)| dim::unify(*one, *other).is_some()) {
        return Err(format!(
            "a weight of shape {} is no transformed one of shape {} (C2)",
            show(&weight.shape),
            show(&wanted)
        ));
    }
    let window = Window::of(&call.attrs, &kernel)?;
    let steps = window.strides.iter().chain(&window.dilation);
    if steps.into_iter().any(|step| *step != 1) {
        return Err("strides and dilation are 1 (C3)".into());
    }
    let groups = call.attrs.int("groups")?;
    if groups != 1 {
        return Err(format!("groups is {groups}, not 1 (C5)"));
    }
    let space = window.positions(&data.shape[2..], false)?;
    let shape = [&[data.shape[0], weight.shape[3]], &space[..]].concat();
    Ok(vec![TensorType::new(shape, data.element)])
}
