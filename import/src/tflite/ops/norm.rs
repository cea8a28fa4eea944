//! Normalisation.

use super::{
    activation::Activation,
    row::{Row, floats},
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    floats("SOFTMAX", softmax),
    floats("L2_NORMALIZATION", l2_normalization),
    floats("LOCAL_RESPONSE_NORMALIZATION", lrn),
];

/// The softmax of the last dimension, times a factor before.
fn softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, beta) = (n.input(0)?, n.float("beta")?);
    let x = match beta == 1.0 {
        true => x,
        false => b.with_scalar("multiply", &x, beta)?,
    };
    Ok(vec![b.op(
        "nn.softmax",
        &[x],
        &[("axis", Param::Int(-1))],
    )?])
}

/// The least sum of squares.
const LEAST_SQUARES: f64 = 1e-12;

fn l2_normalization(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let activation = Activation::of(n)?;
    let attrs = [
        ("eps", Param::Float(LEAST_SQUARES)),
        ("axis", Param::Ints(vec![-1])),
    ];
    let made = b.op("nn.l2_normalize", &[n.input(0)?], &attrs)?;
    Ok(vec![activation.apply(b, &made)?])
}

fn lrn(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let radius = n.int("radius")?;
    if !(0..1 << 20).contains(&radius) || x.rank() == 0 {
        return Err(format!(
            "a radius of {radius} for data of shape {:?}",
            x.dims()
        ));
    }
    let size = 2 * radius + 1;
    let attrs = [
        ("size", Param::Int(size)),
        ("axis", Param::Int(x.rank() as i64 - 1)),
        ("bias", Param::Float(n.float("bias")?)),
        // Here it is of the sum, there of the mean.
        ("alpha", Param::Float(n.float("alpha")? * size as f64)),
        ("beta", Param::Float(n.float("beta")?)),
    ];
    Ok(vec![b.op("nn.lrn", &[x], &attrs)?])
}
