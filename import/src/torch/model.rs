//! From a program to a module.

use super::{
    convert::{Converter, count, is_known, name_of, op_type},
    element::{of_number, part_of},
    graphs::graphs,
    item::Item,
    program::{Program, describe, known},
    returned::{Returned, infos, returned},
    schema::{Argument, ExportedProgram, Extent, Graph, InputSpec, Node, names},
    scope::Origin,
    state::{State, held, states},
    sympy::arithmetic,
};
use crate::{
    compose::complex::Complex,
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        names::Names,
        options::{self, Opening, Options},
        port::{Dimension, Port},
        signature::Signature,
        state::{next, without_first},
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo},
    source::Source,
};
use melior::{Context, ir::Module};
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

/// What the file should be.
const FORMAT: &str = "an exported program of PyTorch";

/// A program of `torch.export` that was read.
pub struct Torch {
    path: PathBuf,
    program: Program,
    /// What a run changes.
    states: Vec<State>,
    /// What the module takes: what the caller gives, and then the states that the file holds.
    signature: Signature,
}

impl Torch {
    /// Reads a program.
    ///
    /// # Errors
    /// If the file is none, or a damaged one.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let path = source.path;
        let program = Program::read(source.bytes).and_then(|program| {
            check(&program.exported)?;
            Ok(program)
        });
        let program = program.map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: FORMAT,
            reason,
        })?;
        let states = states(&program);
        let signature = Signature {
            parameters: program.tensors.keys().cloned().collect(),
            ..signature(&program.exported, &states)
        };
        Ok(Self {
            path,
            program,
            states,
            signature,
        })
    }

    fn graph(&self) -> &Graph {
        &self.program.exported.graph_module.graph
    }

    /// Writes the body of `@main`, and returns what the program returns.
    fn write(
        &self,
        options: &Options,
        b: &mut GraphBuilder,
        given: Given,
    ) -> Result<Outputs, Vec<ImportError>> {
        let graph = self.graph();
        let mut converter = Converter::new(graph, b);
        let mut errors = self.define(&mut converter, given);
        converter.run(graph);
        let failures = converter.failures.drain(..);
        errors.extend(
            failures.map(|failure| self.wrong_node(failure.node, failure.op_type, failure.reason)),
        );
        if !errors.is_empty() || converter.has_lost() {
            return Err(errors);
        }
        let outputs = self.outputs(&mut converter, options);
        outputs.map_err(|reason| vec![self.wrong(reason)])
    }

    /// Says what the graph's inputs stand for.
    fn define<'g>(
        &'g self,
        converter: &mut Converter<'g, '_>,
        mut given: Given,
    ) -> Vec<ImportError> {
        let module = &self.program.exported.graph_module;
        let mut errors = Vec::new();
        for (input, spec) in module
            .graph
            .inputs
            .iter()
            .zip(&module.signature.input_specs)
        {
            let Some(name) = names(input).first().copied() else {
                continue;
            };
            let state = self.states.iter().find(|state| state.input == name);
            let item = match (held(spec), state) {
                (Some(tensor), None) => self.parameter(converter.b, tensor, name),
                (_, state) => match (spec, given.remove(state.map_or(name, |state| &state.name))) {
                    (_, Some(value)) if state.is_some() => self.given(converter.b, name, value),
                    (InputSpec::UserInput { .. }, Some(value)) => match input {
                        Argument::AsTensor(_) => self.given(converter.b, name, value),
                        _ => Ok(Item::Number(value)),
                    },
                    _ => Err(format!(
                        "input '{name}' is no tensor, which is not supported"
                    )),
                },
            };
            match item {
                Ok(item) => converter.scope.define(name, item, Origin::Own),
                Err(reason) => {
                    converter.lose(name);
                    errors.push(self.wrong(reason));
                }
            }
        }
        errors
    }

    /// Whether a tensor of the graph has complex numbers.
    fn is_complex(&self, name: &str) -> bool {
        let meta = self.graph().tensor_values.get(name);
        meta.is_some_and(|meta| part_of(meta.dtype).is_some())
    }

    /// What the caller gives for an input of the graph.
    fn given(&self, b: &mut GraphBuilder, name: &str, value: Value) -> Result<Item> {
        match self.is_complex(name) {
            true => Ok(Complex::of_pairs(b, &value)?.into()),
            false => Ok(value.into()),
        }
    }

    /// A parameter, a buffer or a constant by its name in the model. `input` is the graph's input for it.
    fn parameter(&self, b: &mut GraphBuilder, name: &str, input: &str) -> Result<Item> {
        let tensors = &self.program.tensors;
        let stored = tensors.get(name);
        let all = tensors.iter();
        let all = all.filter_map(|(name, stored)| Some((name.as_str(), stored.as_ref().ok()?)));
        let names = match stored {
            Some(Ok(own)) => b.names_of(name, own, all),
            _ => vec![name],
        };
        let meta = self.graph().tensor_values.get(input);
        let ty = meta.and_then(|meta| {
            let part = part_of(meta.dtype);
            let mut sizes = known(&meta.sizes).ok()?;
            sizes.extend(part.map(|_| 2));
            Some((of_number(part.unwrap_or(meta.dtype)).ok()?, sizes))
        });
        let ty = ty
            .as_ref()
            .map(|(element, sizes)| (*element, sizes.as_slice()));
        let value = b.parameter(&names, ty, || {
            let stored = stored.ok_or_else(|| format!("the file does not hold '{name}'"))?;
            let stored = stored.as_ref().map_err(String::clone)?;
            stored
                .read()
                .map_err(|reason| format!("'{name}': {reason}"))
        })?;
        self.given(b, input, value)
    }

    /// What the program returns, with names.
    fn outputs<'g>(
        &'g self,
        converter: &mut Converter<'g, '_>,
        options: &Options,
    ) -> Result<Outputs> {
        let module = &self.program.exported.graph_module;
        let mut outputs = Outputs::new();
        let mut taken = Names::default();
        for returned in returned(module)? {
            let (name, value) = match returned {
                Returned::Named(name) => {
                    (name.to_owned(), converter.find(name)?.value(converter.b)?)
                }
                Returned::Number(name, number, element) => {
                    (name, number.cast(converter.b, element)?)
                }
            };
            // One tensor may be returned twice.
            let name = taken.unique(&name, '.');
            outputs.push((name, converter.b.materialize(&value)?));
        }
        for state in &self.states {
            let item = converter.find(state.next.as_ref().unwrap_or(&state.input))?;
            let value = item.value(converter.b)?;
            let name = taken.unique(&next(&state.name), '.');
            outputs.push((name, converter.b.materialize(&value)?));
        }
        if options.expose {
            let mut computed = Vec::new();
            let nodes = module.graph.nodes.iter();
            for name in nodes.flat_map(|node| &node.outputs).flat_map(names) {
                let item = converter.find(name)?;
                if let Item::Tensor(_) | Item::Complex(_) = item {
                    computed.push((name.to_owned(), item.value(converter.b)?));
                }
            }
            expose(converter.b, &mut outputs, computed)?;
        }
        Ok(outputs)
    }
}

impl Model for Torch {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let graph = self.graph();
        let mut counts = HashMap::new();
        count(graph, &mut counts);
        let module = &self.program.exported.graph_module;
        let of_states = self.states.iter().map(|state| TensorInfo {
            name: next(&state.name),
            ty: without_first(&state.text).into(),
        });
        let sizes = self.program.tensors.values().flatten();
        let parameters = sizes.map(|tensor| {
            tensor
                .sizes
                .iter()
                .fold(1u64, |count, size| count.saturating_mul(*size as u64))
        });
        Summary {
            inputs: self.signature.ports.iter().map(TensorInfo::from).collect(),
            outputs: infos(module).into_iter().chain(of_states).collect(),
            operators: counts
                .into_iter()
                .map(|(name, count)| (name.to_owned(), count))
                .collect(),
            parameters: parameters.fold(0, u64::saturating_add),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let nodes = self.graph().nodes.iter().map(|node| NodeInfo {
            name: name_of(node),
            op_type: op_type(node).into(),
            outputs: node
                .outputs
                .iter()
                .flat_map(names)
                .map(Into::into)
                .collect(),
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let mut found = Vec::new();
        find_unsupported(self.graph(), &mut found);
        found
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let entry = Entry {
            path: &self.path,
            name: "main",
            signature: &self.signature,
            options,
        };
        entry.import(context, |b, inputs| self.write(options, b, inputs))
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}

/// Checks that no name of a graph, or of one that its nodes hold, is defined twice: names are looked up by what defines them.
fn check_names(graph: &Graph) -> Result<()> {
    let mut defined = HashSet::new();
    let results = graph.nodes.iter().flat_map(|node| &node.outputs);
    let mut all = graph.inputs.iter().chain(results).flat_map(names);
    if let Some(twice) = all.find(|name| !defined.insert(*name)) {
        return Err(format!("two nodes compute '{twice}'"));
    }
    graph
        .nodes
        .iter()
        .flat_map(graphs)
        .try_for_each(check_names)
}

/// Checks that the signature fits the graph.
fn check(exported: &ExportedProgram) -> Result<()> {
    let module = &exported.graph_module;
    let (graph, signature) = (&module.graph, &module.signature);
    let pairs = [
        ("inputs", graph.inputs.len(), signature.input_specs.len()),
        ("outputs", graph.outputs.len(), signature.output_specs.len()),
    ];
    for (what, of_graph, of_signature) in pairs {
        if of_graph != of_signature {
            return Err(format!(
                "the graph has {of_graph} {what}, and its signature {of_signature}"
            ));
        }
    }
    check_names(graph)
}

/// The inputs that a caller gives.
fn signature(exported: &ExportedProgram, states: &[State]) -> Signature {
    let module = &exported.graph_module;
    let inputs = module
        .graph
        .inputs
        .iter()
        .zip(&module.signature.input_specs);
    let ports = inputs.filter_map(|(input, spec)| match (input, spec) {
        (Argument::AsTensor(name), InputSpec::UserInput { .. }) => {
            Some(port(&module.graph, &name.name))
        }
        _ => None,
    });
    let of_states = states.iter().filter(|state| !state.is_given);
    let of_states = of_states.map(|state| Port {
        name: state.name.clone(),
        text: state.text.clone(),
        ..port(&module.graph, &state.input)
    });
    let ports = ports.chain(of_states).collect();
    let bounds = exported
        .range_constraints
        .iter()
        .filter_map(|(name, range)| {
            let bounds = (
                range.min_val.unwrap_or(0).max(0),
                range.max_val.unwrap_or(i64::MAX),
                1,
            );
            let opening = Opening {
                name: None,
                bounds: Some(bounds),
            };
            (bounds.0 <= bounds.1).then(|| (name.clone(), options::Extent::Open(opening)))
        });
    Signature {
        ports,
        states: states.iter().map(|state| state.name.clone()).collect(),
        bounds: bounds.collect(),
        ..Signature::default()
    }
}

fn port(graph: &Graph, name: &str) -> Port {
    let Some(meta) = graph.tensor_values.get(name) else {
        return Port {
            name: name.into(),
            text: "?".into(),
            element: Err("the graph says no type of it".into()),
            dims: None,
        };
    };
    let dims = meta.sizes.iter().map(|extent| match extent {
        Extent::AsInt(number) => Dimension::Known(*number),
        Extent::AsExpr(form) => match arithmetic(&form.expr_str) {
            Some(text) => Dimension::Named(text),
            None => Dimension::Open,
        },
    });
    let part = part_of(meta.dtype);
    Port {
        name: name.into(),
        text: describe(meta),
        element: of_number(part.unwrap_or(meta.dtype)),
        dims: Some(dims.chain(part.map(|_| Dimension::Known(2))).collect()),
    }
}

/// Adds the nodes for which there is no conversion, with those of graphs that nodes hold.
fn find_unsupported(graph: &Graph, found: &mut Vec<Unsupported>) {
    for node in &graph.nodes {
        match is_known(node) {
            true => graphs(node).for_each(|inner| find_unsupported(inner, found)),
            false => found.push(unsupported(node)),
        }
    }
}

/// Words in the names of operators that draw random numbers.
const RANDOM: [&str; 9] = [
    "aten.bernoulli",
    "aten.cauchy",
    "aten.exponential",
    "aten.geometric",
    "aten.log_normal",
    "aten.multinomial",
    "aten.normal",
    "aten.rand",
    "aten.uniform",
];

fn unsupported(node: &Node) -> Unsupported {
    let op_type = op_type(node);
    let reason = match RANDOM.iter().any(|name| op_type.starts_with(name)) {
        true => {
            "it draws random numbers, which would not be PyTorch's: draw them outside, and make them an input"
        }
        false => "there is no conversion of this operator",
    };
    Unsupported {
        node: name_of(node),
        op_type: op_type.into(),
        attributes: Vec::new(),
        reason: reason.into(),
    }
}
