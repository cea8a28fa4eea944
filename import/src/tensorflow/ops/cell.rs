//! Recurrent cells that are one operator.

use super::row::{Row, row};
use crate::{
    compose::{activation::clipped, linear::product, shape::parts},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[row(&["LSTMBlockCell"], lstm)];

/// Adds the product of a state and the weights of a peephole, if there are such.
fn peeped(
    b: &mut GraphBuilder,
    gate: Value,
    (state, weights): (&Value, Option<&Value>),
) -> Result<Value> {
    let Some(weights) = weights else {
        return Ok(gate);
    };
    let product = b.binary("multiply", state, weights)?;
    b.binary("add", &gate, &product)
}

/// A step of an LSTM: the parts of the weight are those of the input gate, the cell, the forget gate and the output gate.
fn lstm(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, cell, hidden) = (n.of_rank(0, 2)?, n.of_rank(1, 2)?, n.of_rank(2, 2)?);
    let bias = n.attrs.float("forget_bias", 1.0)?;
    let clip = n.attrs.float("cell_clip", 3.0)?;
    let peepholes = match n.attrs.flag("use_peephole", false)? {
        true => Some([n.input(4)?, n.input(5)?, n.input(6)?]),
        false => None,
    };
    let weight = |place: usize| peepholes.as_ref().map(|all| &all[place]);
    let both = b.concatenate(&[x, hidden], 1)?;
    let gates = product(b, &both, &n.of_rank(3, 2)?)?;
    let gates = b.binary("add", &gates, &n.input(7)?)?;
    let units = cell.extent(1)?;
    let gates = parts(b, &gates, 1, &[units; 4])?;
    let [input, new, forget, output] = &gates[..] else {
        return Err("the weight does not have four parts".into());
    };
    let input = peeped(b, input.clone(), (&cell, weight(0)))?;
    let input = b.unary("sigmoid", &input)?;
    let new = b.unary("tanh", new)?;
    let forget = b.with_scalar("add", forget, bias)?;
    let forget = peeped(b, forget, (&cell, weight(1)))?;
    let forget = b.unary("sigmoid", &forget)?;
    let kept = b.binary("multiply", &cell, &forget)?;
    let added = b.binary("multiply", &new, &input)?;
    let mut next = b.binary("add", &added, &kept)?;
    if clip > 0.0 {
        next = clipped(b, &next, -clip, clip)?;
    }
    let output = peeped(b, output.clone(), (&next, weight(2)))?;
    let output = b.unary("sigmoid", &output)?;
    let shown = b.unary("tanh", &next)?;
    let hidden = b.binary("multiply", &shown, &output)?;
    Ok(vec![input, next, forget, output, new, shown, hidden])
}
