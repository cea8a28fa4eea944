//! Matrix products.

use super::row::{Row, row};
pub(super) use crate::compose::linear::{batched, dense, product};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcasts},
    },
    onnx::node::Node,
};
use relay_dialects::dim::{self};

/// The family's rows.
pub const ROWS: &[Row] = &[row("Gemm", 1, gemm), row("MatMul", 1, matmul)];

/// `alpha * A' * B' + beta * C`.
pub(super) fn gemm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (mut x, mut w) = (n.input(0)?, n.input(1)?);
    if x.rank() != 2 || w.rank() != 2 {
        return Err(format!(
            "A and B have shapes {:?} and {:?}, expected matrices",
            x.dims(),
            w.dims()
        ));
    }
    if n.attr_bool_or("transA", false)? {
        x = b.transpose(&x, &[1, 0])?;
    }
    if !n.attr_bool_or("transB", false)? {
        w = b.transpose(&w, &[1, 0])?;
    }
    if dim::unify(x.dims()[1], w.dims()[1]).is_none() {
        return Err(format!(
            "A' has {} columns, B' has {} rows",
            x.dims()[1],
            w.dims()[1]
        ));
    }
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    let beta = n.attr_f32_or("beta", 1.0)?;
    let mut result = dense(b, &x, &w)?;
    if alpha != 1.0 {
        result = b.with_scalar("multiply", &result, alpha)?;
    }
    n.ignore_attr("broadcast");
    let Some(mut c) = n.optional(2).filter(|_| beta != 0.0) else {
        return Ok(vec![result]);
    };
    let may_broadcast = n.opset >= 7 || n.attr_bool_or("broadcast", false)?;
    if !broadcasts(c.dims(), result.dims()) || !may_broadcast && c.rank() != 2 {
        return Err(format!(
            "C of shape {:?} does not broadcast to {:?}",
            c.dims(),
            result.dims()
        ));
    }
    if beta != 1.0 {
        c = b.with_scalar("multiply", &c, beta)?;
    }
    if c.dims() == &result.dims()[1..] {
        return Ok(vec![b.op(
            "nn.bias_add",
            &[result, c],
            &[("axis", Param::Int(1))],
        )?]);
    }
    Ok(vec![b.binary("add", &result, &c)?])
}

fn matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    Ok(vec![product(b, &n.input(0)?, &n.input(1)?)?])
}
