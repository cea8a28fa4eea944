//! The operator table, by family.

pub mod annotation;
pub mod batch_space;
pub mod binary;
pub mod bits;
pub mod blocks;
mod columns;
pub mod conv;
pub mod custom;
pub mod detection;
pub mod dynamic;
pub mod einsum;
pub mod gradients;
pub mod image;
pub mod indexing;
pub mod lists;
pub mod losses;
pub mod nn;
pub mod pool;
pub mod qnn;
pub mod quantised;
pub mod random;
pub mod reduce;
pub mod sampling;
pub mod scatter;
pub mod selection;
pub mod shaping;
pub mod signal;
pub mod sort;
pub mod sparse;
pub mod transform;
pub mod unary;
pub mod volume;
mod weights;
pub mod window;

use super::{Attrs, Call, Folded, Row};
use crate::{
    dim::Dim,
    element::Element,
    ir::{Op, Type},
};

/// The file for a new operator's row, for messages.
pub(crate) const TABLE: &str = "dialects/src/relay/ops/<family>.rs";

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        unary::ROWS,
        binary::ROWS,
        reduce::ROWS,
        transform::ROWS,
        conv::ROWS,
        custom::ROWS,
        detection::ROWS,
        pool::ROWS,
        nn::ROWS,
        image::ROWS,
        annotation::ROWS,
        bits::ROWS,
        einsum::ROWS,
        gradients::ROWS,
        indexing::ROWS,
        random::ROWS,
        signal::ROWS,
        volume::ROWS,
        lists::ROWS,
        losses::ROWS,
        batch_space::ROWS,
        sampling::ROWS,
        scatter::ROWS,
        selection::ROWS,
        shaping::ROWS,
        sort::ROWS,
        sparse::ROWS,
        dynamic::ROWS,
        qnn::ROWS,
        blocks::ROWS,
        quantised::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// Adds the label of the broken constraint to an error.
fn rule(label: &'static str) -> impl Fn(String) -> String {
    move |reason| format!("{reason} ({label})")
}

/// Checks that an attribute `dtype` names an element type.
fn element(dtype: Type) -> Result<(), String> {
    let known = Element::of(dtype).map(drop);
    known.ok_or_else(|| format!("dtype is {dtype}, no element type"))
}

/// The one dimension in the attribute `name`, which is no negative number.
fn one_dim(attrs: &Attrs, name: &str) -> Result<Dim, String> {
    match attrs.dims(name)?[..] {
        [dim] if dim.known().is_none_or(|dim| dim >= 0) => Ok(dim),
        ref other => Err(format!("{name} is {other:?}, not one dimension")),
    }
}

/// The string attribute `name`, one of `known`.
fn keyword(call: &Call, name: &str, known: &[&str]) -> Result<String, String> {
    let value = call.attrs.str(name)?;
    if known.contains(&value.as_str()) {
        return Ok(value);
    }
    let known = known.join(", ");
    Err(format!("{name} '{value}' is none of {known}"))
}

/// Operand 0, if it has the result's type: then a fold may return it.
fn same_type(op: Op) -> Option<Folded> {
    (op.operand_count() == 1 && op.operand(0).ty() == op.result(0).ty())
        .then(|| Folded::Value(op.operand(0)))
}
