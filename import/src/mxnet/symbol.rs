//! The graph, which is JSON: nodes in the order in which they are computed, each with the results that it reads.

use crate::graph::error::Result;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};

/// A graph.
#[derive(Debug, Deserialize)]
pub struct Symbol {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// What the model returns.
    pub heads: Vec<Entry>,
}

/// A node: a variable, whose operator is `null`, or an operator.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// Its operator.
    pub op: String,
    /// Its name.
    pub name: String,
    /// Its attributes. Old files have them in one or two places of other names.
    #[serde(default)]
    pub attrs: BTreeMap<String, String>,
    #[serde(default)]
    attr: BTreeMap<String, String>,
    #[serde(default)]
    param: BTreeMap<String, String>,
    /// What it reads.
    #[serde(default)]
    pub inputs: Vec<Entry>,
}

/// A result of a node: the number of the node, that of the result, and in newer files a version.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry(
    pub usize,
    pub usize,
    #[serde(default)]
    #[expect(dead_code, reason = "it stands in the file, and says nothing")]
    i64,
);

/// The operator of a variable.
const VARIABLE: &str = "null";

impl Node {
    /// Whether it is a variable: an input or an array.
    pub fn is_variable(&self) -> bool {
        self.op == VARIABLE
    }
}

impl Symbol {
    /// Reads a graph.
    ///
    /// # Errors
    /// If it is no graph, or a node reads what is not computed before it.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut symbol: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        for (number, node) in symbol.nodes.iter_mut().enumerate() {
            let (mut old, mut older) = (
                std::mem::take(&mut node.attr),
                std::mem::take(&mut node.param),
            );
            node.attrs.append(&mut old);
            node.attrs.append(&mut older);
            if let Some(entry) = node.inputs.iter().find(|entry| entry.0 >= number) {
                return Err(format!(
                    "node '{}' reads node {}, which is not computed before it",
                    node.name, entry.0
                ));
            }
        }
        let count = symbol.nodes.len();
        match symbol.heads.iter().find(|head| head.0 >= count) {
            Some(head) => Err(format!("it returns node {}, which is not there", head.0)),
            None if symbol.heads.is_empty() => Err("it returns nothing".into()),
            None => Ok(symbol),
        }
    }

    /// The nodes, by number, whose results the model's results are computed of. `reads` says which inputs of a node are read.
    pub fn needed(&self, reads: impl Fn(&Node) -> usize) -> HashSet<usize> {
        let mut needed = HashSet::new();
        let mut stack: Vec<usize> = self.heads.iter().map(|head| head.0).collect();
        while let Some(number) = stack.pop() {
            if needed.insert(number) {
                let node = &self.nodes[number];
                let inputs = node.inputs.iter().take(reads(node));
                stack.extend(inputs.map(|entry| entry.0));
            }
        }
        needed
    }
}
