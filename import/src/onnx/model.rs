//! From a model to a module.

use super::{
    convert::convert_node,
    declared::describe_type,
    dims::Sizes,
    error::{ImportError, Unsupported},
    extent::{Extent, Unsaid},
    function,
    node::describe_attr,
    ops::conversion,
    ports::{Ports, name_of_part},
    proto,
    scope::{Scope, Source},
    structure::{self, full_name},
    tensor::Tensors,
    types::{Input, check_declared, check_element},
};
use crate::graph::{
    builder::GraphBuilder,
    constant::element_count,
    diagnostics::{self, Diagnostics},
    error::Result,
    file::map_file,
    value::Value,
};
use bytes::Bytes;
use melior::{
    Context,
    ir::{Location, Module},
};
use prost::Message;
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type},
    ops::func,
    symbols::{Condition, Symbol, set_conditions, set_symbols},
};
use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    rc::Rc,
};

/// The oldest operator set that is read.
pub const OLDEST_OPSET: i64 = 1;
/// The newest operator set that is read.
pub const NEWEST_OPSET: i64 = 28;

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Shapes of inputs, by name.
    pub shapes: BTreeMap<String, Vec<Extent>>,
    /// Sizes of dimensions of inputs, by the names that the model gives to the dimensions.
    pub dims: BTreeMap<String, Extent>,
    /// What becomes of dimensions of which neither `shapes` nor `dims` says anything.
    pub unsaid: Unsaid,
    /// Inputs that become constants, by name: axes, pads and shapes must be constants. The module does not take
    /// them.
    pub values: BTreeMap<String, proto::Tensor>,
    /// Whether what each node computes becomes an output of the module, too, behind the model's own outputs and
    /// in the model's order.
    pub expose: bool,
}

/// A node of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo {
    /// Its name; one is made for nodes without.
    pub name: String,
    /// Its operator.
    pub op_type: String,
    /// The tensors that it computes.
    pub outputs: Vec<String>,
}

/// An ONNX model that was read and whose structure was checked.
pub struct Onnx {
    path: PathBuf,
    opset: i64,
    model: proto::Model,
    graph: proto::Graph,
    order: Vec<usize>,
    tensors: Tensors,
}

/// What [`Onnx::inspect`] tells about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The program that wrote it.
    pub producer: String,
    /// The version of the file format.
    pub ir_version: i64,
    /// The version of ONNX's operator set.
    pub opset: i64,
    /// The inputs, without initializers.
    pub inputs: Vec<TensorInfo>,
    /// The outputs.
    pub outputs: Vec<TensorInfo>,
    /// How many nodes of each operator there are.
    pub operators: BTreeMap<String, usize>,
    /// The elements of all initializers.
    pub parameters: u64,
    /// The nodes that cannot be imported.
    pub unsupported: Vec<Unsupported>,
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

/// An input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// Its type as the model writes it, such as `float[batch, 3, 224, 224]`.
    pub ty: String,
}

impl Onnx {
    /// Reads a model from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is no model, or the graph's structure is wrong.
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        let bytes = map_file(path).map_err(|source| ImportError::Io {
            path: path.into(),
            source,
        })?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Self::decode(bytes, path, Some(folder))
    }

    /// Lets files of weights be links that lead out of the model's folder, to files below `root`. The caches of model
    /// hubs have such links.
    #[must_use]
    pub fn with_data_root(mut self, root: Option<&Path>) -> Self {
        self.tensors.allow_links_below(root);
        self
    }

    /// Reads a model from memory. `path` names it in messages; external data may lie in `folder`.
    ///
    /// # Errors
    /// As [`Onnx::open`].
    pub fn decode(bytes: Bytes, path: &Path, folder: Option<&Path>) -> Result<Self, ImportError> {
        let mut model = proto::Model::decode(bytes).map_err(|error| ImportError::Decode {
            path: path.into(),
            reason: error.to_string(),
        })?;
        let wrong = |reason: String| ImportError::Model {
            path: path.into(),
            reason,
        };
        let graph = model.graph.take().ok_or_else(|| ImportError::Decode {
            path: path.into(),
            reason: "it holds no graph".into(),
        })?;
        let opset = opset(&model).map_err(wrong)?;
        if !graph.sparse_initializer.is_empty() {
            return Err(wrong("sparse initializers are not supported".into()));
        }
        if graph.output.is_empty() {
            return Err(wrong("the graph has no outputs".into()));
        }
        let functions = std::mem::take(&mut model.functions);
        let graph = function::expand(graph, &functions, opset).map_err(wrong)?;
        let order = structure::order(&graph, |_| false).map_err(wrong)?;
        Ok(Self {
            path: path.into(),
            opset,
            model,
            graph,
            order,
            tensors: Tensors::new(folder),
        })
    }

    /// The model's contents, without importing it.
    pub fn inspect(&self) -> Summary {
        let mut operators = BTreeMap::new();
        for node in &self.graph.node {
            *operators.entry(full_name(node)).or_default() += 1;
        }
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
        let producer = format!(
            "{} {}",
            self.model.producer_name, self.model.producer_version
        );
        Summary {
            producer: producer.trim().into(),
            ir_version: self.model.ir_version,
            opset: self.opset,
            inputs: structure::inputs(&self.graph).map(info).collect(),
            outputs: structure::outputs(&self.graph).map(info).collect(),
            operators,
            parameters,
            unsupported: self.unsupported(),
        }
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

    /// The nodes for which there is no conversion.
    pub fn unsupported(&self) -> Vec<Unsupported> {
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

    /// The nodes in the order in which they are computed.
    pub fn nodes(&self) -> Vec<NodeInfo> {
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

    /// Imports the model as the function `@main` of a new module.
    ///
    /// # Errors
    /// What is wrong with the model, or what the importer does not support. Unsupported operators
    /// are reported all at once.
    pub fn import<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, ImportError> {
        let operators = self.unsupported();
        if !operators.is_empty() {
            return Err(ImportError::Unsupported {
                path: self.path.clone(),
                operators,
            });
        }
        self.import_as_far_as_possible(context, options)
            .map_err(|mut errors| errors.swap_remove(0))
    }

    /// As [`Onnx::import`], but what can be converted is converted, so that all that is wrong is found: with every
    /// node that is, except those that [are not supported](Onnx::unsupported) and those that read what such
    /// nodes compute.
    ///
    /// # Errors
    /// Everything that was found, in the model's order. There may be nothing beside unsupported nodes.
    pub fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        diagnostics::collect(context, |diagnostics| {
            self.build(context, options, diagnostics)
        })
    }

    fn build<'c>(
        &self,
        context: &'c Context,
        options: &Options,
        diagnostics: &Diagnostics,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let one = |reason| vec![self.wrong(reason)];
        let ctx = Ctx::of(context);
        let ports = Ports::of(&self.graph, &options.shapes);
        let (inputs, mut symbols) = inputs(&ports, options).map_err(one)?;
        let types: Vec<Type> = inputs
            .iter()
            .map(|input| Type::tensor_of(&input.dims, input.element.ty(ctx)))
            .collect();
        let module = Module::new(Location::unknown(context));
        let top = Builder {
            ctx,
            loc: Loc::name(ctx, &self.graph.name),
            point: Point::End(Op::of_module(&module).body()),
        };
        let func = top.func("main", &types, &[], &[]);
        let body = func.body();
        let mut values = Scope::default();
        for (input, arg) in inputs.iter().zip(body.args()) {
            values.define(&input.name, Value::computed(arg).map_err(one)?);
        }
        self.define_known(options, &mut values).map_err(one)?;
        ports.define(&mut values);
        let mut builder = GraphBuilder::new(ctx, body, Rc::clone(diagnostics));
        body.args()
            .into_iter()
            .for_each(|arg| builder.note_symbols(arg));
        self.convert(&mut builder, &mut values)?;
        let mut results = self
            .outputs(&builder, &values)
            .map_err(|error| vec![error])?;
        if options.expose {
            results.extend(self.computed(&builder, &values).map_err(one)?);
        }
        let (result_names, results): (Vec<String>, Vec<_>) = results.into_iter().unzip();
        func::Return::build(&Builder::at_end(body, top.loc, ctx), &results);
        let result_types: Vec<Type> = results.iter().map(|value| value.ty()).collect();
        let function_type = Type::function(ctx, &types, &result_types);
        func.set_attr("function_type", Attr::ty(function_type));
        let arg_names = inputs.iter().map(|input| input.name.as_str());
        func.set_attr("arg_attrs", named(ctx, arg_names));
        let result_names = result_names.iter().map(String::as_str);
        func.set_attr("res_attrs", named(ctx, result_names));
        symbols.extend(builder.computed_symbols(func));
        declare(Op::of_module(&module), &symbols, builder.conditions());
        if !Op::of_module(&module).verify() {
            let messages = diagnostics.borrow().join("; ");
            return Err(one(format!("the imported module is not valid: {messages}")));
        }
        Ok(module)
    }

    /// Says what inputs that become constants stand for.
    fn define_known(&self, options: &Options, values: &mut Scope<'_>) -> Result<()> {
        for (name, tensor) in &options.values {
            let known = self.tensors.read(tensor);
            let known =
                known.map_err(|reason| format!("the value given for '{name}': {reason}"))?;
            values.define(name, Value::known(known, name));
        }
        Ok(())
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
        let source = Source {
            tensors: &self.tensors,
            opset: self.opset,
            convert: convert_node,
        };
        for tensor in &self.graph.initializer {
            if used.contains(tensor.name.as_str()) {
                match source.initializer(tensor) {
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
                errors.push(ImportError::Node {
                    path: self.path.clone(),
                    node: name,
                    op_type: node.op_type.clone(),
                    reason,
                });
            }
        }
        if errors.is_empty() && lost.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
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
                    errors.push(ImportError::Node {
                        path: self.path.clone(),
                        node: path,
                        op_type: full_name(inner),
                        reason,
                    });
                }
            }
        }
    }

    fn wrong(&self, reason: String) -> ImportError {
        ImportError::Model {
            path: self.path.clone(),
            reason,
        }
    }

    /// The graph's results with their names, checked against the types that the model declares for them.
    fn outputs(
        &self,
        builder: &GraphBuilder,
        values: &Scope<'_>,
    ) -> Result<Vec<(String, relay_dialects::ir::Value)>, ImportError> {
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
        let mut names = HashSet::new();
        if let Some((twice, _)) = results
            .iter()
            .find(|(name, _)| !names.insert(name.as_str()))
        {
            return Err(self.wrong(format!("two outputs are called '{twice}'")));
        }
        match results.is_empty() {
            true => Err(self.wrong("the model returns no tensors".into())),
            false => Ok(results),
        }
    }

    /// What nodes compute when the model runs, with its name, without the graph's results.
    fn computed(
        &self,
        builder: &GraphBuilder,
        values: &Scope<'_>,
    ) -> Result<Vec<(String, relay_dialects::ir::Value)>> {
        let results: HashSet<&str> = structure::outputs(&self.graph)
            .map(|output| output.name.as_str())
            .collect();
        let nodes = self.order.iter().map(|&index| &self.graph.node[index]);
        let names = nodes.flat_map(|node| node.output.iter().map(String::as_str));
        names
            .filter(|name| !results.contains(name))
            .filter_map(|name| Some((name, values.find(name)?.tensor().ok()?)))
            .filter(|(_, value)| value.constant().is_none())
            .map(|(name, value)| Ok((name.into(), builder.materialize(value)?)))
            .collect()
    }

    /// Whether inputs have dimensions of which neither the model nor the options say anything.
    #[must_use]
    pub fn leaves_dimensions_open(&self, options: &Options) -> bool {
        let ports = Ports::of(&self.graph, &options.shapes);
        let infos = taken(&ports, options);
        let sizes = Sizes::of_inputs(&infos, &options.shapes, &options.dims, Unsaid::One);
        sizes.is_ok_and(|sizes| sizes.assumes())
    }
}

/// The tensors that the module takes: without those that become constants.
fn taken<'p>(ports: &'p Ports, options: &Options) -> Vec<&'p proto::ValueInfo> {
    let is_taken = |info: &&proto::ValueInfo| !options.values.contains_key(&info.name);
    ports.infos.iter().filter(is_taken).collect()
}

/// The inputs, and the symbols of their open dimensions.
fn inputs(ports: &Ports, options: &Options) -> Result<(Vec<Input>, Vec<Symbol>)> {
    for name in options.shapes.keys().chain(options.values.keys()) {
        if !ports.infos.iter().any(|info| info.name == *name) {
            let names: Vec<&str> = ports.infos.iter().map(|info| info.name.as_str()).collect();
            return Err(format!(
                "a shape or value is given for '{name}', which is no input; the inputs are {}",
                names.join(", ")
            ));
        }
    }
    let infos = taken(ports, options);
    let sizes = Sizes::of_inputs(&infos, &options.shapes, &options.dims, options.unsaid)?;
    sizes.warn();
    let inputs = infos.into_iter().map(|info| {
        Input::new(info, &sizes).map_err(|reason| format!("input '{}': {reason}", info.name))
    });
    Ok((inputs.collect::<Result<_>>()?, sizes.symbols().to_vec()))
}

/// Says which symbols and conditions a module has, if it has any.
fn declare(module: Op, symbols: &[Symbol], conditions: &[Condition]) {
    if !symbols.is_empty() {
        set_symbols(module, symbols);
    }
    if !conditions.is_empty() {
        set_conditions(module, conditions);
    }
}

/// The attributes of a function's arguments or results that say what they are called.
fn named<'n>(ctx: Ctx, names: impl Iterator<Item = &'n str>) -> Attr {
    let dicts: Vec<Attr> = names
        .map(|name| Attr::dict(ctx, &[(relay_dialects::attrs::NAME, Attr::str(ctx, name))]))
        .collect();
    Attr::array(ctx, &dicts)
}

/// The version of ONNX's operator set; the newest of a model that uses operators of other domains alone.
fn opset(model: &proto::Model) -> Result<i64> {
    let nodes = model.graph.iter().flat_map(|graph| &graph.node);
    let is_used = nodes
        .into_iter()
        .any(|node| structure::is_default_domain(&node.domain));
    let is_needless = !is_used && !model.opset_import.is_empty();
    let version = model
        .opset_import
        .iter()
        .find(|set| structure::is_default_domain(&set.domain))
        .map(|set| set.version)
        .or(is_needless.then_some(NEWEST_OPSET))
        .ok_or("the model does not state the version of ONNX's operator set that it uses")?;
    if !(OLDEST_OPSET..=NEWEST_OPSET).contains(&version) {
        return Err(format!(
            "operator set {version} is not supported, only {OLDEST_OPSET} to {NEWEST_OPSET}; \
             convert the model with onnx.version_converter"
        ));
    }
    Ok(version)
}
