//! Sums of all that comes before.

use super::{
    reduce::along,
    row::{Row, row},
    select::strided_slice,
    subscript::compare,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::index::ceil_div;

/// The family's row.
pub const ROWS: &[Row] = &[row("CumSum", 11, cumulative_sum)];

/// The number of elements of a block. Each sum in a block is computed anew, in as many additions.
const BLOCK: i64 = 64;

/// Sums, for each element, what is before it on an axis, or behind it with `reverse`. The element counts, if the sum is not `exclusive`.
fn cumulative_sum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let axis = x.axis(n.int(1, "the axis")?)?;
    let exclusive = n.attr_bool_or("exclusive", false)?;
    let reverse = n.attr_bool_or("reverse", false)?;
    let (before, behind) = x.shape().split_at(axis);
    let (outer, inner) = (before.iter().product(), behind[1..].iter().product());
    let flat = b.reshape(&x, &[outer, behind[0], inner])?;
    let sums = sums(b, &flat, (exclusive, reverse))?;
    Ok(vec![b.reshape(&sums, x.shape())?])
}

/// The sums along axis 1 of 3. A sum has two parts: that in its block, and the totals of the blocks before.
fn sums(b: &mut GraphBuilder, x: &Value, (exclusive, reverse): (bool, bool)) -> Result<Value> {
    let &[outer, extent, inner] = x.shape() else {
        return Err(format!("a sum of shape {:?}", x.shape()));
    };
    if extent <= BLOCK {
        return in_block(b, x, (exclusive, reverse));
    }
    let blocks = ceil_div(extent, BLOCK);
    let widths = vec![0, 0, 0, blocks * BLOCK - extent, 0, 0];
    let zero = b.scalar(x.element(), 0.0);
    let padded = b.pad(x, &zero, widths, "constant")?;
    let whole = b.reshape(&padded, &[outer * blocks, BLOCK, inner])?;
    let own = in_block(b, &whole, (exclusive, reverse))?;
    let totals = along(b, "sum", &whole, (&[1], false))?;
    let totals = b.reshape(&totals, &[outer, blocks, inner])?;
    let others = sums(b, &totals, (true, reverse))?;
    let others = b.reshape(&others, &[outer * blocks, 1, inner])?;
    let all = b.binary("add", &own, &others)?;
    let all = b.reshape(&all, &[outer, blocks * BLOCK, inner])?;
    strided_slice(b, &all, &[(1, 0, extent, 1)])
}

/// The same where there is one block: each element sums all of them, but those that do not come before count as 0.
fn in_block(b: &mut GraphBuilder, x: &Value, (exclusive, reverse): (bool, bool)) -> Result<Value> {
    let &[outer, extent, inner] = x.shape() else {
        return Err(format!("a sum of shape {:?}", x.shape()));
    };
    let op = match (exclusive, reverse) {
        (false, false) => "less_equal",
        (true, false) => "less",
        (false, true) => "greater_equal",
        (true, true) => "greater",
    };
    let counts = compare(b, op, (extent, extent), 0)?;
    let counts = b.reshape(&counts, &[extent, extent, 1])?;
    let terms = b.reshape(x, &[outer, 1, extent, inner])?;
    let zero = b.scalar(x.element(), 0.0);
    let terms = b.op("where", &[counts, terms, zero], &[])?;
    along(b, "sum", &terms, (&[2], false))
}
