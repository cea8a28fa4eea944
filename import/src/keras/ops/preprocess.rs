//! Layers that prepare data: scales, images at other sizes, categories; and masks.

use super::{
    reshape::resized,
    row::{Row, item, row},
};
use crate::{
    compose::{
        reduce::along,
        resample::{Mode, Rounding},
        slice::sliced,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    keras::{format::Format, item::Item, node::Node},
};
use relay_dialects::{dim::Dim, element::Element};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["CategoryEncoding"], category_encoding).keeping_types(),
    row(&["CenterCrop"], center_crop),
    row(&["Discretization"], discretization),
    item(&["Masking"], masking),
    row(&["Normalization"], normalization).passing(),
    row(&["Rescaling"], rescaling).passing().keeping_types(),
    row(&["Resizing"], resizing),
];

/// x * scale + offset. Integers become floats.
fn rescaling(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = b.cast(&n.x()?, n.policy.compute)?;
    let scale = n.config.floats("scale")?.unwrap_or_else(|| vec![1.0]);
    let offset = n.config.floats("offset")?.unwrap_or_else(|| vec![0.0]);
    let (scale, offset) = (vector(b, &x, &scale), vector(b, &x, &offset));
    let scaled = b.binary("multiply", &x, &scale)?;
    b.binary("add", &scaled, &offset)
}

/// A number, or one for each element of the last axis.
fn vector(b: &GraphBuilder, x: &Value, numbers: &[f64]) -> Value {
    match numbers {
        [one] => b.scalar(x.element(), *one),
        all => {
            let shape = vec![all.len() as i64];
            b.known(Const::new(
                x.element(),
                shape,
                &Numbers::Floats(all.to_vec()),
            ))
        }
    }
}

/// (x - mean) / max(sqrt(variance), 1e-7), with numbers that are attributes, or were found in data and are weights.
fn normalization(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = b.cast(&n.x()?, n.policy.compute)?;
    let axes = n.config.ints("axis")?.unwrap_or_default();
    let given = (n.config.floats("mean")?, n.config.floats("variance")?);
    let is_inverted = n.config.flag("invert", false)?;
    let (mean, variance) = match given {
        (Some(mean), Some(variance)) => (vector(b, &x, &mean), vector(b, &x, &variance)),
        _ => {
            let (mean, variance) = (n.weight(b, "mean")?, n.weight(b, "variance")?);
            let mut dims = vec![Dim::Known(1); x.rank()];
            for axis in x.axes(&axes)? {
                dims[axis] = x.dims()[axis];
            }
            (b.reshape(&mean, &dims)?, b.reshape(&variance, &dims)?)
        }
    };
    let deviation = b.unary("sqrt", &variance)?;
    let deviation = b.with_scalar("maximum", &deviation, 1e-7)?;
    match is_inverted {
        true => {
            let scaled = b.binary("multiply", &x, &deviation)?;
            b.binary("add", &scaled, &mean)
        }
        false => {
            let moved = b.binary("subtract", &x, &mean)?;
            b.binary("divide", &moved, &deviation)
        }
    }
}

/// Images at another size.
fn resizing(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    for name in ["crop_to_aspect_ratio", "pad_to_aspect_ratio", "antialias"] {
        if n.config.flag(name, false)? {
            return Err(format!("attribute '{name}' is not supported"));
        }
    }
    n.config
        .ignore(&["bounding_box_format", "fill_mode", "fill_value"]);
    let x = n.x()?;
    let format = Format::of(&n.config, &x, 2)?;
    let size = [
        n.config.required_int("height")?,
        n.config.required_int("width")?,
    ];
    if size.iter().any(|extent| !(1..1 << 20).contains(extent)) {
        return Err(format!("a size of {size:?}"));
    }
    let size = size.map(Dim::Known);
    let mode = match n.config.text_or("interpolation", "bilinear")? {
        "bilinear" => Mode::Linear,
        // Where an element lies between two, the later one is taken.
        "nearest" => Mode::Nearest(Rounding::PreferCeil),
        "bicubic" => Mode::Cubic(-0.5),
        other => return Err(format!("interpolation '{other}' is not supported")),
    };
    resized(b, &x, format, &size, mode)
}

/// The middle of images.
fn center_crop(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let format = Format::of(&n.config, &x, 2)?;
    let size = [
        n.config.required_int("height")?,
        n.config.required_int("width")?,
    ];
    let mut slices = Vec::new();
    for (axis, wanted) in format.axes().into_iter().zip(size) {
        let extent = x.extent(axis)?;
        if !(0..=extent).contains(&wanted) {
            return Err(format!(
                "an image with an extent of {extent} is smaller than {wanted}, and would be resized, which is not supported here"
            ));
        }
        let first = (extent - wanted) / 2;
        let (first, last) = (Dim::Known(first), Dim::Known(first + wanted));
        slices.push((axis, first, last, 1));
    }
    sliced(b, &x, &slices)
}

/// Categories as vectors: the place of each, which of them are there, or how often.
fn category_encoding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let count = n.config.required_int("num_tokens")?;
    let mode = n.config.text_or("output_mode", "multi_hot")?;
    let to = n.policy.compute;
    let indices = match x.element() {
        Element::I32 | Element::I64 => x.clone(),
        _ => b.cast(&x, Element::I32)?,
    };
    let (on, off) = (b.scalar(to, 1.0), b.scalar(to, 0.0));
    let attrs = [
        ("depth", Param::Int(count)),
        ("axis", Param::Int(-1)),
        ("dtype", Param::Type(to)),
    ];
    let places = b.op("one_hot", &[indices, on, off], &attrs)?;
    let steps = x.rank().saturating_sub(1);
    match mode {
        "one_hot" if x.rank() > 0 && x.dims()[steps] == 1 => {
            let dims = [&x.dims()[..steps], &[Dim::Known(count)]].concat();
            b.reshape(&places, &dims)
        }
        "one_hot" => Ok(places),
        _ if x.rank() == 0 => Ok(places),
        "multi_hot" if x.rank() == 1 => Ok(places),
        "multi_hot" => along(b, "max", &places, (&[steps], false)),
        "count" => along(b, "sum", &places, (&[steps], false)),
        other => Err(format!("attribute 'output_mode' is '{other}'")),
    }
}

/// The number of the interval of each number.
fn discretization(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.config.ignore(&["epsilon", "num_bins"]);
    if n.config.text_or("output_mode", "int")? != "int" {
        return Err("attribute 'output_mode' is not supported; 'int' is".into());
    }
    let bounds = n.config.floats("bin_boundaries")?;
    let bounds =
        bounds.ok_or("its bounds are found in data, and were not saved as 'bin_boundaries'")?;
    let x = n.x()?;
    let dims = [x.dims(), &[Dim::Known(1)]].concat();
    let x = b.reshape(&x, &dims)?;
    let bounds = vector(b, &x, &bounds);
    let is_above = b.binary("greater_equal", &x, &bounds)?;
    let ones = b.cast(&is_above, Element::I32)?;
    let last = dims.len() - 1;
    along(b, "sum", &ones, (&[last], false))
}

/// Steps all of whose numbers are one number do not count, and become zeros.
fn masking(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let (x, number) = (n.x()?, n.config.float("mask_value", 0.0)?);
    let last = x.axis(-1)?;
    let differs = b.with_scalar("not_equal", &x, number)?;
    let counts = along(b, "any", &differs, (&[last], true))?;
    let mask = b.reshape(&counts, &x.dims()[..last])?;
    let zero = b.scalar(x.element(), 0.0);
    let made = b.op("where", &[counts, x, zero], &[])?;
    Ok(Item::masked(made, Some(mask)))
}
