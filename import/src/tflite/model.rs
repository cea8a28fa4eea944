//! From a file to a module.

use super::{
    convert::{Importer, Scope, node_name, operator_name, port_element},
    element,
    flat::Flat,
    ops::conversion,
    schema::{Graph, IDENTIFIER, Model as Parts, Operator, Tensor, tensor},
    signatures::{Chosen, chosen, unique},
    state::{self, Kept, State, States},
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        constant::element_count,
        entry::{Entry, Given, Outputs},
        error::Result,
        names::Names,
        options::Options,
        port::{Dimension, Port, shape_text},
        signature::Signature,
        state::{described, next, without_first},
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
};
use bytes::Bytes;
use melior::{Context, ir::Module};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// A model of TensorFlow Lite that was read.
pub struct Tflite {
    path: PathBuf,
    file: Bytes,
    parts: Parts,
    /// Which graph is imported.
    chosen: Chosen,
    /// What a run changes.
    states: Vec<Kept>,
    /// What the module takes: the model's inputs, and then its states.
    signature: Signature,
}

impl Tflite {
    /// Whether a file begins like one of TensorFlow Lite.
    pub fn is_magic(bytes: &[u8]) -> bool {
        bytes.get(4..8) == Some(IDENTIFIER)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no model, or damaged.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let Source {
            path,
            bytes,
            choice,
            ..
        } = source;
        let decode = |reason: String| ImportError::Decode {
            path: path.clone(),
            format: "a TensorFlow Lite model",
            reason,
        };
        let parts = Parts::read(&bytes).map_err(decode)?;
        let wrong = |reason: String| ImportError::Model {
            path: path.clone(),
            reason,
        };
        let chosen = chosen(&parts, &choice).map_err(wrong)?;
        let states = state::changed(&parts, chosen.graph, &bytes).map_err(wrong)?;
        let signature = signature(&parts, &chosen, &states);
        let states = states.into_iter().map(|state| state.kept).collect();
        Ok(Self {
            path,
            file: bytes,
            parts,
            chosen,
            states,
            signature,
        })
    }

    /// The graph that is imported.
    fn graph(&self) -> Option<&Graph> {
        self.parts.graphs.get(self.chosen.graph)
    }

    /// Writes the graph.
    fn write(
        &self,
        b: &mut GraphBuilder,
        mut given: Given,
        options: &Options,
    ) -> Result<Outputs, Vec<ImportError>> {
        let one = |reason| vec![self.wrong(reason)];
        let graph = self
            .graph()
            .ok_or_else(|| one("it holds no graph".into()))?;
        let flat = Flat::new(&self.file);
        let importer = Importer::new(&self.parts, &self.file, &flat, States::default());
        let mut scope = Scope::of(graph);
        let mut take = |name: &String| {
            let value = given.remove(name);
            value.ok_or_else(|| one(format!("input '{name}' has no value")))
        };
        let (own, of_states) = self.signature.ports.split_at(graph.inputs.len());
        for (&number, port) in graph.inputs.iter().zip(own) {
            scope.define(number, take(&port.name)?);
        }
        for (state, port) in self.states.iter().zip(of_states) {
            importer.states.set(state.clone(), take(&port.name)?);
        }
        self.convert(&importer, b, &mut scope, graph)?;
        self.outputs(&importer, b, scope, graph, options)
            .map_err(one)
    }

    /// Converts all nodes. What reads a tensor that could not be computed is left out.
    fn convert<'m>(
        &'m self,
        importer: &Importer<'m>,
        b: &mut GraphBuilder,
        scope: &mut Scope<'m>,
        graph: &'m Graph,
    ) -> Result<(), Vec<ImportError>> {
        let mut errors = Vec::new();
        let mut lost: HashSet<i32> = HashSet::new();
        for (index, operator) in graph.operators.iter().enumerate() {
            let reads_lost = operator.inputs.iter().any(|number| lost.contains(number));
            if reads_lost || self.refusal(operator).is_some() {
                lost.extend(&operator.outputs);
                continue;
            }
            let name = node_name(&self.parts, graph, index);
            b.enter(&name);
            if let Err(reason) = importer.convert(b, scope, operator) {
                lost.extend(&operator.outputs);
                let op_type = operator_name(&self.parts, operator);
                errors.push(self.wrong_node(name, op_type, reason));
            }
        }
        if errors.is_empty() && lost.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// What the module returns: the graph's outputs, what states become, and what nodes compute if that is asked for.
    fn outputs<'m>(
        &'m self,
        importer: &Importer<'m>,
        b: &mut GraphBuilder,
        mut scope: Scope<'m>,
        graph: &'m Graph,
        options: &Options,
    ) -> Result<Outputs> {
        let mut names = Names::default();
        let mut outputs = Vec::new();
        for (name, number) in &self.chosen.outputs {
            let value = importer.value(b, &mut scope, *number)?;
            outputs.push((names.unique(name, '_'), b.materialize(&value)?));
        }
        let of_states = &self.signature.ports[graph.inputs.len()..];
        for (state, Port { name, .. }) in self.states.iter().zip(of_states) {
            let value = importer.states.get(state);
            let value = value.ok_or_else(|| format!("state '{name}' has no value"))?;
            outputs.push((names.unique(&next(name), '_'), b.materialize(&value)?));
        }
        if options.expose {
            let returned = &self.chosen.outputs;
            let is_output = |number: &i32| returned.iter().any(|(_, output)| output == number);
            let numbers = graph
                .operators
                .iter()
                .flat_map(|operator| &operator.outputs);
            for number in numbers.filter(|number| !is_output(number)) {
                let Some(value) = scope
                    .find(*number)
                    .filter(|value| value.constant().is_none())
                else {
                    continue;
                };
                let name = tensor(graph, *number).map_or("", |tensor| &tensor.name);
                let place = usize::try_from(*number).unwrap_or_default();
                let name = unique(&mut names, name, ("tensor", place));
                outputs.push((name, b.materialize(value)?));
            }
        }
        Ok(outputs)
    }

    /// Why a node cannot be imported, if it has no conversion.
    fn refusal(&self, operator: &Operator) -> Option<String> {
        conversion(&operator_name(&self.parts, operator)).err()
    }
}

/// The names and types of what the module takes.
fn signature(parts: &Parts, chosen: &Chosen, states: &[State<'_>]) -> Signature {
    let mut names = Names::default();
    let graph = parts.graphs.get(chosen.graph);
    let numbers = graph.map_or(&[][..], |graph| &graph.inputs).iter();
    let inputs = numbers.filter_map(|number| tensor(graph?, *number));
    let inputs = inputs.zip(&chosen.inputs);
    let inputs = inputs.map(|(tensor, name)| (tensor, name.as_str(), describe(tensor)));
    let states = states.iter().map(|state| {
        let text = described(&describe(state.tensor), state.first);
        (state.tensor, state.name.as_str(), text)
    });
    let mut signature = Signature::default();
    for (place, (tensor, name, text)) in inputs.chain(states).enumerate() {
        signature.ports.push(Port {
            name: unique(&mut names, name, ("input", place)),
            text,
            element: port_element(tensor),
            dims: dims(tensor),
        });
    }
    let of_states = signature.ports.iter().skip(chosen.inputs.len());
    signature.states = of_states.map(|port| port.name.clone()).collect();
    signature
}

/// The dimensions of an input; none if even their number is not known.
fn dims(tensor: &Tensor) -> Option<Vec<Dimension>> {
    let declared = match tensor.open_shape.len() == tensor.shape.len() {
        true => &tensor.open_shape,
        false => &tensor.shape,
    };
    let dim = |dim: &i32| match dim {
        ..0 => Dimension::Open,
        dim => Dimension::Known((*dim).into()),
    };
    Some(declared.iter().map(dim).collect())
}

/// `float32[?, 3]`.
fn describe(tensor: &Tensor) -> String {
    let dims = dims(tensor).unwrap_or_default();
    format!("{}{}", element::name(tensor.ty), shape_text(&dims))
}

impl Model for Tflite {
    fn path(&self) -> &Path {
        &self.path
    }

    fn signatures(&self) -> Vec<String> {
        let entries = self.parts.entries.iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    fn inspect(&self) -> Summary {
        let all = || self.parts.graphs.iter();
        let operators = all().flat_map(|graph| &graph.operators);
        let operators = operators.map(|operator| operator_name(&self.parts, operator));
        let inputs = self.signature.ports.iter().map(TensorInfo::from);
        let mut outputs = Vec::new();
        if let Some(graph) = self.graph() {
            let mut names = Names::default();
            for (name, number) in &self.chosen.outputs {
                outputs.extend(tensor(graph, *number).map(|tensor| TensorInfo {
                    name: names.unique(name, '_'),
                    ty: describe(tensor),
                }));
            }
            let states = self.signature.ports.iter().skip(graph.inputs.len());
            outputs.extend(states.map(|state| TensorInfo {
                name: names.unique(&next(&state.name), '_'),
                ty: without_first(&state.text).into(),
            }));
        }
        let has_elements = |tensor: &&Tensor| {
            let buffer = self.parts.buffers.get(tensor.buffer as usize);
            buffer.is_some_and(|buffer| buffer.size > 0)
        };
        let count = |tensor: &Tensor| {
            let shape: Vec<i64> = tensor.shape.iter().map(|&dim| dim.into()).collect();
            element_count(&shape).unwrap_or_default() as u64
        };
        let constants = all().flat_map(|graph| &graph.tensors).filter(has_elements);
        Summary {
            inputs: inputs.collect(),
            outputs,
            operators: count_operators(operators),
            parameters: constants.fold(0, |sum, tensor| sum.saturating_add(count(tensor))),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let Some(graph) = self.graph() else {
            return Vec::new();
        };
        let nodes = graph.operators.iter().enumerate().map(|(index, operator)| {
            let outputs = operator
                .outputs
                .iter()
                .filter_map(|number| tensor(graph, *number));
            NodeInfo {
                name: node_name(&self.parts, graph, index),
                op_type: operator_name(&self.parts, operator),
                outputs: outputs.map(|tensor| tensor.name.clone()).collect(),
            }
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let graphs = self.parts.graphs.iter().enumerate();
        // Other entries of the file are not imported.
        let graphs = graphs.filter(|(index, _)| self.parts.belongs_to(*index, self.chosen.graph));
        let nodes = graphs.flat_map(|(_, graph)| {
            let nodes = graph.operators.iter().enumerate();
            nodes.filter_map(move |(index, operator)| {
                Some(Unsupported {
                    node: node_name(&self.parts, graph, index),
                    op_type: operator_name(&self.parts, operator),
                    attributes: Vec::new(),
                    reason: self.refusal(operator)?,
                })
            })
        });
        nodes.collect()
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let entry = Entry {
            path: &self.path,
            name: self.graph().map_or("", |graph| &graph.name),
            signature: &self.signature,
            options,
        };
        entry.import(context, |b, inputs| self.write(b, inputs, options))
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}
