//! Transforms of signals, and complex numbers.

use super::row::{Row, complex};
use crate::{
    compose::slice::sliced,
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    tflite::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};
use std::f64::consts::TAU;

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
    let squares = n.complex(0)?.map(|part| b.binary("multiply", &part, &part));
    let [real, imaginary] = squares;
    let sum = b.binary("add", &real?, &imaginary?)?;
    Ok(vec![b.unary("sqrt", &sum)?])
}

/// The longest transform: it is a product with a matrix.
const LONGEST: i64 = 1 << 13;

/// The cosines or the negative sines of a transform of so many numbers, a row for each frequency.
fn waves(b: &GraphBuilder, length: i64, frequencies: i64, wave: fn(f64) -> f64) -> Value {
    let angle =
        |place: i64, frequency: i64| TAU * (place * frequency % length) as f64 / length as f64;
    let rows = (0..frequencies)
        .flat_map(|frequency| (0..length).map(move |place| wave(angle(place, frequency))));
    let numbers = Numbers::Floats(rows.collect());
    b.known(Const::new(
        Element::F32,
        vec![frequencies, length],
        &numbers,
    ))
}

/// The last dimension in so many elements: cut off, or with zeros behind it.
fn fitted(b: &mut GraphBuilder, x: &Value, axis: usize, length: i64) -> Result<Value> {
    let extent = x.extent(axis)?;
    if extent > length {
        return sliced(b, x, &[(axis, 0.into(), length.into(), 1)]);
    }
    let mut widths = vec![Dim::Known(0); 2 * x.rank()];
    widths[2 * axis + 1] = Dim::Known(length - extent);
    let zero = b.scalar(x.element(), 0.0);
    b.pad(x, &zero, &widths, "constant")
}

/// The products of the last dimension with each row of a matrix.
fn transformed(b: &mut GraphBuilder, x: &Value, waves: &Value) -> Result<Value> {
    let (rows, last) = x.dims().split_at(x.rank() - 1);
    let matrix = b.reshape(x, &[dim::product(rows)?, last[0]])?;
    let made = b.binary("nn.dense", &matrix, waves)?;
    b.reshape(&made, &[rows, &waves.dims()[..1]].concat())
}

/// The transform of the last two dimensions of real numbers, without what the symmetry of the last one says.
fn rfft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let lengths = n.known(1)?;
    let &[height, width] = &lengths[..] else {
        return Err(format!("{} lengths, expected 2", lengths.len()));
    };
    if x.rank() < 2
        || [height, width]
            .iter()
            .any(|length| !(1..=LONGEST).contains(length))
    {
        return Err(format!(
            "a transform of {height} x {width} of data of shape {:?} is not supported",
            x.dims()
        ));
    }
    let (rows, columns) = (x.rank() - 2, x.rank() - 1);
    let x = fitted(b, &x, rows, height)?;
    let x = fitted(b, &x, columns, width)?;
    let frequencies = width / 2 + 1;
    let cosines = waves(b, width, frequencies, f64::cos);
    let sines = waves(b, width, frequencies, |angle| -angle.sin());
    let (real, imaginary) = (transformed(b, &x, &cosines)?, transformed(b, &x, &sines)?);
    if height == 1 {
        return Ok(vec![real, imaginary]);
    }
    let mut order: Vec<usize> = (0..x.rank()).collect();
    order.swap(rows, columns);
    let cosines = waves(b, height, height, f64::cos);
    let sines = waves(b, height, height, |angle| -angle.sin());
    let turned = [real, imaginary].map(|part| b.transpose(&part, &order));
    let [real, imaginary] = turned;
    let (real, imaginary) = (real?, imaginary?);
    let by = |b: &mut GraphBuilder, x: &Value, waves: &Value| transformed(b, x, waves);
    let parts = [
        (
            by(b, &real, &cosines)?,
            by(b, &imaginary, &sines)?,
            "subtract",
        ),
        (by(b, &real, &sines)?, by(b, &imaginary, &cosines)?, "add"),
    ];
    parts
        .into_iter()
        .map(|(first, second, op)| {
            let sum = b.binary(op, &first, &second)?;
            b.transpose(&sum, &order)
        })
        .collect()
}
