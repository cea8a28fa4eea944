//! Graphs and the bodies of functions: their nodes by name, and what nodes read.

use super::{proto, results::results};
use crate::graph::error::Result;
use std::collections::HashMap;

/// What a node reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// An argument of the function.
    Argument(usize),
    /// A result of a node.
    Result {
        /// The node's place.
        node: usize,
        /// The number of the result.
        number: usize,
    },
}

/// A graph, or the body of a function.
pub struct Body<'m> {
    /// The nodes.
    pub nodes: &'m [proto::Node],
    /// What each result of the function is.
    pub results: Vec<Read>,
    /// For each node, what it reads. Nodes that only run before it are left out.
    pub reads: Vec<Vec<Read>>,
    arguments: HashMap<&'m str, usize>,
    places: HashMap<&'m str, usize>,
    is_function: bool,
}

impl<'m> Body<'m> {
    /// A graph.
    ///
    /// # Errors
    /// If two nodes have one name, or a node reads what is not there.
    pub fn of_graph(nodes: &'m [proto::Node]) -> Result<Self> {
        Self::new(nodes, HashMap::new(), false)
    }

    /// The body of a function.
    ///
    /// # Errors
    /// As [`Body::of_graph`], or if a result is not said.
    pub fn of_function(function: &'m proto::Function) -> Result<Self> {
        let signature = function.signature.as_ref().ok_or("it has no signature")?;
        let names = signature.input.iter().enumerate();
        let arguments = names.map(|(place, arg)| (arg.name.as_str(), place));
        let mut body = Self::new(&function.node, arguments.collect(), true)?;
        for output in &signature.output {
            let missing = || format!("nothing computes the result '{}'", output.name);
            let read = function.ret.get(&output.name).ok_or_else(missing)?;
            let read = body.read(read)?.ok_or_else(missing)?;
            body.results.push(read);
        }
        Ok(body)
    }

    fn new(
        nodes: &'m [proto::Node],
        arguments: HashMap<&'m str, usize>,
        is_function: bool,
    ) -> Result<Self> {
        let mut places = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            if places.insert(node.name.as_str(), place).is_some() {
                return Err(format!("two nodes are called '{}'", node.name));
            }
        }
        let mut body = Self {
            nodes,
            results: Vec::new(),
            reads: Vec::new(),
            arguments,
            places,
            is_function,
        };
        for node in nodes {
            let reads = node.input.iter().map(|text| body.read(text));
            let reads: Result<Vec<Option<Read>>> = reads.collect();
            let reads = reads.map_err(|reason| format!("node '{}' {reason}", node.name))?;
            body.reads.push(reads.into_iter().flatten().collect());
        }
        Ok(body)
    }

    /// The place of a node.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The number of arguments.
    pub fn arguments(&self) -> usize {
        self.arguments.len()
    }

    /// The nodes that run before a node, and of which it reads nothing.
    pub fn controls(&self, node: usize) -> impl Iterator<Item = usize> {
        let inputs = self.nodes[node].input.iter();
        inputs.filter_map(|text| self.place(text.strip_prefix('^')?))
    }

    /// What a text says that is read; `None` for a node that only runs before.
    ///
    /// # Errors
    /// If it is not there.
    pub fn read(&self, text: &str) -> Result<Option<Read>> {
        if text.starts_with('^') {
            return Ok(None);
        }
        let wrong = || format!("reads '{text}', which is not there");
        let mut parts = text.split(':');
        let name = parts.next().ok_or_else(wrong)?;
        if let Some(place) = self.arguments.get(name) {
            return Ok(Some(Read::Argument(*place)));
        }
        let node = self.place(name).ok_or_else(wrong)?;
        let rest: Vec<&str> = parts.collect();
        let index = |text: &str| text.parse().map_err(|_| wrong());
        let number = match (&rest[..], self.is_function) {
            ([], _) => 0,
            ([number], false) => index(number)?,
            ([result], true) => self.number(node, result, 0).ok_or_else(wrong)?,
            ([result, number], true) => self
                .number(node, result, index(number)?)
                .ok_or_else(wrong)?,
            _ => return Err(wrong()),
        };
        Ok(Some(Read::Result { node, number }))
    }

    /// The number of a result that functions call by a name: of operators with several results, each has a name.
    fn number(&self, node: usize, result: &str, number: usize) -> Option<usize> {
        match results(&self.nodes[node].op) {
            [] => Some(number),
            names => names.iter().position(|name| *name == result),
        }
    }

    /// The operator's node that a result comes from, behind nodes that change nothing.
    pub fn origin(&self, mut read: Read) -> Read {
        // A cycle of such nodes has no origin.
        for _ in 0..self.nodes.len() {
            let Read::Result { node, number: 0 } = read else {
                break;
            };
            match (self.nodes[node].op.as_str(), &self.reads[node][..]) {
                ("Identity" | "StopGradient" | "Enter", [before]) => read = *before,
                _ => break,
            }
        }
        read
    }

    /// The node that a result comes from, with its place.
    pub fn node(&self, read: Read) -> Option<(usize, &'m proto::Node)> {
        match read {
            Read::Result { node, .. } => Some((node, &self.nodes[node])),
            Read::Argument(_) => None,
        }
    }

    /// The nodes that results need, each behind those that it reads. `reads` says what a node reads; `is_known` which nodes have
    /// results already.
    ///
    /// # Errors
    /// If a node reads its own result.
    pub fn order(
        &self,
        wanted: &[Read],
        reads: impl Fn(usize) -> Vec<Read>,
        is_known: impl Fn(usize) -> bool,
    ) -> Result<Vec<usize>> {
        let nodes = |reads: Vec<Read>| -> Vec<usize> {
            let nodes = reads.into_iter().filter_map(|read| match read {
                Read::Result { node, .. } if !is_known(node) => Some(node),
                _ => None,
            });
            nodes.rev().collect()
        };
        let mut order = Vec::new();
        let mut is_open: HashMap<usize, bool> = HashMap::new();
        let mut stack: Vec<(usize, Option<Vec<usize>>)> = Vec::new();
        stack.extend(nodes(wanted.to_vec()).into_iter().map(|node| (node, None)));
        while let Some((node, before)) = stack.pop() {
            match before {
                None => match is_open.get(&node) {
                    Some(true) => {
                        return Err(format!(
                            "node '{}' reads its own result",
                            self.nodes[node].name
                        ));
                    }
                    Some(false) => {}
                    None => {
                        is_open.insert(node, true);
                        stack.push((node, Some(nodes(reads(node)))));
                    }
                },
                Some(mut before) => match before.pop() {
                    Some(next) => {
                        stack.push((node, Some(before)));
                        stack.push((next, None));
                    }
                    None => {
                        is_open.insert(node, false);
                        order.push(node);
                    }
                },
            }
        }
        Ok(order)
    }
}
