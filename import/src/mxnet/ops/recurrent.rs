//! Recurrent layers: one operator has all layers and steps, as gluon.rnn makes it.

use super::row::{Row, row};
use crate::{
    compose::{
        recurrent::{Cell, GRU, Kind, LSTM, MOST_LAYERS, RNN_RELU, RNN_TANH, layers},
        slice::strided_slice,
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    mxnet::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["RNN"], recurrent),
    row(&["_rnn_param_concat"], |n, b| {
        n.attrs.int("num_args")?;
        let axis = n.input(0)?.axis(n.attrs.int("dim")?.unwrap_or(1))?;
        Ok(vec![b.concatenate(&n.inputs, axis)?])
    }),
];

/// The kinds of cells by their names, with the number of gates. Gates have the order that PyTorch has.
const KINDS: &[(&str, &Kind, i64)] = &[
    ("gru", &GRU, 3),
    ("lstm", &LSTM, 4),
    ("rnn_relu", &RNN_RELU, 1),
    ("rnn_tanh", &RNN_TANH, 1),
];

/// The sizes of layers.
struct Sizes {
    /// The number of layers.
    layers: usize,
    /// 2 if each layer has a direction from the last step on, too.
    directions: usize,
    /// The number of gates times the size of a state.
    gates: i64,
    /// The size of a state.
    state: i64,
    /// The size of the data.
    input: i64,
}

fn recurrent(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let mode = n.attrs.text_or("mode", "");
    let kind = KINDS.iter().find(|(name, ..)| *name == mode);
    let &(_, kind, gates) = kind.ok_or_else(|| format!("the mode '{mode}' is not known"))?;
    refuse_variants(n)?;
    let x = n.input(0)?;
    let &[_, samples, input] = x.dims() else {
        return Err(format!(
            "data of shape {:?}, expected steps, samples and numbers",
            x.dims()
        ));
    };
    let (count, state) = (
        n.attrs.required("num_layers")?,
        n.attrs.required("state_size")?,
    );
    let layers_of = usize::try_from(count)
        .ok()
        .filter(|count| (1..=MOST_LAYERS).contains(count));
    let valid = layers_of.filter(|_| (1..=i64::from(i32::MAX)).contains(&state));
    let sizes = Sizes {
        layers: valid.ok_or_else(|| format!("{count} layers of size {state} are not valid"))?,
        directions: if n.attrs.flag("bidirectional", false)? {
            2
        } else {
            1
        },
        gates: gates * state,
        state,
        input: input.known().ok_or("the size of the data is open")?,
    };
    let cells = cells(b, &n.input(1)?, &sizes)?;
    let mut initial = Vec::with_capacity(kind.states);
    for place in 0..kind.states {
        initial.push(initial_state(b, &n.input(2 + place)?, (samples, &sizes))?);
    }
    let made = layers(b, (kind, &cells, sizes.directions), &x, &initial)?;
    let has_states = n.attrs.flag("state_outputs", false)?;
    let results = if has_states { made.len() } else { 1 };
    Ok(made.into_iter().take(results).collect())
}

/// Refuses what changes the result and is not computed.
fn refuse_variants(n: &Node<'_>) -> Result<()> {
    // What is dropped in training.
    n.attrs.float("p", 0.0)?;
    if n.attrs.flag("use_sequence_length", false)? {
        return Err("sequences of several lengths are not supported; pad them".into());
    }
    if n.attrs.int("projection_size")?.is_some() {
        return Err("a projection of the state is not supported".into());
    }
    for name in ["lstm_state_clip_min", "lstm_state_clip_max"] {
        if n.attrs.text(name).is_some() {
            return Err(format!("{name}: bounds of the state are not supported"));
        }
    }
    n.attrs.flag("lstm_state_clip_nan", false)?;
    Ok(())
}

/// A state before the first step. gluon's own are zeros, whose number of samples the graph does not say.
fn initial_state(
    b: &mut GraphBuilder,
    state: &Value,
    (samples, sizes): (Dim, &Sizes),
) -> Result<Value> {
    let places = (sizes.layers * sizes.directions) as i64;
    let shape = [Dim::Known(places), samples, Dim::Known(sizes.state)];
    match state.dims() {
        [_, Dim::Known(0), _] => b.full(state.element(), &shape, 0.0),
        dims if dims.len() == 3 && dims[0] == shape[0] && dims[2] == shape[2] => Ok(state.clone()),
        dims => Err(format!("a state of shape {dims:?}, expected {shape:?}")),
    }
}

/// The cells of all layers and directions, from one list of numbers: first the weights of all, and then what is added to their gates.
fn cells(b: &mut GraphBuilder, numbers: &Value, sizes: &Sizes) -> Result<Vec<Cell>> {
    let count = sizes.layers * sizes.directions;
    let inputs = |place: usize| match place / sizes.directions {
        0 => sizes.input,
        _ => sizes.state * sizes.directions as i64,
    };
    let weights: i64 = (0..count).map(|place| inputs(place) + sizes.state).sum();
    let all = (weights + 2 * count as i64).checked_mul(sizes.gates);
    if numbers.rank() != 1 || all.is_none_or(|all| numbers.dims()[0] != all) {
        return Err(format!(
            "parameters of shape {:?}, expected {all:?} numbers in one list",
            numbers.dims()
        ));
    }
    let mut at = 0;
    let mut next = |b: &mut GraphBuilder, shape: &[i64]| {
        let end = at + shape.iter().product::<i64>();
        let part = strided_slice(b, numbers, &[(0, at, end, 1)])?;
        at = end;
        b.reshape(&part, shape)
    };
    let mut cells = Vec::with_capacity(count);
    for place in 0..count {
        cells.push(Cell {
            input: next(b, &[sizes.gates, inputs(place)])?,
            state: next(b, &[sizes.gates, sizes.state])?,
            input_bias: None,
            state_bias: None,
            projection: None,
        });
    }
    for cell in &mut cells {
        cell.input_bias = Some(next(b, &[sizes.gates])?);
        cell.state_bias = Some(next(b, &[sizes.gates])?);
    }
    Ok(cells)
}
