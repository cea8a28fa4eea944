//! From a model to a module.

use super::{
    convert::convert_node,
    declared::describe_type,
    element::of_onnx,
    function,
    node::describe_attr,
    ops::conversion,
    opset,
    ports::{Ports, name_of_part},
    proto,
    scope::{Scope, Source as Tables},
    structure::{self, full_name},
    tensor::Tensors,
    types::{check_declared, check_element},
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        constant::element_count,
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        options::Options,
        signature::Signature,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
};
use melior::{Context, ir::Module};
use prost::Message;
use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

/// What a file should be, for messages.
const FORMAT: &str = "an ONNX model";

/// An ONNX model that was read and whose structure was checked.
pub struct Onnx {
    path: PathBuf,
    opset: i64,
    model: proto::Model,
    graph: proto::Graph,
    order: Vec<usize>,
    tensors: Tensors,
}

/// What a model's file says of the model beside what it computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// The program that wrote it.
    pub producer: String,
    /// The namespace of the model's name, such as a reversed domain name.
    pub domain: String,
    /// The version of the model.
    pub version: i64,
    /// What its author says of it.
    pub description: String,
    /// The graph's name.
    pub graph: String,
    /// What its author says of the graph.
    pub graph_description: String,
    /// Further facts, by name.
    pub properties: BTreeMap<String, String>,
}

impl Model for Onnx {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let parameters = self
            .graph
            .initializer
            .iter()
            .filter_map(|tensor| element_count(&tensor.dims).ok())
            .fold(0u64, |sum, count| sum.saturating_add(count as u64));
        let info = |value: &proto::ValueInfo| TensorInfo {
            name: value.name.clone(),
            ty: describe_type(value),
        };
        Summary {
            inputs: structure::inputs(&self.graph).map(info).collect(),
            outputs: structure::outputs(&self.graph).map(info).collect(),
            operators: count_operators(self.graph.node.iter().map(full_name)),
            parameters,
            unsupported: self.unsupported(),
        }
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let nodes = self.graph.node.iter().enumerate();
        nodes
            .filter_map(|(index, node)| {
                let reason = conversion(node, self.opset).err()?;
                Some(Unsupported {
                    node: structure::node_name(index, node),
                    op_type: full_name(node),
                    attributes: node.attribute.iter().map(describe_attr).collect(),
                    reason,
                })
            })
            .collect()
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let nodes = self.order.iter().map(|&index| {
            let node = &self.graph.node[index];
            let outputs = node.output.iter().filter(|output| !output.is_empty());
            NodeInfo {
                name: structure::node_name(index, node),
                op_type: full_name(node),
                outputs: outputs.cloned().collect(),
            }
        });
        nodes.collect()
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let ports = Ports::of(&self.graph, &options.shapes);
        let parameters = self.graph.initializer.iter();
        let entry = Entry {
            path: &self.path,
            name: &self.graph.name,
            signature: &Signature {
                parameters: parameters.map(|tensor| tensor.name.clone()).collect(),
                ..ports.signature()
            },
            options,
        };
        entry.import(context, |builder, inputs| {
            self.write(options, builder, inputs, &ports)
        })
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        let ports = Ports::of(&self.graph, &options.shapes);
        ports.signature().leaves_dimensions_open(options)
    }
}

impl Onnx {
    /// Reads a model from a file.
    ///
    /// # Errors
    /// As [`Onnx::read`].
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        Self::read(Source::open(path, None)?)
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If the file is no model, or the graph's structure is wrong.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let path = source.path;
        let mut model =
            proto::Model::decode(source.bytes).map_err(|error| ImportError::Decode {
                path: path.clone(),
                format: FORMAT,
                reason: error.to_string(),
            })?;
        let wrong = |reason: String| ImportError::Model {
            path: path.clone(),
            reason,
        };
        let graph = model.graph.take().ok_or_else(|| ImportError::Decode {
            path: path.clone(),
            format: FORMAT,
            reason: "it holds no graph".into(),
        })?;
        let opset = opset::of_model(&model).map_err(wrong)?;
        if !graph.sparse_initializer.is_empty() {
            return Err(wrong("sparse initializers are not supported".into()));
        }
        if graph.output.is_empty() {
            return Err(wrong("the graph has no outputs".into()));
        }
        let functions = std::mem::take(&mut model.functions);
        let graph = function::expand(graph, &functions, opset).map_err(wrong)?;
        let order = structure::order(&graph, |_| false).map_err(wrong)?;
        let mut tensors = Tensors::new(source.folder.as_deref());
        tensors.allow_links_below(source.data_root.as_deref());
        Ok(Self {
            path,
            opset,
            model,
            graph,
            order,
            tensors,
        })
    }

    /// What the file says of the model.
    pub fn metadata(&self) -> Metadata {
        let (model, graph) = (&self.model, &self.graph);
        let properties = model.metadata_props.iter();
        Metadata {
            producer: model.producer_name.clone(),
            domain: model.domain.clone(),
            version: model.model_version,
            description: model.doc_string.clone(),
            graph: graph.name.clone(),
            graph_description: graph.doc_string.clone(),
            properties: properties
                .map(|entry| (entry.key.clone(), entry.value.clone()))
                .collect(),
        }
    }

    /// Writes the body of `@main`, and returns what the graph returns.
    fn write(
        &self,
        options: &Options,
        builder: &mut GraphBuilder,
        given: Given,
        ports: &Ports,
    ) -> Result<Outputs, Vec<ImportError>> {
        let one = |reason| vec![self.wrong(reason)];
        let mut values = Scope::default();
        for (name, value) in given {
            values.define(&name, value);
        }
        ports.define(&mut values);
        self.convert(builder, &mut values)?;
        let mut results = self
            .outputs(builder, &values)
            .map_err(|error| vec![error])?;
        if options.expose {
            expose(builder, &mut results, self.computed(&values)).map_err(one)?;
        }
        Ok(results)
    }

    /// Converts all nodes in order. What reads a tensor that could not be computed is left out.
    fn convert(
        &self,
        builder: &mut GraphBuilder,
        values: &mut Scope<'_>,
    ) -> Result<(), Vec<ImportError>> {
        let mut errors = Vec::new();
        let mut lost: HashSet<&str> = HashSet::new();
        let used = structure::names_used(&self.graph);
        let source = Tables {
            tensors: &self.tensors,
            opset: self.opset,
            convert: convert_node,
        };
        for tensor in &self.graph.initializer {
            if used.contains(tensor.name.as_str()) {
                match self.parameter(builder, tensor) {
                    Ok(value) => values.define(&tensor.name, value),
                    Err(reason) => {
                        errors.push(self.wrong(reason));
                        lost.insert(&tensor.name);
                    }
                }
            }
        }
        for &index in &self.order {
            let node = &self.graph.node[index];
            let reads_lost = structure::names_read(node).any(|name| lost.contains(name));
            let name = structure::node_name(index, node);
            if reads_lost || conversion(node, self.opset).is_err() {
                lost.extend(node.output.iter().map(String::as_str));
                self.find_unsupported(node, &name, "", &mut errors);
                continue;
            }
            builder.enter(&name);
            if let Err(reason) = convert_node(source, node, &used, builder, values) {
                lost.extend(node.output.iter().map(String::as_str));
                self.find_unsupported(node, &name, &reason, &mut errors);
                errors.push(self.wrong_node(name, node.op_type.clone(), reason));
            }
        }
        if errors.is_empty() && lost.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    fn parameter(&self, b: &GraphBuilder, tensor: &proto::Tensor) -> Result<Value> {
        let ty = of_onnx(i64::from(tensor.data_type)).ok();
        let ty = ty.map(|element| (element, tensor.dims.as_slice()));
        b.parameter(&[&tensor.name], ty, || {
            let read = self.tensors.read(tensor);
            read.map_err(|reason| format!("initializer '{}': {reason}", tensor.name))
        })
    }

    /// Adds the nodes in the graphs of a node that could not be converted for which there is no conversion, but for that
    /// which is `known` as the reason.
    fn find_unsupported(
        &self,
        node: &proto::Node,
        name: &str,
        known: &str,
        errors: &mut Vec<ImportError>,
    ) {
        for attr in &node.attribute {
            let nodes = attr
                .g
                .iter()
                .flat_map(|graph| graph.node.iter().enumerate());
            for (index, inner) in nodes {
                let own = structure::node_name(index, inner);
                let path = format!("{name}/{}/{own}", attr.name);
                self.find_unsupported(inner, &path, known, errors);
                let Err(reason) = conversion(inner, self.opset) else {
                    continue;
                };
                let is_known = known.contains(&format!("node '{own}' ({}) of '", inner.op_type))
                    && known.ends_with(&reason);
                if !is_known {
                    errors.push(self.wrong_node(path, full_name(inner), reason));
                }
            }
        }
    }

    /// The graph's results with their names, checked against the types that the model declares for them.
    fn outputs(&self, builder: &GraphBuilder, values: &Scope<'_>) -> Result<Outputs, ImportError> {
        let mut results = Vec::new();
        for output in structure::outputs(&self.graph) {
            let wrong = |reason| self.wrong(format!("output '{}': {reason}", output.name));
            let item = values
                .find(&output.name)
                .ok_or_else(|| wrong("nothing computes it".into()))?;
            if let Ok(parts) = item.sequence() {
                for (place, part) in parts.iter().enumerate() {
                    check_element(output, part).map_err(wrong)?;
                    let part = builder.materialize(part).map_err(wrong)?;
                    results.push((name_of_part(&output.name, place), part));
                }
                continue;
            }
            let value = item
                .tensor()
                .map_err(|what| wrong(format!("it is {what}")))?;
            check_declared(output, value).map_err(wrong)?;
            let value = builder.materialize(value).map_err(wrong)?;
            results.push((output.name.clone(), value));
        }
        Ok(results)
    }

    /// The tensors that nodes compute, by name.
    fn computed(&self, values: &Scope<'_>) -> impl Iterator<Item = (String, Value)> {
        let nodes = self.order.iter().map(|&index| &self.graph.node[index]);
        let names = nodes.flat_map(|node| &node.output);
        names.filter_map(|name| {
            let value = values.find(name)?.tensor().ok()?;
            Some((name.clone(), value.clone()))
        })
    }
}
