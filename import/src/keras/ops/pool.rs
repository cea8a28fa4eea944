//! Pools.

use super::row::{Row, item, row};
use crate::{
    compose::{
        reduce::along,
        window::{Padding, Window},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{format::Format, item::Item, node::Node},
};
use relay_dialects::dim::Dim;

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["AdaptiveAveragePooling1D"], |n, b| {
        adaptive(n, b, (1, AVERAGE))
    }),
    row(&["AdaptiveAveragePooling2D"], |n, b| {
        adaptive(n, b, (2, AVERAGE))
    }),
    row(&["AdaptiveAveragePooling3D"], |n, b| {
        adaptive(n, b, (3, AVERAGE))
    }),
    row(&["AdaptiveMaxPooling1D"], |n, b| adaptive(n, b, (1, MAX))),
    row(&["AdaptiveMaxPooling2D"], |n, b| adaptive(n, b, (2, MAX))),
    row(&["AdaptiveMaxPooling3D"], |n, b| adaptive(n, b, (3, MAX))),
    row(&["AveragePooling1D", "AvgPool1D"], |n, b| average(n, b, 1)),
    row(&["AveragePooling2D", "AvgPool2D"], |n, b| average(n, b, 2)),
    row(&["AveragePooling3D", "AvgPool3D"], |n, b| average(n, b, 3)),
    item(
        &["GlobalAveragePooling1D", "GlobalAvgPool1D"],
        global_average_1d,
    ),
    row(&["GlobalAveragePooling2D", "GlobalAvgPool2D"], |n, b| {
        global(n, b, (2, "mean"))
    }),
    row(&["GlobalAveragePooling3D", "GlobalAvgPool3D"], |n, b| {
        global(n, b, (3, "mean"))
    }),
    row(&["GlobalMaxPooling1D", "GlobalMaxPool1D"], |n, b| {
        global(n, b, (1, "max"))
    }),
    row(&["GlobalMaxPooling2D", "GlobalMaxPool2D"], |n, b| {
        global(n, b, (2, "max"))
    }),
    row(&["GlobalMaxPooling3D", "GlobalMaxPool3D"], |n, b| {
        global(n, b, (3, "max"))
    }),
    row(&["MaxPooling1D", "MaxPool1D"], |n, b| greatest(n, b, 1)),
    row(&["MaxPooling2D", "MaxPool2D"], |n, b| greatest(n, b, 2)),
    row(&["MaxPooling3D", "MaxPool3D"], |n, b| greatest(n, b, 3)),
];

/// Operators by the number of spatial axes.
const GREATEST: [&str; 3] = ["nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"];
const AVERAGES: [&str; 3] = ["nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d"];
const MAX: [&str; 3] = [
    "nn.adaptive_max_pool1d",
    "nn.adaptive_max_pool2d",
    "nn.adaptive_max_pool3d",
];
const AVERAGE: [&str; 3] = [
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_avg_pool2d",
    "nn.adaptive_avg_pool3d",
];

/// The window of a pool over data.
fn window(n: &Node<'_>, x: &Value, spatial: usize) -> Result<(Format, Window)> {
    let format = Format::of(&n.config, x, spatial)?;
    let size = n.config.ints_of("pool_size", spatial, 2)?;
    let strides = match n.config.value("strides") {
        Some(_) => n.config.ints_of("strides", spatial, 1)?,
        None => size.clone(),
    };
    let padding = match n.config.text_or("padding", "valid")? {
        "valid" => Padding::Valid,
        "same" => Padding::Same,
        other => return Err(format!("attribute 'padding' is '{other}'")),
    };
    let window = [size, strides, vec![1; spatial]];
    let window = Window::of(x, format.first(), window, &padding)?;
    Ok((format, window))
}

/// The attributes of a pool, and the data with padding that depends on open dimensions.
fn padded(
    b: &mut GraphBuilder,
    x: &Value,
    (format, window): (Format, &Window),
    fill: f64,
) -> Result<(Value, Vec<(&'static str, Param)>)> {
    let (x, padding) = window.padded(b, x, fill)?;
    let attrs = vec![
        ("pool_size", Param::Ints(window.kernel.clone())),
        ("strides", Param::Ints(window.strides.clone())),
        ("dilation", Param::Ints(window.dilation.clone())),
        ("padding", Param::Ints(padding)),
        ("layout", Param::Str(format.layout())),
    ];
    Ok((x, attrs))
}

fn greatest(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    let x = n.x()?;
    let (format, window) = window(n, &x, spatial)?;
    let (x, attrs) = padded(b, &x, (format, &window), x.element().least())?;
    b.op(GREATEST[spatial - 1], &[x], &attrs)
}

/// The means of windows; padding does not count.
fn average(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    let x = n.x()?;
    let (format, window) = window(n, &x, spatial)?;
    let (wide, mut attrs) = padded(b, &x, (format, &window), 0.0)?;
    attrs.push(("count_include_pad", Param::Bool(false)));
    let made = b.op(AVERAGES[spatial - 1], &[wide], &attrs)?;
    let mut around = window.around.iter().flatten();
    if around.all(|width| width.is_known()) {
        return Ok(made);
    }
    // The padding is data for the operator: divides by the shares of elements that are none.
    let mut dims = vec![Dim::Known(1); x.rank()];
    for axis in format.axes() {
        dims[axis] = x.dims()[axis];
    }
    let ones = b.full(x.element(), &dims, 1.0)?;
    let (ones, _) = padded(b, &ones, (format, &window), 0.0)?;
    let shares = b.op(AVERAGES[spatial - 1], &[ones], &attrs)?;
    b.binary("divide", &made, &shares)
}

fn global(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (spatial, reduction): (usize, &str),
) -> Result<Value> {
    let x = n.x()?;
    let format = Format::of(&n.config, &x, spatial)?;
    let stays = n.config.flag("keepdims", false)?;
    along(b, reduction, &x, (&format.axes(), stays))
}

/// The mean of the steps that count.
fn global_average_1d(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let Some(mask) = n.mask() else {
        return global(n, b, (1, "mean")).map(Item::of);
    };
    let x = n.x()?;
    let format = Format::of(&n.config, &x, 1)?;
    let stays = n.config.flag("keepdims", false)?;
    let mut dims = mask.dims().to_vec();
    if dims.len() != 2 {
        return Err(format!("a mask of shape {dims:?}"));
    }
    dims.insert(format.channels(), Dim::Known(1));
    let mask = b.reshape(&mask, &dims)?;
    let weights = b.cast(&mask, x.element())?;
    let zero = b.scalar(x.element(), 0.0);
    let kept = b.op("where", &[mask, x, zero], &[])?;
    let axes = format.axes();
    let sum = along(b, "sum", &kept, (&axes, stays))?;
    let count = along(b, "sum", &weights, (&axes, stays))?;
    b.binary("divide", &sum, &count).map(Item::of)
}

/// So many windows over all of the data.
fn adaptive(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (spatial, operators): (usize, [&str; 3]),
) -> Result<Value> {
    let x = n.x()?;
    let format = Format::of(&n.config, &x, spatial)?;
    let size = n.config.ints_of("output_size", spatial, 1)?;
    let attrs = [
        ("output_size", Param::Ints(size)),
        ("layout", Param::Str(format.layout())),
    ];
    b.op(operators[spatial - 1], &[x], &attrs)
}
