//! Loop: a body that is repeated a number of times, or while a condition holds.

use super::{
    appended::appended,
    counted::Counter,
    steps::{
        FEW_STEPS, check_body, check_steps, collect, nothing, stacked, tensor_of, written_out,
    },
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::Const,
        error::Result,
        loops::{Step, Stepped},
        value::Value,
    },
    onnx::{item::Item, node::Node, subgraph::Subgraph},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// A Loop.
pub(super) struct Loop<'n, 'm> {
    body: &'n Subgraph<'m>,
    /// The most steps.
    pub(super) trips: Option<Value>,
    /// Whether there is a first step. Without a condition, that of the body does not count.
    pub(super) condition: Option<Value>,
    pub(super) states: Vec<Item>,
    /// The states to which a step appends, by their places: an output that is collected for each.
    appended: Vec<usize>,
    /// The number of outputs that are collected.
    collected: usize,
}

/// The body takes the step, a condition, and what the step before it returned; it returns the condition of the next step,
/// what that takes, and what is collected.
///
/// A loop of few steps is written out: then the body knows its step. One whose number of steps is known before it, as a number
/// or a form of open dimensions, becomes a loop over these steps, and otherwise one with a condition. One that collects outputs then
/// becomes a [loop over as many steps as there may be](super::until).
pub(super) fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let body = n.attr_graph("body")?;
    let input = |index: usize| n.optional_item(index).map(|_| n.input(index)).transpose();
    let states = (2..n.input_count())
        .map(|index| n.item(index).cloned())
        .collect::<Result<Vec<_>>>()?;
    check_body(&body, 2 + states.len(), 1 + states.len())?;
    let of = Loop {
        body: &body,
        trips: input(0)?,
        condition: input(1)?,
        collected: body.output_count() - 1 - states.len(),
        appended: appended(&body, &states),
        states,
    };
    let steps = of.steps()?;
    let owner = b.node().to_owned();
    let mut reason = None;
    if let Some(steps) = steps
        && written_out(steps, FEW_STEPS).is_none()
        && of.condition.as_ref().is_none_or(is_true)
    {
        match of.looped(b, steps, is_true) {
            Ok(results) => return Ok(results),
            Err(why) => reason = Some(why),
        }
        b.enter(&owner);
    }
    let has_end = of.trips.is_none() || steps.is_some_and(Dim::is_known);
    if has_end {
        let written = of.written_out(b, steps.and_then(Dim::known));
        let written = written.map_err(|why| match reason {
            Some(reason) => format!("{why}; it is no loop of equal steps, because {reason}"),
            None => why,
        })?;
        if let Some(results) = written {
            return Ok(results);
        }
        b.enter(&owner);
    }
    of.while_condition(b)
}

/// Whether a condition is known to hold.
fn is_true(condition: &Value) -> bool {
    condition.scalar().is_some_and(|flag| flag != 0.0)
}

impl Loop<'_, '_> {
    /// The number of steps, if it is known, perhaps as a form; that of a loop that only a condition ends is not.
    pub(super) fn steps(&self) -> Result<Option<Dim>> {
        let Some(trips) = &self.trips else {
            return Ok(None);
        };
        if dim::product(trips.dims())? != 1 || !trips.element().is_integer() {
            return Err("the number of steps (input 0) is not one integer".into());
        }
        let known = trips.constant().and_then(|known| known.to_ints());
        let known = known.and_then(|known| known.first().copied());
        Ok(match (trips.elements(), known) {
            (Some(&[form]), _) => Some(form.max(0)?),
            (_, Some(steps)) => Some(Dim::Known(steps.max(0))),
            _ => None,
        })
    }

    /// The steps as a loop whose number of steps is known before it. Fails unless the condition that the body returns holds.
    fn looped(
        &self,
        b: &mut GraphBuilder,
        steps: Dim,
        holds: fn(&Value) -> bool,
    ) -> Result<Vec<Item>> {
        let states = self.tensors()?;
        let done = b.scan(steps, &states, &[], &[], |b, step| {
            let (condition, states, outputs) = self.step(b, step)?;
            match holds(&condition) {
                true => Ok(Stepped { states, outputs }),
                false => Err("its condition is computed".into()),
            }
        })?;
        self.results(done)
    }

    /// The results of the loop from the states that are tensors, and what was collected.
    pub(super) fn results(&self, done: Stepped) -> Result<Vec<Item>> {
        let (mut states, mut collected) = (done.states.into_iter(), done.outputs.into_iter());
        let state = |place| match self.appended.contains(&place) {
            true => collected.next().map(Item::Stacked),
            false => states.next().map(Item::from),
        };
        let results: Option<Vec<Item>> = (0..self.states.len()).map(state).collect();
        let mut results = results.ok_or("a loop has lost its states")?;
        results.extend(collected.map(Item::from));
        Ok(results)
    }

    /// The steps as a loop that a condition ends.
    fn while_condition(&self, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        if let Some(done) = self.counted(b)? {
            return Ok(done);
        }
        if self.collects() {
            return self.until(b);
        }
        let states = self.tensors()?;
        let trips = match &self.trips {
            Some(trips) => trips.clone(),
            None => b.known(Const::ints(&[i64::MAX])),
        };
        let trips = b.cast(&trips, Element::I64)?;
        let trips = b.reshape_to_scalar(&trips)?;
        let first = match &self.condition {
            Some(condition) => flag(b, condition)?,
            None => b.filled(Element::Bool, &[], 1.0)?,
        };
        let results = b.repeat_while((&trips, &first), &states, |b, step| {
            let (condition, states, _) = self.step(b, step)?;
            Ok((flag(b, &condition)?, states))
        })?;
        Ok(results.into_iter().map(Item::from).collect())
    }

    /// The steps of a loop that collects outputs as a loop whose number of steps the graph computes before it: the number that is given,
    /// if no condition ends the loop, or what a condition that counts says.
    fn counted(&self, b: &mut GraphBuilder) -> Result<Option<Vec<Item>>> {
        if !self.collects() {
            return Ok(None);
        }
        let owner = b.node().to_owned();
        let given = match &self.trips {
            Some(trips) => {
                let trips = b.cast(trips, Element::I64)?;
                Some(b.reshape_to_scalar(&trips)?)
            }
            None => None,
        };
        if let (Some(steps), true) = (&given, self.condition.as_ref().is_none_or(is_true)) {
            let steps = b.with_scalar("maximum", steps, 0.0)?;
            let steps = b.define(&steps, "steps", None)?;
            match self.looped(b, steps, is_true) {
                Ok(results) => return Ok(Some(results)),
                Err(reason) if Counter::of(self.body).is_none() => return Err(reason),
                Err(_) => b.enter(&owner),
            }
        }
        let (Some(counter), Some(first)) = (Counter::of(self.body), &self.condition) else {
            return Ok(None);
        };
        let first = flag(b, first)?;
        let Some(mut steps) = counter.steps(b, &self.states, &first)? else {
            return Ok(None);
        };
        if let Some(given) = given {
            steps = b.binary("minimum", &steps, &given)?;
            steps = b.with_scalar("maximum", &steps, 0.0)?;
        }
        let steps = b.define(&steps, "steps", None)?;
        self.looped(b, steps, |_| true).map(Some)
    }

    fn collects(&self) -> bool {
        self.collected > 0 || !self.appended.is_empty()
    }

    /// Writes the body for a step of a loop: its condition, its states that are tensors, and what is collected. In a step, the condition
    /// holds.
    pub(super) fn step(
        &self,
        b: &mut GraphBuilder,
        step: Step,
    ) -> Result<(Value, Vec<Value>, Vec<Value>)> {
        let holds = b.filled(Element::Bool, &[], 1.0)?;
        let mut arguments: Vec<Item> = vec![step.number.into(), holds.clone().into()];
        let mut taken = step.states.into_iter();
        arguments.extend((0..self.states.len()).filter_map(|place| {
            match self.appended.contains(&place) {
                true => Some(Vec::new().into()),
                false => taken.next().map(Item::from),
            }
        }));
        let outputs = self.body.write(b, "body", &arguments)?;
        let (first, outputs) = outputs.split_first().ok_or("the body has no outputs")?;
        let condition = tensor_of(first)?;
        let (mut states, mut collected) = (Vec::new(), Vec::new());
        for (place, output) in outputs.iter().enumerate() {
            match output {
                Item::Sequence(tensors) if self.appended.contains(&place) => {
                    collected.extend_from_slice(tensors);
                }
                output if place < self.states.len() => states.push(tensor_of(output)?),
                output => collected.push(tensor_of(output)?),
            }
        }
        let condition = self.condition.as_ref().map_or(holds, |_| condition);
        Ok((condition, states, collected))
    }

    /// The first states, which a loop carries only if they are tensors.
    pub(super) fn tensors(&self) -> Result<Vec<Value>> {
        let state = |state: &Item| {
            let tensor = state.tensor().cloned();
            tensor.map_err(|what| format!("a state is {what}"))
        };
        let states = self.states.iter().enumerate();
        let states = states.filter(|(place, _)| !self.appended.contains(place));
        states.map(|(_, of)| state(of)).collect()
    }

    /// The steps one after the other; `None` if a condition is computed when the model runs.
    fn written_out(&self, b: &mut GraphBuilder, trips: Option<i64>) -> Result<Option<Vec<Item>>> {
        let mut condition = match &self.condition {
            Some(condition) => condition.clone(),
            None => b.filled(Element::Bool, &[], 1.0)?,
        };
        let mut states = self.states.clone();
        let mut collected = vec![Vec::new(); self.collected];
        let mut step = 0;
        while trips.is_none_or(|trips| step < trips) {
            if self.condition.is_some() {
                match condition.scalar() {
                    Some(0.0) => break,
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
            check_steps(step + 1)?;
            let mut arguments = at_step(b, step, &condition);
            arguments.append(&mut states);
            let mut outputs = self
                .body
                .write(b, &step.to_string(), &arguments)?
                .into_iter();
            let next = outputs.next().ok_or("the body has no outputs")?;
            condition = tensor_of(&next)?;
            states.extend(outputs.by_ref().take(arguments.len() - 2));
            collect(&mut collected, outputs)?;
            step += 1;
        }
        let first = 1 + states.len();
        let mut arguments = at_step(b, 0, &condition);
        arguments.extend_from_slice(&states);
        for (index, parts) in collected.into_iter().enumerate() {
            let all = match parts.is_empty() {
                true => nothing(b, (self.body, first + index), 0, &arguments)?,
                false => stacked(b, parts, 0)?,
            };
            states.push(all.into());
        }
        Ok(Some(states))
    }
}

/// A condition as a boolean scalar.
pub(super) fn flag(b: &mut GraphBuilder, condition: &Value) -> Result<Value> {
    let only = match condition.element() {
        Element::Bool => b.only_element(condition)?,
        _ => None,
    };
    only.ok_or_else(|| "the condition is not one boolean".into())
}

/// What the body of a Loop takes first: the step and its condition.
fn at_step(b: &GraphBuilder, step: i64, condition: &Value) -> Vec<Item> {
    let step = b.scalar(Element::I64, step as f64);
    vec![step.into(), condition.clone().into()]
}
