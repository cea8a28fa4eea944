//! Gaussian error linear units.

use super::super::row::{Row, row};
use crate::{
    compose::activation::{gelu_by_tanh, gelu_of, self_gated},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.BiasGelu", 1, bias_gelu),
    row("com.microsoft.FastGelu", 1, fast_gelu),
    row("com.microsoft.Gelu", 1, gelu),
    row("com.microsoft.QuickGelu", 1, quick_gelu),
];

fn gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    Ok(vec![gelu_of(b, &n.input(0)?)?])
}

fn bias_gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let sum = b.binary("add", &n.input(0)?, &n.input(1)?)?;
    Ok(vec![gelu_of(b, &sum)?])
}

/// By the hyperbolic tangent, of a sum if there is a bias.
fn fast_gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let mut x = n.input(0)?;
    if let Some(bias) = n.optional(1) {
        x = b.binary("add", &x, &bias)?;
    }
    Ok(vec![gelu_by_tanh(b, &x)?])
}

fn quick_gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.702)?;
    Ok(vec![self_gated(b, &n.input(0)?, alpha)?])
}
