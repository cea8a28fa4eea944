//! Recurrent layers: loops over time.
//!
//! The product of the inputs and their weights is computed for all steps at once. A step is then a product of the state and its weights,
//! and arithmetic on the gates, which are sums of both.

use super::{
    linear::linear_of,
    slice::strided_slice,
    steps::{FEW_STEPS_OF_CELLS, element, joined, written_out},
};
use crate::graph::{
    builder::GraphBuilder,
    error::Result,
    loops::{Sequence, Stepped},
    value::Value,
};
use relay_dialects::dim::Dim;

/// The most layers: each is written out.
pub const MOST_LAYERS: usize = 1 << 10;

/// Makes the next states of what the input brings to the gates, and of the states before.
pub type Step = fn(&mut GraphBuilder, &Cell, &Value, &[Value]) -> Result<Vec<Value>>;

/// A kind of cell.
pub struct Kind {
    /// The number of states; the first one is the output.
    pub states: usize,
    /// A step.
    pub step: Step,
}

/// The gated recurrent unit.
pub const GRU: Kind = Kind {
    states: 1,
    step: gru_step,
};
/// Long short-term memory: its output and its memory are states.
pub const LSTM: Kind = Kind {
    states: 2,
    step: lstm_step,
};
/// One gate with tanh.
pub const RNN_TANH: Kind = Kind {
    states: 1,
    step: |b, cell, input, states| rnn_step(b, cell, (input, states), "tanh"),
};
/// One gate that cuts what is below zero.
pub const RNN_RELU: Kind = Kind {
    states: 1,
    step: |b, cell, input, states| rnn_step(b, cell, (input, states), "nn.relu"),
};

/// The weights of one direction of a layer: of the input, and of the state.
pub struct Cell {
    /// The weight of the input, [gates * size, inputs].
    pub input: Value,
    /// The weight of the state, [gates * size, size].
    pub state: Value,
    /// What is added to the input's gates.
    pub input_bias: Option<Value>,
    /// What is added to the state's gates.
    pub state_bias: Option<Value>,
    /// What makes the output of an LSTM smaller than its state.
    pub projection: Option<Value>,
}

impl Cell {
    /// What an input brings to the gates.
    pub fn of_input(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        biased(b, x, (&self.input, self.input_bias.as_ref()))
    }

    /// What a state brings to the gates.
    fn of_state(&self, b: &mut GraphBuilder, state: &Value) -> Result<Value> {
        biased(b, state, (&self.state, self.state_bias.as_ref()))
    }
}

fn biased(
    b: &mut GraphBuilder,
    x: &Value,
    (weight, bias): (&Value, Option<&Value>),
) -> Result<Value> {
    let product = linear_of(b, x, weight)?;
    match bias {
        Some(bias) => b.binary("add", &product, bias),
        None => Ok(product),
    }
}

/// The gates, one after the other in the last axis.
fn gates<const COUNT: usize>(b: &mut GraphBuilder, x: &Value) -> Result<[Value; COUNT]> {
    let axis = x.rank() - 1;
    let size = x.extent(axis)? / COUNT as i64;
    let mut parts = Vec::with_capacity(COUNT);
    for gate in 0..COUNT as i64 {
        parts.push(strided_slice(
            b,
            x,
            &[(axis, gate * size, (gate + 1) * size, 1)],
        )?);
    }
    parts
        .try_into()
        .map_err(|_| "there are no such gates".into())
}

fn rnn_step(
    b: &mut GraphBuilder,
    cell: &Cell,
    (input, states): (&Value, &[Value]),
    activation: &str,
) -> Result<Vec<Value>> {
    let of_state = cell.of_state(b, &states[0])?;
    let sum = b.binary("add", input, &of_state)?;
    Ok(vec![b.unary(activation, &sum)?])
}

/// h' = (1 - z) * n + z * h, with n = tanh(x_n + r * h_n).
fn gru_step(
    b: &mut GraphBuilder,
    cell: &Cell,
    input: &Value,
    states: &[Value],
) -> Result<Vec<Value>> {
    let of_state = cell.of_state(b, &states[0])?;
    let [x_reset, x_update, x_new] = gates(b, input)?;
    let [h_reset, h_update, h_new] = gates(b, &of_state)?;
    let reset = b.binary("add", &x_reset, &h_reset)?;
    let reset = b.unary("sigmoid", &reset)?;
    let update = b.binary("add", &x_update, &h_update)?;
    let update = b.unary("sigmoid", &update)?;
    let kept = b.binary("multiply", &reset, &h_new)?;
    let new = b.binary("add", &x_new, &kept)?;
    let new = b.unary("tanh", &new)?;
    let difference = b.binary("subtract", &states[0], &new)?;
    let part = b.binary("multiply", &update, &difference)?;
    Ok(vec![b.binary("add", &new, &part)?])
}

/// c' = f * c + i * g and h' = o * tanh(c'), which may be projected.
fn lstm_step(
    b: &mut GraphBuilder,
    cell: &Cell,
    input: &Value,
    states: &[Value],
) -> Result<Vec<Value>> {
    let of_state = cell.of_state(b, &states[0])?;
    let sum = b.binary("add", input, &of_state)?;
    let [enter, forget, new, leave] = gates(b, &sum)?;
    let (enter, forget) = (b.unary("sigmoid", &enter)?, b.unary("sigmoid", &forget)?);
    let (new, leave) = (b.unary("tanh", &new)?, b.unary("sigmoid", &leave)?);
    let old = b.binary("multiply", &forget, &states[1])?;
    let added = b.binary("multiply", &enter, &new)?;
    let memory = b.binary("add", &old, &added)?;
    let shown = b.unary("tanh", &memory)?;
    let mut output = b.binary("multiply", &leave, &shown)?;
    if let Some(projection) = &cell.projection {
        output = linear_of(b, &output, projection)?;
    }
    Ok(vec![output, memory])
}

/// Layers over all steps: the outputs of the last layer, and then the last states of all. `x` is [steps, samples, inputs]. There is a
/// cell for each layer and direction, and `initial` has for each state of a cell [layers * directions, samples, size].
///
/// # Errors
/// If the shapes do not fit.
pub fn layers(
    b: &mut GraphBuilder,
    (kind, cells, directions): (&Kind, &[Cell], usize),
    x: &Value,
    initial: &[Value],
) -> Result<Vec<Value>> {
    let mut x = x.clone();
    let mut last: Vec<Vec<Value>> = vec![Vec::new(); kind.states];
    for (layer, cells) in cells.chunks(directions).enumerate() {
        let mut outputs = Vec::new();
        for (direction, cell) in cells.iter().enumerate() {
            let place = (layer * directions + direction) as i64;
            let states = initial.iter();
            let states = states.map(|states| state_of(b, states, place, x.dims()[1]));
            let states = states.collect::<Result<Vec<_>>>()?;
            let (output, states) = direction_of(b, (kind, cell), &x, states, direction == 1)?;
            outputs.push(output);
            for (all, state) in last.iter_mut().zip(states) {
                let shape = [&[Dim::Known(1)], state.dims()].concat();
                all.push(b.reshape(&state, &shape)?);
            }
        }
        x = b.concatenate(&outputs, 2)?;
    }
    let mut results = vec![x];
    for states in last {
        results.push(b.concatenate(&states, 0)?);
    }
    Ok(results)
}

/// The first state of a layer and direction, as [samples, size].
fn state_of(b: &mut GraphBuilder, states: &Value, place: i64, samples: Dim) -> Result<Value> {
    let state = strided_slice(b, states, &[(0, place, place + 1, 1)])?;
    let size = state.dims()[state.rank() - 1];
    b.reshape(&state, &[samples, size])
}

/// A layer over all steps in one direction: its outputs, and its last states.
fn direction_of(
    b: &mut GraphBuilder,
    (kind, cell): (&Kind, &Cell),
    x: &Value,
    mut states: Vec<Value>,
    is_reversed: bool,
) -> Result<(Value, Vec<Value>)> {
    let terms = cell.of_input(b, x)?;
    let steps = terms.dims()[0];
    let Some(count) = written_out(steps, FEW_STEPS_OF_CELLS) else {
        let sequence = Sequence {
            value: terms,
            reversed: is_reversed,
        };
        let mut made = b.scan(steps, &states, &[sequence], &[is_reversed], |b, step| {
            let states = (kind.step)(b, cell, &step.elements[0], &step.states)?;
            let output = states[0].clone();
            Ok(Stepped {
                states,
                outputs: vec![output],
            })
        })?;
        let outputs = made.outputs.pop().ok_or("a cell has no output")?;
        return Ok((outputs, made.states));
    };
    let mut outputs = Vec::new();
    for step in 0..count {
        let at = if is_reversed { count - 1 - step } else { step };
        let input = element(b, &terms, at as usize)?;
        states = (kind.step)(b, cell, &input, &states)?;
        let shape = [&[Dim::Known(1)], states[0].dims()].concat();
        outputs.push(b.reshape(&states[0], &shape)?);
    }
    if is_reversed {
        outputs.reverse();
    }
    Ok((joined(b, outputs, 0)?, states))
}
