//! The windows of convolutions and pools.

use crate::{
    compose::window::{Padding, Window},
    graph::{error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::relay::ops::window::LARGEST;

/// The options that say steps, by the number of spatial axes.
const STRIDES: [&[&str]; 2] = [
    &["stride_h", "stride_w"],
    &["stride_d", "stride_h", "stride_w"],
];
const DILATION: [&[&str]; 2] = [
    &["dilation_h_factor", "dilation_w_factor"],
    &[
        "dilation_d_factor",
        "dilation_h_factor",
        "dilation_w_factor",
    ],
];

/// How a node's data are padded.
pub fn padding(n: &Node<'_>) -> Result<Padding> {
    Ok(match is_same(n)? {
        true => Padding::Same,
        false => Padding::Valid,
    })
}

/// Whether a node's option `padding` says that a window lies wherever its first element is in the data.
fn is_same(n: &Node<'_>) -> Result<bool> {
    match n.byte("padding")? {
        0 => Ok(true),
        1 => Ok(false),
        other => Err(format!("option 'padding' is {other}, which is unknown")),
    }
}

/// Options that are numbers from 1 on.
pub fn positive(n: &Node<'_>, names: &[&str]) -> Result<Vec<i64>> {
    let read = names.iter().map(|name| {
        let number = n.int(name)?;
        match (1..=LARGEST).contains(&number) {
            true => Ok(number),
            false => Err(format!(
                "option '{name}' is {number}, which is out of range"
            )),
        }
    });
    read.collect()
}

/// The window of a node's options over data.
pub fn window_of(n: &Node<'_>, x: &Value, kernel: Vec<i64>, is_dilated: bool) -> Result<Window> {
    let rank = kernel.len();
    let table = rank.checked_sub(2).filter(|table| *table < STRIDES.len());
    let table = table.ok_or_else(|| format!("{rank} spatial axes are not supported"))?;
    let strides = positive(n, STRIDES[table])?;
    let dilation = match is_dilated {
        true => positive(n, DILATION[table])?,
        false => vec![1; rank],
    };
    Window::of(x, 1, [kernel, strides, dilation], &padding(n)?)
}
