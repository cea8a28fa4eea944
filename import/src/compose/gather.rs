//! Elements that indices pick.

use crate::graph::{
    attr::Param, builder::GraphBuilder, constant::Const, error::Result, value::Value,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// Checks that indices are of a type that the operators have, and those that are known and few to
/// be in range of `extent`, from the end if negative. Where there are indices, the model checks that an open extent is not 0,
/// unless they are in a loop that data may end before its first step.
pub fn check_indices(b: &mut GraphBuilder, indices: &Value, extent: impl Into<Dim>) -> Result<()> {
    if !matches!(indices.element(), Element::I32 | Element::I64) {
        return Err("the indices (input 1) are not int32 or int64".into());
    }
    let extent = extent.into();
    let Some(extent) = extent.known() else {
        let Some(repetitions) = b.repetitions()? else {
            return Ok(());
        };
        let least = dim::product(indices.dims())?.times(repetitions)?.min(1)?;
        let is_certain = extent.max(least)? == extent;
        return match is_certain {
            true => Ok(()),
            false => b.equate(extent.min(least)?, least),
        };
    };
    let wrong = |index: &&i64| !(-extent..extent).contains(*index);
    match few_known(indices).iter().flatten().find(wrong) {
        Some(index) => Err(format!("index {index} is out of range for extent {extent}")),
        None => Ok(()),
    }
}

/// Indices that are known, and few enough to be looked at while importing.
pub fn few_known(indices: &Value) -> Option<Vec<i64>> {
    let known = indices.constant().filter(|known| known.count() <= 1 << 20);
    known.and_then(Const::to_ints)
}

/// What lies at some subscripts of an axis. Those outside of it are moved to its ends.
pub fn taken_inside(b: &mut GraphBuilder, x: &Value, places: &Value, axis: usize) -> Result<Value> {
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("mode", Param::Str("clip")),
    ];
    b.op("take", &[x.clone(), places.clone()], &attrs)
}

/// What lies at some subscripts of an axis, where the first dimensions of data and subscripts are batches; a negative number of them
/// counts from the subscripts' rank.
///
/// # Errors
/// If there are not as many batches.
pub fn gathered(
    b: &mut GraphBuilder,
    (x, places): (&Value, &Value),
    axis: usize,
    batches: i64,
) -> Result<Value> {
    let batches = if batches < 0 {
        batches + places.rank() as i64
    } else {
        batches
    };
    let batches = usize::try_from(batches)
        .ok()
        .filter(|it| *it <= axis && *it <= places.rank());
    let batches = batches.ok_or("the number of batches is out of range")?;
    if batches == 0 {
        return taken_inside(b, x, places, axis);
    }
    // The dimension moves behind the batches, and what is chosen back.
    let mut order: Vec<usize> = (0..x.rank()).filter(|place| *place != axis).collect();
    order.insert(batches, axis);
    let moved = b.transpose(x, &order)?;
    let lists = b.reshape(places, &[&[Dim::Known(1)], places.dims()].concat())?;
    let attrs = [("batch_dims", Param::Int(batches as i64))];
    let made = b.op("gather_nd", &[moved, lists], &attrs)?;
    // Batches, the lists' other dimensions, those between, and those behind.
    let (chosen, between) = (places.rank() - batches, axis - batches);
    let mut back: Vec<usize> = (0..batches).collect();
    back.extend(batches + chosen..batches + chosen + between);
    back.extend(batches..batches + chosen);
    back.extend(batches + chosen + between..made.rank());
    b.transpose(&made, &back)
}

/// Lists of subscripts in the last dimension, as columns.
///
/// # Errors
/// If there is no last dimension.
pub fn columns(b: &mut GraphBuilder, lists: &Value) -> Result<Value> {
    let last = lists
        .rank()
        .checked_sub(1)
        .ok_or("subscripts are of rank 0")?;
    let order: Vec<usize> = std::iter::once(last).chain(0..last).collect();
    b.transpose(lists, &order)
}
