//! Graphs that nodes have as attributes, such as the branches of an If.

use super::{
    item::Item,
    proto,
    scope::{Scope, Source},
    structure, types,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::element::Element;
use std::collections::HashSet;

/// The most nodes that are written out. Loops in loops can ask for more than memory holds.
const MOST_NODES: usize = 1 << 18;

/// A graph of a node, which may read what is in the node's scope.
pub struct Subgraph<'m> {
    graph: &'m proto::Graph,
    source: Source<'m>,
    order: Vec<usize>,
    used: HashSet<&'m str>,
    /// Its initializers, and what is around it.
    constants: Scope<'m>,
}

impl<'m> Subgraph<'m> {
    /// Checks a graph that is in a scope, and reads its initializers.
    pub(super) fn new(
        graph: &'m proto::Graph,
        source: Source<'m>,
        around: &'m Scope<'m>,
    ) -> Result<Self> {
        let order = structure::order(graph, |name| around.find(name).is_some())?;
        let mut constants = Scope::within(around);
        for tensor in &graph.initializer {
            constants.define(&tensor.name, source.initializer(tensor)?);
        }
        Ok(Self {
            graph,
            source,
            order,
            used: structure::names_used(graph),
            constants,
        })
    }

    /// The number of its inputs.
    pub fn input_count(&self) -> usize {
        structure::inputs(self.graph).count()
    }

    /// The number of its outputs.
    pub fn output_count(&self) -> usize {
        self.graph.output.len()
    }

    /// The type that is declared of an output, if it is static.
    pub fn declared(&self, output: usize) -> Option<(Element, Vec<i64>)> {
        types::static_type(self.graph.output.get(output)?)
    }

    /// The graph, and the version of ONNX's operator set that it uses.
    pub fn described(&self) -> (&'m proto::Graph, i64) {
        (self.graph, self.source.opset)
    }

    /// A tensor that its nodes read, and no node nor argument of it makes: an initializer, or something around it.
    pub fn around(&self, name: &str) -> Option<&Value> {
        self.constants.find(name)?.tensor().ok()
    }

    /// Writes its nodes out, for these inputs, and returns its outputs. The nodes are called by the node that has the
    /// graph, `part`, and their own names.
    pub fn write(&self, b: &mut GraphBuilder, part: &str, arguments: &[Item]) -> Result<Vec<Item>> {
        let mut scope = Scope::within(&self.constants);
        for (input, argument) in structure::inputs(self.graph).zip(arguments) {
            scope.define(&input.name, argument.clone());
        }
        let owner = b.node().to_owned();
        for &index in &self.order {
            let node = &self.graph.node[index];
            let name = structure::node_name(index, node);
            let located = |why| format!("node '{name}' ({}) of '{part}': {why}", node.op_type);
            if b.nodes() > MOST_NODES {
                return Err(located(format!(
                    "more than {MOST_NODES} nodes would have to be written out"
                )));
            }
            b.enter(&format!("{owner}/{part}/{name}"));
            let convert = self.source.convert;
            convert(self.source, node, &self.used, b, &mut scope).map_err(located)?;
        }
        b.enter(&owner);
        let output = |output: &proto::ValueInfo| {
            let value = scope.find(&output.name).cloned();
            value.ok_or_else(|| format!("nothing computes '{}' of '{part}'", output.name))
        };
        self.graph.output.iter().map(output).collect()
    }
}
