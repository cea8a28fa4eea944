//! Recurrent layers and cells.

use super::row::{Row, row, rows};
use crate::{
    compose::recurrent::{self, Cell, GRU, Kind, LSTM, MOST_LAYERS, RNN_RELU, RNN_TANH},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows("gru.input", |n, b| layers(n, b, &GRU)),
    row("gru_cell", |n, b| Ok(cell(n, b, &GRU)?.swap_remove(0))),
    rows("lstm.input", |n, b| layers(n, b, &LSTM)),
    rows("lstm_cell", |n, b| cell(n, b, &LSTM)),
    row("rnn_relu_cell", |n, b| {
        Ok(cell(n, b, &RNN_RELU)?.swap_remove(0))
    }),
    rows("rnn_relu.input", |n, b| layers(n, b, &RNN_RELU)),
    row("rnn_tanh_cell", |n, b| {
        Ok(cell(n, b, &RNN_TANH)?.swap_remove(0))
    }),
    rows("rnn_tanh.input", |n, b| layers(n, b, &RNN_TANH)),
];

/// One step of a layer.
fn cell(n: &Node<'_>, b: &mut GraphBuilder, kind: &Kind) -> Result<Vec<Value>> {
    let cell = Cell {
        input: n.tensor("w_ih")?,
        state: n.tensor("w_hh")?,
        input_bias: n.optional_tensor("b_ih")?,
        state_bias: n.optional_tensor("b_hh")?,
        projection: None,
    };
    let states = match kind.states {
        1 => vec![n.tensor("hx")?],
        _ => n.tensors("hx")?,
    };
    if states.len() != kind.states {
        return Err(format!("argument 'hx' has {} states", states.len()));
    }
    let input = cell.of_input(b, &n.tensor("input")?)?;
    (kind.step)(b, &cell, &input, &states)
}

/// Refuses layers that drop values.
fn check_dropout(n: &Node<'_>) -> Result<()> {
    if n.bool_or("train", false)? && n.float_or("dropout", 0.0)? != 0.0 {
        return Err(
            "argument 'train' is true: what is dropped is random; call eval() before the export"
                .into(),
        );
    }
    n.ignore(&["dropout"]);
    Ok(())
}

/// Layers over all steps: the outputs of the last one, and the last states of all.
fn layers(n: &Node<'_>, b: &mut GraphBuilder, kind: &Kind) -> Result<Vec<Value>> {
    check_dropout(n)?;
    let is_batch_first = n.bool_or("batch_first", false)?;
    let directions = if n.bool_or("bidirectional", false)? {
        2
    } else {
        1
    };
    let count = n.required_int("num_layers")? as usize;
    let initial = match kind.states {
        1 => vec![n.tensor("hx")?],
        _ => n.tensors("hx")?,
    };
    let has_biases = n.bool_or("has_biases", true)?;
    let mut x = n.tensor("input")?;
    if !(2..=3).contains(&x.rank()) || !(1..=MOST_LAYERS).contains(&count) {
        return Err(format!(
            "{count} layers over an input of shape {:?}",
            x.dims()
        ));
    }
    let is_single = x.rank() == 2;
    if is_single {
        x = b.reshape(&x, &[x.dims()[0], Dim::Known(1), x.dims()[1]])?;
    } else if is_batch_first {
        x = b.transpose(&x, &[1, 0, 2])?;
    }
    let cells = cells(n.tensors("params")?, count * directions, has_biases)?;
    let made = recurrent::layers(b, (kind, &cells, directions), &x, &initial)?;
    let mut made = made.into_iter();
    let mut x = made.next().ok_or("a layer has no output")?;
    if is_single {
        x = b.reshape(&x, &[x.dims()[0], x.dims()[2]])?;
    } else if is_batch_first {
        x = b.transpose(&x, &[1, 0, 2])?;
    }
    let mut results = vec![x];
    for mut states in made {
        if is_single {
            states = b.reshape(&states, &[states.dims()[0], states.dims()[2]])?;
        }
        results.push(states);
    }
    Ok(results)
}

/// The cells of all layers and directions, from one list of their weights.
fn cells(weights: Vec<Value>, count: usize, has_biases: bool) -> Result<Vec<Cell>> {
    let per_cell = weights.len() / count.max(1);
    let has_projection = per_cell == if has_biases { 5 } else { 3 };
    let mut weights = weights.into_iter();
    let mut next = || {
        let next = weights.next();
        next.ok_or_else(|| String::from("argument 'params' is too short"))
    };
    let mut cells = Vec::new();
    for _ in 0..count {
        let (input, state) = (next()?, next()?);
        let (input_bias, state_bias) = match has_biases {
            true => (Some(next()?), Some(next()?)),
            false => (None, None),
        };
        cells.push(Cell {
            input,
            state,
            input_bias,
            state_bias,
            projection: has_projection.then(&mut next).transpose()?,
        });
    }
    Ok(cells)
}
