//! Elements that indices pick.

use super::{
    row::{Row, row},
    select::{sliced, strided_slice},
    subscript::{computed_places_of_list, from_start, one_axis, steps, subscripts},
};
pub(super) use crate::compose::gather::{check_indices, few_known};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::Const,
        error::Result,
        value::{Value, are_equal, is_open},
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Compress", 9, compress),
    row("Gather", 1, gather),
    row("GatherElements", 11, gather_elements),
    row("GatherND", 11, gather_nd),
    row("ReverseSequence", 10, reverse_sequence),
];

/// Indices may be negative: they wrap.
fn gather(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, indices) = (n.input(0)?, n.input(1)?);
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    check_indices(b, &indices, x.dims()[axis])?;
    Ok(vec![b.taken(&x, &indices, axis)?])
}

/// The indices may be shorter than the data along the axes that nothing is gathered from: the data is cut to
/// their extents.
fn gather_elements(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (mut x, indices) = (n.input(0)?, n.input(1)?);
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    check_indices(b, &indices, x.dims()[axis])?;
    if indices.rank() != x.rank() {
        return Err(format!(
            "indices of shape {:?} do not fit an input of shape {:?}",
            indices.dims(),
            x.dims()
        ));
    }
    let mut cuts = Vec::new();
    let others =
        (0..x.rank()).filter(|&other| other != axis && x.dims()[other] != indices.dims()[other]);
    for other in others {
        let (extent, wanted) = (x.dims()[other], indices.dims()[other]);
        // Indices of another extent, of which nothing is known, are taken to be shorter.
        if wanted.min(extent)? == wanted || extent.min(wanted)? != extent {
            cuts.push((other, Dim::Known(0), wanted, 1));
        }
    }
    if !cuts.is_empty() {
        x = sliced(b, &x, &cuts)?;
    }
    let attrs = [("axis", Param::Int(axis as i64))];
    Ok(vec![b.op("gather", &[x, indices], &attrs)?])
}

/// What lies where a condition holds. Where that is computed at run time, so is the extent of the result.
fn compress(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let condition = n.input(1)?;
    let (x, axis) = match n.attr_i64("axis")? {
        Some(axis) => (x.clone(), x.axis(axis)?),
        None => {
            let count = dim::product(x.dims())?;
            (b.reshape(&x, &[count])?, 0)
        }
    };
    if condition.constant().is_none() {
        return Ok(vec![compress_at_run_time(b, &x, &condition, axis)?]);
    }
    let condition = n.ints(1, "the condition")?;
    let holds = condition.iter().enumerate().filter(|(_, it)| **it != 0);
    let places: Vec<i64> = holds.map(|(place, _)| place as i64).collect();
    let places = b.known(Const::ints(&places));
    check_indices(b, &places, x.dims()[axis])?;
    Ok(vec![b.taken(&x, &places, axis)?])
}

/// What lies at the subscripts of an axis for which a list of flags holds. The list may be shorter than the axis.
fn compress_at_run_time(
    b: &mut GraphBuilder,
    x: &Value,
    condition: &Value,
    axis: usize,
) -> Result<Value> {
    let (flags, extent) = (condition.dims(), x.dims()[axis]);
    let wrong =
        || format!("a condition of shape {flags:?} does not fit {extent} elements on axis {axis}");
    let &[count] = flags else {
        return Err(wrong());
    };
    b.equate(count.min(extent)?, count).map_err(|_| wrong())?;
    let places = computed_places_of_list(condition, b)?;
    b.taken(x, &places, axis)
}

/// The first elements of each sequence in reverse, as many as the sequence is long; what is behind them stays.
fn reverse_sequence(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, lengths) = (n.input(0)?, n.input(1)?);
    let time = x.axis(n.attr_i64_or("time_axis", 0)?)?;
    let batch = x.axis(n.attr_i64_or("batch_axis", 1)?)?;
    let samples = x.dims()[batch];
    if time == batch || !are_equal(lengths.dims(), &[samples]) {
        return Err(format!(
            "lengths of shape {:?} do not fit an input of shape {:?} with time on axis {time} and sequences on axis {batch}",
            lengths.dims(),
            x.dims()
        ));
    }
    let lengths = b.cast(&lengths, Element::I64)?;
    let lengths = b.reshape(&lengths, &one_axis(x.rank(), batch, samples))?;
    let places = subscripts(b, x.rank(), time, x.dims()[time])?;
    let last = b.with_scalar("subtract", &lengths, 1.0)?;
    let mirrored = b.binary("subtract", &last, &places)?;
    let is_in = b.binary("less", &places, &lengths)?;
    let from = b.op("where", &[is_in, mirrored, places], &[])?;
    let from = b.broadcast(&from, x.dims())?;
    let attrs = [("axis", Param::Int(time as i64))];
    Ok(vec![b.op("gather", &[x, from], &attrs)?])
}

/// The last axis of the indices holds lists of subscripts of the data's axes that follow the batches. These axes become one, and each list
/// becomes a subscript of that.
fn gather_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, indices) = (n.input(0)?, n.input(1)?);
    let batches = match n.opset {
        ..12 => 0,
        _ => n.attr_i64_or("batch_dims", 0)?,
    };
    let Picked { batches, picked } = Picked::of(x.dims(), indices.dims(), batches)?;
    let starts = batch_starts(b, x.dims(), (batches, picked), indices.rank() - 1)?;
    let place = flattened(b, &indices, &x.dims()[batches..picked])?;
    let place = b.binary("add", &place, &starts)?;
    let rows = dim::product(&x.dims()[..picked])?;
    let flat = b.reshape(&x, &[&[rows], &x.dims()[picked..]].concat())?;
    Ok(vec![b.taken(&flat, &place, 0)?])
}

/// The last axis of a tensor holds lists of subscripts of axes of these extents. Where those axes are made one, each list is the subscript of
/// it that is returned. Subscripts that are negative count from the end.
fn flattened(b: &mut GraphBuilder, indices: &Value, dims: &[Dim]) -> Result<Value> {
    let last = indices.rank() - 1;
    let lists = indices.dims()[..last].to_vec();
    let indices = b.cast(indices, Element::I64)?;
    let mut place = b.full(Element::I64, &lists, 0.0)?;
    for (number, &dim) in dims.iter().enumerate() {
        let (at, stride) = (number as i64, dim::product(&dims[number + 1..])?);
        let subscript = strided_slice(b, &indices, &[(last, at, at + 1, 1)])?;
        let subscript = b.reshape(&subscript, &lists)?;
        check_indices(b, &subscript, dim)?;
        let subscript = from_start(b, &subscript, dim)?;
        let term = b.with_size("multiply", &subscript, stride)?;
        place = b.binary("add", &place, &term)?;
    }
    Ok(place)
}

/// The axes of data that lists of subscripts pick from.
struct Picked {
    /// The number of axes in front, which the indices have, too.
    batches: usize,
    /// The first axis behind those that are picked from.
    picked: usize,
}

impl Picked {
    fn of(data: &[Dim], indices: &[Dim], batches: i64) -> Result<Self> {
        let wrong = || {
            format!(
                "indices of shape {indices:?} with {batches} dimensions of batches do not fit an input of shape {data:?}"
            )
        };
        let (&length, lists) = indices.split_last().ok_or_else(wrong)?;
        let batches = usize::try_from(batches).map_err(|_| wrong())?;
        let length = length.known().ok_or_else(|| is_open(length))?;
        let length = usize::try_from(length).map_err(|_| wrong())?;
        let picked = batches.saturating_add(length);
        let both = data.get(..batches).zip(lists.get(..batches));
        let has_batches = both.is_some_and(|(data, lists)| are_equal(data, lists));
        if !has_batches || length == 0 || picked > data.len() {
            return Err(wrong());
        }
        Ok(Self { batches, picked })
    }
}

/// Where the batches of data begin, if all axes before `picked` are one. The result has a rank that broadcasts to the lists.
fn batch_starts(
    b: &mut GraphBuilder,
    data: &[Dim],
    (batches, picked): (usize, usize),
    rank: usize,
) -> Result<Value> {
    let size = dim::product(&data[batches..picked])?;
    let mut shape = data[..batches].to_vec();
    shape.resize(rank, Dim::Known(1));
    steps(b, &shape, size)
}
