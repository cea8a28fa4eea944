//! What is known of a loop before it is written.

use super::{
    body::{Body, Read},
    loops::{Bound, Facts, Limit},
    proto,
    tensor::{constant, known_int},
};
use crate::graph::value::Value;

/// The nodes of a loop.
pub trait Source {
    /// The graph or the function that they are in.
    fn body(&self) -> &Body<'_>;

    /// What computes something, behind nodes that change nothing.
    fn origin(&self, read: Read) -> Read;

    /// The state that something is.
    fn state(&self, origin: Read) -> Option<usize>;

    /// What the graph around the loop computes.
    fn outer(&self, origin: Read) -> Option<Value>;
}

/// The node of an operator, and what it reads, behind nodes that change nothing.
fn node(source: &dyn Source, read: Read) -> Option<(&str, Vec<Read>)> {
    let body = source.body();
    let (place, node) = body.node(source.origin(read))?;
    let reads = body.reads[place].iter();
    let reads = reads.map(|read| source.origin(*read)).collect();
    Some((node.op.as_str(), reads))
}

/// The one integer that something is, if it is a constant.
fn known(source: &dyn Source, read: Read) -> Option<i64> {
    known_int(&value(source, read)?)
}

/// A value that the loop does not change.
fn value(source: &dyn Source, read: Read) -> Option<Value> {
    if let Some(outer) = source.outer(read) {
        return Some(outer);
    }
    let (_, node) = source.body().node(read)?;
    let tensor = node.attr.get("value")?;
    match (&tensor.value, node.op.as_str()) {
        (Some(proto::Value::Tensor(tensor)), "Const") => {
            Some(Value::known(constant(tensor).ok()?, &node.name))
        }
        _ => None,
    }
}

/// What is known of a loop from what its steps return, and from its condition.
pub fn facts(step: &dyn Source, next: &[Read], condition: (&dyn Source, Read)) -> Facts {
    let mut facts = Facts::default();
    for (place, read) in next.iter().enumerate() {
        let origin = step.origin(*read);
        facts.kept.push(step.state(origin) == Some(place));
        facts.counters.push(added(step, origin, place));
    }
    for (place, read) in next.iter().enumerate() {
        let is_collected = is_collected(step, *read, place, &facts);
        facts.collected.push(is_collected);
    }
    let mut limits = Vec::new();
    if are_limits(condition, &facts, &mut limits, 0) && !limits.is_empty() {
        facts.limits = Some(limits);
    }
    facts
}

/// What a step adds to a state.
fn added(step: &dyn Source, origin: Read, place: usize) -> Option<i64> {
    let (op, reads) = node(step, origin)?;
    let [lhs, rhs] = reads[..] else { return None };
    if !matches!(op, "Add" | "AddV2") {
        return None;
    }
    match (step.state(lhs), step.state(rhs)) {
        (Some(state), _) if state == place => known(step, rhs),
        (_, Some(state)) if state == place => known(step, lhs),
        _ => None,
    }
}

/// Whether a step writes a list at a counter of steps.
fn is_collected(step: &dyn Source, read: Read, place: usize, facts: &Facts) -> bool {
    let Some((op, reads)) = node(step, read) else {
        return false;
    };
    let (list, index) = match (op, &reads[..]) {
        ("TensorListSetItem", [list, index, _]) => (list, index),
        ("TensorArrayWriteV3", [_, index, _, flow]) => (flow, index),
        _ => return false,
    };
    let counter = step.state(*index).and_then(|state| facts.counters[state]);
    step.state(*list) == Some(place) && counter == Some(1)
}

/// A condition of more conditions in each other than these does not count.
const DEEPEST: usize = 8;

/// Whether a condition is that counters are below limits.
fn are_limits(
    (condition, read): (&dyn Source, Read),
    facts: &Facts,
    limits: &mut Vec<Limit>,
    depth: usize,
) -> bool {
    let Some((op, reads)) = node(condition, read) else {
        return false;
    };
    let [lhs, rhs] = reads[..] else { return false };
    let (counter, limit, is_inclusive) = match op {
        "LogicalAnd" => {
            return depth < DEEPEST
                && are_limits((condition, lhs), facts, limits, depth + 1)
                && are_limits((condition, rhs), facts, limits, depth + 1);
        }
        "Less" => (lhs, rhs, false),
        "LessEqual" => (lhs, rhs, true),
        "Greater" => (rhs, lhs, false),
        "GreaterEqual" => (rhs, lhs, true),
        _ => return false,
    };
    let Some(counter) = condition.state(counter) else {
        return false;
    };
    let kept = condition
        .state(limit)
        .filter(|state| facts.kept.get(*state) == Some(&true));
    let limit = match kept {
        Some(state) => Some(Bound::State(state)),
        None => value(condition, limit).map(Bound::Value),
    };
    let Some(limit) = limit else { return false };
    let is_counter = facts.counters.get(counter).is_some_and(Option::is_some);
    if is_counter {
        limits.push(Limit {
            counter,
            limit,
            is_inclusive,
        });
    }
    is_counter
}
