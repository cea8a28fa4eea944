//! From files to a module.

use super::{
    attrs::Attrs,
    node::Node,
    ops::{self, find},
    params,
    symbol::{Entry as Reads, Node as Written, Symbol},
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        constant::Const,
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        file::map_file,
        options::Options,
        port::{Dimension, Port, shape_text},
        signature::Signature,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
};
use melior::{Context, ir::Module};
use relay_dialects::element::Element;
use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

/// How the name of a graph's file ends.
const GRAPH: &str = "-symbol.json";
/// How the name of a file of arrays ends, behind `-` and the number of an epoch.
const ARRAYS: &str = ".params";

/// A model that was read.
pub struct Mxnet {
    path: PathBuf,
    symbol: Symbol,
    arrays: HashMap<String, Const>,
    /// The nodes that the model's results need.
    needed: HashSet<usize>,
    signature: Signature,
}

impl Mxnet {
    /// Whether a file begins like a graph.
    pub fn is_magic(bytes: &[u8]) -> bool {
        let begin = String::from_utf8_lossy(bytes.get(..256).unwrap_or(bytes));
        begin.trim_start().starts_with('{') && begin.contains("\"nodes\"")
    }

    /// Reads a graph, and the arrays beside it.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let path = source.path;
        let symbol = Symbol::read(&source.bytes).map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: "a graph of MXNet",
            reason,
        })?;
        let arrays = match arrays_of(&path, source.folder.as_deref()) {
            Some(file) => read_arrays(&file)?,
            None => {
                tracing::warn!(
                    "{}: there is no file of arrays beside it (NAME-0000.params), so all variables are inputs",
                    path.display()
                );
                HashMap::new()
            }
        };
        let needed = symbol.needed(|node| ops::reads(&node.op, node.inputs.len()));
        let inputs = symbol.nodes.iter().enumerate().filter(|(number, node)| {
            node.is_variable() && needed.contains(number) && !arrays.contains_key(&node.name)
        });
        let ports = inputs.map(|(_, node)| port(node)).collect();
        let signature = Signature {
            ports,
            parameters: arrays.keys().cloned().collect(),
            ..Signature::default()
        };
        Ok(Self {
            path,
            symbol,
            arrays,
            needed,
            signature,
        })
    }

    /// The nodes that compute something, with their numbers.
    fn computed(&self) -> impl Iterator<Item = (usize, &Written)> {
        let nodes = self.symbol.nodes.iter().enumerate();
        nodes.filter(|(number, node)| !node.is_variable() && self.needed.contains(number))
    }

    fn write(
        &self,
        b: &mut GraphBuilder,
        mut given: Given,
        options: &Options,
    ) -> Result<Outputs, Vec<ImportError>> {
        let mut results: HashMap<usize, Vec<Value>> = HashMap::new();
        for (name, known) in &self.arrays {
            let ty = (known.element, known.shape.as_slice());
            let value = b.parameter(&[name], Some(ty), || Ok(known.clone()));
            let value = value.map_err(|reason| vec![self.wrong(reason)])?;
            given.insert(name.clone(), value);
        }
        for (number, node) in self.symbol.nodes.iter().enumerate() {
            if let Some(value) = given.get(&node.name).filter(|_| node.is_variable()) {
                results.insert(number, vec![value.clone()]);
            }
        }
        let mut errors = Vec::new();
        for (number, node) in self.computed() {
            let Some(inputs) = inputs_of(node, &results) else {
                continue;
            };
            b.enter(&node.name);
            match convert(node, inputs, b) {
                Ok(made) => {
                    results.insert(number, made);
                }
                Err(None) => {}
                Err(Some(reason)) => {
                    errors.push(self.wrong_node(node.name.clone(), node.op.clone(), reason));
                }
            }
        }
        match errors.is_empty() && self.unsupported().is_empty() {
            true => self
                .outputs(b, &results, options)
                .map_err(|reason| vec![self.wrong(reason)]),
            false => Err(errors),
        }
    }

    fn outputs(
        &self,
        b: &GraphBuilder,
        results: &HashMap<usize, Vec<Value>>,
        options: &Options,
    ) -> Result<Outputs> {
        let mut outputs = Vec::new();
        for (head, name) in self.symbol.heads.iter().zip(self.output_names()) {
            let value = result(results, head);
            let value = value.ok_or_else(|| format!("nothing computes the output '{name}'"))?;
            outputs.push((name, b.materialize(&value)?));
        }
        if options.expose {
            let computed = self.computed().flat_map(|(number, node)| {
                let values = results.get(&number).into_iter().flatten().cloned();
                result_names(node, results.get(&number))
                    .into_iter()
                    .zip(values)
            });
            expose(b, &mut outputs, computed)?;
        }
        Ok(outputs)
    }

    /// The names of outputs: those of their nodes, with the number of the result if another output is of the same node.
    fn output_names(&self) -> Vec<String> {
        let heads = &self.symbol.heads;
        let names = heads.iter().map(|head| {
            let name = &self.symbol.nodes[head.node].name;
            let of_node = heads.iter().filter(|other| other.node == head.node).count();
            match of_node {
                1 => name.clone(),
                _ => format!("{name}_output{}", head.result),
            }
        });
        names.collect()
    }
}

impl Model for Mxnet {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let operators = self.computed().map(|(_, node)| node.op.clone());
        let counts = self.arrays.values().map(|array| array.count() as u64);
        Summary {
            inputs: self.signature.ports.iter().map(TensorInfo::from).collect(),
            outputs: self
                .output_names()
                .into_iter()
                .map(TensorInfo::without_type)
                .collect(),
            operators: count_operators(operators),
            parameters: counts.sum(),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let nodes = self.computed().map(|(_, node)| NodeInfo {
            name: node.name.clone(),
            op_type: node.op.clone(),
            outputs: result_names(node, None),
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let nodes = self.computed().filter(|(_, node)| find(&node.op).is_none());
        let unsupported = nodes.map(|(_, node)| Unsupported {
            node: node.name.clone(),
            op_type: node.op.clone(),
            attributes: node
                .attrs
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            reason: "the operator is not supported".into(),
        });
        unsupported.collect()
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let entry = Entry {
            path: &self.path,
            name: "mxnet",
            signature: &self.signature,
            options,
        };
        entry.import(context, |builder, inputs| {
            self.write(builder, inputs, options)
        })
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}

/// The names of a node's results; of one whose results are not known, those of the first.
fn result_names(node: &Written, results: Option<&Vec<Value>>) -> Vec<String> {
    match results.map_or(1, Vec::len) {
        0 | 1 => vec![node.name.clone()],
        count => (0..count)
            .map(|number| format!("{}_output{number}", node.name))
            .collect(),
    }
}

/// What a node computes; an error without a reason if its operator is not supported.
fn convert(
    node: &Written,
    inputs: Vec<Value>,
    b: &mut GraphBuilder,
) -> Result<Vec<Value>, Option<String>> {
    let row = find(&node.op).ok_or(None)?;
    let bound = Node {
        attrs: Attrs::new(&node.attrs),
        inputs,
    };
    let results = row.convert(&bound, b).map_err(Some)?;
    bound.attrs.check().map_err(Some)?;
    Ok(results)
}

/// The inputs of a node that its operator reads; `None` if one could not be computed.
fn inputs_of(node: &Written, results: &HashMap<usize, Vec<Value>>) -> Option<Vec<Value>> {
    let read = ops::reads(&node.op, node.inputs.len());
    node.inputs
        .iter()
        .take(read)
        .map(|entry| result(results, entry))
        .collect()
}

fn result(results: &HashMap<usize, Vec<Value>>, entry: &Reads) -> Option<Value> {
    results.get(&entry.node)?.get(entry.result).cloned()
}

/// An input: its shape is known if the graph says it, and its elements are f32 if that says nothing.
fn port(node: &Written) -> Port {
    let attrs = Attrs::new(&node.attrs);
    let code = attrs.int("__dtype__").ok().flatten();
    let code = code
        .and_then(|code| i32::try_from(code).ok())
        .filter(|code| *code >= 0);
    let element = code.map_or(Ok(Element::F32), params::element);
    let dims = attrs.ints("__shape__").ok().flatten();
    let dims = dims.map(|dims| {
        let dims = dims.into_iter().map(|dim| match dim {
            // 0, and in newer files -1, is an unknown dimension.
            ..=0 => Dimension::Open,
            known => Dimension::Known(known),
        });
        dims.collect::<Vec<_>>()
    });
    let text = match &dims {
        None => "of unknown rank".into(),
        Some(dims) => shape_text(dims),
    };
    let text = match &element {
        Ok(element) => format!("{element:?}{}{text}", if dims.is_some() { "" } else { " " }),
        Err(_) => text,
    };
    Port {
        name: node.name.clone(),
        text,
        element,
        dims,
    }
}

/// The file of arrays of a graph's file: that of the last epoch, if there are several.
fn arrays_of(path: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(GRAPH)?;
    let epoch = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str()?.strip_prefix(stem)?.strip_prefix('-')?;
        let number = number.strip_suffix(ARRAYS)?.parse::<u32>().ok()?;
        Some((number, entry.path()))
    };
    let entries = fs::read_dir(folder?).ok()?.flatten();
    let mut found: Vec<(u32, PathBuf)> = entries.filter_map(epoch).collect();
    found.sort();
    if let [.., (_, last)] = &found[..]
        && found.len() > 1
    {
        tracing::warn!(
            "there are {} files of arrays; {} is the last one, and is taken",
            found.len(),
            last.display()
        );
    }
    found.pop().map(|(_, file)| file)
}

fn read_arrays(path: &Path) -> Result<HashMap<String, Const>, ImportError> {
    let bytes = map_file(path).map_err(|source| ImportError::Io {
        path: path.into(),
        source,
    })?;
    params::read(&bytes).map_err(|reason| ImportError::Decode {
        path: path.into(),
        format: "a file of MXNet's arrays",
        reason,
    })
}
