//! Slices.

use super::gather::taken_inside;
use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{dim::Dim, element::Element};

/// A slice; each entry is axis, begin, end and step. Begin is a subscript that is in range unless
/// the slice is empty; for a negative step, an end below 0 is before the first element.
pub fn strided_slice(
    b: &mut GraphBuilder,
    x: &Value,
    slices: &[(usize, i64, i64, i64)],
) -> Result<Value> {
    let slices: Vec<_> = (slices.iter())
        .map(|&(axis, begin, end, step)| (axis, Dim::Known(begin), Dim::Known(end), step))
        .collect();
    sliced(b, x, &slices)
}

/// As [`strided_slice`], with bounds that may be forms of open dimensions.
pub fn sliced(b: &mut GraphBuilder, x: &Value, slices: &[(usize, Dim, Dim, i64)]) -> Result<Value> {
    let attrs = [
        (
            "begin",
            Param::Dims(slices.iter().map(|slice| slice.1).collect()),
        ),
        (
            "end",
            Param::Dims(slices.iter().map(|slice| slice.2).collect()),
        ),
        (
            "strides",
            Param::Ints(slices.iter().map(|slice| slice.3).collect()),
        ),
        (
            "axes",
            Param::Ints(slices.iter().map(|slice| slice.0 as i64).collect()),
        ),
    ];
    b.op("strided_slice", std::slice::from_ref(x), &attrs)
}

/// From subscripts on, so many elements of each axis; -1 for all that follow.
///
/// # Errors
/// If they are not in the data.
pub fn sized_slice(
    b: &mut GraphBuilder,
    x: &Value,
    begins: &[Dim],
    sizes: &[Dim],
) -> Result<Value> {
    if begins.len() != x.rank() || sizes.len() != x.rank() {
        return Err(format!(
            "{} begins and {} sizes for data of shape {:?}",
            begins.len(),
            sizes.len(),
            x.dims()
        ));
    }
    let mut slices = Vec::new();
    for (axis, (begin, size)) in begins.iter().zip(sizes).enumerate() {
        let extent = x.dims()[axis];
        let end = match *size == -1 {
            true => extent,
            false => begin.plus(*size)?,
        };
        if let (Some(begin), Some(end), Some(extent)) = (begin.known(), end.known(), extent.known())
            && !(0 <= begin && begin <= end && end <= extent)
        {
            return Err(format!(
                "the slice from {begin} to {end} of dimension {axis} of {:?}",
                x.dims()
            ));
        }
        if *begin != 0 || end != extent {
            slices.push((axis, *begin, end, 1));
        }
    }
    match slices.is_empty() {
        true => Ok(x.clone()),
        false => sliced(b, x, &slices),
    }
}

/// A slice from subscripts that are computed: elements at the subscripts behind them.
///
/// # Errors
/// If a size is not known.
pub fn computed_slice(
    b: &mut GraphBuilder,
    x: &Value,
    begins: &Value,
    sizes: &[Dim],
) -> Result<Value> {
    let begins = b.cast(begins, Element::I64)?;
    if sizes.len() != x.rank() || begins.dims() != [Dim::Known(x.rank() as i64)] {
        return Err(format!(
            "begins of shape {:?} and {} sizes for data of shape {:?}",
            begins.dims(),
            sizes.len(),
            x.dims()
        ));
    }
    let mut made = x.clone();
    for (axis, size) in sizes.iter().enumerate() {
        if *size == x.dims()[axis] {
            continue;
        }
        if *size == -1 {
            return Err(
                "what follows a subscript that is computed has a size that nobody knows".into(),
            );
        }
        let begin = b.element(&begins, axis as i64)?;
        let steps = b.iota(Element::I64, &[*size], 0)?;
        let places = b.binary("add", &steps, &begin)?;
        made = taken_inside(b, &made, &places, axis)?;
    }
    Ok(made)
}

/// Data with other elements from computed subscripts on. They are moved so that all fit.
///
/// # Errors
/// If both have another number of dimensions.
pub fn updated_slice(b: &mut GraphBuilder, [x, update, begins]: [Value; 3]) -> Result<Value> {
    if x.rank() != update.rank() {
        return Err(format!(
            "data of shape {:?} and an update of {:?}",
            x.dims(),
            update.dims()
        ));
    }
    let begins = b.cast(&begins, Element::I64)?;
    let made = update;
    // From the last dimension on, what is written grows to the data's extents.
    let moved: Vec<usize> = (0..x.rank())
        .filter(|axis| made.dims()[*axis] != x.dims()[*axis])
        .collect();
    let Some((&first, others)) = moved.split_first() else {
        return Ok(made);
    };
    if !others.is_empty() {
        return by_places(b, &x, &made, &begins);
    }
    let begin = b.element(&begins, first as i64)?;
    let most = x.dims()[first].minus(made.dims()[first])?;
    let begin = within(b, &begin, most)?;
    let axis = [("axis", Param::Int(first as i64))];
    b.op("cache_update", &[x, made, begin], &axis)
}

/// A number, moved to be from 0 to another.
fn within(b: &mut GraphBuilder, number: &Value, most: Dim) -> Result<Value> {
    let most = b.size(Element::I64, most)?;
    let least = b.scalar(Element::I64, 0.0);
    let moved = b.binary("minimum", number, &most)?;
    b.binary("maximum", &moved, &least)
}

/// The same where several dimensions are written in part: each element has its subscripts.
fn by_places(b: &mut GraphBuilder, x: &Value, update: &Value, begins: &Value) -> Result<Value> {
    let mut lists = Vec::new();
    for axis in 0..x.rank() {
        let begin = b.element(begins, axis as i64)?;
        let begin = within(b, &begin, x.dims()[axis].minus(update.dims()[axis])?)?;
        let steps = b.iota(Element::I64, update.dims(), axis)?;
        let places = b.binary("add", &steps, &begin)?;
        let dims = [&[Dim::Known(1)], update.dims()].concat();
        lists.push(b.reshape(&places, &dims)?);
    }
    let places = b.concatenate(&lists, 0)?;
    let mode = [("mode", Param::Str("update"))];
    b.op("scatter_nd", &[x.clone(), places, update.clone()], &mode)
}
