//! Loops that collect outputs until a condition ends them.
//!
//! Their number of steps is known behind them. So the loop runs as often as it may at most, and once the condition has ended it, a step does
//! nothing. What is collected is cut to the steps before.

use super::loops::{Loop, flag};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        loops::{Step, Stepped},
        value::Value,
    },
    onnx::item::Item,
};
use relay_dialects::{dim::Dim, element::Element};

/// The greatest number of steps that is not said to be there only for form: memory is taken for outputs of so many.
const MANY_STEPS: i64 = 1 << 20;

impl Loop<'_, '_> {
    /// A loop that collects outputs until a condition ends it.
    pub(super) fn until(&self, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        let most = self.most(b)?;
        let runs = match &self.condition {
            Some(condition) => flag(b, condition)?,
            None => b.filled(Element::Bool, &[], 1.0)?,
        };
        let none = b.scalar(Element::I64, 0.0);
        let states = [vec![runs, none], self.tensors()?].concat();
        let done = b.scan(most, &states, &[], &[], |b, step| self.step_if(b, step))?;
        let [_, count, states @ ..] = &done.states[..] else {
            return Err("a loop has lost its states".into());
        };
        let steps = b.define(count, "steps", Some(most))?;
        let collected = done.outputs.iter().map(|all| b.prefix(all, 0, steps));
        self.results(Stepped {
            states: states.to_vec(),
            outputs: collected.collect::<Result<_>>()?,
        })
    }

    /// The greatest number of steps.
    fn most(&self, b: &mut GraphBuilder) -> Result<Dim> {
        let is_many = |steps: &Dim| steps.known().is_some_and(|steps| steps > MANY_STEPS);
        match (self.steps()?, &self.trips) {
            (Some(steps), _) if !is_many(&steps) => Ok(steps),
            (None, Some(trips)) => {
                let trips = b.cast(trips, Element::I64)?;
                let trips = b.reshape_to_scalar(&trips)?;
                let trips = b.with_scalar("maximum", &trips, 0.0)?;
                b.define(&trips, "most_steps", None)
            }
            _ => Err(format!(
                "it collects outputs (output {}) until a condition ends it, and nothing says for how many steps there has to be memory: \
                 give a greatest number of steps (input 0) of at most {MANY_STEPS}",
                self.states.len()
            )),
        }
    }

    /// A step, if the condition holds. Its states are the condition, the number of steps until then, and those of the loop.
    fn step_if(&self, b: &mut GraphBuilder, step: Step) -> Result<Stepped> {
        let [runs, count, states @ ..] = &step.states[..] else {
            return Err("a step has lost its states".into());
        };
        let mut collected = Vec::new();
        let then = b.branch((runs, true), |b| {
            let step = Step {
                number: step.number.clone(),
                states: states.to_vec(),
                elements: Vec::new(),
            };
            // The condition may not hold in any step.
            let (condition, next, outputs) = b.in_loop(None, |b| self.step(b, step))?;
            let next = [vec![flag(b, &condition)?], next].concat();
            collected.clone_from(&outputs);
            Ok([next, outputs].concat())
        })?;
        let otherwise = b.branch((runs, false), |b| {
            let nothing = collected.iter();
            let nothing = nothing.map(|output| b.full(output.element(), output.dims(), 0.0));
            let nothing = nothing.collect::<Result<Vec<Value>>>()?;
            Ok([vec![runs.clone()], states.to_vec(), nothing].concat())
        })?;
        let mut results = b.either(runs, [then, otherwise])?.into_iter();
        let again = results.next().ok_or("a step has no condition")?;
        let ran = b.cast(runs, Element::I64)?;
        let count = b.binary("add", count, &ran)?;
        let mut states = vec![again, count];
        states.extend(results.by_ref().take(step.states.len() - 2));
        Ok(Stepped {
            states,
            outputs: results.collect(),
        })
    }
}
