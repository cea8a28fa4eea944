//! Functions of a model: their bodies take the places of the nodes that call them.

use super::{
    opset,
    proto::{self, Function},
    structure::{full_name, is_default_domain, node_name},
};
use crate::graph::error::Result;
use std::{collections::HashMap, mem};

/// How deep calls may lie in other calls and in graphs. ONNX forbids functions that call themselves.
const DEEPEST: usize = 64;

/// The most nodes that calls become. Functions that call others twice can ask for more than memory holds.
const MOST_NODES: usize = 1 << 18;

/// The graph with functions' bodies in the place of calls.
///
/// # Errors
/// If a call does not fit its function, or functions call each other in a circle.
pub fn expand(mut graph: proto::Graph, functions: &[Function], opset: i64) -> Result<proto::Graph> {
    if functions.is_empty() {
        return Ok(graph);
    }
    let mut calls = Calls {
        functions: functions.iter().map(|f| (key_of(f), f)).collect(),
        opset,
        nodes: 0,
    };
    let nodes = mem::take(&mut graph.node);
    graph.node = calls.expanded(nodes, 0)?;
    Ok(graph)
}

/// The domain, name and overload that functions are called by.
type Key<'m> = (&'m str, &'m str, &'m str);

fn key_of(function: &Function) -> Key<'_> {
    (domain(&function.domain), &function.name, &function.overload)
}

/// ONNX's own domain has two names.
fn domain(domain: &str) -> &str {
    if is_default_domain(domain) {
        ""
    } else {
        domain
    }
}

struct Calls<'m> {
    functions: HashMap<Key<'m>, &'m Function>,
    opset: i64,
    /// How many nodes there are until now.
    nodes: usize,
}

impl Calls<'_> {
    /// The nodes, and the bodies of those that are calls; `depth` is the number of calls and graphs around them. Nodes have names
    /// afterwards.
    fn expanded(&mut self, nodes: Vec<proto::Node>, depth: usize) -> Result<Vec<proto::Node>> {
        let mut all = Vec::with_capacity(nodes.len());
        for (index, mut node) in nodes.into_iter().enumerate() {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                return Err(format!("functions become more than {MOST_NODES} nodes"));
            }
            node.name = node_name(index, &node);
            let key = (domain(&node.domain), &*node.op_type, &*node.overload);
            if let Some(&function) = self.functions.get(&key) {
                let wrong = |why| format!("node '{}' ({}): {why}", node.name, full_name(&node));
                if depth >= DEEPEST {
                    return Err(wrong(format!("functions call each other {DEEPEST} deep")));
                }
                let opset = opset::of_function(function).map_err(wrong)?;
                let mut body = body(function, &node, depth).map_err(wrong)?;
                if let Some(opset) = opset.filter(|opset| *opset != self.opset) {
                    mark(&mut body, opset);
                }
                all.extend(self.expanded(body, depth + 1)?);
                continue;
            }
            for graph in node.attribute.iter_mut().filter_map(|attr| attr.g.as_mut()) {
                let nodes = mem::take(&mut graph.node);
                graph.node = self.expanded(nodes, depth + 1)?;
            }
            all.push(node);
        }
        Ok(all)
    }
}

/// Says of which operator set nodes are, and those in their graphs.
fn mark(nodes: &mut [proto::Node], opset: i64) {
    for node in nodes {
        node.opset = Some(opset);
        for graph in node.attribute.iter_mut().filter_map(|attr| attr.g.as_mut()) {
            mark(&mut graph.node, opset);
        }
    }
}

/// The nodes of a function, with the names and attributes of a call that lies so deep in others.
fn body(function: &Function, call: &proto::Node, depth: usize) -> Result<Vec<proto::Node>> {
    for (what, given, taken) in [
        ("inputs", call.input.len(), function.input.len()),
        ("outputs", call.output.len(), function.output.len()),
    ] {
        if given > taken {
            return Err(format!(
                "it has {given} {what}, the function has at most {taken}"
            ));
        }
    }
    let attributes = attributes(function, call)?;
    // Names of tensors are unique in the model, so that an output of this call tells its names from those of other calls. A call in a
    // function may have the output of the call around it.
    let Some(output) = call.output.iter().find(|output| !output.is_empty()) else {
        return Ok(Vec::new());
    };
    let prefix = match depth {
        0 => output.clone(),
        depth => format!("{output}:{depth}"),
    };
    let mut names = Names {
        known: HashMap::new(),
        prefix,
    };
    for (index, formal) in function.input.iter().enumerate() {
        let actual = call.input.get(index).map_or("", String::as_str);
        names.known.insert(formal, actual);
    }
    let mut nodes = Vec::with_capacity(function.node.len());
    for (formal, actual) in function.output.iter().zip(&call.output) {
        match names.known.get(formal.as_str()) {
            _ if actual.is_empty() => {}
            Some(&input) => nodes.push(identity(input, actual)),
            None => {
                names.known.insert(formal, actual);
            }
        }
    }
    for (index, node) in function.node.iter().enumerate() {
        let mut node = node.clone();
        node.name = format!("{}/{}", call.name, node_name(index, &node));
        names.rename_node(&mut node);
        bind(&mut node, &attributes);
        nodes.push(node);
    }
    Ok(nodes)
}

fn identity(input: &str, output: &str) -> proto::Node {
    proto::Node {
        input: vec![input.into()],
        output: vec![output.into()],
        op_type: "Identity".into(),
        ..proto::Node::default()
    }
}

/// The values of a function's attributes in a call, by name.
fn attributes<'m>(
    function: &'m Function,
    call: &'m proto::Node,
) -> Result<HashMap<&'m str, &'m proto::Attribute>> {
    let defaults = function.attribute_proto.iter();
    let mut values: HashMap<_, _> = defaults.map(|attr| (attr.name.as_str(), attr)).collect();
    for attr in &call.attribute {
        let is_known =
            values.contains_key(attr.name.as_str()) || function.attribute.contains(&attr.name);
        if !is_known {
            return Err(format!("the function has no attribute '{}'", attr.name));
        }
        values.insert(&attr.name, attr);
    }
    Ok(values)
}

/// Gives a node's attributes that are the function's their values. Those that have none are left out.
fn bind(node: &mut proto::Node, values: &HashMap<&str, &proto::Attribute>) {
    node.attribute.retain_mut(|attr| {
        if !attr.ref_attr_name.is_empty() {
            let Some(&value) = values.get(attr.ref_attr_name.as_str()) else {
                return false;
            };
            let name = mem::take(&mut attr.name);
            *attr = proto::Attribute {
                name,
                ..value.clone()
            };
        } else if let Some(graph) = &mut attr.g {
            graph.node.iter_mut().for_each(|node| bind(node, values));
        }
        true
    });
}

/// What a function's tensors are called outside of it.
struct Names<'m> {
    /// The names of its inputs and outputs in the call.
    known: HashMap<&'m str, &'m str>,
    /// What stands before all other names.
    prefix: String,
}

impl Names<'_> {
    fn rename(&self, name: &mut String) {
        if name.is_empty() {
            return;
        }
        *name = match self.known.get(name.as_str()) {
            Some(known) => (*known).into(),
            None => format!("{}::{name}", self.prefix),
        };
    }

    /// Graphs in the function can read its names, so theirs are changed, too.
    fn rename_node(&self, node: &mut proto::Node) {
        let names = node.input.iter_mut().chain(&mut node.output);
        names.for_each(|name| self.rename(name));
        for graph in node.attribute.iter_mut().filter_map(|attr| attr.g.as_mut()) {
            let values = graph.input.iter_mut().chain(&mut graph.output);
            values.for_each(|value| self.rename(&mut value.name));
            let tensors = graph.initializer.iter_mut();
            tensors.for_each(|tensor| self.rename(&mut tensor.name));
            let nodes = graph.node.iter_mut();
            nodes.for_each(|node| self.rename_node(node));
        }
    }
}
