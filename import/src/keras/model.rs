//! From a file to a module.

use super::{
    container::Container,
    convert::{Findings, name_of_call, run},
    item::{Item, Tree},
    layer::{Argument, Layer, Network},
    ops,
    scope::Weights,
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        names::Names,
        options::Options,
        port::{Dimension, Port, shape_text},
        signature::Signature,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
};
use melior::{Context, ir::Module};
use std::path::{Path, PathBuf};

/// What the file should be.
const FORMAT: &str = "a model of Keras";

/// What the first dimension of inputs is called, which all of them share.
const BATCH: &str = "batch";

/// A model that was read.
pub struct Keras {
    path: PathBuf,
    network: Network,
    weights: Weights,
    signature: Signature,
}

impl Keras {
    /// Reads a model.
    ///
    /// # Errors
    /// If the file is none, or a damaged one.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let read = Container::read(&source).and_then(|container| {
            let network = network(&container)?;
            Ok((network, container.weights))
        });
        let path = source.path;
        let (network, weights) = read.map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: FORMAT,
            reason,
        })?;
        let inputs = network.inputs.leaves();
        let ports = inputs
            .iter()
            .map(|input| port(&network.layers[input.layer]));
        let signature = Signature {
            ports: ports.collect(),
            ..Signature::default()
        };
        Ok(Self {
            path,
            network,
            weights,
            signature,
        })
    }

    fn write(
        &self,
        b: &mut GraphBuilder,
        given: &Given,
        options: &Options,
    ) -> Result<Outputs, Vec<ImportError>> {
        let inputs = self.network.inputs.map(&|input| {
            let name = &self.network.layers[input.layer].name;
            given.get(name).cloned().map(Item::of)
        });
        let mut findings = Findings::default();
        let scope = self.weights.scope();
        let outputs = run(&self.network, ("", &scope), &inputs, b, &mut findings)
            .map_err(|reason| vec![self.wrong(reason)])?;
        let failures = findings.failures.into_iter();
        let errors: Vec<ImportError> = failures
            .filter_map(|failure| {
                Some(self.wrong_node(failure.node, failure.class, failure.reason?))
            })
            .collect();
        if !errors.is_empty() || outputs.has_lost() {
            return Err(errors);
        }
        self.outputs(b, &outputs, (findings.results, options))
            .map_err(|reason| vec![self.wrong(reason)])
    }

    fn outputs(
        &self,
        b: &GraphBuilder,
        outputs: &Item,
        (results, options): (Vec<(String, Value)>, &Options),
    ) -> Result<Outputs> {
        let values = outputs.leaves();
        let names = self.output_names(values.len());
        let mut all = Vec::new();
        for (name, tensor) in names.into_iter().zip(values) {
            all.push((name, b.materialize(&tensor.value)?));
        }
        if options.expose {
            expose(b, &mut all, results)?;
        }
        Ok(all)
    }

    /// The names of outputs: keys of dictionaries, or names of the layers that compute them. Outputs with one name are numbered.
    fn output_names(&self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        named(&self.network, &self.network.outputs, None, &mut names);
        if names.len() != count {
            // A layer returns several tensors as one output.
            let last = names.last().cloned().unwrap_or_else(|| "output".into());
            names.resize(count, last);
        }
        let mut taken = Names::default();
        let numbered = names.iter().map(|name| taken.unique(name, '_'));
        numbered.collect()
    }

    /// The calls of the model and of the models in it, in the order in which they are computed.
    fn calls(&self) -> Vec<(String, &Layer)> {
        let mut all = Vec::new();
        calls(&self.network, "", &mut all);
        all
    }
}

fn named(network: &Network, outputs: &Argument, key: Option<&str>, names: &mut Vec<String>) {
    match outputs {
        Tree::Leaf(at) => names.push(key.unwrap_or(&network.layers[at.layer].name).into()),
        Tree::List(all) => all.iter().for_each(|one| named(network, one, key, names)),
        Tree::Dict(all) => {
            let all = all.iter();
            all.for_each(|(key, one)| named(network, one, Some(key), names));
        }
        _ => {}
    }
}

/// The graph of a description.
fn network(container: &Container) -> Result<Network> {
    let mut layer = Layer::read(&container.config, 0)?;
    layer.set_keras_2(container.is_keras_2);
    layer.network.ok_or_else(|| {
        format!(
            "the class {} has no list of layers: what it computes is Python code, which the file does not hold; save a Sequential \
             or Functional model, or export it with model.export(\"model.onnx\", format=\"onnx\")",
            layer.class
        )
    })
}

/// An input of the model.
fn port(layer: &Layer) -> Port {
    let element = layer.element_of_input();
    let shape = ["batch_shape", "batch_input_shape"];
    let mut shape = shape.iter().filter_map(|name| layer.config.get(*name));
    let shape = shape.find(|shape| !shape.is_null());
    let shape = shape.and_then(|shape| {
        let dims = shape.as_array().or_else(|| super::config::items(shape))?;
        Some(dims.clone())
    });
    let dims = shape.map(|dims| {
        let dims = dims.iter().enumerate();
        let dims = dims.map(|(axis, dim)| match dim.as_i64() {
            Some(size) => Dimension::Known(size),
            None if axis == 0 => Dimension::Named(BATCH.into()),
            None => Dimension::Open,
        });
        dims.collect::<Vec<_>>()
    });
    let text = match (&dims, &element) {
        (None, _) => "of unknown rank".into(),
        (Some(dims), element) => {
            let element = element.as_ref().map_or("?", |element| element.numpy());
            format!("{element}{}", shape_text(dims))
        }
    };
    Port {
        name: layer.name.clone(),
        text,
        element,
        dims,
    }
}

/// Adds the calls of a network and of the models in it, as [`Keras::calls`].
fn calls<'n>(network: &'n Network, path: &str, all: &mut Vec<(String, &'n Layer)>) {
    for &(number, call) in &network.plan {
        let layer = &network.layers[number];
        let name = name_of_call(path, &layer.name, call);
        match &layer.network {
            Some(inner) => calls(inner, &name, all),
            None if layer.is_input() => {}
            None => all.push((name, layer)),
        }
    }
}

/// What is not supported of a layer, or of those that it wraps.
fn obstacle(layer: &Layer) -> Option<String> {
    if let Some(network) = &layer.network {
        return network.layers.iter().find_map(obstacle);
    }
    if layer.is_input() {
        return None;
    }
    match ops::find(layer) {
        None => Some(match ops::refusal(&layer.class) {
            Some(reason) => reason.into(),
            None => "the layer is not supported".into(),
        }),
        Some(row) if row.wraps => {
            let mut parts = layer.parts.iter();
            parts.find_map(|(_, part)| {
                let reason = obstacle(part)?;
                Some(format!("{} '{}': {reason}", part.class, part.name))
            })
        }
        Some(_) => None,
    }
}

impl Model for Keras {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let calls = self.calls().into_iter();
        let outputs = self.output_names(self.network.outputs.leaves().len());
        let outputs = outputs.into_iter().map(TensorInfo::without_type);
        Summary {
            inputs: self.signature.ports.iter().map(TensorInfo::from).collect(),
            outputs: outputs.collect(),
            operators: count_operators(calls.map(|(_, layer)| layer.class.clone())),
            parameters: self.weights.count(),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let nodes = self.calls().into_iter().map(|(name, layer)| NodeInfo {
            outputs: vec![name.clone()],
            name,
            op_type: layer.class.clone(),
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let unsupported = self.calls().into_iter().filter_map(|(node, layer)| {
            Some(Unsupported {
                node,
                op_type: layer.class.clone(),
                attributes: Vec::new(),
                reason: obstacle(layer)?,
            })
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
            name: "keras",
            signature: &self.signature,
            options,
        };
        entry.import(context, |builder, inputs| {
            self.write(builder, &inputs, options)
        })
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}
