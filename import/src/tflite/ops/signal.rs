//! Transforms of signals, and complex numbers.

use super::row::{Row, complex};
use crate::{
    compose::{
        complex::Complex,
        fourier::{Kind, half},
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    complex("RFFT2D", rfft),
    complex("COMPLEX_ABS", magnitude),
    complex("REAL", |n, _| Ok(vec![n.input(0)?])),
    complex("IMAG", |n, _| Ok(vec![n.complex(0)?[1].clone()])),
];

/// Operators that do with each part of complex numbers what they do with real ones.
const BY_PARTS: &[&str] = &[
    "ADD",
    "BROADCAST_TO",
    "CONCATENATION",
    "EXPAND_DIMS",
    "GATHER",
    "PACK",
    "RESHAPE",
    "SLICE",
    "SPLIT",
    "SPLIT_V",
    "SQUEEZE",
    "STRIDED_SLICE",
    "SUB",
    "SUM",
    "TRANSPOSE",
    "UNPACK",
];

/// Whether an operator does with each part of complex numbers what it does with real ones.
pub fn is_by_parts(operator: &str) -> bool {
    BY_PARTS.contains(&operator)
}

fn magnitude(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let [real, imaginary] = n.complex(0)?;
    Ok(vec![Complex { real, imaginary }.abs(b)?])
}

/// The transform of the last two dimensions of real numbers, without what the symmetry of the last one says.
fn rfft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let lengths = n.known(1)?;
    let &[height, width] = &lengths[..] else {
        return Err(format!("{} lengths, expected 2", lengths.len()));
    };
    if x.rank() < 2 {
        return Err(format!(
            "a transform of {height} x {width} of data of shape {:?} is not supported",
            x.dims()
        ));
    }
    let axes = [(x.rank() - 2, Some(height)), (x.rank() - 1, Some(width))];
    let made = half(b, &x, &axes, Kind::plain(false))?;
    Ok(vec![made.real, made.imaginary])
}
