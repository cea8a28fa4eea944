//! Optionals. Whether they hold anything is known, so that nothing of them is left.

use super::row::{Row, item_row};
use crate::{
    graph::{builder::GraphBuilder, error::Result},
    onnx::{item::Item, node::Node},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    item_row("Optional", 15, optional),
    item_row("OptionalGetElement", 15, get_element),
    item_row("OptionalHasElement", 15, has_element),
];

/// An optional that holds the input, if there is one.
fn optional(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    // The type of what it could hold.
    n.ignore_attr("type");
    Ok(vec![held(n)])
}

fn get_element(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    match n.item(0)? {
        Item::Nothing => Err("the optional (input 0) holds nothing".into()),
        item => Ok(vec![item.clone()]),
    }
}

fn has_element(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.check_inputs(1)?;
    let has = !matches!(held(n), Item::Nothing);
    let has = b.scalar(Element::Bool, f64::from(u8::from(has)));
    Ok(vec![has.into()])
}

/// What the first input holds.
fn held(n: &Node<'_>) -> Item {
    n.optional_item(0).cloned().unwrap_or(Item::Nothing)
}
