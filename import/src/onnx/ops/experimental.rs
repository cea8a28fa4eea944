//! Operators that ONNX had before operator set 10 as experiments. Converters of that time write them, and ONNX Runtime still has them.

use super::{
    activation::activated,
    reduce::along,
    row::{Row, row},
    select::strided_slice,
    subscript::one_axis,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Affine", 1, |n, b| function(n, b, "Affine")),
    row("Crop", 1, crop),
    row("ImageScaler", 1, scale_image),
    row("MeanVarianceNormalization", 1, normalize_channels).until(8),
    row("ParametricSoftplus", 1, parametric_softplus),
    row("Scale", 1, scale),
    row("ScaledTanh", 1, |n, b| function(n, b, "ScaledTanh")),
];

/// A function that recurrent operators have as an activation, with numbers that are not optional there.
fn function(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let number = |which| match n.attr_f32(which)? {
        Some(number) => Ok(Some(f64::from(number))),
        None => Err(format!("attribute '{which}' is missing")),
    };
    let numbers = (number("alpha")?, number("beta")?);
    Ok(vec![activated(b, name, &n.input(0)?, numbers)?])
}

/// alpha * log(1 + exp(beta * x)).
fn parametric_softplus(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let (alpha, beta) = (n.attr_f32_or("alpha", 1.0)?, n.attr_f32_or("beta", 1.0)?);
    let scaled = b.with_scalar("multiply", &n.input(0)?, beta)?;
    let softplus = activated(b, "Softplus", &scaled, (None, None))?;
    Ok(vec![b.with_scalar("multiply", &softplus, alpha)?])
}

fn scale(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let factor = n.attr_f32_or("scale", 1.0)?;
    Ok(vec![b.with_scalar("multiply", &n.input(0)?, factor)?])
}

/// Fails unless the input is a batch of images.
fn check_images(x: &Value) -> Result<()> {
    match x.rank() {
        4 => Ok(()),
        rank => Err(format!("the input has rank {rank}, expected 4")),
    }
}

/// An image scaled, with a bias for each channel.
fn scale_image(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    check_images(&x)?;
    let bias = n.attr_floats("bias")?.unwrap_or_default();
    let channels = x.extent(1)?;
    if bias.len() as i64 != channels {
        return Err(format!(
            "attribute 'bias' has {} numbers, expected {channels}",
            bias.len()
        ));
    }
    let numbers = Numbers::Floats(bias.into_iter().map(f64::from).collect());
    let bias = b.known(Const::new(x.element(), one_axis(4, 1, channels), &numbers));
    let scaled = b.with_scalar("multiply", &x, n.attr_f32_or("scale", 1.0)?)?;
    Ok(vec![b.binary("add", &scaled, &bias)?])
}

/// Without a border, whose widths are left, top, right and bottom; or so many rows and columns behind its left and top.
fn crop(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    check_images(&x)?;
    let border = n.attr_ints("border")?.unwrap_or_default();
    let &[left, top, right, bottom] = &border[..] else {
        return Err(format!(
            "attribute 'border' is {border:?}, expected four numbers"
        ));
    };
    let (rows, columns) = (x.extent(2)?, x.extent(3)?);
    let ends = match n.attr_ints("scale")?.as_deref() {
        None => [rows.checked_sub(bottom), columns.checked_sub(right)],
        Some(&[height, width]) => [top.checked_add(height), left.checked_add(width)],
        Some(other) => {
            return Err(format!(
                "attribute 'scale' is {other:?}, expected two numbers"
            ));
        }
    };
    let [Some(end), Some(last)] = ends else {
        return Err(format!("attribute 'border' is {border:?}"));
    };
    let fits = |first: i64, end: i64, extent: i64| 0 <= first && first <= end && end <= extent;
    if !fits(top, end, rows) || !fits(left, last, columns) {
        return Err(format!(
            "attributes 'border' and 'scale' do not fit an image of {rows} x {columns}"
        ));
    }
    Ok(vec![strided_slice(
        b,
        &x,
        &[(2, top, end, 1), (3, left, last, 1)],
    )?])
}

/// What is added to the deviation, as in ONNX Runtime.
const DEVIATION_SHIFT: f64 = 1e-9;

/// Subtracts the mean of each channel of the batch, or of the whole batch, and divides by the deviation if asked to.
fn normalize_channels(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let across = n.attr_bool_or("across_channels", false)?;
    let axes: Vec<usize> = (0..x.rank()).filter(|&axis| across || axis != 1).collect();
    let mean = along(b, "mean", &x, (&axes, true))?;
    let difference = b.binary("subtract", &x, &mean)?;
    if !n.attr_bool_or("normalize_variance", true)? {
        return Ok(vec![difference]);
    }
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = along(b, "mean", &square, (&axes, true))?;
    let deviation = b.unary("sqrt", &variance)?;
    let shifted = b.with_scalar("add", &deviation, DEVIATION_SHIFT)?;
    Ok(vec![b.binary("divide", &difference, &shifted)?])
}
