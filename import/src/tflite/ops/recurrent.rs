//! Recurrent operators with gates. What they keep from run to run is an input and an output of the model.

use super::{
    activation::Activation,
    row::{Row, row},
};
use crate::{
    compose::activation,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        loops::{Sequence, Step, Stepped},
        value::Value,
    },
    tflite::{node::Node, state::Kept},
};
use relay_dialects::dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("LSTM", lstm),
    row("UNIDIRECTIONAL_SEQUENCE_LSTM", sequence_lstm),
    row("BIDIRECTIONAL_SEQUENCE_LSTM", bidirectional_lstm),
];

/// An input in floats: weights may be of bytes.
pub(super) fn numbers(n: &Node<'_>, b: &mut GraphBuilder, place: usize) -> Result<Option<Value>> {
    let Some(value) = n.optional(place) else {
        return Ok(None);
    };
    let value = match n.is_quantised(place) {
        true => n.grain(place)?.dequantised(b, &value)?,
        false => value,
    };
    match value.element().is_float() {
        true => Ok(Some(value)),
        false => Err(format!(
            "input {place} is of {:?}, expected floats",
            value.element()
        )),
    }
}

pub(super) fn required(n: &Node<'_>, b: &mut GraphBuilder, place: usize) -> Result<Value> {
    numbers(n, b, place)?.ok_or_else(|| format!("input {place} is missing"))
}

/// Fails if the data are of integers.
pub(super) fn check_floats(n: &Node<'_>) -> Result<()> {
    match n.is_quantised(0) {
        true => Err("recurrent operators on quantised data are not supported".into()),
        false => Ok(()),
    }
}

/// Says what the variable among the inputs becomes.
pub(super) fn keep(n: &Node<'_>, place: usize, value: Value) -> Result<()> {
    let tensor = n
        .tensor(place)
        .ok_or_else(|| format!("input {place} is missing"))?;
    let number = n.operator.inputs.get(place).copied().unwrap_or(-1);
    if tensor.is_variable {
        n.importer.states().set(Kept::Variable(number), value);
    }
    Ok(())
}

/// x * weight'
pub(super) fn product(b: &mut GraphBuilder, x: &Value, weight: &Value) -> Result<Value> {
    let rank = x.rank();
    if rank < 2 || weight.rank() != 2 {
        return Err(format!(
            "data of shape {:?} and a weight of shape {:?} are no matrices",
            x.dims(),
            weight.dims()
        ));
    }
    if rank == 2 {
        return b.binary("nn.dense", x, weight);
    }
    let matrix = b.reshape(
        x,
        &[dim::product(&x.dims()[..rank - 1])?, x.dims()[rank - 1]],
    )?;
    let made = b.binary("nn.dense", &matrix, weight)?;
    b.reshape(
        &made,
        &[&x.dims()[..rank - 1], &weight.dims()[..1]].concat(),
    )
}

/// A vector plus each row.
pub(super) fn plus(b: &mut GraphBuilder, x: Value, bias: Option<&Value>) -> Result<Value> {
    match bias {
        Some(bias) => b.binary("add", &x, bias),
        None => Ok(x),
    }
}

/// Numbers cut to a distance from zero; as they are if that is 0.
fn clipped(b: &mut GraphBuilder, x: Value, clip: f64) -> Result<Value> {
    match clip > 0.0 {
        true => activation::clipped(b, &x, -clip, clip),
        false => Ok(x),
    }
}

/// With time as the first dimension.
pub(super) fn time_first(b: &mut GraphBuilder, x: &Value, is_first: bool) -> Result<Value> {
    match (x.rank(), is_first) {
        (3, true) => Ok(x.clone()),
        (3, false) => b.transpose(x, &[1, 0, 2]),
        _ => Err(format!(
            "the data has shape {:?}, expected rank 3",
            x.dims()
        )),
    }
}

/// The gates of a cell, in the order of its inputs.
const GATES: usize = 4;
const INPUT: usize = 0;
const FORGET: usize = 1;
const CELL: usize = 2;
const OUTPUT: usize = 3;

/// A long short-term memory.
struct Lstm {
    /// Of the data and of the result before, for each gate; without that of the input where it is what the forget gate leaves.
    weights: [Option<[Value; 2]>; GATES],
    biases: [Option<Value>; GATES],
    /// Of the state, for gates but that of the cell.
    peepholes: [Option<Value>; GATES],
    /// Scales of normalised gates.
    norms: [Option<Value>; GATES],
    projection: Option<(Value, Option<Value>)>,
    activation: Activation,
    cell_clip: f64,
    projection_clip: f64,
}

impl Lstm {
    /// Where the inputs of one direction begin; `norms` are those of scales, if there are any.
    fn of(n: &Node<'_>, b: &mut GraphBuilder, first: usize, norms: Option<usize>) -> Result<Self> {
        let mut lstm = Self {
            weights: Default::default(),
            biases: Default::default(),
            peepholes: Default::default(),
            norms: Default::default(),
            projection: None,
            activation: Activation::of(n)?,
            cell_clip: n.float("cell_clip")?,
            projection_clip: n.float("proj_clip")?,
        };
        for gate in 0..GATES {
            let pair = [
                numbers(n, b, first + gate)?,
                numbers(n, b, first + GATES + gate)?,
            ];
            lstm.weights[gate] = match pair {
                [Some(data), Some(state)] => Some([data, state]),
                [None, _] if gate == INPUT => None,
                _ => return Err(format!("the weights of gate {gate} are missing")),
            };
            lstm.biases[gate] = numbers(n, b, first + 11 + gate)?;
            lstm.norms[gate] = match norms {
                Some(norms) => numbers(n, b, norms + gate)?,
                None => None,
            };
        }
        for (place, gate) in [(8, INPUT), (9, FORGET), (10, OUTPUT)] {
            lstm.peepholes[gate] = numbers(n, b, first + place)?;
        }
        if let Some(weight) = numbers(n, b, first + 15)? {
            lstm.projection = Some((weight, numbers(n, b, first + 16)?));
        }
        Ok(lstm)
    }

    /// The products of the data with the weights of each gate, which need no state.
    fn given(&self, b: &mut GraphBuilder, x: &Value) -> Result<[Option<Value>; GATES]> {
        let mut made: [Option<Value>; GATES] = Default::default();
        for (gate, weights) in self.weights.iter().enumerate() {
            if let Some([data, _]) = weights {
                let given = product(b, x, data)?;
                // A normalised gate has its bias behind the norm.
                let bias = self.biases[gate]
                    .as_ref()
                    .filter(|_| self.norms[gate].is_none());
                made[gate] = Some(plus(b, given, bias)?);
            }
        }
        Ok(made)
    }

    /// A gate before its function.
    fn gate(
        &self,
        b: &mut GraphBuilder,
        gate: usize,
        given: &Value,
        [result, state]: [&Value; 2],
    ) -> Result<Value> {
        let Some([_, again]) = &self.weights[gate] else {
            return Err(format!("the weights of gate {gate} are missing"));
        };
        let kept = product(b, result, again)?;
        let mut sum = b.binary("add", given, &kept)?;
        if let Some(peephole) = &self.peepholes[gate] {
            let seen = b.binary("multiply", state, peephole)?;
            sum = b.binary("add", &sum, &seen)?;
        }
        if let Some(scale) = &self.norms[gate] {
            sum = normalised(b, &sum)?;
            sum = b.binary("multiply", &sum, scale)?;
            sum = plus(b, sum, self.biases[gate].as_ref())?;
        }
        Ok(sum)
    }

    /// A step: the next result and state.
    fn step(
        &self,
        b: &mut GraphBuilder,
        given: &[Option<Value>; GATES],
        [result, state]: [&Value; 2],
    ) -> Result<[Value; 2]> {
        let of = |gate: usize| {
            given[gate]
                .as_ref()
                .ok_or_else(|| format!("gate {gate} is missing"))
        };
        let forget = self.gate(b, FORGET, of(FORGET)?, [result, state])?;
        let forget = b.unary("sigmoid", &forget)?;
        let let_in = match &given[INPUT] {
            Some(given) => {
                let gate = self.gate(b, INPUT, given, [result, state])?;
                b.unary("sigmoid", &gate)?
            }
            None => {
                let one = b.scalar(forget.element(), 1.0);
                b.binary("subtract", &one, &forget)?
            }
        };
        let new = self.gate(b, CELL, of(CELL)?, [result, state])?;
        let new = self.activation.apply(b, &new)?;
        let kept = b.binary("multiply", &forget, state)?;
        let added = b.binary("multiply", &let_in, &new)?;
        let next = b.binary("add", &kept, &added)?;
        let next = clipped(b, next, self.cell_clip)?;
        let let_out = self.gate(b, OUTPUT, of(OUTPUT)?, [result, &next])?;
        let let_out = b.unary("sigmoid", &let_out)?;
        let shown = self.activation.apply(b, &next)?;
        let mut made = b.binary("multiply", &let_out, &shown)?;
        if let Some((weight, bias)) = &self.projection {
            made = product(b, &made, weight)?;
            made = plus(b, made, bias.as_ref())?;
            made = clipped(b, made, self.projection_clip)?;
        }
        Ok([made, next])
    }

    /// All steps: the results along time, and the last result and state.
    fn run(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        states: [Value; 2],
        reversed: bool,
    ) -> Result<(Value, [Value; 2])> {
        let given = self.given(b, x)?;
        let there: Vec<usize> = (0..GATES).filter(|gate| given[*gate].is_some()).collect();
        let sequences = given.iter().flatten().map(|value| Sequence {
            value: value.clone(),
            reversed,
        });
        let sequences: Vec<Sequence> = sequences.collect();
        let made = b.scan(
            x.dims()[0],
            &states,
            &sequences,
            &[reversed],
            |b, step: Step| {
                let mut given: [Option<Value>; GATES] = Default::default();
                for (gate, value) in there.iter().zip(&step.elements) {
                    given[*gate] = Some(value.clone());
                }
                let [result, state] = &step.states[..] else {
                    return Err("a step has not two states".into());
                };
                let [result, state] = self.step(b, &given, [result, state])?;
                Ok(Stepped {
                    outputs: vec![result.clone()],
                    states: vec![result, state],
                })
            },
        )?;
        let all = made.outputs.into_iter().next();
        let states: Result<[Value; 2], _> = made.states.try_into();
        match (all, states) {
            (Some(all), Ok(states)) => Ok((all, states)),
            _ => Err("the loop does not return what it has to".into()),
        }
    }
}

/// What is added to a variance.
const LEAST_VARIANCE: f64 = 1e-8;

/// Each row with the mean 0 and the variance 1.
fn normalised(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let along = [
        ("axis", Param::Ints(vec![-1])),
        ("keepdims", Param::Bool(true)),
    ];
    let mean = b.op("mean", std::slice::from_ref(x), &along)?;
    let distance = b.binary("subtract", x, &mean)?;
    let squares = b.binary("multiply", &distance, &distance)?;
    let variance = b.op("mean", &[squares], &along)?;
    let variance = b.with_scalar("add", &variance, LEAST_VARIANCE)?;
    let scale = b.unary("rsqrt", &variance)?;
    b.binary("multiply", &distance, &scale)
}

/// The places of the states of a cell among its inputs, and of the scales of norms.
const STATES: [usize; 2] = [18, 19];
const NORMS: usize = 20;

/// The number of the kernel that has one weight for all gates.
const BASIC: i64 = 1;

fn lstm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    if n.byte("kernel_type")? == BASIC {
        return basic_lstm(n, b);
    }
    let cell = Lstm::of(n, b, 1, Some(NORMS))?;
    let x = n.input(0)?;
    let given = cell.given(b, &x)?;
    let (result, state) = (n.input(STATES[0])?, n.input(STATES[1])?);
    let [result, state] = cell.step(b, &given, [&result, &state])?;
    keep(n, STATES[0], result.clone())?;
    keep(n, STATES[1], state)?;
    Ok(vec![result])
}

/// With one weight, of the data and of the result before, for the gates of input, cell, forgetting and output.
fn basic_lstm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let activation = Activation::of(n)?;
    if n.float("cell_clip")? != 0.0
        || n.float("proj_clip")? != 0.0
        || activation != Activation::Tanh
    {
        return Err(
            "a basic cell with a clip, or another activation than tanh, is not supported".into(),
        );
    }
    let (x, result, state) = (n.input(0)?, n.input(1)?, n.input(4)?);
    let (weight, bias) = (required(n, b, 2)?, required(n, b, 3)?);
    let both = b.concatenate(&[x, result], 1)?;
    let gates = product(b, &both, &weight)?;
    let gates = plus(b, gates, Some(&bias))?;
    let depth = gates.extent(1)? / GATES as i64;
    let gate = |b: &mut GraphBuilder, place: i64, function: &str| {
        let part = [(1, (place * depth).into(), ((place + 1) * depth).into(), 1)];
        let part = crate::compose::slice::sliced(b, &gates, &part)?;
        b.unary(function, &part)
    };
    let (let_in, new) = (gate(b, 0, "sigmoid")?, gate(b, 1, "tanh")?);
    let (forget, let_out) = (gate(b, 2, "sigmoid")?, gate(b, 3, "sigmoid")?);
    let added = b.binary("multiply", &let_in, &new)?;
    let kept = b.binary("multiply", &forget, &state)?;
    let next = b.binary("add", &added, &kept)?;
    let shown = b.unary("tanh", &next)?;
    let result = b.binary("multiply", &let_out, &shown)?;
    keep(n, 1, result.clone())?;
    keep(n, 4, next.clone())?;
    Ok(vec![result, next, both, gates])
}

fn sequence_lstm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    if n.flag("diagonal_recurrent_tensors")? {
        return Err("weights that are diagonals are not supported".into());
    }
    let cell = Lstm::of(n, b, 1, Some(NORMS))?;
    let is_first = n.flag("time_major")?;
    let x = time_first(b, &n.input(0)?, is_first)?;
    let states = [n.input(STATES[0])?, n.input(STATES[1])?];
    let (all, [result, state]) = cell.run(b, &x, states, false)?;
    keep(n, STATES[0], result)?;
    keep(n, STATES[1], state)?;
    Ok(vec![time_first(b, &all, is_first)?])
}

/// Where the inputs of the second direction begin, the states of both, and inputs for both that are not supported.
const BACKWARD: usize = 18;
const BOTH_STATES: [[usize; 2]; 2] = [[35, 36], [37, 38]];
const AUXILIARY: std::ops::Range<usize> = 39..48;

fn bidirectional_lstm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    if AUXILIARY
        .into_iter()
        .any(|place| n.optional(place).is_some())
    {
        return Err("an auxiliary input is not supported".into());
    }
    let (is_first, is_merged) = (n.flag("time_major")?, n.flag("merge_outputs")?);
    let x = time_first(b, &n.input(0)?, is_first)?;
    let mut made = Vec::new();
    for (direction, first) in [1, BACKWARD].into_iter().enumerate() {
        let cell = Lstm::of(n, b, first, None)?;
        let places = BOTH_STATES[direction];
        let states = [n.input(places[0])?, n.input(places[1])?];
        let (all, [result, state]) = cell.run(b, &x, states, direction == 1)?;
        keep(n, places[0], result)?;
        keep(n, places[1], state)?;
        made.push(time_first(b, &all, is_first)?);
    }
    match is_merged {
        true => Ok(vec![b.concatenate(&made, 2)?]),
        false => Ok(made),
    }
}
