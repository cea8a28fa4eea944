//! Normalisations of sums.

use super::super::{
    norm::{by_root_of_squares, normalized, widened},
    reduce::along,
    row::{Row, row},
    select::sliced,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.EmbedLayerNormalization", 1, embed_layer_norm),
    row("com.microsoft.SkipLayerNormalization", 1, skip_layer_norm),
    row(
        "com.microsoft.SkipSimplifiedLayerNormalization",
        1,
        skip_simplified_layer_norm,
    ),
];

/// What is added to a variance where the node says nothing.
const EPSILON: f32 = 1e-12;

/// The last axis, and what is added to the variance along it.
fn last(n: &Node<'_>, x: &Value) -> Result<(usize, f64)> {
    Ok((x.axis(-1)?, n.attr_f32_or("epsilon", EPSILON)?))
}

/// The sum of the input, what skips the layer, and the bias if there is one, in the type that a normalisation computes in.
fn skipped(n: &Node<'_>, b: &mut GraphBuilder, bias: usize) -> Result<Value> {
    let [x, skip] = [widened(b, &n.input(0)?)?, widened(b, &n.input(1)?)?];
    let sum = b.binary("add", &x, &skip)?;
    match n.optional(bias) {
        Some(bias) => {
            let bias = widened(b, &bias)?;
            b.binary("add", &sum, &bias)
        }
        None => Ok(sum),
    }
}

fn skip_layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let sum = skipped(n, b, 4)?;
    let last = last(n, &sum)?;
    let with_moments = n.has_output(1) || n.has_output(2);
    let operands = (&sum, &n.input(2)?, n.optional(3));
    let mut results = normalized(b, operands, last, with_moments)?;
    let sum = b.cast(&sum, n.input(0)?.element())?;
    // Without mean and deviation, nobody reads what is in their places.
    results.resize(3, sum.clone());
    results.push(sum);
    Ok(results)
}

fn skip_simplified_layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    if n.has_output(1) {
        return Err("its output 1 (the mean), which is not computed, is used".into());
    }
    let sum = skipped(n, b, 3)?;
    let last = last(n, &sum)?;
    let [result, inverse] = by_root_of_squares(b, (&sum, &n.input(2)?), last)?;
    let sum = b.cast(&sum, n.input(0)?.element())?;
    Ok(vec![result, sum.clone(), inverse, sum])
}

/// The sum of the embeddings of words, positions and segments, normalised. Returns how many words of each sample are no padding, and the
/// sum, too.
fn embed_layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(9)?;
    let words = n.input(0)?;
    let &[samples, length] = words.dims() else {
        return Err(format!(
            "the words have shape {:?}, expected rank 2",
            words.dims()
        ));
    };
    let mut sum = b.taken(&n.input(2)?, &words, 0)?;
    let of_positions = n.input(3)?;
    let of_positions = match n.optional(8) {
        Some(positions) => b.taken(&of_positions, &positions, 0)?,
        None => {
            let first = sliced(b, &of_positions, &[(0, Dim::Known(0), length, 1)])?;
            b.equate(first.dims()[0], length).map_err(|_| {
                format!(
                    "there are {length} words, but positions of shape {:?}",
                    of_positions.dims()
                )
            })?;
            first
        }
    };
    sum = b.binary("add", &sum, &of_positions)?;
    if let (Some(segments), Some(embedding)) = (n.optional(1), n.optional(4)) {
        let of_segments = b.taken(&embedding, &segments, 0)?;
        sum = b.binary("add", &sum, &of_segments)?;
    }
    // It says whether there is the second output.
    n.ignore_attr("mask_index_type");
    let last = last(n, &sum)?;
    let operands = (&sum, &n.input(5)?, Some(n.input(6)?));
    let result = normalized(b, operands, last, false)?.swap_remove(0);
    let counts = match n.optional(7) {
        Some(mask) => {
            let is_word = b.with_scalar("equal", &mask, 1.0)?;
            let is_word = b.cast(&is_word, Element::I32)?;
            along(b, "sum", &is_word, (&[1], false))?
        }
        None => b.full(Element::I32, &[samples], 0.0)?,
    };
    Ok(vec![result, counts, sum])
}
