//! Attention without a softmax: what keys and values say is summed up in a matrix per head, which queries read.

use super::{
    attention::given_scale,
    linear::batched,
    row::{Row, row},
    steps::{check_steps, element, stacked},
};
use crate::{
    graph::{builder::GraphBuilder, constant::element_count, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[row("LinearAttention", 27, linear_attention)];

/// The extents of a linear attention.
#[derive(Clone, Copy)]
struct Extents {
    samples: i64,
    steps: i64,
    /// The heads of the keys and values.
    heads: i64,
    /// How many heads of the queries read the matrix of one of them.
    group: i64,
    /// The size of a head's queries and keys.
    size: i64,
    /// The size of a head's values.
    value_size: i64,
}

impl Extents {
    /// Fails if queries, keys and values of shape [samples, steps, heads * size] do not fit the heads.
    fn of(n: &Node<'_>) -> Result<Self> {
        let (queries, keys, values) = (n.input(0)?, n.input(1)?, n.input(2)?);
        let (all_heads, heads) = (
            n.required_i64("q_num_heads")?,
            n.required_i64("kv_num_heads")?,
        );
        let shapes = [queries.shape()?, keys.shape()?, values.shape()?];
        let unfit = || {
            format!(
                "queries, keys and values have shapes {shapes:?}, which do not fit {all_heads} heads of queries and \
                 {heads} of keys"
            )
        };
        let &[samples, steps, row] = queries.shape()? else {
            return Err(unfit());
        };
        if heads < 1 || all_heads < 1 || all_heads % heads != 0 || row % all_heads != 0 {
            return Err(unfit());
        }
        let size = row / all_heads;
        let value_row = values.shape()?.last().copied().unwrap_or(0);
        let fits = keys.shape()? == [samples, steps, heads * size]
            && values.shape()? == [samples, steps, value_row]
            && value_row % heads == 0;
        if !fits {
            return Err(unfit());
        }
        check_steps(steps)?;
        let extents = Self {
            samples,
            steps,
            heads,
            group: all_heads / heads,
            size,
            value_size: value_row / heads,
        };
        // Without elements, there may be any number of heads.
        element_count(&[samples, heads, extents.group, size])?;
        element_count(&[samples, heads, size, extents.value_size])?;
        element_count(&[samples, steps, all_heads, extents.value_size])?;
        Ok(extents)
    }

    /// The number of matrices.
    fn batch(&self) -> i64 {
        self.samples * self.heads
    }
}

/// What the steps take, each with the steps as its first axis, in the type that is computed in.
struct Steps {
    /// [steps, batch, group, size], scaled.
    queries: Value,
    /// [steps, batch, size, 1].
    keys: Value,
    /// [steps, batch, 1, value size].
    values: Value,
    /// What is left of the matrix: [steps, batch, 1 or size, 1].
    kept: Option<Value>,
    /// How much of the difference is learned: [steps, batch, 1, 1].
    rates: Option<Value>,
}

/// For each step, S becomes exp(decay) S + k vᵀ, and queries read Sᵀ q. By the delta rule, the place of v is taken by what S does not say
/// of k yet, rate (v - Sᵀ k). The computation is in f32 at least. Returns what the queries read, and the last S.
pub(super) fn linear_attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(6)?;
    // A hint for those that compute several steps at a time.
    n.ignore_attr("chunk_size");
    let extents = Extents::of(n)?;
    let element_type = n.input(0)?.element();
    let computed = match element_type {
        Element::F64 => Element::F64,
        _ => Element::F32,
    };
    let steps = steps(n, b, (extents, computed))?;
    let (mut state, state_type) = first_state(n, b, (extents, computed))?;
    let row = extents.group * extents.heads * extents.value_size;
    let mut outputs = Vec::new();
    for at in 0..extents.steps as usize {
        state = next_state(b, &steps, at, state)?;
        let queries = element(b, &steps.queries, at)?;
        let output = batched(b, &queries, &state)?;
        outputs.push(b.reshape(&output, &[extents.samples, row])?);
    }
    let output = match outputs.is_empty() {
        true => b.filled(computed, &[extents.samples, 0, row], 0.0)?,
        false => stacked(b, outputs, 1)?,
    };
    let shape = [
        extents.samples,
        extents.heads,
        extents.size,
        extents.value_size,
    ];
    let state = b.reshape(&state, &shape)?;
    Ok(vec![
        b.cast(&output, element_type)?,
        b.cast(&state, state_type)?,
    ])
}

/// The matrices after a step.
fn next_state(b: &mut GraphBuilder, steps: &Steps, at: usize, state: Value) -> Result<Value> {
    let state = match &steps.kept {
        Some(kept) => {
            let kept = element(b, kept, at)?;
            b.binary("multiply", &state, &kept)?
        }
        None => state,
    };
    let keys = element(b, &steps.keys, at)?;
    let mut values = element(b, &steps.values, at)?;
    if let Some(rates) = &steps.rates {
        let rows = b.transpose(&keys, &[0, 2, 1])?;
        let known = batched(b, &rows, &state)?;
        let difference = b.binary("subtract", &values, &known)?;
        let rates = element(b, rates, at)?;
        values = b.binary("multiply", &difference, &rates)?;
    }
    let added = b.binary("multiply", &keys, &values)?;
    b.binary("add", &state, &added)
}

/// What the inputs say of each step.
fn steps(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (extents, computed): (Extents, Element),
) -> Result<Steps> {
    let rule = n.attr_str_or("update_rule", "gated_delta")?;
    let (decays, learns) = match &rule[..] {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        other => {
            return Err(format!(
                "attribute 'update_rule' is '{other}', expected linear, gated, delta or gated_delta"
            ));
        }
    };
    for (index, what, is_read) in [(4, "decays", decays), (5, "rates", learns)] {
        if n.optional(index).is_some() != is_read {
            let verb = if is_read { "needs" } else { "has no" };
            return Err(format!("the rule '{rule}' {verb} {what} (input {index})"));
        }
    }
    let Extents {
        group,
        size,
        value_size,
        ..
    } = extents;
    let queries = b.cast(&n.input(0)?, computed)?;
    let scale = given_scale(n)?.unwrap_or_else(|| 1.0 / (size as f64).sqrt());
    let queries = b.with_scalar("multiply", &queries, scale)?;
    let (keys, values) = (
        b.cast(&n.input(1)?, computed)?,
        b.cast(&n.input(2)?, computed)?,
    );
    Ok(Steps {
        queries: by_step(b, &queries, extents, [group, size])?,
        keys: by_step(b, &keys, extents, [size, 1])?,
        values: by_step(b, &values, extents, [1, value_size])?,
        kept: kept(n, b, (extents, computed))?,
        rates: rates(n, b, (extents, computed))?,
    })
}

/// exp(decay), which is one number for each head, or for each row of its matrix.
fn kept(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (extents, computed): (Extents, Element),
) -> Result<Option<Value>> {
    let Some(decays) = n.optional(4) else {
        return Ok(None);
    };
    let Extents {
        samples,
        steps,
        heads,
        size,
        ..
    } = extents;
    let rows = if decays.shape()? == [samples, steps, heads] {
        1
    } else if decays.shape()? == [samples, steps, heads * size] {
        size
    } else {
        return Err(format!(
            "the decays (input 4) have shape {:?}, expected [{samples}, {steps}, {heads}] or [{samples}, {steps}, {}]",
            decays.dims(),
            heads * size
        ));
    };
    let decays = b.cast(&decays, computed)?;
    let kept = b.unary("exp", &decays)?;
    by_step(b, &kept, extents, [rows, 1]).map(Some)
}

/// The rates, which are one number for each head, or for all.
fn rates(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (extents, computed): (Extents, Element),
) -> Result<Option<Value>> {
    let Some(rates) = n.optional(5) else {
        return Ok(None);
    };
    let Extents {
        samples,
        steps,
        heads,
        ..
    } = extents;
    let shape = [samples, steps, heads];
    if rates.shape()? != shape && rates.shape()? != [samples, steps, 1] {
        return Err(format!(
            "the rates (input 5) have shape {:?}, expected {shape:?} or [{samples}, {steps}, 1]",
            rates.dims()
        ));
    }
    let rates = b.cast(&rates, computed)?;
    let rates = b.broadcast(&rates, &shape)?;
    by_step(b, &rates, extents, [1, 1]).map(Some)
}

/// [samples, steps, heads * rows * columns] as [steps, batch, rows, columns].
fn by_step(
    b: &mut GraphBuilder,
    x: &Value,
    extents: Extents,
    [rows, columns]: [i64; 2],
) -> Result<Value> {
    let x = b.transpose(x, &[1, 0, 2])?;
    b.reshape(&x, &[extents.steps, extents.batch(), rows, columns])
}

/// The matrices before the first step, and the type of those after the last.
fn first_state(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (extents, computed): (Extents, Element),
) -> Result<(Value, Element)> {
    let Extents {
        samples,
        heads,
        size,
        value_size,
        ..
    } = extents;
    let matrices = [extents.batch(), size, value_size];
    let Some(past) = n.optional(3) else {
        let none = b.filled(computed, &matrices, 0.0)?;
        return Ok((none, n.input(0)?.element()));
    };
    let shape = [samples, heads, size, value_size];
    if past.shape()? != shape {
        return Err(format!(
            "the state (input 3) has shape {:?}, expected {shape:?}",
            past.dims()
        ));
    }
    let wide = b.cast(&past, computed)?;
    Ok((b.reshape(&wide, &matrices)?, past.element()))
}
