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

/// A result of a node. In a file it is a list: the number of the node, that of the result, and in newer files a version.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<i64>")]
pub struct Entry {
    /// The number of the node.
    pub node: usize,
    /// Which of its results it is.
    pub result: usize,
}

impl TryFrom<Vec<i64>> for Entry {
    type Error = String;

    fn try_from(list: Vec<i64>) -> Result<Self> {
        let numbers = list.iter().map(|number| usize::try_from(*number).ok());
        match numbers.collect::<Vec<_>>()[..] {
            [Some(node), Some(result)] | [Some(node), Some(result), _] => Ok(Self { node, result }),
            _ => Err(format!("{list:?} is no result of a node")),
        }
    }
}

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
            if let Some(entry) = node.inputs.iter().find(|entry| entry.node >= number) {
                return Err(format!(
                    "node '{}' reads node {}, which is not computed before it",
                    node.name, entry.node
                ));
            }
        }
        let count = symbol.nodes.len();
        match symbol.heads.iter().find(|head| head.node >= count) {
            Some(head) => Err(format!("it returns node {}, which is not there", head.node)),
            None if symbol.heads.is_empty() => Err("it returns nothing".into()),
            None => Ok(symbol),
        }
    }

    /// The nodes, by number, whose results the model's results are computed of. `reads` says which inputs of a node are read.
    pub fn needed(&self, reads: impl Fn(&Node) -> usize) -> HashSet<usize> {
        let mut needed = HashSet::new();
        let mut stack: Vec<usize> = self.heads.iter().map(|head| head.node).collect();
        while let Some(number) = stack.pop() {
            if needed.insert(number) {
                let node = &self.nodes[number];
                let inputs = node.inputs.iter().take(reads(node));
                stack.extend(inputs.map(|entry| entry.node));
            }
        }
        needed
    }
}
