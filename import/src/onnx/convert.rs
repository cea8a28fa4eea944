//! The conversion of nodes, in the scope of their graph.

use super::{
    item::Item,
    node::Node,
    ops::{Convert, conversion},
    proto,
    scope::{Scope, Source},
};
use crate::graph::{builder::GraphBuilder, error::Result};
use std::collections::HashSet;

/// Converts a node: see [`ConvertNode`](super::scope::ConvertNode).
pub fn convert_node(
    source: Source<'_>,
    node: &proto::Node,
    used: &HashSet<&str>,
    builder: &mut GraphBuilder,
    scope: &mut Scope<'_>,
) -> Result<()> {
    let convert = conversion(node, source.opset)?;
    let inputs = inputs(node, scope)?;
    let mut seen = HashSet::new();
    if let Some(twice) = node.attribute.iter().find(|attr| !seen.insert(&attr.name)) {
        return Err(format!("attribute '{}' is given twice", twice.name));
    }
    let results = {
        let bound = Node::new(node, source, inputs, scope);
        let results: Vec<Item> = match convert {
            Convert::Tensors(convert) => {
                bound.check_tensors()?;
                let results = convert(&bound, builder)?;
                results.into_iter().map(Item::from).collect()
            }
            Convert::Items(convert) => convert(&bound, builder)?,
        };
        bound.check_attrs()?;
        results
    };
    for (index, output) in node.output.iter().enumerate() {
        match results.get(index) {
            Some(item) => scope.define(output, item.clone()),
            None if !output.is_empty() && used.contains(output.as_str()) => {
                return Err(format!(
                    "its output {index} ('{output}') is used; the importer does not support it"
                ));
            }
            None => {}
        }
    }
    Ok(())
}

fn inputs(node: &proto::Node, scope: &Scope<'_>) -> Result<Vec<Option<Item>>> {
    let item = |name: &String| match scope.find(name) {
        _ if name.is_empty() => Ok(None),
        Some(item) => Ok(Some(item.clone())),
        None => Err(format!("it reads '{name}', which is not there")),
    };
    node.input.iter().map(item).collect()
}
