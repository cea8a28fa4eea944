//! Sequences of tensors. How long they are is known, and the positions in them have to be. So nothing of a sequence is left in the IR:
//! only its tensors are computed.

use super::{
    row::{Row, item_row},
    select::cut,
    steps::{check_body, check_steps, collect, joined, stacked},
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::{Value, normalize_axis},
    },
    onnx::{element::of_onnx, item::Item, node::Node},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    item_row("ConcatFromSequence", 11, concat),
    item_row("SequenceAt", 11, at),
    item_row("SequenceConstruct", 11, construct),
    item_row("SequenceEmpty", 11, empty),
    item_row("SequenceErase", 11, erase),
    item_row("SequenceInsert", 11, insert),
    item_row("SequenceLength", 11, length),
    item_row("SequenceMap", 17, map),
    item_row("SplitToSequence", 11, split),
];

fn construct(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    sequence(n.variadic()?)
}

fn empty(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    const FLOAT: i64 = 1;
    n.check_inputs(0)?;
    of_onnx(n.attr_i64_or("dtype", FLOAT)?)?;
    sequence(Vec::new())
}

/// A sequence of tensors, which must have one element type.
fn sequence(tensors: Vec<Value>) -> Result<Vec<Item>> {
    check_steps(tensors.len() as i64)?;
    if let [first, others @ ..] = &tensors[..]
        && let Some(other) = others.iter().find(|it| it.element() != first.element())
    {
        return Err(format!(
            "the tensors of a sequence have one element type, not {:?} and {:?}",
            first.element(),
            other.element()
        ));
    }
    Ok(vec![tensors.into()])
}

fn length(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    if let Item::Stacked(all) = n.item(0)? {
        return Ok(vec![b.size(Element::I64, all.dims()[0])?.into()]);
    }
    let length = Numbers::ints(&[n.sequence(0)?.len() as i64]);
    let length = b.known(Const::new(Element::I64, vec![], &length));
    Ok(vec![length.into()])
}

fn at(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(2)?;
    let tensors = n.sequence(0)?;
    let at = position(n, 1, tensors.len(), tensors.len())?;
    let at = at.ok_or("input 1 (the position) is missing")?;
    Ok(vec![tensors[at].clone().into()])
}

/// Without the tensor at a position, or without the last one.
fn erase(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(2)?;
    let mut tensors = n.sequence(0)?.to_vec();
    match position(n, 1, tensors.len(), tensors.len())? {
        Some(at) => drop(tensors.remove(at)),
        None => drop(tensors.pop().ok_or("the sequence has no tensors")?),
    }
    sequence(tensors)
}

/// With a tensor before the one at a position, or behind the last one.
fn insert(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(3)?;
    let mut tensors = n.sequence(0)?.to_vec();
    let count = tensors.len();
    let at = position(n, 2, count, count + 1)?;
    tensors.insert(at.unwrap_or(count), n.input(1)?);
    sequence(tensors)
}

/// A position below `end` in a sequence of so many tensors, counted from the last one if negative; `None` if the input is left out.
fn position(n: &Node<'_>, index: usize, count: usize, end: usize) -> Result<Option<usize>> {
    let Some(position) = n.optional_int(index, "the position")? else {
        return Ok(None);
    };
    let from_first = match position {
        ..0 => position.saturating_add(count as i64),
        _ => position,
    };
    let found = usize::try_from(from_first).ok().filter(|&at| at < end);
    let outside = || format!("position {position} is outside of a sequence of {count} tensors");
    found.map(Some).ok_or_else(outside)
}

/// The tensors along an axis, one after the other, or along a new one.
fn concat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    let axis = n.required_i64("axis")?;
    if let Item::Stacked(all) = n.item(0)? {
        return Ok(vec![concat_stacked(n, b, all, axis)?.into()]);
    }
    let tensors = n.sequence(0)?;
    let first = tensors.first().ok_or("the sequence has no tensors")?;
    let all = match n.attr_bool_or("new_axis", false)? {
        true => {
            let axis = normalize_axis(axis, first.rank() + 1)?;
            stacked(b, tensors.to_vec(), axis)?
        }
        false => joined(b, tensors.to_vec(), first.axis(axis)?)?,
    };
    Ok(vec![all.into()])
}

/// The same of tensors that lie along the first axis of another one: the axis moves to its place, and becomes one with the next.
fn concat_stacked(n: &Node<'_>, b: &mut GraphBuilder, all: &Value, axis: i64) -> Result<Value> {
    let is_new = n.attr_bool_or("new_axis", false)?;
    let rank = all.rank() - usize::from(!is_new);
    let axis = normalize_axis(axis, rank)?;
    let mut axes: Vec<usize> = (1..all.rank()).collect();
    axes.insert(axis, 0);
    let moved = b.transpose(all, &axes)?;
    if is_new {
        return Ok(moved);
    }
    let mut shape = moved.dims().to_vec();
    let next = shape.remove(axis + 1);
    shape[axis] = shape[axis].times(next)?;
    b.reshape(&moved, &shape)
}

/// Parts of given extents; without them, the slices at each place of the axis, which they keep or not.
fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    let keeps_axis = n.attr_bool_or("keepdims", true)?;
    if n.optional_item(1).is_some() {
        let extents = extents(n, x.extent(axis)?)?;
        return sequence(cut(b, &x, axis, &extents)?);
    }
    let steps = x.extent(axis)?;
    check_steps(steps)?;
    let mut parts = cut(b, &x, axis, &vec![1; steps as usize])?;
    if !keeps_axis {
        let mut shape = x.dims().to_vec();
        shape.remove(axis);
        for part in &mut parts {
            *part = b.reshape(part, &shape)?;
        }
    }
    sequence(parts)
}

/// A list says the extent of each part, one number that of all of them but the last, which may be smaller.
fn extents(n: &Node<'_>, whole: i64) -> Result<Vec<i64>> {
    let given = n.ints(1, "the parts")?;
    if n.input(1)?.rank() == 1 {
        return Ok(given);
    }
    let extent = given[0];
    if extent < 1 {
        return Err(format!("parts of extent {extent} are asked for"));
    }
    check_steps(whole / extent)?;
    let starts = (0..whole).step_by(usize::try_from(extent).unwrap_or(usize::MAX));
    Ok(starts.map(|start| extent.min(whole - start)).collect())
}

/// What a graph makes of each tensor of the first sequence, with those at the same places of the others, and with all other inputs.
fn map(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let body = n.attr_graph("body")?;
    let count = n.sequence(0)?.len();
    let inputs = (0..n.input_count()).map(|index| n.item(index).cloned());
    let inputs: Vec<Item> = inputs.collect::<Result<_>>()?;
    check_body(&body, inputs.len(), 0)?;
    let mut results = vec![Vec::new(); body.output_count()];
    for step in 0..count {
        let arguments = inputs.iter().map(|input| of_step(input, step, count));
        let arguments: Vec<Item> = arguments.collect::<Result<_>>()?;
        collect(&mut results, body.write(b, &step.to_string(), &arguments)?)?;
    }
    let sequences = results
        .into_iter()
        .map(sequence)
        .collect::<Result<Vec<_>>>();
    Ok(sequences?.concat())
}

/// What the body of a SequenceMap takes of an input.
fn of_step(input: &Item, step: usize, count: usize) -> Result<Item> {
    match input {
        Item::Sequence(tensors) if tensors.len() != count => Err(format!(
            "its sequences have {count} and {} tensors",
            tensors.len()
        )),
        Item::Sequence(tensors) => Ok(tensors[step].clone().into()),
        other => Ok(other.clone()),
    }
}
