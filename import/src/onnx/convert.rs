//! The conversion of nodes, in the scope of their graph.

use super::{
    node::Node,
    ops, proto,
    scope::{Scope, Source},
    structure::is_default_domain,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use std::collections::HashSet;

/// Why there is no conversion for a node, if there is none.
pub fn refusal(node: &proto::Node, opset: i64) -> Option<String> {
    if is_default_domain(&node.domain) {
        ops::find(&node.op_type, opset).err()
    } else {
        Some(format!(
            "operators of domain '{}' are not supported",
            node.domain
        ))
    }
}

/// Converts a node: see [`ConvertNode`](super::scope::ConvertNode).
pub fn convert_node(
    source: Source<'_>,
    node: &proto::Node,
    used: &HashSet<&str>,
    builder: &mut GraphBuilder,
    scope: &mut Scope<'_>,
) -> Result<()> {
    if let Some(refusal) = refusal(node, source.opset) {
        return Err(refusal);
    }
    let convert = ops::find(&node.op_type, source.opset)?;
    let inputs = inputs(node, scope)?;
    let mut seen = HashSet::new();
    if let Some(twice) = node.attribute.iter().find(|attr| !seen.insert(&attr.name)) {
        return Err(format!("attribute '{}' is given twice", twice.name));
    }
    let results = {
        let bound = Node::new(node, source, inputs, scope);
        let results = convert(&bound, builder)?;
        bound.check_attrs()?;
        results
    };
    for (index, output) in node.output.iter().enumerate() {
        match results.get(index) {
            Some(value) => scope.define(output, value.clone()),
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

fn inputs(node: &proto::Node, scope: &Scope<'_>) -> Result<Vec<Option<Value>>> {
    let value = |name: &String| match scope.find(name) {
        _ if name.is_empty() => Ok(None),
        Some(value) => Ok(Some(value.clone())),
        None => Err(format!("it reads '{name}', which is not there")),
    };
    node.input.iter().map(value).collect()
}
