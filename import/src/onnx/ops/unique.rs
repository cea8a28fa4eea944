//! The different elements of a tensor.

use super::{
    cumulative,
    reduce::along,
    row::{Row, row},
    scatter::scattered,
    subscript::{computed_places_of_list, subscripts},
};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        loops::{Sequence, Step, Stepped},
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's row.
pub const ROWS: &[Row] = &[row("Unique", 11, unique)];

/// The different elements or slices along an axis, in order or as they come; where each is first, where each is among them, and how often
/// each is there.
fn unique(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let is_sorted = n.attr_bool_or("sorted", true)?;
    let (list, axis) = match n.attr_i64("axis")? {
        Some(axis) => {
            let axis = x.axis(axis)?;
            (x, axis)
        }
        None => {
            let count = dim::product(x.dims())?;
            (b.reshape(&x, &[count])?, 0)
        }
    };
    let count = list.dims()[axis];
    if count == 0 {
        let none = b.filled(Element::I64, &[0], 0.0)?;
        return Ok(vec![list, none.clone(), none.clone(), none]);
    }
    let runs = Runs::of(b, &list, axis)?;
    let mut results = vec![b.taken(&runs.order, &runs.starts, 0)?];
    if n.has_output(2) || n.has_output(3) {
        results.extend(runs.numbers(b)?);
    }
    if !is_sorted {
        as_they_come(b, &mut results)?;
    }
    results.insert(0, b.taken(&list, &results[0], axis)?);
    Ok(results)
}

/// Puts runs into the order in which they come first. The lists say where runs are first, the run of each element, and the runs' lengths.
fn as_they_come(b: &mut GraphBuilder, lists: &mut [Value]) -> Result<()> {
    let places = b.argsort(&lists[0], 0, true)?;
    if let Some(runs) = lists.get(1) {
        let moved = b.argsort(&places, 0, true)?;
        lists[1] = b.taken(&moved, runs, 0)?;
    }
    for index in [0, 2] {
        if let Some(list) = lists.get(index) {
            lists[index] = b.taken(list, &places, 0)?;
        }
    }
    Ok(())
}

/// A list of elements or slices in order, in which equal ones are runs.
struct Runs {
    /// How many elements there are.
    count: Dim,
    /// Where they were.
    order: Value,
    /// Of each element, whether a run begins there.
    is_start: Value,
    /// Where runs begin.
    starts: Value,
}

impl Runs {
    fn of(b: &mut GraphBuilder, list: &Value, axis: usize) -> Result<Self> {
        let count = list.dims()[axis];
        let order = order(b, list, axis)?;
        let sorted = b.taken(list, &order, axis)?;
        let places = subscripts(b, 1, 0, count)?;
        let before = b.with_scalar("subtract", &places, 1.0)?;
        let before = b.with_scalar("maximum", &before, 0.0)?;
        let before = b.taken(&sorted, &before, axis)?;
        let differs = b.binary("not_equal", &sorted, &before)?;
        let differs = match &axes_but(axis, list.rank())[..] {
            [] => differs,
            others => along(b, "any", &differs, (others, false))?,
        };
        let is_first = b.with_scalar("equal", &places, 0.0)?;
        let is_start = b.binary("logical_or", &differs, &is_first)?;
        let starts = computed_places_of_list(&is_start, b)?;
        Ok(Self {
            count,
            order,
            is_start,
            starts,
        })
    }

    /// The number of each element's run, and how long each run is.
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

/// The axes of a tensor of a rank without one of them.
fn axes_but(axis: usize, rank: usize) -> Vec<usize> {
    (0..rank).filter(|&other| other != axis).collect()
}

/// Where the slices along an axis are that come first, second, ... in the order of their elements: sorted by their last element, then, the
/// sort being stable, by the element before it, and so on.
fn order(b: &mut GraphBuilder, list: &Value, axis: usize) -> Result<Value> {
    if list.rank() == 1 {
        return b.argsort(list, 0, true);
    }
    let count = list.dims()[axis];
    let order = [axes_but(axis, list.rank()), vec![axis]].concat();
    let keys = b.transpose(list, &order)?;
    let length = dim::product(&keys.dims()[..keys.rank() - 1])?;
    let keys = Sequence {
        value: b.reshape(&keys, &[length, count])?,
        reversed: true,
    };
    let as_they_are = subscripts(b, 1, 0, count)?;
    let step = |b: &mut GraphBuilder, step: Step| {
        let keys = b.taken(&step.elements[0], &step.states[0], 0)?;
        let order = b.argsort(&keys, 0, true)?;
        Ok(Stepped {
            states: vec![b.taken(&step.states[0], &order, 0)?],
            outputs: Vec::new(),
        })
    };
    let done = b.scan(length, &[as_they_are], &[keys], &[], step)?;
    Ok(done.states[0].clone())
}
