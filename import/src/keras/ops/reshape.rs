//! Layers that move elements.

use super::row::{Row, row};
use crate::{
    compose::{
        resample::{Axis, Coordinates, Mode, Sampling, repeated, resample},
        shape::reshaped_to,
        slice::sliced,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{format::Format, node::Node},
};
use relay_dialects::{dim, dim::Dim};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["Cropping1D"], |n, b| crop(n, b, 1)).keeping_types(),
    row(&["Cropping2D"], |n, b| crop(n, b, 2)).keeping_types(),
    row(&["Cropping3D"], |n, b| crop(n, b, 3)).keeping_types(),
    row(&["Flatten"], flatten),
    row(&["Permute"], permute),
    row(&["RepeatVector"], repeat_vector),
    row(&["Reshape"], reshape),
    row(&["UpSampling1D"], |n, b| up_sample(n, b, 1)),
    row(&["UpSampling2D"], |n, b| up_sample(n, b, 2)),
    row(&["UpSampling3D"], |n, b| up_sample(n, b, 3)),
    row(&["ZeroPadding1D"], |n, b| zero_pad(n, b, 1)),
    row(&["ZeroPadding2D"], |n, b| zero_pad(n, b, 2)),
    row(&["ZeroPadding3D"], |n, b| zero_pad(n, b, 3)),
];

/// How much is before each spatial axis and behind it: an integer, one for each axis, or two for each.
fn around(n: &Node<'_>, name: &str, spatial: usize) -> Result<Vec<[i64; 2]>> {
    let wrong = || format!("attribute '{name}' is no padding of {spatial} axes");
    let value = n.config.value(name).ok_or_else(wrong)?;
    let number = |value: &serde_json::Value| {
        value
            .as_i64()
            .filter(|number| (0..1 << 30).contains(number))
    };
    let pair = |value: &serde_json::Value| match value {
        serde_json::Value::Array(pair) => match &pair[..] {
            [first, second] => Some([number(first)?, number(second)?]),
            _ => None,
        },
        both => number(both).map(|both| [both; 2]),
    };
    let list = value
        .as_array()
        .or_else(|| crate::keras::config::items(value));
    let found = match list {
        None => number(value).map(|all| vec![[all; 2]; spatial]),
        Some(list) if spatial == 1 && list.len() == 2 && list[0].is_i64() => {
            pair(&serde_json::Value::Array(list.clone())).map(|pair| vec![pair])
        }
        Some(list) if list.len() == spatial => list.iter().map(pair).collect(),
        Some(_) => None,
    };
    found.ok_or_else(wrong)
}

fn crop(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    let x = n.x()?;
    let format = Format::of(&n.config, &x, spatial)?;
    let cut = around(n, "cropping", spatial)?;
    let mut slices = Vec::new();
    for (axis, [before, behind]) in format.axes().into_iter().zip(cut) {
        let end = x.dims()[axis].minus(behind)?;
        if let Some(end) = end.known().filter(|end| *end < before) {
            return Err(format!(
                "it cuts {before} and {behind} elements of axis {axis}, where {} are",
                end + behind
            ));
        }
        slices.push((axis, Dim::Known(before), end, 1));
    }
    sliced(b, &x, &slices)
}

fn zero_pad(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    let x = n.x()?;
    let format = Format::of(&n.config, &x, spatial)?;
    let added = around(n, "padding", spatial)?;
    let mut widths = vec![0; 2 * x.rank()];
    for (axis, pair) in format.axes().into_iter().zip(added) {
        widths[2 * axis..2 * axis + 2].copy_from_slice(&pair);
    }
    let zero = b.scalar(x.element(), 0.0);
    b.pad(&x, &zero, &widths, "constant")
}

/// Samples as vectors. Channels that come first are moved behind before.
fn flatten(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = n.x()?;
    let is_first = n.config.text_or("data_format", "channels_last")? == "channels_first";
    if is_first && x.rank() > 2 {
        let order: Vec<usize> = [0].into_iter().chain(2..x.rank()).chain([1]).collect();
        x = b.transpose(&x, &order)?;
    }
    match x.dims() {
        [] => Err("a scalar has no samples".into()),
        [samples] => b.reshape(&x, &[*samples, Dim::Known(1)]),
        [samples, rest @ ..] => {
            let shape = [*samples, dim::product(rest)?];
            b.reshape(&x, &shape)
        }
    }
}

fn permute(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let dims = n
        .config
        .ints("dims")?
        .ok_or("attribute 'dims' is missing")?;
    let order: Vec<i64> = [0].into_iter().chain(dims).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..x.rank() as i64) {
        return Err(format!("attribute 'dims' does not permute {:?}", x.dims()));
    }
    let order: Vec<usize> = order.into_iter().map(|axis| axis as usize).collect();
    b.transpose(&x, &order)
}

fn repeat_vector(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, count) = (n.x()?, n.config.required_int("n")?);
    let [samples, size] = *x.dims() else {
        return Err(format!("data of shape {:?} are no vectors", x.dims()));
    };
    let one = b.reshape(&x, &[samples, Dim::Known(1), size])?;
    b.broadcast(&one, &[samples, Dim::Known(count), size])
}

fn reshape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let target = n.config.ints("target_shape")?.unwrap_or_default();
    let samples = *x.dims().first().ok_or("a scalar has no samples")?;
    let asked: Vec<Dim> = target.iter().map(|extent| Dim::Known(*extent)).collect();
    // What is left is what is left of a sample.
    let mut shape = asked.clone();
    let sample = dim::product(&x.dims()[1..])?;
    if let Some(free) = shape.iter().position(|extent| *extent == -1) {
        shape[free] = Dim::Known(1);
        let others = dim::product(&shape)?;
        shape[free] = match (sample, others) {
            (_, Dim::Known(0)) => {
                return Err(format!("cannot reshape {:?} to {asked:?}", x.dims()));
            }
            (Dim::Known(count), Dim::Known(others)) if count % others != 0 => {
                return Err(format!(
                    "cannot reshape samples of {:?} to {asked:?}",
                    x.dims()
                ));
            }
            (count, others) => count.floor_div(others)?,
        };
    }
    let shape = [&[samples], &shape[..]].concat();
    reshaped_to(b, &x, shape, &asked)
}

fn up_sample(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    let x = n.x()?;
    let format = match spatial {
        // It knows no other format.
        1 => Format::of(&n.config, &x, 1)?,
        _ => Format::of(&n.config, &x, spatial)?,
    };
    let factors = n.config.ints_of("size", spatial, 2)?;
    if factors.iter().any(|factor| !(1..1 << 20).contains(factor)) {
        return Err(format!("attribute 'size' is {factors:?}"));
    }
    let mode = n.config.text_or("interpolation", "nearest")?;
    let scales: Vec<(usize, i64)> = format.axes().into_iter().zip(factors).collect();
    if mode == "nearest" {
        return repeated(b, &x, &scales);
    }
    let mode = match mode {
        "bilinear" => Mode::Linear,
        "bicubic" => Mode::Cubic(-0.5),
        other => return Err(format!("interpolation '{other}' is not supported")),
    };
    let mut size = Vec::new();
    for (axis, factor) in &scales {
        size.push(x.dims()[*axis].times(*factor)?);
    }
    resized(b, &x, format, &size, mode)
}

/// An image at another size, whose pixels are squares.
pub fn resized(
    b: &mut GraphBuilder,
    x: &Value,
    format: Format,
    size: &[Dim],
    mode: Mode,
) -> Result<Value> {
    let axes = format.axes();
    let is_linear = matches!(mode, Mode::Linear);
    if is_linear && format.spatial == 2 && x.element().is_float() {
        let attrs = [
            ("size", Param::Dims(size.to_vec())),
            ("layout", Param::Str(format.layout())),
            ("method", Param::Str("linear")),
            ("coordinate_transformation_mode", Param::Str("half_pixel")),
            ("rounding_method", Param::Str("floor")),
        ];
        return b.op("image.resize2d", std::slice::from_ref(x), &attrs);
    }
    let known: Option<Vec<i64>> = size.iter().map(|extent| extent.known()).collect();
    let known = known.ok_or("the size of an image has to be known with this interpolation")?;
    let sampling = Sampling {
        // What lies outside does not count, and the others count more.
        exclude_outside: matches!(mode, Mode::Cubic(_)),
        mode,
        coordinates: Coordinates::HalfPixel,
        extrapolation: 0.0,
        antialias: false,
    };
    let mut all = Vec::new();
    for axis in 0..x.rank() {
        let input = match axes.contains(&axis) {
            true => x.extent(axis)?,
            // Axes that stay may be open.
            false => x.dims()[axis].known().unwrap_or(1),
        };
        let place = axes.iter().position(|spatial| *spatial == axis);
        let output = place.map_or(input, |place| known[place]);
        all.push(Axis {
            input,
            output,
            scale: output as f64 / input.max(1) as f64,
            roi: (0.0, 1.0),
        });
    }
    resample(b, x, &all, &sampling)
}
