//! Convolutions whose windows' elements lie where offsets say.

use super::{
    conv::{groups, kernel, with_bias},
    row::{Row, row},
    window::Window,
};
use crate::{
    compose::deform::deformed,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[row("DeformConv", 19, deform_conv)];

fn deform_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let (x, w, offsets) = (n.input(0)?, n.input(1)?, n.input(2)?);
    if x.rank() < 3 || w.rank() != x.rank() {
        return Err(format!(
            "a kernel of shape {:?} does not fit an input of shape {:?}",
            w.dims(),
            x.dims()
        ));
    }
    let groups = (groups(n)?, n.attr_i64_or("offset_group", 1)?);
    let window = Window::read(n, kernel(n, &w)?, &x.dims()[2..])?;
    let mask = n.optional(4);
    let result = deformed(b, [&x, &w, &offsets], mask.as_ref(), window, groups)?;
    Ok(vec![with_bias(n, b, result, (3, w.extent(0)?))?])
}
