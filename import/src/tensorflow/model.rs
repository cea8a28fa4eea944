//! From files to a module.

use super::{
    body::{Body, Read},
    checkpoint::Checkpoint,
    convert::{FLOW, Importer, result_name},
    element::{self, element},
    fields,
    item::Item,
    ops::find,
    proto::{self, Graph, MetaGraph, SavedModel, Shape},
    reach::Reach,
    results::results,
    scope::Scope,
    signatures::{chosen, tensor_of},
    tensor::known_shape,
    text,
    variables::Variables,
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        options::Options,
        port::{Dimension, Port, shape_text},
        signature::Signature,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::{Choice, Source},
};
use bytes::Bytes;
use melior::{Context, ir::Module};
use prost::Message;
use relay_dialects::element::Element;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// The file of a folder that has the graph.
pub const SAVED_MODEL: &str = "saved_model.pb";
/// How the names of the files of variables begin, in the same folder.
const VARIABLES: &str = "variables/variables";
/// The operators whose results nobody wants who reads a frozen graph.
const NO_OUTPUTS: &[&str] = &[
    "Assert",
    "Const",
    "NoOp",
    "Placeholder",
    "PlaceholderWithDefault",
];

/// A model that was read.
pub struct Tensorflow {
    path: PathBuf,
    graph: Graph,
    variables: Variables,
    /// The names of its signatures.
    signatures: Vec<String>,
    /// What the module takes.
    signature: Signature,
    /// What each input is.
    inputs: Vec<Read>,
    /// The outputs with their names.
    outputs: Vec<Output>,
}

/// An output.
struct Output {
    name: String,
    read: Read,
    /// Its type as the model writes it.
    text: String,
}

/// Whether a file begins like a model with signatures: with the number of the format's version, and a graph behind it.
pub fn is_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&[8, 1, 18])
}

impl Tensorflow {
    /// Reads a graph, and the values of its variables.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged, or does not say what the model's inputs and outputs are.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let Source {
            path,
            bytes,
            folder,
            choice,
            ..
        } = source;
        let (bytes, is_saved) = of_text(&path, bytes)?;
        if !is_saved {
            let graph = decode::<Graph>(&path, bytes, "a frozen graph of TensorFlow")?;
            return Self::frozen(path.clone(), graph, &choice)
                .map_err(|reason| wrong(&path, reason));
        }
        let saved = decode::<SavedModel>(&path, bytes, "a model of TensorFlow")?;
        let meta = tagged(saved).map_err(|reason| wrong(&path, reason))?;
        let prefix = folder.map(|folder| folder.join(VARIABLES));
        let has_variables = |prefix: &PathBuf| prefix.with_extension("index").exists();
        let checkpoint = match prefix.filter(has_variables) {
            Some(prefix) => Checkpoint::open(&prefix)?,
            None => Checkpoint::default(),
        };
        Self::saved(path.clone(), meta, checkpoint, &choice).map_err(|reason| wrong(&path, reason))
    }

    /// A graph whose placeholders that outputs need are inputs. Its outputs are those that are chosen, or all nodes that nobody reads.
    fn frozen(path: PathBuf, graph: Graph, choice: &Choice) -> Result<Self> {
        if let Some(name) = &choice.signature {
            return Err(format!(
                "a frozen graph has no signatures, and '{name}' is asked for; choose its outputs with --fetch"
            ));
        }
        let body = Body::of_graph(&graph.node)?;
        let outputs = match choice.outputs.is_empty() {
            true => unread(&graph, &body),
            false => fetched(&body, &choice.outputs)?,
        };
        let wanted: Vec<Read> = outputs.iter().map(|output| output.read).collect();
        let reach = Reach::of(&graph, &body, &wanted);
        let needed: HashSet<&str> = reach.needed.iter().map(|it| it.name.as_str()).collect();
        let (mut ports, mut inputs) = (Vec::new(), Vec::new());
        for (place, node) in graph.node.iter().enumerate() {
            if node.op == "Placeholder" && needed.contains(node.name.as_str()) {
                ports.push(placeholder(node));
                inputs.push(first_result(place));
            }
        }
        Ok(Self {
            path,
            graph,
            variables: Variables::default(),
            signatures: Vec::new(),
            signature: Signature {
                ports,
                ..Signature::default()
            },
            inputs,
            outputs,
        })
    }

    /// A graph with a signature.
    fn saved(
        path: PathBuf,
        meta: MetaGraph,
        checkpoint: Checkpoint,
        choice: &Choice,
    ) -> Result<Self> {
        let graph = meta.graph.ok_or("it holds no graph")?;
        let restore = meta.saver.as_ref().map(|saver| saver.restore.as_str());
        let variables = Variables::of(checkpoint, &graph, restore)?;
        let (inputs_of, outputs_of) = chosen(&meta.signatures, choice)?;
        let body = Body::of_graph(&graph.node)?;
        let (mut ports, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for (name, info) in inputs_of {
            inputs.push(tensor_of(&body, name, info)?);
            ports.push(port(name, info.dtype, info.shape.as_ref()));
        }
        for (name, info) in outputs_of {
            outputs.push(Output {
                name: name.clone(),
                read: tensor_of(&body, name, info)?,
                text: describe(info.dtype, info.shape.as_ref()),
            });
        }
        Ok(Self {
            path,
            graph,
            variables,
            signatures: meta.signatures.into_keys().collect(),
            signature: Signature {
                ports,
                ..Signature::default()
            },
            inputs,
            outputs,
        })
    }

    /// The nodes that the outputs need. The graph was checked when it was read.
    fn reach(&self) -> Reach<'_> {
        let wanted: Vec<Read> = self.outputs.iter().map(|output| output.read).collect();
        let body = Body::of_graph(&self.graph.node);
        body.map_or_else(
            |_| Reach::default(),
            |body| Reach::of(&self.graph, &body, &wanted),
        )
    }

    fn is_function(&self, name: &str) -> bool {
        let mut functions = self.graph.library.iter().flat_map(|it| &it.function);
        functions.any(|function| {
            let signature = function.signature.as_ref();
            signature.is_some_and(|signature| signature.name == name)
        })
    }

    fn write(
        &self,
        b: &mut GraphBuilder,
        given: Given,
        options: &Options,
    ) -> Result<Outputs, Vec<ImportError>> {
        if !self.unsupported().is_empty() {
            return Err(Vec::new());
        }
        let importer = Importer::new(&self.graph, &self.variables, options.expose);
        let made = self.evaluate(&importer, b, given);
        made.map_err(|reason| {
            vec![match importer.fault(&reason) {
                Some(fault) => self.wrong_node(fault.node, fault.op, reason),
                None => self.wrong(reason),
            }]
        })
    }

    fn evaluate<'m>(
        &'m self,
        importer: &Importer<'m>,
        b: &mut GraphBuilder,
        mut given: Given,
    ) -> Result<Outputs> {
        let body = Body::of_graph(&self.graph.node)?;
        let mut scope = Scope::new(&body, &[]);
        for (read, port) in self.inputs.iter().zip(&self.signature.ports) {
            if let (Read::Result { node, .. }, Some(value)) = (read, given.remove(&port.name)) {
                let item = Item::given(b, value, port.text.starts_with("complex"))?;
                scope.results.insert(*node, vec![item]);
            }
        }
        let wanted: Vec<Read> = self.outputs.iter().map(|output| output.read).collect();
        importer.evaluate(b, &mut scope, &wanted)?;
        let mut outputs = Vec::new();
        for output in &self.outputs {
            let value = scope.item(output.read)?.returned(b);
            let value = value.map_err(|reason| format!("output '{}': {reason}", output.name))?;
            outputs.push((output.name.clone(), b.materialize(&value)?));
        }
        expose(b, &mut outputs, importer.exposed())?;
        Ok(outputs)
    }
}

/// The nodes that nobody reads.
fn unread(graph: &Graph, body: &Body<'_>) -> Vec<Output> {
    let mut read = HashSet::new();
    for place in 0..graph.node.len() {
        let nodes = body.reads[place].iter().filter_map(|read| body.node(*read));
        read.extend(nodes.map(|(place, _)| place));
        read.extend(body.controls(place));
    }
    let all = graph.node.iter().enumerate();
    let is_output = |(place, node): &(usize, &proto::Node)| {
        !read.contains(place) && !NO_OUTPUTS.contains(&node.op.as_str())
    };
    let outputs = all.filter(is_output).map(|(place, node)| Output {
        name: node.name.clone(),
        read: first_result(place),
        text: "of unknown type".into(),
    });
    outputs.collect()
}

/// The results of nodes that are asked for: `NODE` or `NODE:NUMBER`.
fn fetched(body: &Body<'_>, names: &[String]) -> Result<Vec<Output>> {
    let outputs = names.iter().map(|name| {
        let read = body.read(name);
        let read = read.map_err(|reason| format!("output '{name}' {reason}"))?;
        Ok(Output {
            name: name.clone(),
            read: read.ok_or_else(|| format!("output '{name}' is no tensor"))?,
            text: "of unknown type".into(),
        })
    });
    outputs.collect()
}

fn first_result(node: usize) -> Read {
    Read::Result { node, number: 0 }
}

/// The input that a node of a frozen graph is.
fn placeholder(node: &proto::Node) -> Port {
    let attr = |name: &str| node.attr.get(name).and_then(|attr| attr.value.as_ref());
    let ty = match attr("dtype") {
        Some(proto::Value::Type(ty)) => *ty,
        _ => 0,
    };
    let shape = match attr("shape") {
        Some(proto::Value::Shape(shape)) => Some(shape),
        _ => None,
    };
    port(&node.name, ty, shape)
}

fn wrong(path: &Path, reason: String) -> ImportError {
    ImportError::Model {
        path: path.into(),
        reason,
    }
}

/// The bytes of a file, also of one in text, and whether it is a model with signatures.
fn of_text(path: &Path, bytes: Bytes) -> Result<(Bytes, bool), ImportError> {
    let stem = path.file_stem();
    let is_saved = is_magic(&bytes) || stem == Path::new(SAVED_MODEL).file_stem();
    if !text::is_text(&bytes) {
        return Ok((bytes, is_saved));
    }
    let message = match is_saved {
        true => fields::SAVED_MODEL,
        false => fields::GRAPH,
    };
    let written = text::encode(&bytes, message).map_err(|reason| ImportError::Decode {
        path: path.into(),
        format: "a graph of TensorFlow in text",
        reason,
    });
    Ok((written?.into(), is_saved))
}

fn decode<M: Message + Default>(
    path: &Path,
    bytes: Bytes,
    format: &'static str,
) -> Result<M, ImportError> {
    M::decode(bytes).map_err(|error| ImportError::Decode {
        path: path.into(),
        format,
        reason: error.to_string(),
    })
}

/// The graph for inference of a file.
fn tagged(saved: SavedModel) -> Result<MetaGraph> {
    let is_serving = |meta: &MetaGraph| {
        let tags = meta.info.iter().flat_map(|info| &info.tags);
        tags.eq(["serve"])
    };
    let mut all = saved.meta_graphs;
    let serving = all.iter().position(is_serving).unwrap_or(0);
    match all.is_empty() {
        true => Err("it holds no graph".into()),
        false => Ok(all.swap_remove(serving)),
    }
}

/// An input.
fn port(name: &str, ty: i32, shape: Option<&Shape>) -> Port {
    // Complex numbers are given as pairs of their parts along a last axis.
    let part = element::part(ty);
    Port {
        name: name.into(),
        text: describe(ty, shape),
        element: match part {
            Some(part) => Ok(part),
            None => element(ty),
        },
        dims: dims(shape).map(|mut dims| {
            dims.extend(part.map(|_| Dimension::Known(2)));
            dims
        }),
    }
}

/// The dimensions of a shape; none if even their number is not known.
fn dims(shape: Option<&Shape>) -> Option<Vec<Dimension>> {
    let shape = shape.filter(|shape| !shape.is_rank_unknown)?;
    let dims = shape.dim.iter().map(|dim| match dim.size {
        ..0 => Dimension::Open,
        size => Dimension::Known(size),
    });
    Some(dims.collect())
}

/// `float32[?, 3]`. Of complex numbers, it says the type in which they are given and returned, too: `complex64[3] as float32[3, 2]`.
fn describe(ty: i32, shape: Option<&Shape>) -> String {
    let element = element::name(ty);
    match dims(shape) {
        None => format!("{element} of unknown rank"),
        Some(mut dims) => {
            let text = format!("{element}{}", shape_text(&dims));
            match element::part(ty) {
                None => text,
                Some(part) => {
                    dims.push(Dimension::Known(2));
                    let part = if part == Element::F64 {
                        "float64"
                    } else {
                        "float32"
                    };
                    format!("{text} as {part}{}", shape_text(&dims))
                }
            }
        }
    }
}

impl Model for Tensorflow {
    fn path(&self) -> &Path {
        &self.path
    }

    fn signatures(&self) -> Vec<String> {
        self.signatures.clone()
    }

    fn inspect(&self) -> Summary {
        let mut parameters = 0u64;
        let body = Body::of_graph(&self.graph.node);
        let handles = body.iter().flat_map(|body| body.nodes.iter());
        let reach = self.reach();
        let needed: HashSet<*const proto::Node> =
            reach.needed.iter().map(|node| &raw const **node).collect();
        for node in handles.filter(|node| needed.contains(&&raw const **node)) {
            if node.op == "VarHandleOp" || node.op == "VariableV2" {
                parameters = parameters.saturating_add(self.variables.count(node));
            }
        }
        for node in &reach.needed {
            let value = node.attr.get("value").and_then(|attr| attr.value.as_ref());
            if let (Some(proto::Value::Tensor(tensor)), "Const") = (value, node.op.as_str()) {
                let shape = known_shape(tensor.shape.as_ref()).unwrap_or_default();
                let count = shape.iter().product::<i64>() as u64;
                parameters = parameters.saturating_add(count);
            }
        }
        let operators = reach.needed.iter().map(|node| node.op.clone());
        let operators = operators.filter(|op| !self.is_function(op));
        let outputs = self.outputs.iter().map(|output| TensorInfo {
            name: output.name.clone(),
            ty: output.text.clone(),
        });
        Summary {
            inputs: self.signature.ports.iter().map(TensorInfo::from).collect(),
            outputs: outputs.collect(),
            operators: count_operators(operators),
            parameters,
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let needed = self.reach().needed.into_iter();
        let nodes = needed.map(|node| {
            let results = results(&node.op).len().max(1);
            NodeInfo {
                name: node.name.clone(),
                op_type: node.op.clone(),
                outputs: (0..results)
                    .map(|number| result_name(&node.name, number))
                    .collect(),
            }
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let reach = self.reach();
        let unsupported = |node: &proto::Node, reason: &str| Unsupported {
            node: node.name.clone(),
            op_type: node.op.clone(),
            attributes: Vec::new(),
            reason: reason.into(),
        };
        let is_known = |node: &&&proto::Node| {
            find(&node.op).is_some()
                || FLOW.contains(&node.op.as_str())
                || self.is_function(&node.op)
        };
        let unknown = reach.needed.iter().filter(|node| !is_known(node));
        let unknown = unknown.map(|node| unsupported(node, "the operator is not supported"));
        let writes = reach.writes.iter().map(|node| {
            let reason = "it changes a variable while the model runs, which is not supported; export the model for inference";
            unsupported(node, reason)
        });
        unknown.chain(writes).collect()
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let entry = Entry {
            path: &self.path,
            name: "tensorflow",
            signature: &self.signature,
            options,
        };
        entry.import(context, |b, inputs| self.write(b, inputs, options))
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}
