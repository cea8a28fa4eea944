//! Products of groups of rows, as mixtures of experts have them.

use super::row::{Row, row};
use crate::{
    compose::{grouped::grouped_product, linear::product},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_grouped_mm", grouped),
    row("transformers.grouped_mm_fallback", |n, b| {
        let (x, weights) = (n.tensor("input")?, n.tensor("weight")?);
        grouped_product(b, &x, &weights, &n.tensor("offs")?)
    }),
];

/// Rows in groups with a matrix for each, or matrices in batches.
fn grouped(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, weights) = (n.tensor("self")?, n.tensor("mat2")?);
    let ends = n.optional_tensor("offs")?;
    if n.optional_tensor("bias")?.is_some() {
        return Err("a bias is not supported".into());
    }
    let made = match (x.rank(), weights.rank(), ends) {
        (2, 3, Some(ends)) => grouped_product(b, &x, &weights, &ends)?,
        (3, 3, None) => product(b, &x, &weights)?,
        (lhs, rhs, ends) => {
            return Err(format!(
                "operands of {lhs} and {rhs} dimensions {} offsets are not supported: only groups of rows (2 and 3, with offsets) and batches (3 and 3) are",
                if ends.is_some() { "with" } else { "without" }
            ));
        }
    };
    match n.element("out_dtype")? {
        Some(element) => b.cast(&made, element),
        None => Ok(made),
    }
}
