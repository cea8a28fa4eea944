//! What can be wrong with a model.

use std::{fmt, path::PathBuf};

/// Why a model was not imported.
///
/// Messages name the file or node, the reason, and what to do about it where there is something.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not a model of its format.
    #[error("{}: not {format}, or a damaged one: {reason}", path.display())]
    Decode {
        /// The file.
        path: PathBuf,
        /// What the file should be, with its article: `an ONNX model`.
        format: &'static str,
        /// What the decoder met.
        reason: String,
    },
    /// Something about the model as a whole.
    #[error("{}: {reason}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// One node is wrong.
    #[error("{}: node '{node}' ({op_type}): {reason}", path.display())]
    Node {
        /// The file.
        path: PathBuf,
        /// The node's name.
        node: String,
        /// Its operator.
        op_type: String,
        /// The reason.
        reason: String,
    },
    /// Operators that the importer does not know: all of them, not only the first.
    #[error("{}: {} not supported:\n{}", path.display(), count(operators.len()), list(operators))]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The nodes.
        operators: Vec<Unsupported>,
    },
}

fn count(nodes: usize) -> String {
    match nodes {
        1 => "1 node is".into(),
        _ => format!("{nodes} nodes are"),
    }
}

fn list(operators: &[Unsupported]) -> String {
    let groups = group(operators);
    let lines: Vec<String> = groups.iter().map(|group| format!("  {group}")).collect();
    lines.join("\n")
}

/// Nodes that are not supported for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The first of them.
    pub first: Unsupported,
    /// The names of all.
    pub nodes: Vec<String>,
}

/// Puts nodes of the same operator and reason together, in the order of their first nodes.
pub fn group(operators: &[Unsupported]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for operator in operators {
        let is_same = |group: &&mut Group| {
            group.first.op_type == operator.op_type && group.first.reason == operator.reason
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.nodes.push(operator.node.clone()),
            None => groups.push(Group {
                first: operator.clone(),
                nodes: vec![operator.node.clone()],
            }),
        }
    }
    groups
}

impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsupported {
            node,
            op_type,
            attributes,
            reason,
        } = &self.first;
        match self.nodes.len() {
            1 => return self.first.fmt(formatter),
            count => write!(formatter, "{op_type} x{count}, first at node '{node}'")?,
        }
        if !attributes.is_empty() {
            write!(formatter, " {{{}}}", attributes.join(", "))?;
        }
        write!(formatter, ": {reason}")
    }
}

/// A node that the importer has no conversion for.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The node's name.
    pub node: String,
    /// Its operator, with the domain if that is not the format's own.
    pub op_type: String,
    /// Its attributes, as `name=value`.
    pub attributes: Vec<String>,
    /// Why: unknown, or known in other versions only.
    pub reason: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} '{}'", self.op_type, self.node)?;
        if !self.attributes.is_empty() {
            write!(formatter, " {{{}}}", self.attributes.join(", "))?;
        }
        write!(formatter, ": {}", self.reason)
    }
}

impl ImportError {
    /// The error's code: `relayc explain` has a page for each.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "R0101",
            Self::Decode { .. } => "R0102",
            Self::Model { .. } => "R0103",
            Self::Node { .. } => "R0104",
            Self::Unsupported { .. } => "R0105",
        }
    }
}
