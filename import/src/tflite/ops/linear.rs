//! Products of matrices.

use super::{
    product::{Product, finish},
    row::{Row, row},
};
use crate::{
    compose::{activation::round_from_zero, linear::product},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::{fixed, grain::Grain, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("FULLY_CONNECTED", fully_connected),
    row("BATCH_MATMUL", batch_matmul),
];

fn fully_connected(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, weight) = (n.input(0)?, n.input(1)?);
    if n.byte("weights_format")? != 0 {
        return Err("weights in an order for one processor are not supported".into());
    }
    // How data of floats are quantised for a weight of bytes changes nothing here: floats are multiplied.
    n.ignore("asymmetric_quantize_inputs")?;
    let [units, inputs] = weight.dims()[..] else {
        return Err(format!(
            "the weight has shape {:?}, expected a matrix",
            weight.dims()
        ));
    };
    let all = dim::product(x.dims())?;
    let rows = match (all.known(), inputs.known()) {
        (Some(all), Some(inputs)) if inputs > 0 => Dim::Known(all / inputs),
        _ if x.dims().last() == Some(&inputs) => dim::product(&x.dims()[..x.rank() - 1])?,
        _ => {
            return Err(format!(
                "data of shape {:?} and {inputs} inputs of the weight",
                x.dims()
            ));
        }
    };
    let shape = match n.flag("keep_num_dims")? {
        true if x.rank() > 0 => [&x.dims()[..x.rank() - 1], &[units]].concat(),
        _ => vec![rows, units],
    };
    let product = Product::read(n, b, (0, 1), 0)?.dense();
    let data = b.reshape(&product.data, &[rows, inputs])?;
    let sums = product.sums(b, "nn.dense", &data, &[])?;
    let made = finish(n, b, sums, &product, 2)?;
    made.iter().map(|value| b.reshape(value, &shape)).collect()
}

/// A tensor with its last two dimensions exchanged.
fn turned(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    if let [.., rows, columns] = &mut axes[..] {
        std::mem::swap(rows, columns);
    }
    b.transpose(x, &axes)
}

/// Operands with rows and columns exchanged as the options say.
fn adjusted(n: &Node<'_>, b: &mut GraphBuilder, [x, y]: [Value; 2]) -> Result<[Value; 2]> {
    Ok([
        if n.flag("adj_x")? { turned(b, &x)? } else { x },
        if n.flag("adj_y")? { turned(b, &y)? } else { y },
    ])
}

fn batch_matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("asymmetric_quantize_inputs")?;
    if !n.is_quantised(0) {
        let (x, mut y) = (n.input(0)?, n.input(1)?);
        if n.is_quantised(1) {
            y = n.grain(1)?.dequantised(b, &y)?;
        }
        let [x, y] = adjusted(n, b, [x, y])?;
        return Ok(vec![product(b, &x, &y)?]);
    }
    let (from, with) = (n.grain(0)?, n.grain(1)?);
    if from.scales.len() > 1 || with.scales.len() > 1 {
        return product_of_numbers(n, b, [&from, &with]);
    }
    let operands = [wide(n, b, 0)?, wide(n, b, 1)?];
    let [x, y] = adjusted(n, b, operands)?;
    let sums = product(b, &x, &y)?;
    let sums = b.cast(&sums, Element::I64)?;
    if !Grain::is_of(n.result(0)?) {
        return Ok(vec![b.cast(&sums, n.element(0)?)?]);
    }
    let to = n.grain_of_result(0)?;
    let factor = f64::from(from.scale()? * with.scale()?) / f64::from(to.scale()?);
    let scaled = match from.element {
        Element::I16 => fixed::scaled_wide(b, &sums, &[factor])?,
        _ => {
            let sums = b.cast(&sums, Element::I32)?;
            fixed::scaled(b, &sums, &[factor], 0)?
        }
    };
    let range = to.range(None, None)?;
    Ok(vec![fixed::narrowed(
        b,
        &scaled,
        to.zero()?,
        range,
        to.element,
    )?])
}

/// The product of operands that have a scale for each subscript of a dimension: of the numbers that the integers stand for, in floats of 64
/// bits, so that the nearest step is found. Kernels of TensorFlow Lite take one scale only, and find none here.
fn product_of_numbers(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    grains: [&Grain; 2],
) -> Result<Vec<Value>> {
    let to = n.grain_of_result(0)?;
    let numbers = [
        grains[0].wide_numbers(b, &n.input(0)?)?,
        grains[1].wide_numbers(b, &n.input(1)?)?,
    ];
    let [x, y] = adjusted(n, b, numbers)?;
    let made = product(b, &x, &y)?;
    let steps = b.with_scalar("divide", &made, to.scale()?.into())?;
    let rounded = round_from_zero(b, &steps)?;
    let range = to.range(None, None)?;
    let made = fixed::narrowed(b, &rounded, to.zero()?, range, to.element)?;
    Ok(vec![made])
}

/// The distances of an input's integers from zero, in floats that hold sums of their products.
fn wide(n: &Node<'_>, b: &mut GraphBuilder, place: usize) -> Result<Value> {
    let distances = fixed::distances(b, &n.input(place)?, n.grain(place)?.zero()?)?;
    b.cast(&distances, Element::F64)
}
