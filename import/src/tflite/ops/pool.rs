//! Pools.

use super::{
    activation::Activation,
    row::{Row, floats, row},
    window::{positive, window_of},
};
use crate::{
    compose::activation::round_from_zero,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::{fixed, node::Node},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("MAX_POOL_2D", max_pool),
    row("AVERAGE_POOL_2D", average_pool),
    floats("L2_POOL_2D", l2_pool),
];

/// Data with padding that is no attribute of a pool, the attributes, and whether there is such padding.
type Padded = (Value, Vec<(&'static str, Param)>, bool);

/// The attributes of a pool, and the data with padding that is not one of them.
fn window(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, fill: f64) -> Result<Padded> {
    let kernel = positive(n, &["filter_height", "filter_width"])?;
    let window = window_of(n, x, kernel, false)?;
    let is_padded = window.is_open();
    let (x, padding) = window.padded(b, x, fill)?;
    let attrs = vec![
        ("pool_size", Param::Ints(window.kernel)),
        ("strides", Param::Ints(window.strides)),
        ("dilation", Param::Ints(window.dilation)),
        ("padding", Param::Ints(padding)),
        ("layout", Param::Str("NHWC")),
    ];
    Ok((x, attrs, is_padded))
}

fn max_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let activation = Activation::of(n)?;
    let (x, attrs, _) = window(n, b, &x, x.element().least())?;
    let made = b.op("nn.max_pool2d", &[x], &attrs)?;
    if !n.is_quantised(0) {
        return Ok(vec![activation.apply(b, &made)?]);
    }
    let to = n.grain_of_result(0)?;
    Ok(vec![match activation {
        Activation::None => made,
        _ => fixed::narrowed(b, &made, 0, activation.range(&to)?, to.element)?,
    }])
}

/// The means of windows of floats; the padding does not count.
fn means(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let (padded, mut attrs, is_padded) = window(n, b, x, 0.0)?;
    attrs.push(("count_include_pad", Param::Bool(false)));
    let made = b.op("nn.avg_pool2d", &[padded], &attrs)?;
    if !is_padded {
        return Ok(made);
    }
    // The shares of elements that are no padding.
    let dims = [&[1.into()], &x.dims()[1..3], &[1.into()]].concat();
    let ones = b.full(x.element(), &dims, 1.0)?;
    let (ones, ..) = window(n, b, &ones, 0.0)?;
    let shares = b.op("nn.avg_pool2d", &[ones], &attrs)?;
    b.binary("divide", &made, &shares)
}

/// What makes a mean that is half way between two integers one that is above, whatever its last bits are: less than half of the
/// distance of two means of fewer than 2^24 elements.
const TIE: f64 = 1e-8;

fn average_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let activation = Activation::of(n)?;
    if !n.is_quantised(0) {
        let made = means(n, b, &x)?;
        return Ok(vec![activation.apply(b, &made)?]);
    }
    let to = n.grain_of_result(0)?;
    let exact = b.cast(&x, Element::F64)?;
    let means = means(n, b, &exact)?;
    let sign = b.unary("sign", &means)?;
    let tie = b.with_scalar("multiply", &sign, TIE)?;
    let means = b.binary("add", &means, &tie)?;
    let rounded = round_from_zero(b, &means)?;
    let words = b.cast(&rounded, Element::I32)?;
    Ok(vec![fixed::narrowed(
        b,
        &words,
        0,
        activation.range(&to)?,
        to.element,
    )?])
}

/// The root of the mean of squares.
fn l2_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let activation = Activation::of(n)?;
    let squares = b.binary("multiply", &x, &x)?;
    let means = means(n, b, &squares)?;
    let roots = b.unary("sqrt", &means)?;
    Ok(vec![activation.apply(b, &roots)?])
}
