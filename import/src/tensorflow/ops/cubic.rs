//! Images at other sizes by a cubic interpolation.

use crate::compose::{image::Places, linear::dense};
use crate::graph::{
    builder::GraphBuilder,
    constant::{Const, Numbers},
    error::Result,
    value::Value,
};
use relay_dialects::{dim::Dim, element::Element};

/// Distances between elements are multiples of one part of so many.
const STEPS: f32 = 1024.0;
/// The most elements of an axis, and the most weights.
const MOST: i64 = 1 << 14;
const MOST_WEIGHTS: i64 = 1 << 24;

/// Keys' convolution at a distance below 1, and at one from 1 to 2.
fn keys(parameter: f32, distance: f32) -> f32 {
    if distance < 1.0 {
        ((parameter + 2.0) * distance - (parameter + 3.0)) * distance * distance + 1.0
    } else {
        ((parameter * distance - 5.0 * parameter) * distance + 8.0 * parameter) * distance
            - 4.0 * parameter
    }
}

/// The weights of the elements of an axis for each element of the result: a matrix.
fn weights(input: i64, output: i64, places: Places) -> Result<Value> {
    let is_fine = (1..=MOST).contains(&input) && (1..=MOST).contains(&output);
    if !is_fine || input * output > MOST_WEIGHTS {
        return Err(format!("an image's extent of {input} at the size {output}"));
    }
    let scale = match places {
        Places::Corners if output > 1 => (input - 1) as f32 / (output - 1) as f32,
        _ => input as f32 / output as f32,
    };
    let parameter = if places == Places::Centers {
        -0.5
    } else {
        -0.75
    };
    let mut matrix = vec![0.0; (input * output) as usize];
    for (row, line) in matrix.chunks_exact_mut(input as usize).enumerate() {
        let at = match places {
            Places::Centers => (row as f32 + 0.5) * scale - 0.5,
            _ => row as f32 * scale,
        };
        let first = at.floor();
        let rest = ((at - first) * STEPS).round_ties_even() / STEPS;
        let taps = [rest + 1.0, rest, 1.0 - rest, 2.0 - rest];
        let mut sum = 0.0;
        for (tap, distance) in taps.into_iter().enumerate() {
            let place = first as i64 - 1 + tap as i64;
            let inside = place.clamp(0, input - 1);
            // Of elements in their middle, those outside count nothing, and the others more.
            if places == Places::Centers && place != inside {
                continue;
            }
            let weight = keys(parameter, distance);
            line[inside as usize] += f64::from(weight);
            sum += f64::from(weight);
        }
        if places == Places::Centers && sum.abs() > f64::from(1000.0 * f32::MIN_POSITIVE) {
            line.iter_mut().for_each(|weight| *weight /= sum);
        }
    }
    let shape = vec![output, input];
    let matrix = Const::new(Element::F32, shape, &Numbers::Floats(matrix));
    Ok(Value::known(matrix, "weights"))
}

/// An image whose rows and columns are sums of the image's, with constant weights.
///
/// # Errors
/// If a size is not known.
pub fn cubic(b: &mut GraphBuilder, x: &Value, size: &[Dim], places: Places) -> Result<Value> {
    let mut made = b.cast(x, Element::F32)?;
    for axis in 1..=2 {
        let output = size[axis - 1].known();
        let output = output.ok_or("the size has to be known for a cubic interpolation")?;
        let weights = weights(made.extent(axis)?, output, places)?;
        // The axis is the last one of a product, and moves back behind it.
        let order = if axis == 1 {
            [0, 2, 3, 1]
        } else {
            [0, 1, 3, 2]
        };
        let back = if axis == 1 {
            [0, 3, 1, 2]
        } else {
            [0, 1, 3, 2]
        };
        let moved = b.transpose(&made, &order)?;
        let rows = b.matrix(&moved, 3)?;
        let sums = dense(b, &rows, &weights)?;
        let dims = [&moved.dims()[..3], &[Dim::Known(output)]].concat();
        let apart = b.reshape(&sums, &dims)?;
        made = b.transpose(&apart, &back)?;
    }
    Ok(made)
}
