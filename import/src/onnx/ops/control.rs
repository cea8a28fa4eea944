//! Branches and loops.
//!
//! Of a branch, the one that is taken has to be known, or both are computed and one is chosen. A loop becomes a loop
//! (`loops.rs`) if a step returns tensors of the types that it takes. Otherwise, and if there are few steps, it is written out
//! step by step, and the number of its steps has to be known.

use super::{
    loops::repeat,
    row::{Row, item_row, row},
    scan::scan,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::{item::Item, node::Node},
};
use relay_dialects::{dim, element::Element};

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
