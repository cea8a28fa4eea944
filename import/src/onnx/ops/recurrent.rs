//! Recurrent networks: loops over time. A few steps are written out instead.
//!
//! The product of the inputs and their weights is computed for all steps at once. A step is then a product of the state and its weights, and
//! arithmetic on the gates, which are sums of both.

use super::{
    activation::activated,
    linear::dense,
    quantize::{in_bytes, integer_product},
    row::{Row, row},
    select::strided_slice,
    steps::{FEW_STEPS_OF_CELLS, element, joined, stacked, written_out},
};
use crate::{
    compose::activation::clipped,
    graph::{
        builder::GraphBuilder,
        error::Result,
        loops::{Sequence, Stepped},
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("GRU", 1, |n, b| recurrent(n, b, &GRU)),
    row("LSTM", 1, |n, b| recurrent(n, b, &LSTM)),
    row("RNN", 1, |n, b| recurrent(n, b, &RNN)),
];

/// Makes a step: the next states from what the input brings to the gates and the states before.
type Step = fn(&mut GraphBuilder, &Cell, &Value, &[Value]) -> Result<Vec<Value>>;

/// The attribute by which a GRU resets what its hidden gate makes of the state, not the state itself.
const RESETS_LATE: &str = "linear_before_reset";

/// The attribute by which the forget gate of an LSTM is what its input gate leaves.
const COUPLES: &str = "input_forget";

/// A kind of cell.
struct Kind {
    /// The most inputs of a node.
    inputs: usize,
    /// The number of gates, one after the other in the weights.
    gates: i64,
    /// The number of states; the first one is the output.
    states: usize,
    /// The activations of a direction, if the node names none.
    activations: &'static [&'static str],
    /// The attribute that is of this kind alone.
    own: Option<&'static str>,
    /// Whether the weights are of bytes, with an output in each column: see [`lstm_of_bytes`].
    is_of_bytes: bool,
    step: Step,
}

const RNN: Kind = Kind {
    inputs: 6,
    gates: 1,
    states: 1,
    activations: &["Tanh"],
    own: None,
    is_of_bytes: false,
    step: rnn_step,
};

const GRU: Kind = Kind {
    inputs: 6,
    gates: 3,
    states: 1,
    activations: &["Sigmoid", "Tanh"],
    own: Some(RESETS_LATE),
    is_of_bytes: false,
    step: gru_step,
};

const LSTM: Kind = Kind {
    inputs: 8,
    gates: 4,
    states: 2,
    activations: &["Sigmoid", "Tanh", "Tanh"],
    own: Some(COUPLES),
    is_of_bytes: false,
    step: lstm_step,
};

/// An LSTM whose weights are of bytes, with scales and zero points behind the inputs of LSTM. The input becomes bytes as a whole, and the
/// state in each step. ONNX Runtime: `DynamicQuantizeLSTM`.
pub(super) fn lstm_of_bytes(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let kind = Kind {
        inputs: 12,
        is_of_bytes: true,
        ..LSTM
    };
    recurrent(n, b, &kind)
}

/// The weights of an input or a state.
enum Weights {
    /// An output in each row.
    Floats(Value),
    /// An output in each column, with the scale and the zero point.
    Bytes([Value; 3]),
}

impl Weights {
    /// Those of a direction; they are an input.
    fn of(
        n: &Node<'_>,
        b: &mut GraphBuilder,
        kind: &Kind,
        (input, direction): (usize, usize),
    ) -> Result<Self> {
        let all = n.input(input)?;
        let own = element(b, &all, direction)?;
        if !kind.is_of_bytes {
            return Ok(Self::Floats(own));
        }
        // Behind the inputs of LSTM are scale and zero point of the input's weights, and then those of the state's.
        let scale = LSTM.inputs + 2 * (input - 1);
        let mut of_outputs = |input| {
            let all = n.input(input)?;
            element(b, &all, direction)
        };
        Ok(Self::Bytes([
            own,
            of_outputs(scale)?,
            of_outputs(scale + 1)?,
        ]))
    }

    /// The product of rows and these.
    fn multiply(&self, b: &mut GraphBuilder, rows: &Value) -> Result<Value> {
        let [matrix, scale, zero] = match self {
            Self::Floats(weights) => return dense(b, rows, weights),
            Self::Bytes(parts) => parts,
        };
        let [bytes, step, least] = in_bytes(b, rows)?;
        let factor = b.binary("multiply", scale, &step)?;
        let sides = [(&bytes, Some(least)), (matrix, Some(zero.clone()))];
        integer_product(b, sides, &factor, None)
    }

    /// Some of the gates, of weights of floats.
    fn gates(&self, b: &mut GraphBuilder, hidden: i64, (from, to): (i64, i64)) -> Result<Value> {
        match self {
            Self::Floats(weights) => {
                strided_slice(b, weights, &[(0, from * hidden, to * hidden, 1)])
            }
            Self::Bytes(_) => Err("gates of bytes are not computed apart".into()),
        }
    }
}

/// The extents that a node has.
#[derive(Clone, Copy)]
struct Extents {
    steps: Dim,
    samples: Dim,
    inputs: i64,
    hidden: i64,
}

/// One direction of a node.
struct Cell {
    hidden: i64,
    /// The weights of the state.
    weights: Weights,
    /// What is added to the product of the state, [gates * hidden], if that is not added to what the input brings.
    state_bias: Option<Value>,
    /// Whether a GRU resets late: see [`RESETS_LATE`].
    resets_late: bool,
    /// The weights from the cell to the input, output and forget gates.
    peepholes: Option<[Value; 3]>,
    activations: Vec<Activation>,
    /// A gate is clipped to this size before its activation.
    clip: Option<f64>,
    /// Whether an LSTM's gates are coupled: see [`COUPLES`].
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
    n.check_inputs(kind.inputs)?;
    // Whether the node has an output of all steps, which its name says, too.
    if n.opset < 7 {
        n.ignore_attr("output_sequence");
    }
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
    let (&[steps, samples, _], &[_, first, last]) = (x.dims(), recurrent.shape()?) else {
        return Err(format!(
            "the input has shape {:?} and the recurrent weights {:?}, expected rank 3",
            x.dims(),
            recurrent.dims()
        ));
    };
    let hidden = if kind.is_of_bytes { first } else { last };
    if let Some(said) = n.attr_i64("hidden_size")?
        && said != hidden
    {
        return Err(format!(
            "attribute 'hidden_size' is {said}, the recurrent weights have {hidden}"
        ));
    }
    let inputs = x.extent(2)?;
    let rows = kind.gates * hidden;
    let matrix = |depth: i64| match kind.is_of_bytes {
        true => vec![directions, depth, rows],
        false => vec![directions, rows, depth],
    };
    let wanted = [
        (Some(weights), "the weights", matrix(inputs)),
        (Some(recurrent), "the recurrent weights", matrix(hidden)),
        (n.optional(3), "the bias", vec![directions, 2 * rows]),
        (n.optional(7), "the peepholes", vec![directions, 3 * hidden]),
    ];
    for (value, what, shape) in wanted {
        if let Some(value) = value
            && value.shape()? != shape
        {
            return Err(format!(
                "{what} have shape {:?}, expected {shape:?}",
                value.dims()
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
    if let (Some(known), Some(steps)) = (known, extents.steps.known())
        && known.iter().all(|&length| length >= steps)
    {
        return Ok(None);
    }
    if !are_equal(lengths.dims(), &[extents.samples]) {
        return Err(format!(
            "the lengths (input 4) have shape {:?}, expected one for each of {} sequences",
            lengths.dims(),
            extents.samples
        ));
    }
    let lengths = b.cast(&lengths, Element::I64)?;
    Ok(Some(
        b.reshape(&lengths, &[extents.samples, Dim::Known(1)])?,
    ))
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
    let is_set = |name| match kind.own {
        Some(own) if own == name => n.attr_bool_or(name, false),
        _ => Ok(false),
    };
    let (resets_late, couples) = (is_set(RESETS_LATE)?, is_set(COUPLES)?);
    let weights = Weights::of(n, b, kind, (1, direction))?;
    let rows_of_all = samples.times(steps)?;
    let flat = b.reshape(x, &[rows_of_all, Dim::Known(inputs)])?;
    let mut terms = weights.multiply(b, &flat)?;
    let mut state_bias = None;
    if let Some(bias) = n.optional(3) {
        let bias = element(b, &bias, direction)?;
        let (of_input, of_state) = (part(b, &bias, 0, rows)?, part(b, &bias, 1, rows)?);
        terms = b.binary("add", &terms, &of_input)?;
        match resets_late {
            true => state_bias = Some(of_state),
            false => terms = b.binary("add", &terms, &of_state)?,
        }
    }
    let peepholes = match n.optional(7) {
        Some(all) => {
            let all = element(b, &all, direction)?;
            let mut gate = |place| part(b, &all, place, hidden);
            Some([gate(0)?, gate(1)?, gate(2)?])
        }
        None => None,
    };
    let cell = Cell {
        hidden,
        weights: Weights::of(n, b, kind, (2, direction))?,
        state_bias,
        resets_late,
        peepholes,
        activations,
        clip: n.attr_f32("clip")?.map(f64::from),
        couples,
    };
    let shape = [steps, samples, Dim::Known(rows)];
    Ok((cell, b.reshape(&terms, &shape)?))
}

/// The states before the first step: those that are given, or zeros.
fn first_states(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    kind: &Kind,
    (x, extents, direction, batch_first): (&Value, Extents, usize, bool),
) -> Result<Vec<Value>> {
    let shape = [extents.samples, Dim::Known(extents.hidden)];
    let mut state = |place| {
        let Some(mut given) = n.optional(5 + place) else {
            return b.full(x.element(), &shape, 0.0);
        };
        if batch_first && given.rank() == 3 {
            given = b.transpose(&given, &[1, 0, 2])?;
        }
        if given.rank() != 3
            || !are_equal(&given.dims()[1..], &shape)
            || given.extent(0)? <= direction as i64
        {
            return Err(format!(
                "the first state (input {}) has shape {:?}, expected {shape:?} for each direction",
                5 + place,
                given.dims()
            ));
        }
        element(b, &given, direction)
    };
    (0..kind.states).map(&mut state).collect()
}

/// Runs a cell over sequences. Returns the outputs, [steps, samples, hidden], and the last states. A sequence that is shorter than the input
/// keeps its states in the steps behind its end, and its outputs are zeros there.
fn run(
    b: &mut GraphBuilder,
    (kind, cell): (&Kind, &Cell),
    (terms, lengths, extents): (&Value, &Option<Value>, Extents),
    mut states: Vec<Value>,
    reverse: bool,
) -> Result<(Value, Vec<Value>)> {
    let Some(steps) = written_out(extents.steps, FEW_STEPS_OF_CELLS) else {
        return run_loop(b, (kind, cell), (terms, lengths, extents), &states, reverse);
    };
    let (samples, hidden) = (extents.samples, Dim::Known(extents.hidden));
    let mut outputs = Vec::new();
    for step in 0..steps {
        let at = if reverse { steps - 1 - step } else { step };
        let now = element(b, terms, at as usize)?;
        let next = (kind.step)(b, cell, &now, &states)?;
        let time = b.scalar(Element::I64, at as f64);
        let (output, next) = masked(b, lengths, &time, next, &states)?;
        states = next;
        outputs.push(b.reshape(&output, &[Dim::Known(1), samples, hidden])?);
    }
    if reverse {
        outputs.reverse();
    }
    let sequence = match outputs.is_empty() {
        true => b.full(terms.element(), &[Dim::Known(0), samples, hidden], 0.0)?,
        false => joined(b, outputs, 0)?,
    };
    Ok((sequence, states))
}

/// The same as a loop.
fn run_loop(
    b: &mut GraphBuilder,
    (kind, cell): (&Kind, &Cell),
    (terms, lengths, extents): (&Value, &Option<Value>, Extents),
    states: &[Value],
    reverse: bool,
) -> Result<(Value, Vec<Value>)> {
    let last = b.sizes(&[extents.steps.minus(1)?]);
    let last = b.reshape_to_scalar(&last)?;
    let sequence = Sequence {
        value: terms.clone(),
        reversed: reverse,
    };
    let mut made = b.scan(extents.steps, states, &[sequence], &[reverse], |b, step| {
        let next = (kind.step)(b, cell, &step.elements[0], &step.states)?;
        let time = match reverse && lengths.is_some() {
            true => b.binary("subtract", &last, &step.number)?,
            false => step.number,
        };
        let (output, states) = masked(b, lengths, &time, next, &step.states)?;
        Ok(Stepped {
            states,
            outputs: vec![output],
        })
    })?;
    let sequence = made.outputs.pop().ok_or("a cell has no output")?;
    Ok((sequence, made.states))
}

/// The output and the states of a step at a time: zeros and the states before for sequences that have ended.
fn masked(
    b: &mut GraphBuilder,
    lengths: &Option<Value>,
    time: &Value,
    next: Vec<Value>,
    states: &[Value],
) -> Result<(Value, Vec<Value>)> {
    let output = next[0].clone();
    let Some(lengths) = lengths else {
        return Ok((output, next));
    };
    let goes_on = b.binary("greater", lengths, time)?;
    let zero = b.scalar(output.element(), 0.0);
    let output = b.op("where", &[goes_on.clone(), output, zero], &[])?;
    let pairs = next.into_iter().zip(states);
    let next =
        pairs.map(|(next, state)| b.op("where", &[goes_on.clone(), next, state.clone()], &[]));
    Ok((output, next.collect::<Result<_>>()?))
}

/// One of the equal parts, such as those of the gates, of the last axis.
fn part(b: &mut GraphBuilder, all: &Value, place: i64, extent: i64) -> Result<Value> {
    let axis = all.rank() - 1;
    strided_slice(b, all, &[(axis, place * extent, (place + 1) * extent, 1)])
}

impl Cell {
    /// Applies one of the activations to a gate.
    fn activate(&self, b: &mut GraphBuilder, which: usize, gate: &Value) -> Result<Value> {
        let gate = match self.clip {
            Some(clip) => clipped(b, gate, -clip, clip)?,
            None => gate.clone(),
        };
        self.activations[which].of(b, &gate)
    }

    /// Adds to a gate what its peephole lets through: the cell's state, times a weight.
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
    let product = cell.weights.multiply(b, &states[0])?;
    let sum = b.binary("add", x, &product)?;
    Ok(vec![cell.activate(b, 0, &sum)?])
}

/// The gates are update, reset and hidden: h' = (1 - z) n + z h. There n = g(x + (r h) R), or g(x + r (h R + bias)) if it is reset late.
fn gru_step(b: &mut GraphBuilder, cell: &Cell, x: &Value, states: &[Value]) -> Result<Vec<Value>> {
    let (state, hidden) = (&states[0], cell.hidden);
    let weights =
        |b: &mut GraphBuilder, from: i64, to: i64| cell.weights.gates(b, hidden, (from, to));
    // What is reset early has a product of its own.
    let all = if cell.resets_late { 3 } else { 2 };
    let of_gates = weights(b, 0, all)?;
    let mut gates = dense(b, state, &of_gates)?;
    if let Some(bias) = &cell.state_bias {
        gates = b.binary("add", &gates, bias)?;
    }
    let sum = |b: &mut GraphBuilder, place| {
        let (x, product) = (part(b, x, place, hidden)?, part(b, &gates, place, hidden)?);
        b.binary("add", &x, &product)
    };
    let (update, reset) = (sum(b, 0)?, sum(b, 1)?);
    let (update, reset) = (cell.activate(b, 0, &update)?, cell.activate(b, 0, &reset)?);
    let of_state = match cell.resets_late {
        true => {
            let product = part(b, &gates, 2, hidden)?;
            b.binary("multiply", &reset, &product)?
        }
        false => {
            let rest = b.binary("multiply", &reset, state)?;
            let weights = weights(b, 2, 3)?;
            dense(b, &rest, &weights)?
        }
    };
    let of_input = part(b, x, 2, hidden)?;
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
    let product = cell.weights.multiply(b, &states[0])?;
    let gates = b.binary("add", x, &product)?;
    let input = part(b, &gates, 0, hidden)?;
    let input = cell.peep(b, 0, input, memory)?;
    let input = cell.activate(b, 0, &input)?;
    let forget = match cell.couples {
        true => {
            let one = b.scalar(input.element(), 1.0);
            b.binary("subtract", &one, &input)?
        }
        false => {
            let forget = part(b, &gates, 2, hidden)?;
            let forget = cell.peep(b, 2, forget, memory)?;
            cell.activate(b, 0, &forget)?
        }
    };
    let new = part(b, &gates, 3, hidden)?;
    let new = cell.activate(b, 1, &new)?;
    let (kept, added) = (
        b.binary("multiply", &forget, memory)?,
        b.binary("multiply", &input, &new)?,
    );
    let next = b.binary("add", &kept, &added)?;
    let output = part(b, &gates, 1, hidden)?;
    let output = cell.peep(b, 1, output, &next)?;
    let output = cell.activate(b, 0, &output)?;
    let shown = cell.activations[2].of(b, &next)?;
    Ok(vec![b.binary("multiply", &output, &shown)?, next])
}
