//! Scan: a body that is repeated for each element of sequences.

use super::steps::{
    FEW_STEPS, check_body, check_steps, collect, element, nothing, stacked, tensor_of, written_out,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        loops::{self, Step, Stepped},
        value::{Value, normalize_axis},
    },
    onnx::{item::Item, node::Node, subgraph::Subgraph},
};
use relay_dialects::dim::Dim;

/// A tensor that is read or collected element by element along an axis, from its end if `reverse`.
struct Sequence {
    axis: i64,
    reverse: bool,
}

/// The sequences that two attributes describe: their axes and directions.
fn sequences(n: &Node<'_>, which: [&str; 2], count: usize) -> Result<Vec<Sequence>> {
    let list = |name: &str| {
        let list = n.attr_ints(name)?.unwrap_or_else(|| vec![0; count]);
        if list.len() != count {
            return Err(format!(
                "attribute '{name}' has {} numbers, expected {count}",
                list.len()
            ));
        }
        Ok(list)
    };
    let (axes, directions) = (list(which[0])?, list(which[1])?);
    let sequence = |(axis, direction)| Sequence {
        axis,
        reverse: direction != 0,
    };
    Ok(axes.into_iter().zip(directions).map(sequence).collect())
}

/// A Scan.
struct Scan<'n, 'm> {
    body: &'n Subgraph<'m>,
    /// The first states, and then the tensors that are read.
    inputs: &'n [Value],
    states: usize,
    read: &'n [Sequence],
    made: &'n [Sequence],
}

/// The body takes what the step before it returned, and an element of each sequence; it returns what the next step takes,
/// and what is collected.
pub(super) fn scan(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let body = n.attr_graph("body")?;
    let inputs = n.variadic()?;
    let count = usize::try_from(n.required_i64("num_scan_inputs")?).unwrap_or(0);
    if count == 0 || count > inputs.len() {
        return Err(format!(
            "attribute 'num_scan_inputs' does not fit {} inputs",
            inputs.len()
        ));
    }
    let states = inputs.len() - count;
    check_body(&body, inputs.len(), states)?;
    let read = sequences(n, ["scan_input_axes", "scan_input_directions"], count)?;
    let made = sequences(
        n,
        ["scan_output_axes", "scan_output_directions"],
        body.output_count() - states,
    )?;
    let scan = Scan {
        body: &body,
        inputs: &inputs,
        states,
        read: &read,
        made: &made,
    };
    let steps = scan.steps()?;
    if written_out(steps, FEW_STEPS).is_some() {
        return scan.written_out(b);
    }
    let owner = b.node().to_owned();
    let looped = scan.looped(b, steps);
    looped.or_else(|reason| {
        b.enter(&owner);
        // A body may need to know its step, or return states of other types than it takes.
        match steps.known() {
            Some(_) => scan.written_out(b),
            None => Err(reason),
        }
    })
}

impl Scan<'_, '_> {
    /// The number of steps.
    fn steps(&self) -> Result<Dim> {
        let mut all = Vec::new();
        for (value, sequence) in self.inputs[self.states..].iter().zip(self.read) {
            all.push(value.dims()[value.axis(sequence.axis)?]);
        }
        match all.iter().all(|steps| *steps == all[0]) {
            true => Ok(all[0]),
            false => Err("its sequences have different lengths".into()),
        }
    }

    fn looped(&self, b: &mut GraphBuilder, steps: Dim) -> Result<Vec<Value>> {
        let (states, scanned) = self.inputs.split_at(self.states);
        let mut sequences = Vec::new();
        for (value, sequence) in scanned.iter().zip(self.read) {
            sequences.push(loops::Sequence {
                value: axis_first(b, value, sequence.axis)?,
                reversed: sequence.reverse,
            });
        }
        let reversed: Vec<bool> = self.made.iter().map(|made| made.reverse).collect();
        let step = |b: &mut GraphBuilder, step: Step| {
            let arguments = step.states.into_iter().chain(step.elements);
            let arguments: Vec<Item> = arguments.map(Item::from).collect();
            let outputs = self.body.write(b, "body", &arguments)?;
            let mut states: Vec<Value> = outputs.iter().map(tensor_of).collect::<Result<_>>()?;
            let outputs = states.split_off(self.states);
            Ok(Stepped { states, outputs })
        };
        let done = b.scan(steps, states, &sequences, &reversed, step)?;
        let mut results = done.states;
        for (output, made) in done.outputs.iter().zip(self.made) {
            let axis = normalize_axis(made.axis, output.rank())?;
            let order = (1..output.rank()).collect::<Vec<_>>();
            let order = [&order[..axis], &[0], &order[axis..]].concat();
            results.push(b.transpose(output, &order)?);
        }
        Ok(results)
    }

    fn written_out(&self, b: &mut GraphBuilder) -> Result<Vec<Value>> {
        let (states, scanned) = self.inputs.split_at(self.states);
        let mut states = states.to_vec();
        let mut elements = Vec::with_capacity(scanned.len());
        for (value, sequence) in scanned.iter().zip(self.read) {
            elements.push(taken_apart(b, value, sequence)?);
        }
        let steps = elements[0].len();
        let mut collected = vec![Vec::new(); self.made.len()];
        for step in 0..steps {
            let elements = elements.iter().map(|elements| elements[step].clone());
            let arguments: Vec<Item> = states.into_iter().chain(elements).map(Item::from).collect();
            let mut outputs = self.body.write(b, &step.to_string(), &arguments)?;
            collect(&mut collected, outputs.split_off(self.states))?;
            states = outputs.iter().map(tensor_of).collect::<Result<_>>()?;
        }
        let none = match steps {
            0 => arguments_of_none(b, (self.inputs, self.states), self.read)?,
            _ => Vec::new(),
        };
        for (index, (mut parts, sequence)) in collected.into_iter().zip(self.made).enumerate() {
            if sequence.reverse {
                parts.reverse();
            }
            states.push(match parts.first() {
                Some(part) => {
                    let axis = normalize_axis(sequence.axis, part.rank() + 1)?;
                    stacked(b, parts, axis)?
                }
                None => nothing(b, (self.body, self.states + index), sequence.axis, &none)?,
            });
        }
        Ok(states)
    }
}

/// A tensor with an axis in front of the others.
fn axis_first(b: &mut GraphBuilder, value: &Value, axis: i64) -> Result<Value> {
    let axis = value.axis(axis)?;
    let mut order: Vec<usize> = (0..value.rank()).filter(|&other| other != axis).collect();
    order.insert(0, axis);
    b.transpose(value, &order)
}

/// The elements of a sequence, in the order in which they are read.
fn taken_apart(b: &mut GraphBuilder, value: &Value, sequence: &Sequence) -> Result<Vec<Value>> {
    let steps = value.extent(value.axis(sequence.axis)?)?;
    check_steps(steps)?;
    let value = axis_first(b, value, sequence.axis)?;
    let elements = (0..steps as usize).map(|at| element(b, &value, at));
    let mut elements: Vec<Value> = elements.collect::<Result<_>>()?;
    if sequence.reverse {
        elements.reverse();
    }
    Ok(elements)
}

/// What the body of a Scan would take if there were a step: the first `count` inputs, and an element of each of the others.
fn arguments_of_none(
    b: &mut GraphBuilder,
    (inputs, count): (&[Value], usize),
    read: &[Sequence],
) -> Result<Vec<Item>> {
    let (states, scanned) = inputs.split_at(count);
    let elements = scanned.iter().zip(read).map(|(value, sequence)| {
        let mut shape = value.dims().to_vec();
        shape.remove(value.axis(sequence.axis)?);
        b.full(value.element(), &shape, 0.0)
    });
    let states = states.iter().cloned().map(Ok);
    states
        .chain(elements)
        .map(|value| value.map(Item::from))
        .collect()
}
