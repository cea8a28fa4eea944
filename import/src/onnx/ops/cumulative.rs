//! Sums and products of all that comes before.

use super::{
    reduce::along,
    row::{Row, row},
    select::sliced,
    subscript::compare,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("CumProd", 26, |n, b| cumulative(n, b, &PRODUCT)),
    row("CumSum", 11, |n, b| cumulative(n, b, &SUM)),
];

/// How elements become one.
struct Kind {
    /// The operator that makes one of all along an axis.
    reduce: &'static str,
    /// The operator that makes one of two.
    combine: &'static str,
    /// The number that changes nothing.
    neutral: f64,
}

const SUM: Kind = Kind {
    reduce: "sum",
    combine: "add",
    neutral: 0.0,
};
const PRODUCT: Kind = Kind {
    reduce: "prod",
    combine: "multiply",
    neutral: 1.0,
};

/// The number of elements of a block. Each sum in a block is computed anew, in as many additions.
const BLOCK: i64 = 64;

/// Combines, for each element, what is before it on an axis, or behind it with `reverse`. The element counts, if the result is not
/// `exclusive`.
fn cumulative(n: &Node<'_>, b: &mut GraphBuilder, kind: &Kind) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let axis = x.axis(n.int(1, "the axis")?)?;
    let exclusive = n.attr_bool_or("exclusive", false)?;
    let reverse = n.attr_bool_or("reverse", false)?;
    let (before, behind) = x.dims().split_at(axis);
    let (outer, inner) = (dim::product(before)?, dim::product(&behind[1..])?);
    let flat = b.reshape(&x, &[outer, behind[0], inner])?;
    let results = kind.along_axis(b, &flat, (exclusive, reverse))?;
    Ok(vec![b.reshape(&results, x.dims())?])
}

/// The sums of a list's elements up to each of them.
pub(super) fn sums(b: &mut GraphBuilder, list: &Value) -> Result<Value> {
    let count = list.dims()[0];
    let one = Dim::Known(1);
    let line = b.reshape(list, &[one, count, one])?;
    let sums = SUM.along_axis(b, &line, (false, false))?;
    b.reshape(&sums, &[count])
}

/// The sums of the elements of a matrix up to each of them, in its row.
pub(super) fn sums_of_rows(b: &mut GraphBuilder, matrix: &Value) -> Result<Value> {
    let lines = b.reshape(matrix, &[matrix.dims(), &[Dim::Known(1)]].concat())?;
    let sums = SUM.along_axis(b, &lines, (false, false))?;
    b.reshape(&sums, matrix.dims())
}

impl Kind {
    /// What is before axis 1 of 3, along it, and behind it.
    fn extents(&self, x: &Value) -> Result<(Dim, Dim, Dim)> {
        match *x.dims() {
            [outer, extent, inner] => Ok((outer, extent, inner)),
            _ => Err(format!("a {} of shape {:?}", self.reduce, x.dims())),
        }
    }

    /// The results along axis 1 of 3. Each has two parts: that in its block, and the totals of the blocks before.
    fn along_axis(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (exclusive, reverse): (bool, bool),
    ) -> Result<Value> {
        let (outer, extent, inner) = self.extents(x)?;
        if extent.known().is_some_and(|extent| extent <= BLOCK) {
            return self.in_block(b, x, (exclusive, reverse));
        }
        let blocks = extent.ceil_div(BLOCK)?;
        let whole = blocks.times(BLOCK)?;
        let none = Dim::Known(0);
        let widths = [none, none, none, whole.minus(extent)?, none, none];
        let nothing = b.scalar(x.element(), self.neutral);
        let padded = b.pad(x, &nothing, &widths, "constant")?;
        let all_blocks = outer.times(blocks)?;
        let [one, block, count] = [Dim::Known(1), Dim::Known(BLOCK), blocks];
        let rows = b.reshape(&padded, &[all_blocks, block, inner])?;
        let own = self.in_block(b, &rows, (exclusive, reverse))?;
        let totals = along(b, self.reduce, &rows, (&[1], false))?;
        let totals = b.reshape(&totals, &[outer, count, inner])?;
        // Nobody knows how often a form has to be divided.
        let others = match blocks.known() {
            Some(_) => self.along_axis(b, &totals, (true, reverse))?,
            None => self.in_block(b, &totals, (true, reverse))?,
        };
        let others = b.reshape(&others, &[all_blocks, one, inner])?;
        let all = b.binary(self.combine, &own, &others)?;
        let all = b.reshape(&all, &[outer, whole, inner])?;
        sliced(b, &all, &[(1, none, extent, 1)])
    }

    /// The same where there is one block: each element combines all of them, but those that do not come before count as nothing.
    fn in_block(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (exclusive, reverse): (bool, bool),
    ) -> Result<Value> {
        let (outer, extent, inner) = self.extents(x)?;
        let op = match (exclusive, reverse) {
            (false, false) => "less_equal",
            (true, false) => "less",
            (false, true) => "greater_equal",
            (true, true) => "greater",
        };
        let one = Dim::Known(1);
        let counts = compare(b, op, (extent, extent), 0)?;
        let counts = b.reshape(&counts, &[extent, extent, one])?;
        let terms = b.reshape(x, &[outer, one, extent, inner])?;
        let nothing = b.scalar(x.element(), self.neutral);
        let terms = b.op("where", &[counts, terms, nothing], &[])?;
        along(b, self.reduce, &terms, (&[2], false))
    }
}
