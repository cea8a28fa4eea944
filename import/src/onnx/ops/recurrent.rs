//! Recurrent networks, written out step by step.
//!
//! What steps do not depend on is computed for all of them at once: the product of the inputs and their weights. A step is then a
//! product of the state and its weights, and arithmetic on what the gates make of both.

use super::{
    activation::activated,
    linear::dense,
    row::{Row, row},
    select::strided_slice,
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("GRU", 7, |n, b| recurrent(n, b, &GRU)),
    row("LSTM", 7, |n, b| recurrent(n, b, &LSTM)),
    row("RNN", 7, |n, b| recurrent(n, b, &RNN)),
];

/// Makes a step: the next states from what the input brings to the gates and the states before.
type Step = fn(&mut GraphBuilder, &Cell, &Value, &[Value]) -> Result<Vec<Value>>;

/// A kind of cell.
struct Kind {
    /// The number of gates, one after the other in the weights.
    gates: i64,
    /// The number of states; the first one is the output.
    states: usize,
    /// The activations of a direction, if the node names none.
    activations: &'static [&'static str],
    /// The attribute that is of this kind alone.
    own: Option<&'static str>,
    step: Step,
}

const RNN: Kind = Kind {
    gates: 1,
    states: 1,
    activations: &["Tanh"],
    own: None,
    step: rnn_step,
};

const GRU: Kind = Kind {
    gates: 3,
    states: 1,
    activations: &["Sigmoid", "Tanh"],
    own: Some("linear_before_reset"),
    step: gru_step,
};

const LSTM: Kind = Kind {
    gates: 4,
    states: 2,
    activations: &["Sigmoid", "Tanh", "Tanh"],
    own: Some("input_forget"),
    step: lstm_step,
};

/// The most steps. Longer sequences make modules that take too long to compile.
const MOST_STEPS: i64 = 1 << 12;

/// The extents that a node has.
#[derive(Clone, Copy)]
struct Extents {
    steps: i64,
    samples: i64,
    inputs: i64,
    hidden: i64,
}

/// One direction of a node.
struct Cell {
    hidden: i64,
    /// The weights of the state, [gates * hidden, hidden].
    weights: Value,
    /// What a GRU adds to the product of its hidden gate before that is reset, [hidden].
    before_reset: Option<Value>,
    /// The weights from the cell to the input, output and forget gates.
    peepholes: Option<[Value; 3]>,
    activations: Vec<Activation>,
    /// What goes into an activation is at most this large.
    clip: Option<f64>,
    /// Whether the forget gate is what the input gate leaves.
    couples: bool,
}

/// A function with its numbers, where it has any.
#[derive(Clone)]
struct Activation {
    name: String,
    alpha: Option<f64>,
    beta: Option<f64>,
}

impl Activation {
    fn of(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        activated(b, &self.name, x, (self.alpha, self.beta))
    }
}

/// The sequences' outputs, and the last states.
fn recurrent(n: &Node<'_>, b: &mut GraphBuilder, kind: &Kind) -> Result<Vec<Value>> {
    let is_lstm = kind.states == 2;
    n.check_inputs(if is_lstm { 8 } else { 6 })?;
    let batch_first = n.opset >= 14 && n.attr_bool_or("layout", false)?;
    let reverses: &[bool] = match n.attr_str_or("direction", "forward")?.as_str() {
        "forward" => &[false],
        "reverse" => &[true],
        "bidirectional" => &[false, true],
        other => return Err(format!("attribute 'direction' is '{other}'")),
    };
    let mut x = n.input(0)?;
    if batch_first && x.rank() == 3 {
        x = b.transpose(&x, &[1, 0, 2])?;
    }
    let extents = extents(n, &x, reverses.len() as i64, kind)?;
    let lengths = lengths(n, b, extents)?;
    let activations = activations(n, kind, reverses.len())?;
    let mut outputs = Vec::new();
    let mut last = vec![Vec::new(); kind.states];
    for (direction, &reverse) in reverses.iter().enumerate() {
        let functions = &activations[direction * kind.activations.len()..];
        let functions = functions[..kind.activations.len()].to_vec();
        let (cell, terms) = cell(n, b, (kind, functions), (&x, extents, direction))?;
        let states = first_states(n, b, kind, (&x, extents, direction, batch_first))?;
        let (sequence, states) = run(
            b,
            (kind, &cell),
            (&terms, &lengths, extents),
            states,
            reverse,
        )?;
        outputs.push(sequence);
        for (all, state) in last.iter_mut().zip(states) {
            all.push(state);
        }
    }
    // [steps, directions, samples, hidden], and [directions, samples, hidden].
    let mut results = vec![stacked(b, outputs, 1)?];
    for states in last {
        results.push(stacked(b, states, 0)?);
    }
    if batch_first {
        results[0] = b.transpose(&results[0], &[2, 0, 1, 3])?;
        for state in &mut results[1..] {
            *state = b.transpose(state, &[1, 0, 2])?;
        }
    }
    Ok(results)
}

/// The extents of a node's inputs, which fit each other.
fn extents(n: &Node<'_>, x: &Value, directions: i64, kind: &Kind) -> Result<Extents> {
    let (weights, recurrent) = (n.input(1)?, n.input(2)?);
    let (&[steps, samples, inputs], &[.., hidden]) = (x.shape(), recurrent.shape()) else {
        return Err(format!(
            "the input has shape {:?} and the recurrent weights {:?}, expected rank 3",
            x.shape(),
            recurrent.shape()
        ));
    };
    if let Some(said) = n.attr_i64("hidden_size")?
        && said != hidden
    {
        return Err(format!(
            "attribute 'hidden_size' is {said}, the recurrent weights have {hidden}"
        ));
    }
    if steps > MOST_STEPS {
        return Err(format!(
            "sequences have {steps} steps, each of which is written out; at most {MOST_STEPS} are supported"
        ));
    }
    let rows = kind.gates * hidden;
    let wanted = [
        (Some(weights), "the weights", vec![directions, rows, inputs]),
        (
            Some(recurrent),
            "the recurrent weights",
            vec![directions, rows, hidden],
        ),
        (n.optional(3), "the bias", vec![directions, 2 * rows]),
        (n.optional(7), "the peepholes", vec![directions, 3 * hidden]),
    ];
    for (value, what, shape) in wanted {
        if let Some(value) = value
            && value.shape() != shape
        {
            return Err(format!(
                "{what} have shape {:?}, expected {shape:?}",
                value.shape()
            ));
        }
    }
    Ok(Extents {
        steps,
        samples,
        inputs,
        hidden,
    })
}

/// The lengths of the sequences, [samples, 1], if they are not all as long as the input.
fn lengths(n: &Node<'_>, b: &mut GraphBuilder, extents: Extents) -> Result<Option<Value>> {
    let Some(lengths) = n.optional(4) else {
        return Ok(None);
    };
    let known = lengths.constant().and_then(|known| known.to_ints());
    if known.is_some_and(|known| known.iter().all(|&length| length >= extents.steps)) {
        return Ok(None);
    }
    if lengths.shape() != [extents.samples] {
        return Err(format!(
            "the lengths (input 4) have shape {:?}, expected one for each of {} sequences",
            lengths.shape(),
            extents.samples
        ));
    }
    let lengths = b.cast(&lengths, Element::I64)?;
    Ok(Some(b.reshape(&lengths, &[extents.samples, 1])?))
}

/// The activations of all directions. Those with numbers take the next ones from the node's lists.
fn activations(n: &Node<'_>, kind: &Kind, directions: usize) -> Result<Vec<Activation>> {
    let names = match n.attr_strings("activations")? {
        Some(names) => names,
        None => {
            let names = kind.activations.repeat(directions);
            names.into_iter().map(str::to_owned).collect()
        }
    };
    if names.len() != kind.activations.len() * directions {
        return Err(format!(
            "attribute 'activations' names {} functions",
            names.len()
        ));
    }
    let mut alphas = n
        .attr_floats("activation_alpha")?
        .unwrap_or_default()
        .into_iter();
    let mut betas = n
        .attr_floats("activation_beta")?
        .unwrap_or_default()
        .into_iter();
    let with_numbers = |name: String| {
        let (has_alpha, has_beta) = match name.as_str() {
            "Affine" | "HardSigmoid" | "ScaledTanh" => (true, true),
            "Elu" | "LeakyRelu" | "ThresholdedRelu" => (true, false),
            _ => (false, false),
        };
        Activation {
            name,
            alpha: has_alpha.then(|| alphas.next()).flatten().map(f64::from),
            beta: has_beta.then(|| betas.next()).flatten().map(f64::from),
        }
    };
    Ok(names.into_iter().map(with_numbers).collect())
}

/// The cell of a direction, and what the input brings to its gates at each step, [steps, samples, gates * hidden].
fn cell(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (kind, activations): (&Kind, Vec<Activation>),
    (x, extents, direction): (&Value, Extents, usize),
) -> Result<(Cell, Value)> {
    let Extents {
        steps,
        samples,
        inputs,
        hidden,
    } = extents;
    let rows = kind.gates * hidden;
    let own = match kind.own {
        Some(name) => n.attr_bool_or(name, false)?,
        None => false,
    };
    let (weights, recurrent) = (n.input(1)?, n.input(2)?);
    let weights = of_direction(b, &weights, direction)?;
    let flat = b.reshape(x, &[steps * samples, inputs])?;
    let mut terms = dense(b, &flat, &weights)?;
    let mut before_reset = None;
    if let Some(bias) = n.optional(3) {
        let bias = of_direction(b, &bias, direction)?;
        let input_bias = strided_slice(b, &bias, &[(0, 0, rows, 1)])?;
        terms = b.binary("add", &terms, &input_bias)?;
        let of_state = strided_slice(b, &bias, &[(0, rows, 2 * rows, 1)])?;
        terms = match kind.own {
            Some("linear_before_reset") if own => {
                before_reset = Some(strided_slice(b, &of_state, &[(0, 2 * hidden, rows, 1)])?);
                let others = strided_slice(b, &of_state, &[(0, 0, 2 * hidden, 1)])?;
                let none = b.filled(x.element(), &[hidden], 0.0);
                let others = b.op("concatenate", &[others, none], &[("axis", Param::Int(0))])?;
                b.binary("add", &terms, &others)?
            }
            _ => b.binary("add", &terms, &of_state)?,
        };
    } else if own && kind.own == Some("linear_before_reset") {
        before_reset = Some(b.filled(x.element(), &[hidden], 0.0));
    }
    let peepholes = match n.optional(7) {
        Some(all) => {
            let all = of_direction(b, &all, direction)?;
            let mut gate = |place| gate(b, &all, place, hidden);
            Some([gate(0)?, gate(1)?, gate(2)?])
        }
        None => None,
    };
    let cell = Cell {
        hidden,
        weights: of_direction(b, &recurrent, direction)?,
        before_reset,
        peepholes,
        activations,
        clip: n.attr_f32("clip")?.map(f64::from),
        couples: own && kind.own == Some("input_forget"),
    };
    Ok((cell, b.reshape(&terms, &[steps, samples, rows])?))
}

/// The part of a tensor that belongs to a direction.
fn of_direction(b: &mut GraphBuilder, all: &Value, direction: usize) -> Result<Value> {
    let shape = all.shape()[1..].to_vec();
    let at = direction as i64;
    let part = match all.shape()[0] {
        1 => all.clone(),
        _ => strided_slice(b, all, &[(0, at, at + 1, 1)])?,
    };
    b.reshape(&part, &shape)
}

/// The states before the first step: those that are given, or zeros.
fn first_states(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    kind: &Kind,
    (x, extents, direction, batch_first): (&Value, Extents, usize, bool),
) -> Result<Vec<Value>> {
    let shape = [extents.samples, extents.hidden];
    let mut state = |place| {
        let Some(mut given) = n.optional(5 + place) else {
            return Ok(b.filled(x.element(), &shape, 0.0));
        };
        if batch_first && given.rank() == 3 {
            given = b.transpose(&given, &[1, 0, 2])?;
        }
        if given.rank() != 3 || given.shape()[1..] != shape || given.shape()[0] <= direction as i64
        {
            return Err(format!(
                "the first state (input {}) has shape {:?}, expected {shape:?} for each direction",
                5 + place,
                given.shape()
            ));
        }
        of_direction(b, &given, direction)
    };
    (0..kind.states).map(&mut state).collect()
}

/// Runs a cell over sequences. Returns what it puts out, [steps, samples, hidden], and the last states. A sequence that is shorter than the
/// input keeps its states in the steps that it has not, and puts out zeros there.
fn run(
    b: &mut GraphBuilder,
    (kind, cell): (&Kind, &Cell),
    (terms, lengths, extents): (&Value, &Option<Value>, Extents),
    mut states: Vec<Value>,
    reverse: bool,
) -> Result<(Value, Vec<Value>)> {
    let Extents {
        steps,
        samples,
        hidden,
        ..
    } = extents;
    let mut outputs = Vec::new();
    for step in 0..steps {
        let at = if reverse { steps - 1 - step } else { step };
        let now = strided_slice(b, terms, &[(0, at, at + 1, 1)])?;
        let now = b.reshape(&now, &terms.shape()[1..])?;
        let next = (kind.step)(b, cell, &now, &states)?;
        let mut output = next[0].clone();
        states = match lengths {
            None => next,
            Some(lengths) => {
                let time = b.scalar(Element::I64, at as f64);
                let goes_on = b.binary("greater", lengths, &time)?;
                let zero = b.scalar(output.element(), 0.0);
                output = b.op("where", &[goes_on.clone(), output, zero], &[])?;
                let pairs = next.into_iter().zip(states);
                pairs
                    .map(|(next, state)| b.op("where", &[goes_on.clone(), next, state], &[]))
                    .collect::<Result<_>>()?
            }
        };
        outputs.push(b.reshape(&output, &[1, samples, hidden])?);
    }
    if reverse {
        outputs.reverse();
    }
    let sequence = match outputs.is_empty() {
        true => b.filled(terms.element(), &[0, samples, hidden], 0.0),
        false => joined(b, outputs)?,
    };
    Ok((sequence, states))
}

/// The most tensors that are joined at a time: all are operands of one kernel.
const JOINED: usize = 32;

/// Tensors one after the other along the first axis.
fn joined(b: &mut GraphBuilder, mut parts: Vec<Value>) -> Result<Value> {
    while parts.len() > 1 {
        let join = |some: &[Value]| match some {
            [one] => Ok(one.clone()),
            _ => b.op("concatenate", some, &[("axis", Param::Int(0))]),
        };
        parts = parts.chunks(JOINED).map(join).collect::<Result<_>>()?;
    }
    parts.pop().ok_or_else(|| "there are no steps".into())
}

/// Tensors along a new axis, one for each direction.
fn stacked(b: &mut GraphBuilder, parts: Vec<Value>, axis: usize) -> Result<Value> {
    let mut shape = parts[0].shape().to_vec();
    shape.insert(axis, 1);
    let parts: Vec<Value> = parts
        .iter()
        .map(|part| b.reshape(part, &shape))
        .collect::<Result<_>>()?;
    match &parts[..] {
        [one] => Ok(one.clone()),
        _ => b.op("concatenate", &parts, &[("axis", Param::Int(axis as i64))]),
    }
}

/// One gate's part of the last axis.
fn gate(b: &mut GraphBuilder, all: &Value, place: i64, hidden: i64) -> Result<Value> {
    let axis = all.rank() - 1;
    if all.shape()[axis] == hidden {
        return Ok(all.clone());
    }
    strided_slice(b, all, &[(axis, place * hidden, (place + 1) * hidden, 1)])
}

impl Cell {
    /// Applies one of the activations to a gate.
    fn activate(&self, b: &mut GraphBuilder, which: usize, gate: &Value) -> Result<Value> {
        let Some(clip) = self.clip else {
            return self.activations[which].of(b, gate);
        };
        let attrs = [
            ("a_min", Param::Float(-clip)),
            ("a_max", Param::Float(clip)),
        ];
        let clipped = b.op("clip", std::slice::from_ref(gate), &attrs)?;
        self.activations[which].of(b, &clipped)
    }

    /// Adds a gate's peephole, the cell's state by a weight.
    fn peep(&self, b: &mut GraphBuilder, which: usize, x: Value, state: &Value) -> Result<Value> {
        match &self.peepholes {
            Some(weights) => {
                let term = b.binary("multiply", state, &weights[which])?;
                b.binary("add", &x, &term)
            }
            None => Ok(x),
        }
    }
}

/// h' = f(x + h R).
fn rnn_step(b: &mut GraphBuilder, cell: &Cell, x: &Value, states: &[Value]) -> Result<Vec<Value>> {
    let product = dense(b, &states[0], &cell.weights)?;
    let sum = b.binary("add", x, &product)?;
    Ok(vec![cell.activate(b, 0, &sum)?])
}

/// The gates are update, reset and hidden: h' = (1 - z) n + z h, with n = g(x + (r h) R) or g(x + r (h R + bias)).
fn gru_step(b: &mut GraphBuilder, cell: &Cell, x: &Value, states: &[Value]) -> Result<Vec<Value>> {
    let (state, hidden) = (&states[0], cell.hidden);
    let weights = |b: &mut GraphBuilder, from: i64, to: i64| {
        strided_slice(b, &cell.weights, &[(0, from * hidden, to * hidden, 1)])
    };
    let gates = match &cell.before_reset {
        Some(_) => dense(b, state, &cell.weights)?,
        None => {
            let weights = weights(b, 0, 2)?;
            dense(b, state, &weights)?
        }
    };
    let sum = |b: &mut GraphBuilder, place| {
        let (x, product) = (gate(b, x, place, hidden)?, gate(b, &gates, place, hidden)?);
        b.binary("add", &x, &product)
    };
    let (update, reset) = (sum(b, 0)?, sum(b, 1)?);
    let (update, reset) = (cell.activate(b, 0, &update)?, cell.activate(b, 0, &reset)?);
    let of_state = match &cell.before_reset {
        Some(bias) => {
            let product = gate(b, &gates, 2, hidden)?;
            let product = b.binary("add", &product, bias)?;
            b.binary("multiply", &reset, &product)?
        }
        None => {
            let rest = b.binary("multiply", &reset, state)?;
            let weights = weights(b, 2, 3)?;
            dense(b, &rest, &weights)?
        }
    };
    let of_input = gate(b, x, 2, hidden)?;
    let new = b.binary("add", &of_input, &of_state)?;
    let new = cell.activate(b, 1, &new)?;
    // (1 - z) n + z h.
    let difference = b.binary("subtract", state, &new)?;
    let kept = b.binary("multiply", &update, &difference)?;
    Ok(vec![b.binary("add", &new, &kept)?])
}

/// The gates are input, output, forget and cell: c' = f c + i g(..), h' = o h(c').
fn lstm_step(b: &mut GraphBuilder, cell: &Cell, x: &Value, states: &[Value]) -> Result<Vec<Value>> {
    let (hidden, memory) = (cell.hidden, &states[1]);
    let product = dense(b, &states[0], &cell.weights)?;
    let gates = b.binary("add", x, &product)?;
    let input = gate(b, &gates, 0, hidden)?;
    let input = cell.peep(b, 0, input, memory)?;
    let input = cell.activate(b, 0, &input)?;
    let forget = match cell.couples {
        true => {
            let one = b.scalar(input.element(), 1.0);
            b.binary("subtract", &one, &input)?
        }
        false => {
            let forget = gate(b, &gates, 2, hidden)?;
            let forget = cell.peep(b, 2, forget, memory)?;
            cell.activate(b, 0, &forget)?
        }
    };
    let new = gate(b, &gates, 3, hidden)?;
    let new = cell.activate(b, 1, &new)?;
    let (kept, added) = (
        b.binary("multiply", &forget, memory)?,
        b.binary("multiply", &input, &new)?,
    );
    let next = b.binary("add", &kept, &added)?;
    let output = gate(b, &gates, 1, hidden)?;
    let output = cell.peep(b, 1, output, &next)?;
    let output = cell.activate(b, 0, &output)?;
    let shown = cell.activations[2].of(b, &next)?;
    Ok(vec![b.binary("multiply", &output, &shown)?, next])
}
