//! Rows of tables that are added up in bags, and counts of numbers.

use super::row::{Row, row, rows};
use crate::{
    compose::{gather::check_indices, reduce::along, segment::segmented},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("bincount", bincount),
    row("histc", histogram),
    rows("embedding_bag", |n, b| bags(n, b, Padding::FromTheEnd)),
    rows("_embedding_bag", |n, b| bags(n, b, Padding::IsNone)),
    rows("_embedding_bag_forward_only", |n, b| {
        bags(n, b, Padding::IsNone)
    }),
];

/// How often each number is there, or the sum of the weights of those places.
fn bincount(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, least) = (n.tensor("self")?, n.int_or("minlength", 0)?.max(0));
    let x = b.cast(&x, Element::I64)?;
    let weights = match n.optional_tensor("weights")? {
        Some(weights) if weights.element() == Element::F32 => weights,
        Some(weights) => b.cast(&weights, Element::F64)?,
        None => b.full(Element::I64, x.dims(), 1.0)?,
    };
    let count = match x.is_empty() {
        true => Dim::Known(least),
        false => {
            let axes: Vec<usize> = (0..x.rank()).collect();
            let greatest = along(b, "max", &x, (&axes, false))?;
            let count = b.with_scalar("add", &greatest, 1.0)?;
            let count = b.with_scalar("maximum", &count, least as f64)?;
            b.define(&count, "bins", None)?
        }
    };
    segmented(b, (&weights, &x), count, "add", 0.0)
}

/// How many numbers lie in each of some bins of equal widths. The last bin has its end, too; what lies in no bin is left out. Two equal ends
/// stand for the least and the greatest number.
fn histogram(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, bins) = (n.tensor("self")?, n.int_or("bins", 100)?);
    let (least, greatest) = (n.float_or("min", 0.0)?, n.float_or("max", 0.0)?);
    let is_valid = least.is_finite() && greatest.is_finite() && least <= greatest;
    if bins <= 0 || !is_valid || !x.element().is_float() {
        return Err(format!(
            "{bins} bins of {:?} from {least} to {greatest} are not valid",
            x.element()
        ));
    }
    let x = b.reshape(&x, &[dim::product(x.dims())?])?;
    let [low, high] = match least < greatest {
        true => [least, greatest].map(|end| b.scalar(x.element(), end)),
        false if x.is_empty() => [least, least + 1.0].map(|end| b.scalar(x.element(), end)),
        false => ends_of(b, &x)?,
    };
    let width = b.binary("subtract", &high, &low)?;
    let place = b.binary("subtract", &x, &low)?;
    let place = b.with_scalar("multiply", &place, bins as f64)?;
    let place = b.binary("divide", &place, &width)?;
    let place = b.unary("floor", &place)?;
    let place = b.with_scalar("minimum", &place, (bins - 1) as f64)?;
    let above = b.binary("greater_equal", &x, &low)?;
    let below = b.binary("less_equal", &x, &high)?;
    let is_inside = b.binary("logical_and", &above, &below)?;
    let nowhere = b.scalar(x.element(), -1.0);
    let place = b.op("where", &[is_inside, place, nowhere], &[])?;
    let place = b.cast(&place, Element::I64)?;
    let ones = b.full(x.element(), x.dims(), 1.0)?;
    segmented(b, (&ones, &place), Dim::Known(bins), "add", 0.0)
}

/// The least and the greatest number of a list; one less and one more if they are equal.
fn ends_of(b: &mut GraphBuilder, x: &Value) -> Result<[Value; 2]> {
    let least = along(b, "min", x, (&[0], false))?;
    let greatest = along(b, "max", x, (&[0], false))?;
    let is_one = b.binary("equal", &least, &greatest)?;
    let below = b.with_scalar("subtract", &least, 1.0)?;
    let above = b.with_scalar("add", &greatest, 1.0)?;
    Ok([
        b.op("where", &[is_one.clone(), below, least], &[])?,
        b.op("where", &[is_one, above, greatest], &[])?,
    ])
}

/// What a negative row of padding is.
#[derive(Clone, Copy, PartialEq)]
enum Padding {
    /// No row.
    IsNone,
    /// One that is counted from the end.
    FromTheEnd,
}

/// How the rows of a bag are put together, by number.
const MODES: [&str; 3] = ["add", "mean", "max"];

/// Rows of a table, and the bags in which they are.
struct Bags {
    /// The rows, times their weights.
    rows: Value,
    /// The number of bags.
    count: Dim,
    /// The bag of each row.
    of_each: Value,
    /// The same, and -1 for rows that do not count.
    counted: Value,
    /// Whether some rows do not count.
    is_padded: bool,
}

impl Bags {
    fn read(n: &Node<'_>, b: &mut GraphBuilder, padding: Padding) -> Result<Self> {
        let (table, indices) = (n.tensor("weight")?, n.tensor("indices")?);
        let offsets = n.tensor("offsets")?;
        if (table.rank(), indices.rank(), offsets.rank()) != (2, 1, 1) {
            return Err(format!(
                "a table, indices and offsets of shapes {:?}, {:?} and {:?} are not supported",
                table.dims(),
                indices.dims(),
                offsets.dims()
            ));
        }
        check_indices(b, &indices, table.dims()[0])?;
        let last = i64::from(n.bool_or("include_last_offset", false)?);
        let of_each = bag_of_each(b, &indices, &offsets)?;
        let left_out = match n.int("padding_idx")? {
            Some(row) if row >= 0 => Some(Dim::Known(row)),
            Some(row) if padding == Padding::FromTheEnd => Some(table.dims()[0].plus(row)?),
            _ => None,
        };
        let mut counted = of_each.clone();
        if let Some(row) = left_out {
            let is_padding = b.with_size("equal", &indices, row)?;
            let nowhere = b.scalar(Element::I64, -1.0);
            counted = b.op("where", &[is_padding, nowhere, counted], &[])?;
        }
        let mut rows = b.taken(&table, &indices, 0)?;
        if let Some(weights) = n.optional_tensor("per_sample_weights")? {
            let weights = b.reshape(&weights, &[indices.dims()[0], Dim::Known(1)])?;
            rows = b.binary("multiply", &rows, &weights)?;
        }
        Ok(Self {
            rows,
            count: offsets.dims()[0].minus(last)?,
            of_each,
            counted,
            is_padded: left_out.is_some(),
        })
    }

    /// What an operation makes of the rows of each bag.
    fn reduced(&self, b: &mut GraphBuilder, mode: &'static str, first: f64) -> Result<Value> {
        segmented(b, (&self.rows, &self.counted), self.count, mode, first)
    }

    /// How many rows each bag has.
    fn sizes(&self, b: &mut GraphBuilder) -> Result<Value> {
        let ones = b.full(Element::I64, self.counted.dims(), 1.0)?;
        segmented(b, (&ones, &self.counted), self.count, "add", 0.0)
    }
}

/// The sums, means or greatest elements of the rows of each bag; the bag of each row; how many rows each one has; and the places of the greatest.
fn bags(n: &Node<'_>, b: &mut GraphBuilder, padding: Padding) -> Result<Vec<Value>> {
    n.ignore(&["scale_grad_by_freq", "sparse"]);
    let mode = usize::try_from(n.int_or("mode", 0)?).ok();
    let mode = mode.and_then(|mode| MODES.get(mode));
    let bags = Bags::read(n, b, padding)?;
    let sizes = bags.sizes(b)?;
    let column = b.reshape(&sizes, &[bags.count, Dim::Known(1)])?;
    match *mode.ok_or("argument 'mode' is unknown")? {
        "max" if n.uses(3) => {
            Err("the places of the greatest elements (result 3) are not supported".into())
        }
        "max" => {
            let greatest = bags.reduced(b, "max", bags.rows.element().least())?;
            let is_empty = b.with_scalar("equal", &column, 0.0)?;
            let zero = b.scalar(greatest.element(), 0.0);
            let greatest = b.op("where", &[is_empty, zero, greatest], &[])?;
            Ok(vec![greatest, bags.of_each, sizes])
        }
        "mean" => {
            let sums = bags.reduced(b, "add", 0.0)?;
            let divisors = b.with_scalar("maximum", &column, 1.0)?;
            let divisors = b.cast(&divisors, sums.element())?;
            let means = b.binary("divide", &sums, &divisors)?;
            Ok(vec![means, bags.of_each, sizes.clone(), sizes])
        }
        _ => {
            let sums = bags.reduced(b, "add", 0.0)?;
            if bags.is_padded || sums.element() == Element::F64 {
                return Ok(vec![sums, bags.of_each, sizes.clone(), sizes]);
            }
            // PyTorch's fast sums return zeros in the places of the other results.
            let nothing = b.full(Element::I64, &[bags.count], 0.0)?;
            let of_each = b.filled(Element::I64, &[0], 0.0)?;
            Ok(vec![sums, of_each, nothing.clone(), nothing])
        }
    }
}

/// The number of the bag of each row: that of the last offset that is not behind it.
fn bag_of_each(b: &mut GraphBuilder, indices: &Value, offsets: &Value) -> Result<Value> {
    let places = b.iota(Element::I64, indices.dims(), 0)?;
    let offsets = b.cast(offsets, Element::I64)?;
    let attrs = [
        ("right", Param::Bool(true)),
        ("dtype", Param::Type(Element::I64)),
    ];
    let before = b.op("searchsorted", &[offsets, places], &attrs)?;
    b.with_scalar("subtract", &before, 1.0)
}
