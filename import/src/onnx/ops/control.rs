//! Branches and loops.
//!
//! A graph has static shapes, and its operators run one after the other. So the branch that is taken has to be known, or
//! both are computed and one is chosen; and a loop is written out step by step, so that the number of its steps has to be
//! known.

use super::{
    row::{Row, item_row, row},
    steps::{check_body, check_steps, collect, element, stacked, tensor_of},
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::check_dims,
        error::Result,
        value::{Value, normalize_axis},
    },
    onnx::{item::Item, node::Node, subgraph::Subgraph},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    item_row("If", 1, branch),
    item_row("Loop", 1, repeat),
    row("Scan", 9, scan),
];

/// Writes out the branch that a known condition takes. A condition that is computed at run time chooses between the outputs of both
/// branches, which are computed before.
fn branch(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    let condition = n.input(0)?;
    if dim::product(condition.dims())? != 1 || condition.element() != Element::Bool {
        return Err("the condition (input 0) is not one boolean".into());
    }
    let branches = ["then_branch", "else_branch"];
    if let Some(flag) = condition.scalar() {
        let taken = branches[usize::from(flag == 0.0)];
        branches.iter().for_each(|name| n.ignore_attr(name));
        return n.attr_graph(taken)?.write(b, taken, &[]);
    }
    let mut results = Vec::new();
    for name in branches {
        results.push(n.attr_graph(name)?.write(b, name, &[])?);
    }
    let condition = b.reshape_to_scalar(&condition)?;
    let pairs = results[0].iter().zip(&results[1]).enumerate();
    let choose = |(index, (yes, no)): (usize, (&Item, &Item))| {
        if !have_one_type(yes, no) {
            return Err(format!(
                "the condition is computed at run time; then both branches have to return the same type, but output \
                 {index} is {yes} or {no}"
            ));
        }
        chosen(b, &condition, (yes, no))
    };
    pairs.map(choose).collect()
}

/// Whether a condition that is computed at run time can choose between two items.
fn have_one_type(a: &Item, b: &Item) -> bool {
    let fit = |a: &Value, b: &Value| (a.element(), a.dims()) == (b.element(), b.dims());
    match (a, b) {
        (Item::Tensor(a), Item::Tensor(b)) => fit(a, b),
        (Item::Sequence(a), Item::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| fit(a, b))
        }
        (Item::Nothing, Item::Nothing) => true,
        _ => false,
    }
}

/// The one of two items of one type that a condition chooses.
fn chosen(b: &mut GraphBuilder, condition: &Value, (yes, no): (&Item, &Item)) -> Result<Item> {
    let mut of_tensors = |(yes, no): (&Value, &Value)| {
        b.op("where", &[condition.clone(), yes.clone(), no.clone()], &[])
    };
    match (yes, no) {
        (Item::Tensor(yes), Item::Tensor(no)) => of_tensors((yes, no)).map(Item::from),
        (Item::Sequence(yes), Item::Sequence(no)) => {
            let tensors = yes.iter().zip(no.iter()).map(of_tensors);
            tensors.collect::<Result<Vec<Value>>>().map(Item::from)
        }
        _ => Ok(Item::Nothing),
    }
}

/// The body takes the step, a condition, and what the step before it returned; it returns the condition of the next step,
/// what that takes, and what is collected.
fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let body = n.attr_graph("body")?;
    let trips = n.optional_int(0, "the number of steps")?;
    // Without a condition, that of the body does not count.
    let has_condition = n.optional_item(1).is_some();
    let mut condition = match has_condition {
        true => n.input(1)?,
        false => b.filled(Element::Bool, &[], 1.0),
    };
    let mut states = (2..n.input_count())
        .map(|index| n.item(index).cloned())
        .collect::<Result<Vec<_>>>()?;
    check_body(&body, 2 + states.len(), 1 + states.len())?;
    let mut collected = vec![Vec::new(); body.output_count() - 1 - states.len()];
    let mut step = 0;
    while trips.is_none_or(|trips| step < trips) && (!has_condition || holds(&condition)?) {
        check_steps(step + 1)?;
        let mut arguments = at_step(b, step, &condition);
        arguments.append(&mut states);
        let mut outputs = body.write(b, &step.to_string(), &arguments)?.into_iter();
        let next = outputs.next().ok_or("the body has no outputs")?;
        condition = tensor_of(&next)?;
        states.extend(outputs.by_ref().take(arguments.len() - 2));
        collect(&mut collected, outputs)?;
        step += 1;
    }
    let first = 1 + states.len();
    let mut arguments = at_step(b, 0, &condition);
    arguments.extend_from_slice(&states);
    for (index, parts) in collected.into_iter().enumerate() {
        let all = match parts.is_empty() {
            true => nothing(b, (&body, first + index), 0, &arguments)?,
            false => stacked(b, parts, 0)?,
        };
        states.push(all.into());
    }
    Ok(states)
}

/// What the body of a Loop takes first: the step and its condition.
fn at_step(b: &GraphBuilder, step: i64, condition: &Value) -> Vec<Item> {
    let step = b.scalar(Element::I64, step as f64);
    vec![step.into(), condition.clone().into()]
}

/// The flag that says whether a loop goes on.
fn holds(condition: &Value) -> Result<bool> {
    let flag = condition.scalar();
    flag.map(|flag| flag != 0.0).ok_or_else(|| {
        "its condition is computed at run time; only loops whose number of steps is known at compile time are supported"
            .into()
    })
}

/// What is collected in no steps along an axis: a tensor without elements, of the type that the body declares, or else makes of some
/// arguments. What is written out for that is read by nobody.
fn nothing(
    b: &mut GraphBuilder,
    (body, output): (&Subgraph<'_>, usize),
    axis: i64,
    arguments: &[Item],
) -> Result<Value> {
    let (element, mut shape) = match body.declared(output) {
        Some((element, shape)) => (element, dim::dims(&shape)),
        None => {
            let value = tensor_of(&body.write(b, "none", arguments)?[output])?;
            (value.element(), value.dims().to_vec())
        }
    };
    let axis = normalize_axis(axis, shape.len() + 1)?;
    shape.insert(axis, Dim::Known(0));
    check_dims(&shape)?;
    b.full(element, &shape, 0.0)
}

/// A tensor that is read or collected element by element along an axis, from its end if `reverse`.
struct Sequence {
    axis: i64,
    reverse: bool,
}

/// The sequences that two attributes describe: their axes and directions.
fn sequences(n: &Node<'_>, which: [&str; 2], count: usize) -> Result<Vec<Sequence>> {
    let list = |name: &str| {
        let list = n.attr_ints(name)?.unwrap_or_else(|| vec![0; count]);
        if list.len() != count {
            return Err(format!(
                "attribute '{name}' has {} numbers, expected {count}",
                list.len()
            ));
        }
        Ok(list)
    };
    let (axes, directions) = (list(which[0])?, list(which[1])?);
    let sequence = |(axis, direction)| Sequence {
        axis,
        reverse: direction != 0,
    };
    Ok(axes.into_iter().zip(directions).map(sequence).collect())
}

/// The body takes what the step before it returned, and an element of each sequence; it returns what the next step takes,
/// and what is collected.
fn scan(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let body = n.attr_graph("body")?;
    let inputs = n.variadic()?;
    let count = usize::try_from(n.required_i64("num_scan_inputs")?).unwrap_or(0);
    if count == 0 || count > inputs.len() {
        return Err(format!(
            "attribute 'num_scan_inputs' does not fit {} inputs",
            inputs.len()
        ));
    }
    let (states, scanned) = inputs.split_at(inputs.len() - count);
    let (mut states, count_of_states) = (states.to_vec(), states.len());
    check_body(&body, inputs.len(), count_of_states)?;
    let read = sequences(n, ["scan_input_axes", "scan_input_directions"], count)?;
    let made = sequences(
        n,
        ["scan_output_axes", "scan_output_directions"],
        body.output_count() - count_of_states,
    )?;
    let mut elements = Vec::with_capacity(count);
    for (value, sequence) in scanned.iter().zip(&read) {
        elements.push(taken_apart(b, value, sequence)?);
    }
    let steps = elements[0].len();
    if elements.iter().any(|elements| elements.len() != steps) {
        return Err("its sequences have different lengths".into());
    }
    let mut collected = vec![Vec::new(); made.len()];
    for step in 0..steps {
        let elements = elements.iter().map(|elements| elements[step].clone());
        let arguments: Vec<Item> = states.into_iter().chain(elements).map(Item::from).collect();
        let mut outputs = body.write(b, &step.to_string(), &arguments)?;
        collect(&mut collected, outputs.split_off(count_of_states))?;
        states = outputs.iter().map(tensor_of).collect::<Result<_>>()?;
    }
    let none = match steps {
        0 => arguments_of_none(b, (&inputs, count_of_states), &read)?,
        _ => Vec::new(),
    };
    for (index, (mut parts, sequence)) in collected.into_iter().zip(&made).enumerate() {
        if sequence.reverse {
            parts.reverse();
        }
        states.push(match parts.first() {
            Some(part) => {
                let axis = normalize_axis(sequence.axis, part.rank() + 1)?;
                stacked(b, parts, axis)?
            }
            None => nothing(b, (&body, count_of_states + index), sequence.axis, &none)?,
        });
    }
    Ok(states)
}

/// The elements of a sequence, in the order in which they are read.
fn taken_apart(b: &mut GraphBuilder, value: &Value, sequence: &Sequence) -> Result<Vec<Value>> {
    let axis = value.axis(sequence.axis)?;
    let mut order: Vec<usize> = (0..value.rank()).filter(|&other| other != axis).collect();
    order.insert(0, axis);
    let steps = value.extent(axis)?;
    check_steps(steps)?;
    let value = b.transpose(value, &order)?;
    let elements = (0..steps as usize).map(|at| element(b, &value, at));
    let mut elements: Vec<Value> = elements.collect::<Result<_>>()?;
    if sequence.reverse {
        elements.reverse();
    }
    Ok(elements)
}

/// What the body of a Scan would take if there were a step: the first `count` inputs, and an element of each of the others.
fn arguments_of_none(
    b: &mut GraphBuilder,
    (inputs, count): (&[Value], usize),
    read: &[Sequence],
) -> Result<Vec<Item>> {
    let (states, scanned) = inputs.split_at(count);
    let elements = scanned.iter().zip(read).map(|(value, sequence)| {
        let mut shape = value.dims().to_vec();
        shape.remove(value.axis(sequence.axis)?);
        b.full(value.element(), &shape, 0.0)
    });
    let states = states.iter().cloned().map(Ok);
    states
        .chain(elements)
        .map(|value| value.map(Item::from))
        .collect()
}
