//! The different elements of a tensor.

use super::{
    cumulative,
    row::{Row, row},
    scatter::scattered,
    subscript::{computed_places, subscripts},
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's row.
pub const ROWS: &[Row] = &[row("Unique", 11, unique)];

/// The different elements, in order or as they come; where each is first, where each element is among them, and how often each is there.
fn unique(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    if let Some(axis) = n.attr_i64("axis")?
        && !(x.rank() == 1 && x.axis(axis)? == 0)
    {
        return Err(format!(
            "slices along axis {axis} are compared; only elements of the whole tensor are supported"
        ));
    }
    let is_sorted = n.attr_bool_or("sorted", true)?;
    let count = dim::product(x.dims())?;
    if count == 0 {
        let elements = [x.element(), Element::I64, Element::I64, Element::I64];
        return Ok(elements
            .map(|element| b.filled(element, &[0], 0.0))
            .to_vec());
    }
    let flat = b.reshape(&x, &[count])?;
    let runs = Runs::of(b, &flat, count)?;
    let mut results = vec![runs.taken(b, &runs.sorted)?, runs.taken(b, &runs.order)?];
    if n.has_output(2) || n.has_output(3) {
        results.extend(runs.numbers(b)?);
    }
    if is_sorted {
        return Ok(results);
    }
    // Where each of them is if they are in the order in which they come first, and the other way round.
    let places = b.argsort(&results[1], 0, true)?;
    if let [_, _, inverse, _] = &results[..] {
        let moved = b.argsort(&places, 0, true)?;
        results[2] = b.taken(&moved, inverse, 0)?;
    }
    for index in [0, 1, 3] {
        if let Some(result) = results.get(index) {
            results[index] = b.taken(result, &places, 0)?;
        }
    }
    Ok(results)
}

/// A list in order, in which equal elements are runs.
struct Runs {
    /// How many elements there are.
    count: Dim,
    /// The elements in order.
    sorted: Value,
    /// Where they were.
    order: Value,
    /// Of each element, whether a run begins there.
    is_start: Value,
    /// Where runs begin.
    starts: Value,
}

impl Runs {
    fn of(b: &mut GraphBuilder, flat: &Value, count: Dim) -> Result<Self> {
        let order = b.argsort(flat, 0, true)?;
        let sorted = b.taken(flat, &order, 0)?;
        let places = subscripts(b, 1, 0, count)?;
        let before = b.with_scalar("subtract", &places, 1.0)?;
        let before = b.with_scalar("maximum", &before, 0.0)?;
        let before = b.taken(&sorted, &before, 0)?;
        let differs = b.binary("not_equal", &sorted, &before)?;
        let is_first = b.with_scalar("equal", &places, 0.0)?;
        let is_start = b.binary("logical_or", &differs, &is_first)?;
        let starts = computed_places(&is_start, b)?;
        let starts = b.reshape(&starts, &[starts.dims()[1]])?;
        Ok(Self {
            count,
            sorted,
            order,
            is_start,
            starts,
        })
    }

    /// The first of each run.
    fn taken(&self, b: &mut GraphBuilder, list: &Value) -> Result<Value> {
        b.taken(list, &self.starts, 0)
    }

    /// The number of each element's run, where the element was, and how long each run is.
    fn numbers(&self, b: &mut GraphBuilder) -> Result<[Value; 2]> {
        let is_start = b.cast(&self.is_start, Element::I64)?;
        let numbers = cumulative::sums(b, &is_start)?;
        let numbers = b.with_scalar("subtract", &numbers, 1.0)?;
        let zeros = b.full(Element::I64, &[self.count], 0.0)?;
        let ones = b.full(Element::I64, &[self.count], 1.0)?;
        let inverse = [zeros.clone(), self.order.clone(), numbers.clone()];
        let inverse = scattered(b, inverse, (0, "update"))?;
        let lengths = scattered(b, [zeros, numbers, ones], (0, "add"))?;
        Ok([inverse, b.prefix(&lengths, 0, self.starts.dims()[0])?])
    }
}
