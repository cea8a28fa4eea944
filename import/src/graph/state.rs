//! What a model keeps from run to run.
//!
//! A library keeps nothing. A tensor that a run changes is an input of `@main`, and what it becomes is an output. The caller hands it
//! back in the next run. The input is donated to the output, so one buffer may hold both.

use super::{constant::Const, port::Input};
use relay_dialects::{
    attrs::DONATED,
    ir::{Attr, Ctx, Type, Value},
};

/// How the name of what a state becomes ends.
const NEXT: &str = ".next";

/// The name of the output that a state becomes.
pub fn next(name: &str) -> String {
    format!("{name}{NEXT}")
}

/// The type of a state with what it is before the first run, for people: `float32[2, 24] of 0 at first`.
///
/// `first` is the one number that all elements are; none if there is no such.
pub fn described(ty: &str, first: Option<f64>) -> String {
    match first {
        Some(first) => format!("{ty} of {first} at first"),
        None => ty.into(),
    }
}

/// The type without what [`described`] has added.
pub fn without_first(text: &str) -> &str {
    text.split(" of ").next().unwrap_or_default()
}

/// The number that all elements of a tensor are, if they are one.
pub fn only_number(known: &Const) -> Option<f64> {
    match known.to_floats().split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => Some(*first),
        _ => None,
    }
}

/// For each input the attributes that donate it to what it becomes, if it is a state. Both have to be of one type.
pub fn donations<'i>(
    ctx: Ctx,
    inputs: &'i [Input],
    states: &'i [String],
    outputs: &'i [(String, Value)],
) -> impl Iterator<Item = Option<(&'static str, Attr)>> + 'i {
    inputs.iter().map(move |input| {
        if !states.contains(&input.name) {
            return None;
        }
        let (becomes, ty) = (
            next(&input.name),
            Type::tensor_of(&input.dims, input.element.ty(ctx)),
        );
        let mut places = outputs.iter();
        let place = places.position(|(name, value)| *name == becomes && value.ty() == ty)?;
        Some((DONATED, Attr::i64(ctx, place as i64)))
    })
}
