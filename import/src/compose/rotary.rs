//! Rotations that tell attention the positions of words.

use super::slice::strided_slice;
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;

/// A tensor of rank 4, whose first numbers of each head are turned, as many as there are cosines and sines.
pub fn rotated(
    b: &mut GraphBuilder,
    x: &Value,
    [cos, sin]: &[Value; 2],
    is_interleaved: bool,
) -> Result<Value> {
    let (half, size) = (cos.extent(3)?, x.extent(3)?);
    let turned = 2 * half;
    let [first, second] = match is_interleaved {
        true => [(0, turned, 2), (1, turned, 2)],
        false => [(0, half, 1), (half, turned, 1)],
    }
    .map(|(from, to, step)| strided_slice(b, x, &[(3, from, to, step)]));
    let (first, second) = (first?, second?);
    let mut product = |x, y| b.binary("multiply", x, y);
    let terms = [
        product(cos, &first)?,
        product(sin, &second)?,
        product(sin, &first)?,
        product(cos, &second)?,
    ];
    let real = b.binary("subtract", &terms[0], &terms[1])?;
    let imaginary = b.binary("add", &terms[2], &terms[3])?;
    let mut parts = match is_interleaved {
        true => vec![interleaved(b, &[real, imaginary])?],
        false => vec![real, imaginary],
    };
    if turned < size {
        parts.push(strided_slice(b, x, &[(3, turned, size, 1)])?);
    }
    b.concatenate(&parts, 3)
}

/// The elements of two tensors by turns, along the last of four axes.
fn interleaved(b: &mut GraphBuilder, parts: &[Value; 2]) -> Result<Value> {
    let mut shape = parts[0].dims().to_vec();
    shape.push(Dim::Known(1));
    let pairs = [b.reshape(&parts[0], &shape)?, b.reshape(&parts[1], &shape)?];
    let pairs = b.concatenate(&pairs, 4)?;
    shape.pop();
    shape[3] = shape[3].times(2)?;
    b.reshape(&pairs, &shape)
}
