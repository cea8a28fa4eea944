//! Recurrent operators without gates.

use super::{
    activation::Activation,
    recurrent::{check_floats, keep, numbers, plus, product, required, time_first},
    row::{Row, row},
};
use crate::{
    compose::slice::sliced,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        loops::{Sequence, Stepped},
        value::Value,
    },
    tflite::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("RNN", rnn),
    row("UNIDIRECTIONAL_SEQUENCE_RNN", sequence_rnn),
    row("SVDF", svdf),
];

fn rnn(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    let activation = Activation::of(n)?;
    let (x, weight, again) = (n.input(0)?, required(n, b, 1)?, required(n, b, 2)?);
    let (bias, state) = (required(n, b, 3)?, n.input(4)?);
    let given = product(b, &x, &weight)?;
    let given = plus(b, given, Some(&bias))?;
    let next = rnn_step(b, &given, &state, &again, activation)?;
    keep(n, 4, next.clone())?;
    Ok(vec![next])
}

fn rnn_step(
    b: &mut GraphBuilder,
    given: &Value,
    state: &Value,
    again: &Value,
    activation: Activation,
) -> Result<Value> {
    let kept = product(b, state, again)?;
    let sum = b.binary("add", given, &kept)?;
    activation.apply(b, &sum)
}

fn sequence_rnn(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    let (activation, is_first) = (Activation::of(n)?, n.flag("time_major")?);
    let x = time_first(b, &n.input(0)?, is_first)?;
    let (weight, again, bias) = (required(n, b, 1)?, required(n, b, 2)?, required(n, b, 3)?);
    let given = product(b, &x, &weight)?;
    let given = plus(b, given, Some(&bias))?;
    let sequence = Sequence {
        value: given,
        reversed: false,
    };
    let made = b.scan(
        x.dims()[0],
        &[n.input(4)?],
        &[sequence],
        &[false],
        |b, step| {
            let next = rnn_step(b, &step.elements[0], &step.states[0], &again, activation)?;
            Ok(Stepped {
                states: vec![next.clone()],
                outputs: vec![next],
            })
        },
    )?;
    let [state, all] = [
        made.states.into_iter().next(),
        made.outputs.into_iter().next(),
    ];
    let (Some(state), Some(all)) = (state, all) else {
        return Err("the loop returns nothing".into());
    };
    keep(n, 4, state)?;
    Ok(vec![time_first(b, &all, is_first)?])
}

/// Filters of one dimension over the last steps of features of the data.
fn svdf(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_floats(n)?;
    n.ignore("asymmetric_quantize_inputs")?;
    let (activation, rank) = (Activation::of(n)?, n.int("rank")?);
    let (x, of_features, of_time) = (n.of_rank(0, 2)?, required(n, b, 1)?, required(n, b, 2)?);
    let (bias, state) = (numbers(n, b, 3)?, n.input(4)?);
    let [Dim::Known(filters), Dim::Known(memory)] = *of_time.dims() else {
        return Err(format!("weights over time of shape {:?}", of_time.dims()));
    };
    if rank < 1 || filters % rank != 0 || memory < 1 {
        return Err(format!(
            "{filters} filters of rank {rank} over {memory} steps"
        ));
    }
    let batch = x.dims()[0];
    let new = product(b, &x, &of_features)?;
    let new = b.reshape(&new, &[batch, filters.into(), Dim::Known(1)])?;
    let kept = b.reshape(&state, &[batch, filters.into(), memory.into()])?;
    let kept = sliced(b, &kept, &[(2, 1.into(), memory.into(), 1)])?;
    let next = b.concatenate(&[kept, new], 2)?;
    let weighted = b.binary("multiply", &next, &of_time)?;
    let along = |axis: i64| {
        [
            ("axis", Param::Ints(vec![axis])),
            ("keepdims", Param::Bool(false)),
        ]
    };
    let sums = b.op("sum", &[weighted], &along(2))?;
    let units = b.reshape(&sums, &[batch, (filters / rank).into(), rank.into()])?;
    let sums = b.op("sum", &[units], &along(2))?;
    let sums = plus(b, sums, bias.as_ref())?;
    let next = b.reshape(&next, state.dims())?;
    keep(n, 4, next)?;
    Ok(vec![activation.apply(b, &sums)?])
}
