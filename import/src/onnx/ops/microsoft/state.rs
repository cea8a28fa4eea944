//! Layers with a state, which ONNX has, too, without some of their attributes.

use super::super::{
    causal::causal_conv,
    linear_attention::linear_attention,
    row::{Row, row},
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.CausalConvWithState", 1, conv),
    row("com.microsoft.LinearAttention", 1, attention),
];

fn conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let only = [
        ("channels_last", 0),
        ("dilation", 1),
        ("ndim", 1),
        ("state_window", 0),
    ];
    check_only(n, &only)?;
    causal_conv(n, b)
}

fn attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_only(n, &[("state_window", 0)])?;
    linear_attention(n, b)
}

/// Fails if an attribute has another value than the one that is supported.
fn check_only(n: &Node<'_>, attributes: &[(&str, i64)]) -> Result<()> {
    for &(name, only) in attributes {
        let value = n.attr_i64_or(name, only)?;
        if value != only {
            return Err(format!(
                "attribute '{name}' is {value}; only {only} is supported"
            ));
        }
    }
    Ok(())
}
