//! Products and convolutions with what surrounds them.

use super::super::{
    activation::activated,
    conv::biased,
    linear::{gemm, product},
    row::{Row, row},
};
use crate::{
    compose::activation::clipped,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.FusedConv", 1, fused_conv),
    row("com.microsoft.FusedGemm", 1, fused_gemm),
    row("com.microsoft.FusedMatMul", 1, fused_matmul),
    row("com.microsoft.TransposeMatMul", 1, fused_matmul),
];

/// alpha * A' * B', where A' is A with some axes exchanged.
fn fused_matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = exchanged(n, b, 0, ["transA", "transBatchA"])?;
    let y = exchanged(n, b, 1, ["transB", "transBatchB"])?;
    let result = product(b, &x, &y)?;
    Ok(vec![match n.attr_f32_or("alpha", 1.0)? {
        1.0 => result,
        alpha => b.with_scalar("multiply", &result, alpha)?,
    }])
}

/// An operand whose first axis goes behind the other batches, and whose last two are exchanged, as two attributes say.
fn exchanged(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    index: usize,
    [matrix, batch]: [&str; 2],
) -> Result<Value> {
    let x = n.input(index)?;
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    let rank = axes.len();
    if n.attr_bool_or(batch, false)? {
        if rank < 3 {
            return Err(format!(
                "attribute '{batch}' asks for a batch, input {index} has none"
            ));
        }
        axes[..rank - 1].rotate_left(1);
    }
    // A vector is a row or a column as it has to be.
    if n.attr_bool_or(matrix, false)? && rank > 1 {
        axes.swap(rank - 2, rank - 1);
    }
    b.transpose(&x, &axes)
}

fn fused_gemm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let result = gemm(n, b)?.swap_remove(0);
    let number = |name| n.attr_f32(name).map(|number| number.map(f64::from));
    let numbers = [number("activation_alpha")?, number("activation_beta")?];
    // No activation has a third number.
    n.ignore_attr("activation_gamma");
    Ok(vec![behind(n, b, result, numbers)?])
}

/// Another tensor is added before the activation, if there is one.
fn fused_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let mut result = biased(n, b)?;
    if let Some(other) = n.optional(3) {
        result = b.binary("add", &result, &other)?;
    }
    let numbers = n.attr_floats("activation_params")?.unwrap_or_default();
    let number = |place: usize| numbers.get(place).copied().map(f64::from);
    Ok(vec![behind(n, b, result, [number(0), number(1)])?])
}

/// The activation that a node names, with its numbers.
fn behind(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: Value,
    [first, second]: [Option<f64>; 2],
) -> Result<Value> {
    match &n.attr_str_or("activation", "")?[..] {
        "" => Ok(x),
        "Clip" => {
            let (low, high) = (f64::from(f32::MIN), f64::from(f32::MAX));
            clipped(b, &x, first.unwrap_or(low), second.unwrap_or(high))
        }
        name => activated(b, name, &x, (first, second)),
    }
}
