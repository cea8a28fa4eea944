//! Branches and loops.
//!
//! Of two branches, the one that is taken runs. A loop becomes a loop (`loops.rs`) if a step returns tensors of the types that it
//! takes. Otherwise, and if there are few steps, it is written out step by step, and the number of its steps has to be known.

use super::{
    computed, conversion,
    loops::repeat,
    row::{Row, item_row, row},
    scan::scan,
};
use crate::{
    graph::{branches::Branch, builder::GraphBuilder, error::Result, value::Value},
    onnx::{item::Item, node::Node, proto},
};
use relay_dialects::{dim::Dim, element::Element};
use std::cmp::Ordering;

/// The family's rows.
pub const ROWS: &[Row] = &[
    item_row("If", 1, branch),
    item_row("Loop", 1, repeat),
    row("Scan", 9, scan),
];

/// The names of the attributes that hold the branches.
const BRANCHES: [&str; 2] = ["then_branch", "else_branch"];

/// Writes out the branch that a known condition takes. Of a condition that is computed when the model runs, only the branch that is
/// taken runs.
fn branch(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    let condition = n.input(0)?;
    if condition.element() != Element::Bool {
        return Err("the condition (input 0) is not one boolean".into());
    }
    if let Some(flag) = condition.scalar() {
        let taken = BRANCHES[usize::from(flag == 0.0)];
        BRANCHES.iter().for_each(|name| n.ignore_attr(name));
        return n.attr_graph(taken)?.write(b, taken, &[]);
    }
    let condition = b.only_element(&condition)?;
    let condition = condition.ok_or("the condition (input 0) is not one boolean")?;
    let owner = b.node().to_owned();
    let written = BRANCHES.map(|name| {
        let part = part(n, b, &condition, name);
        b.enter(&owner);
        part
    });
    match written {
        [Ok(then), Ok(otherwise)] => match squeezed(&condition, [&then.1, &otherwise.1]) {
            Some(taken) => {
                let reason = "it returns another number of dimensions".into();
                b.give_up(then.0);
                b.give_up(otherwise.0);
                one_of(n, b, &condition, taken, reason)
            }
            None if !are_alike(&then.1, &otherwise.1) && b.may_compute_sizes() => {
                let reason = not_alike(&then.1, &otherwise.1);
                b.give_up(then.0);
                b.give_up(otherwise.0);
                merged(n, b, &condition).map_err(|_| reason)
            }
            None => chosen(b, &condition, [then, otherwise]),
        },
        [then, otherwise] => {
            let mut fitting = None;
            let mut reason = String::new();
            for (taken, part) in [then, otherwise].into_iter().enumerate() {
                match part {
                    Ok((branch, _)) => {
                        b.give_up(branch);
                        fitting = Some(taken);
                    }
                    Err(why) => reason = why,
                }
            }
            if b.may_compute_sizes()
                && let Ok(merged) = merged(n, b, &condition)
            {
                return Ok(merged);
            }
            b.enter(&owner);
            match fitting {
                Some(taken) => one_of(n, b, &condition, taken, reason),
                None => Err(reason),
            }
        }
    }
}

/// What either branch returns, where both are computed, because they compute sizes: an output has the elements of the one that the
/// condition chooses. They may differ in one extent.
fn merged(n: &Node<'_>, b: &mut GraphBuilder, condition: &Value) -> Result<Vec<Item>> {
    let owner = b.node().to_owned();
    let mut written = Vec::new();
    for name in BRANCHES {
        let taken_if = name == BRANCHES[0];
        let graph = n.attr_graph(name)?;
        written.push(b.guarded((condition, taken_if), |b| graph.write(b, name, &[]))?);
        b.enter(&owner);
    }
    let pairs = written[0].iter().zip(&written[1]);
    let chosen = pairs.map(|(yes, no)| match (yes, no) {
        (Item::Tensor(yes), Item::Tensor(no)) => {
            computed::either(b, condition, [yes, no]).map(Item::from)
        }
        (Item::Nothing, Item::Nothing) => Ok(Item::Nothing),
        _ => Err("a branch returns what is no tensor".into()),
    });
    chosen.collect()
}

/// A branch, and what it returns.
type Part = (Branch, Vec<Item>);

fn part(n: &Node<'_>, b: &mut GraphBuilder, condition: &Value, name: &str) -> Result<Part> {
    let graph = n.attr_graph(name)?;
    let mut items = Vec::new();
    let branch = b.branch((condition, name == BRANCHES[0]), |b| {
        items = graph.write(b, name, &[])?;
        Ok(items.iter().flat_map(tensors).cloned().collect())
    })?;
    Ok((branch, items))
}

/// The tensors of an item.
fn tensors(item: &Item) -> &[Value] {
    match item {
        Item::Tensor(value) | Item::Stacked(value) => std::slice::from_ref(value),
        Item::Sequence(values) => values,
        Item::Nothing => &[],
    }
}

/// The branch that removes a dimension where shapes decide whether the graph does so: exporters write that for a `squeeze` of an open
/// dimension. What follows takes one number of dimensions, and the author of the model asked for the smaller one.
fn squeezed(condition: &Value, [yes, no]: [&Vec<Item>; 2]) -> Option<usize> {
    let ([Item::Tensor(yes)], [Item::Tensor(no)]) = (&yes[..], &no[..]) else {
        return None;
    };
    match yes.rank().cmp(&no.rank()) {
        Ordering::Equal => None,
        _ if !condition.is_of_shapes() => None,
        Ordering::Less => Some(0),
        Ordering::Greater => Some(1),
    }
}

/// The branch that fits the shapes, where the other one does not: a run whose condition chooses that one ends with an error.
fn one_of(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    condition: &Value,
    taken: usize,
    reason: String,
) -> Result<Vec<Item>> {
    let name = BRANCHES[taken];
    let other = BRANCHES[1 - taken];
    let (graph, opset) = n.attr_graph(other)?.described();
    if !has_conversions(graph, opset) {
        return Err(reason);
    }
    let flag = b.cast(condition, Element::I64)?;
    // Only the graph itself can end with an error.
    let checked = b.check_equal(&flag, Dim::Known(1 - taken as i64), "condition");
    checked.map_err(|_| reason.clone())?;
    tracing::warn!(
        "{}: '{other}' does not fit these shapes, and a run that takes it ends with an error: {reason}",
        b.node()
    );
    n.attr_graph(name)?.write(b, name, &[])
}

/// Whether there is a conversion of each operator of a graph, and of those in graphs of its nodes.
fn has_conversions(graph: &proto::Graph, opset: i64) -> bool {
    graph.node.iter().all(|node| {
        let mut inner = node.attribute.iter().filter_map(|attr| attr.g.as_ref());
        conversion(node, opset).is_ok() && inner.all(|graph| has_conversions(graph, opset))
    })
}

/// What the branch that a condition chooses returns.
fn chosen(b: &mut GraphBuilder, condition: &Value, parts: [Part; 2]) -> Result<Vec<Item>> {
    let [(then, yes), (otherwise, no)] = parts;
    if !are_alike(&yes, &no) {
        b.give_up(then);
        b.give_up(otherwise);
        return Err(not_alike(&yes, &no));
    }
    let mut values = b.either(condition, [then, otherwise])?.into_iter();
    let mut item = |item: &Item| match item {
        Item::Tensor(_) => values.next().map(Item::from),
        Item::Stacked(_) => values.next().map(Item::Stacked),
        Item::Sequence(all) => Some(values.by_ref().take(all.len()).collect::<Vec<_>>().into()),
        Item::Nothing => Some(Item::Nothing),
    };
    let items: Option<Vec<Item>> = yes.iter().map(&mut item).collect();
    items.ok_or_else(|| "a branch returns too few values".into())
}

/// Whether a condition that is computed at run time can choose between what two branches return.
fn are_alike(yes: &[Item], no: &[Item]) -> bool {
    let mut pairs = yes.iter().zip(no);
    pairs.all(|(yes, no)| have_one_type(yes, no))
}

/// Why it cannot.
fn not_alike(yes: &[Item], no: &[Item]) -> String {
    let pairs = yes.iter().zip(no).enumerate();
    let different = pairs.filter(|(_, (yes, no))| !have_one_type(yes, no));
    let outputs: Vec<String> = different
        .map(|(index, (yes, no))| format!("output {index} is {yes} or {no}"))
        .collect();
    format!(
        "the condition is computed at run time; then both branches have to return the same type, but {}",
        outputs.join(", ")
    )
}

/// Whether a condition that is computed at run time can choose between two items.
fn have_one_type(a: &Item, b: &Item) -> bool {
    let fit = |a: &Value, b: &Value| (a.element(), a.dims()) == (b.element(), b.dims());
    match (a, b) {
        (Item::Tensor(a), Item::Tensor(b)) | (Item::Stacked(a), Item::Stacked(b)) => fit(a, b),
        (Item::Sequence(a), Item::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| fit(a, b))
        }
        (Item::Nothing, Item::Nothing) => true,
        _ => false,
    }
}
