//! Branches and loops whose parts are functions.

use super::row::{Row, items};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{
        body::{Body, Read},
        facts::{Source, facts},
        item::Item,
        loops::Loop,
        node::Node,
    },
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    items(&["If", "StatelessIf"], branch),
    items(&["While", "StatelessWhile"], repeat),
];

/// A condition: a boolean, or a number that is not 0.
pub fn flag(b: &mut GraphBuilder, condition: &Value) -> Result<Value> {
    let condition = b.reshape_to_scalar(condition)?;
    match condition.element() {
        Element::Bool => Ok(condition),
        _ => b.with_scalar("not_equal", &condition, 0.0),
    }
}

fn branch(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let branches = ["then_branch", "else_branch"].map(|name| n.attrs.required_function(name));
    let [yes, no] = branches;
    let (yes, no) = (yes?, no?);
    let condition = flag(b, &n.input(0)?)?;
    let inputs = &n.inputs[1..];
    if let Some(holds) = condition.scalar() {
        return n.host.call(b, if holds != 0.0 { yes } else { no }, inputs);
    }
    let write = |b: &mut GraphBuilder, function: &str| -> Result<Vec<Value>> {
        let items = n.host.call(b, function, inputs)?;
        items.iter().map(Item::tensor).collect()
    };
    let taken = b.branch((&condition, true), |b| write(b, yes))?;
    let mut types = Vec::new();
    let other = b.branch((&condition, false), |b| {
        let values = write(b, no)?;
        types = values
            .iter()
            .map(|it| (it.element(), it.dims().to_vec()))
            .collect();
        Ok(values)
    });
    let other = match other {
        Ok(other) => other,
        Err(reason) => {
            b.give_up(taken);
            return Err(reason);
        }
    };
    let is_same =
        |value: &Value, ty: &(Element, Vec<_>)| value.element() == ty.0 && value.dims() == ty.1;
    let values = taken.values();
    if values.len() != types.len() || !values.iter().zip(&types).all(|(it, ty)| is_same(it, ty)) {
        let shapes: Vec<_> = values.iter().map(|value| value.dims().to_vec()).collect();
        b.give_up(taken);
        b.give_up(other);
        return Err(format!(
            "its branches return tensors of other types: {shapes:?} and {types:?}"
        ));
    }
    let chosen = b.either(&condition, [taken, other])?;
    Ok(chosen.into_iter().map(Item::from).collect())
}

/// The body of a function of a loop.
struct Part<'p, 'm>(&'p Body<'m>);

impl Source for Part<'_, '_> {
    fn body(&self) -> &Body<'_> {
        self.0
    }

    fn origin(&self, read: Read) -> Read {
        self.0.origin(read)
    }

    fn state(&self, origin: Read) -> Option<usize> {
        match origin {
            Read::Argument(place) => Some(place),
            Read::Result { .. } => None,
        }
    }

    fn outer(&self, _: Read) -> Option<Value> {
        None
    }
}

fn repeat(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let condition = n.attrs.required_function("cond")?;
    let step = n.attrs.required_function("body")?;
    let (of_condition, of_step) = (n.host.body(condition)?, n.host.body(step)?);
    let [holds] = of_condition.results[..] else {
        return Err("its condition does not have one result".into());
    };
    let count = n.inputs.len();
    if [&of_condition, &of_step]
        .iter()
        .any(|part| part.arguments() != count)
        || of_step.results.len() != count
    {
        return Err(format!("its functions do not fit {count} states"));
    }
    let parts = (Part(&of_step), Part(&of_condition));
    let of = Loop {
        states: n.inputs.clone(),
        facts: facts(&parts.0, &of_step.results, (&parts.1, holds)),
        condition: &|b, states| {
            let made = n.host.call(b, condition, states)?;
            let holds = made.first().ok_or("its condition has no result")?;
            flag(b, &holds.tensor()?)
        },
        step: &|b, states| n.host.call(b, step, states),
    };
    of.run(b)
}
