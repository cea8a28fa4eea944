//! Tensors in which each of the greatest elements of windows is back where it was.

use super::{
    row::{Row, row},
    scatter::scattered,
    window::dims,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::check_dims,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::dim;

/// The family's rows.
pub const ROWS: &[Row] = &[row("MaxUnpool", 9, max_unpool)];

/// Puts each element where its index says, and 0 elsewhere. The result has the shape of what a pool with the same window makes the input
/// of, or a given one.
fn max_unpool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, places) = (n.input(0)?, n.input(1)?);
    let Some(axes) = x
        .rank()
        .checked_sub(2)
        .filter(|_| are_equal(places.dims(), x.dims()))
    else {
        return Err(format!(
            "indices of shape {:?} do not fit an input of shape {:?}",
            places.dims(),
            x.dims()
        ));
    };
    if n.attr_ints("kernel_shape")?.is_none() {
        return Err("attribute 'kernel_shape' is missing".into());
    }
    let kernel = dims(n, "kernel_shape", axes, 1, 1)?;
    let strides = dims(n, "strides", axes, 1, 1)?;
    let pads = dims(n, "pads", 2 * axes, 0, 0)?;
    let (planes, pooled) = x.dims().split_at(2);
    let shape = match n.optional_dims(2, "the output's shape")? {
        Some(shape) => shape,
        None => {
            let image = (0..axes).map(|axis| {
                let starts = pooled[axis].minus(1)?.times(strides[axis])?;
                starts.plus(kernel[axis] - pads[axis] - pads[axes + axis])
            });
            let planes = planes.iter().copied().map(Ok);
            planes.chain(image).collect::<Result<_>>()?
        }
    };
    check_dims(&shape)?;
    let (count, elements) = (dim::product(&shape)?, dim::product(x.dims())?);
    let nothing = b.full(x.element(), &[count], 0.0)?;
    let x = b.reshape(&x, &[elements])?;
    let places = b.reshape(&places, &[elements])?;
    let result = scattered(b, [nothing, places, x], (0, "update"))?;
    Ok(vec![b.reshape(&result, &shape)?])
}
