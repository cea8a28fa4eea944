//! Einsum: sums of products, in Einstein's notation.

use super::row::{Row, row};
use crate::{
    compose,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's row.
pub const ROWS: &[Row] = &[row("Einsum", 12, einsum)];

fn einsum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let equation = n.attr_str_or("equation", "")?;
    Ok(vec![compose::einsum::einsum(b, n.variadic()?, &equation)?])
}
