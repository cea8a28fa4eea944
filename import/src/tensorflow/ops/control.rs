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
    items(&["Case", "StatelessCase"], case),
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
    let inputs = n.inputs.get(1..).unwrap_or_default();
    if let Some(holds) = condition.scalar() {
        return n.host.call(b, if holds != 0.0 { yes } else { no }, inputs);
    }
    either(
        b,
        &condition,
        &|b| tensors(n.host.call(b, yes, inputs)?),
        &|b| tensors(n.host.call(b, no, inputs)?),
    )
    .map(to_items)
}

fn tensors(items: Vec<Item>) -> Result<Vec<Value>> {
    items.iter().map(Item::tensor).collect()
}

fn to_items(values: Vec<Value>) -> Vec<Item> {
    values.into_iter().map(Item::from).collect()
}

/// One of several branches, by its number; the last one if there is none of the number.
fn case(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let list = n.attrs.list("branches")?;
    let list = list.ok_or("attribute 'branches' is missing")?;
    let names: Vec<&str> = list.func.iter().map(|it| it.name.as_str()).collect();
    let inputs = n.inputs.get(1..).ok_or("there are no inputs")?;
    let number = b.reshape_to_scalar(&n.input(0)?)?;
    let last = names.len().checked_sub(1).ok_or("there are no branches")?;
    if let Some(known) = number.scalar() {
        let place = if known >= 0.0 { known as usize } else { last };
        return n.host.call(b, names[place.min(last)], inputs);
    }
    among(n, b, &number, (0, &names)).map(to_items)
}

/// One of some branches, of which the first has a number.
fn among(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    number: &Value,
    (first, names): (usize, &[&str]),
) -> Result<Vec<Value>> {
    let inputs = n.inputs.get(1..).unwrap_or_default();
    match names {
        [] => Err("there are no branches".into()),
        [one] => tensors(n.host.call(b, one, inputs)?),
        [one, others @ ..] if names.len() <= MOST_BRANCHES => {
            let is_first = b.with_scalar("equal", number, first as f64)?;
            either(
                b,
                &is_first,
                &|b| tensors(n.host.call(b, one, inputs)?),
                &|b| among(n, b, number, (first + 1, others)),
            )
        }
        _ => Err(format!("it has {} branches", names.len())),
    }
}

/// The most branches of which a number chooses one: each is in the one before it.
const MOST_BRANCHES: usize = 32;

/// Writes a branch.
type Write<'w> = &'w dyn Fn(&mut GraphBuilder) -> Result<Vec<Value>>;

/// What one of two branches returns.
fn either(
    b: &mut GraphBuilder,
    condition: &Value,
    yes: Write<'_>,
    no: Write<'_>,
) -> Result<Vec<Value>> {
    let taken = b.branch((condition, true), |b| yes(b))?;
    let other = match b.branch((condition, false), |b| no(b)) {
        Ok(other) => other,
        Err(reason) => {
            b.give_up(taken);
            return Err(reason);
        }
    };
    let types = |values: &[Value]| -> Vec<_> {
        let types = values.iter().map(|it| (it.element(), it.dims().to_vec()));
        types.collect()
    };
    let both = [types(taken.values()), types(other.values())];
    if both[0] != both[1] {
        b.give_up(taken);
        b.give_up(other);
        return Err(format!(
            "its branches return tensors of other types: {:?} and {:?}",
            both[0], both[1]
        ));
    }
    b.either(condition, [taken, other])
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
