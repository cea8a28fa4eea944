//! Elements that indices pick.

use crate::graph::{builder::GraphBuilder, constant::Const, error::Result, value::Value};
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
