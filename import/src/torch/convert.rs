//! From the nodes of a graph to operators.

use super::{
    alias::{self, Written},
    item::{Item, Number},
    node::{Arg, Node},
    ops,
    schema::{self, Argument, OptionalTensor, Symbolic},
    scope::{Found, Origin, Scope},
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;
use std::collections::{HashMap, HashSet};

/// Operators that run a graph as it stands, and the number of arguments before the graph: these concern training, and types that a
/// graph's own nodes say.
const WRAPPERS: [(&str, usize); 3] = [
    ("torch.ops.higher_order.wrap_with_set_grad_enabled", 1),
    ("torch.ops.higher_order.wrap_with_autocast", 4),
    ("torch.ops.higher_order.invoke_subgraph", 0),
];

/// A node that could not be converted.
pub struct Failure {
    /// Its name.
    pub node: String,
    /// Its operator.
    pub op_type: String,
    /// The reason.
    pub reason: String,
}

/// The name of a node: that of its first result.
pub fn name_of(node: &schema::Node) -> String {
    let mut names = node.outputs.iter().flat_map(names);
    names.next().map_or_else(|| node.target.clone(), Into::into)
}

/// An operator's name as PyTorch's users know it: `aten.relu.default`.
pub fn op_type(node: &schema::Node) -> &str {
    node.target
        .strip_prefix("torch.ops.")
        .unwrap_or(&node.target)
}

/// Whether there is a conversion for a node.
pub fn is_known(node: &schema::Node) -> bool {
    wrapped(node).is_some() || ops::find(&node.target).is_some()
}

/// The graph that a node only wraps, and the number of arguments before it.
pub fn wrapped(node: &schema::Node) -> Option<(&schema::Graph, usize)> {
    let mut wrappers = WRAPPERS.iter();
    let (_, before) = wrappers.find(|(name, _)| *name == node.target)?;
    // With autocast, products have other types than the graph says.
    let casts = node.inputs.iter().find(|input| input.name == "enabled");
    let casts = casts.or_else(|| node.inputs.get(2).filter(|_| *before > 2));
    if matches!(casts.map(|input| &input.arg), Some(Argument::AsBool(true))) && *before > 2 {
        return None;
    }
    match &node.inputs.get(*before)?.arg {
        Argument::AsGraph(named) => Some((&named.graph, *before)),
        _ => None,
    }
}

/// The names that an argument reads, or a result defines.
pub fn names(argument: &Argument) -> Vec<&str> {
    fn symbols<T>(symbols: &[Symbolic<T>]) -> Vec<&str> {
        let names = symbols.iter().filter_map(|symbol| match symbol {
            Symbolic::Name(name) => Some(name.as_str()),
            Symbolic::Known(_) => None,
        });
        names.collect()
    }
    fn optional(tensor: &OptionalTensor) -> Option<&str> {
        match tensor {
            OptionalTensor::AsTensor(name) => Some(&name.name),
            OptionalTensor::AsNone(_) => None,
        }
    }
    match argument {
        Argument::AsTensor(name) => vec![&name.name],
        Argument::AsTensors(all) => all.iter().map(|name| name.name.as_str()).collect(),
        Argument::AsOptionalTensor(tensor) => optional(tensor).into_iter().collect(),
        Argument::AsOptionalTensors(all) => all.iter().filter_map(optional).collect(),
        Argument::AsNestedTensors(all) => all
            .iter()
            .flatten()
            .map(|name| name.name.as_str())
            .collect(),
        Argument::AsSymInt(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymInts(all) => symbols(all),
        Argument::AsSymFloat(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymFloats(all) => symbols(all),
        Argument::AsSymBool(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymBools(all) => symbols(all),
        _ => Vec::new(),
    }
}

/// Converts the nodes of a graph.
pub struct Converter<'g, 'b> {
    /// The builder.
    pub b: &'b mut GraphBuilder,
    /// What names stand for.
    pub scope: Scope<'g>,
    used: HashSet<&'g str>,
    /// What was found wrong.
    pub failures: Vec<Failure>,
    lost: HashSet<&'g str>,
}

impl<'g, 'b> Converter<'g, 'b> {
    /// A converter of a graph.
    pub fn new(graph: &'g schema::Graph, b: &'b mut GraphBuilder) -> Self {
        let inputs = graph.nodes.iter().flat_map(|node| &node.inputs);
        let read = inputs.map(|input| &input.arg).chain(&graph.outputs);
        Self {
            b,
            scope: Scope::default(),
            used: read.flat_map(names).collect(),
            failures: Vec::new(),
            lost: HashSet::new(),
        }
    }

    /// A name that nothing can stand for.
    pub fn lose(&mut self, name: &'g str) {
        self.lost.insert(name);
    }

    /// Whether what an argument names could not be computed.
    pub fn is_lost(&self, argument: &Argument) -> bool {
        names(argument).iter().any(|name| self.lost.contains(name))
    }

    /// Whether anything could not be computed.
    pub fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }

    /// Converts all nodes. What reads something that could not be computed is left out.
    pub fn run(&mut self, graph: &'g schema::Graph) {
        for node in &graph.nodes {
            let is_lost = node.inputs.iter().any(|input| self.is_lost(&input.arg));
            if is_lost || !is_known(node) {
                self.lost.extend(node.outputs.iter().flat_map(names));
                continue;
            }
            let name = name_of(node);
            self.b.enter(&name);
            if let Err(reason) = self.convert(node) {
                self.lost.extend(node.outputs.iter().flat_map(names));
                self.failures.push(Failure {
                    node: name,
                    op_type: op_type(node).into(),
                    reason,
                });
            }
        }
    }

    fn convert(&mut self, node: &'g schema::Node) -> Result<()> {
        let results: Vec<&'g str> = node.outputs.iter().flat_map(names).collect();
        if let Some((graph, before)) = wrapped(node) {
            let items = self.inlined(node, graph, before)?;
            for (name, item) in results.into_iter().zip(items) {
                self.scope.define(name, item, Origin::Own);
            }
            return Ok(());
        }
        let conversion = ops::find(&node.target).ok_or("there is no conversion")?;
        let items = self.results(node)?;
        if conversion.is_in_place {
            let target = node.inputs.first().map(|input| &input.arg);
            let Some(Argument::AsTensor(target)) = target else {
                return Err("what it changes is no tensor".into());
            };
            let (Some(Item::Tensor(new)), Some(name)) = (items.first(), results.first()) else {
                return Err("it has no result".into());
            };
            self.write(&target.name, new.clone())?;
            self.scope
                .define(name, items[0].clone(), Origin::Same(&target.name));
            return Ok(());
        }
        let base = self.viewed(node, &items)?;
        let count = items.len();
        for (place, (name, item)) in results.iter().zip(items).enumerate() {
            let origin = match base {
                Some(base) => Origin::View { node, base, place },
                None => Origin::Own,
            };
            self.scope.define(name, item, origin);
        }
        match results
            .iter()
            .skip(count)
            .find(|name| self.used.contains(*name))
        {
            Some(name) => Err(format!("its result '{name}' is not supported")),
            None => Ok(()),
        }
    }

    /// The name of the tensor that the results of a node are views of, if they are. What has other elements is a copy.
    fn viewed(&mut self, node: &'g schema::Node, items: &[Item]) -> Result<Option<&'g str>> {
        let base = match node.inputs.first().map(|input| &input.arg) {
            Some(Argument::AsTensor(base)) if alias::view(&node.target).is_some() => &base.name,
            _ => return Ok(None),
        };
        let Item::Tensor(value) = self.find(base)? else {
            return Ok(None);
        };
        let is_view =
            |item: &Item| matches!(item, Item::Tensor(view) if view.element() == value.element());
        Ok(items.iter().all(is_view).then_some(base))
    }

    /// The results of a node.
    fn results(&mut self, node: &'g schema::Node) -> Result<Vec<Item>> {
        let conversion = ops::find(&node.target).ok_or("there is no conversion")?;
        let read = self.node(node)?;
        let items = conversion.convert.convert(&read, self.b)?;
        read.check_read()?;
        Ok(items)
    }

    /// A node with its arguments.
    fn node(&mut self, node: &'g schema::Node) -> Result<Node<'g>> {
        let mut args = Vec::with_capacity(node.inputs.len());
        for input in &node.inputs {
            args.push((input.name.as_str(), self.arg(&input.arg)?));
        }
        let results = node.outputs.iter().flat_map(names);
        let uses = results.map(|name| self.used.contains(name)).collect();
        Ok(Node::new(args, uses))
    }

    /// What a graph computes that a node wraps.
    fn inlined(
        &mut self,
        node: &'g schema::Node,
        graph: &'g schema::Graph,
        before: usize,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for input in &node.inputs[before + 1..] {
            for name in names(&input.arg) {
                items.push(self.find(name)?);
            }
        }
        let mut inner = Converter::new(graph, self.b);
        let inputs = graph.inputs.iter().flat_map(names);
        for (name, item) in inputs.zip(items) {
            inner.scope.define(name, item, Origin::Own);
        }
        inner.run(graph);
        if let Some(failure) = inner.failures.first() {
            return Err(format!(
                "node '{}' ({}): {}",
                failure.node, failure.op_type, failure.reason
            ));
        }
        let changed: HashSet<&str> = inner.scope.changed().collect();
        let mut inputs = graph.inputs.iter().flat_map(names);
        if let Some(name) = inputs.find(|name| changed.contains(name)) {
            return Err(format!(
                "its graph changes the tensor '{name}', which it is given, in place; that is not supported"
            ));
        }
        let outputs = graph.outputs.iter().flat_map(names);
        outputs.map(|name| inner.find(name)).collect()
    }

    /// What a name stands for now.
    pub fn find(&mut self, name: &'g str) -> Result<Item> {
        match self.scope.find(name)? {
            Found::Item(item) => Ok(item),
            Found::Outdated { node, place } => {
                let items = self.results(node)?;
                let item = items
                    .into_iter()
                    .nth(place)
                    .ok_or("it has no such result")?;
                let origin = self.scope.origin(name)?;
                self.scope.define(name, item.clone(), origin);
                Ok(item)
            }
        }
    }

    /// Changes the elements of a tensor in place.
    fn write(&mut self, name: &'g str, new: Value) -> Result<()> {
        let Item::Tensor(old) = self.find(name)? else {
            return Err(format!("'{name}' is no tensor"));
        };
        let new = self.b.cast(&new, old.element())?;
        if new.dims() != old.dims() {
            return Err(format!(
                "it makes {:?} of {:?} in place, which is not supported",
                new.dims(),
                old.dims()
            ));
        }
        match self.scope.origin(name)? {
            Origin::Own => {
                self.scope.change(name, Item::Tensor(new));
                Ok(())
            }
            Origin::Same(other) => self.write(other, new),
            Origin::View { node, base, place } => {
                let Item::Tensor(value) = self.find(base)? else {
                    return Err(format!("'{base}' is no tensor"));
                };
                let write = alias::view(&node.target).ok_or("it writes into no view")?;
                let results = self.results(node)?.into_iter();
                let results: Vec<Value> = results
                    .filter_map(|item| match item {
                        Item::Tensor(value) => Some(value),
                        _ => None,
                    })
                    .collect();
                let read = self.node(node)?;
                let written = Written {
                    base: &value,
                    results: &results,
                    place,
                    new: &new,
                };
                let whole = write(&read, self.b, &written)?;
                self.write(base, whole)
            }
        }
    }

    /// The value of an argument.
    fn arg(&mut self, argument: &'g Argument) -> Result<Arg> {
        Ok(match argument {
            Argument::AsNone(_) => Arg::None,
            Argument::AsTensor(name) => self.tensor_or_number(&name.name)?,
            Argument::AsOptionalTensor(OptionalTensor::AsTensor(name)) => {
                self.tensor_or_number(&name.name)?
            }
            Argument::AsOptionalTensor(OptionalTensor::AsNone(_)) => Arg::None,
            Argument::AsTensors(all) => {
                let tensors = all.iter().map(|name| self.tensor(&name.name).map(Some));
                Arg::Tensors(tensors.collect::<Result<_>>()?)
            }
            Argument::AsOptionalTensors(all) => {
                let tensors = all.iter().map(|tensor| match tensor {
                    OptionalTensor::AsTensor(name) => self.tensor(&name.name).map(Some),
                    OptionalTensor::AsNone(_) => Ok(None),
                });
                Arg::Tensors(tensors.collect::<Result<_>>()?)
            }
            Argument::AsInt(number) => Arg::Number(Number::Int(*number)),
            Argument::AsInts(all) => numbers(all, |number| Number::Int(*number)),
            Argument::AsFloat(number) => Arg::Number(Number::Float(number.0)),
            Argument::AsFloats(all) => numbers(all, |number| Number::Float(number.0)),
            Argument::AsBool(flag) => Arg::Number(Number::Bool(*flag)),
            Argument::AsBools(all) => numbers(all, |flag| Number::Bool(*flag)),
            Argument::AsString(text) => Arg::Text(text.clone()),
            Argument::AsSymInt(number) => Arg::Number(self.symbol(number, |n| Number::Int(*n))?),
            Argument::AsSymInts(all) => self.symbols(all, |number| Number::Int(*number))?,
            Argument::AsSymFloat(number) => {
                Arg::Number(self.symbol(number, |number| Number::Float(number.0))?)
            }
            Argument::AsSymFloats(all) => self.symbols(all, |number| Number::Float(number.0))?,
            Argument::AsSymBool(flag) => {
                Arg::Number(self.symbol(flag, |flag| Number::Bool(*flag))?)
            }
            Argument::AsSymBools(all) => self.symbols(all, |flag| Number::Bool(*flag))?,
            Argument::AsScalarType(number) => Arg::ScalarType(*number),
            Argument::AsMemoryFormat(_) | Argument::AsLayout(_) | Argument::AsDevice(_) => {
                Arg::Memory
            }
            Argument::AsNestedTensors(_) => Arg::Other("lists of tensors"),
            Argument::AsIntLists(_) | Argument::AsFloatLists(_) => Arg::Other("lists of lists"),
            Argument::AsStrings(_) => Arg::Other("texts"),
            Argument::AsGraph(_) => Arg::Other("a graph"),
            Argument::AsComplex(_) => Arg::Other("a complex number"),
            Argument::AsCustomObj(_) => Arg::Other("an object of Python's"),
            Argument::AsOperator(_) => Arg::Other("an operator"),
            Argument::AsStringToArgument(_) => Arg::Other("a dictionary"),
        })
    }

    fn tensor_or_number(&mut self, name: &'g str) -> Result<Arg> {
        Ok(match self.find(name)? {
            Item::Tensor(value) => Arg::Tensor(value),
            number => Arg::Number(Number::Computed(number)),
        })
    }

    fn tensor(&mut self, name: &'g str) -> Result<Value> {
        match self.find(name)? {
            Item::Tensor(value) => Ok(value),
            number => number.value(self.b),
        }
    }

    fn symbol<T>(&mut self, symbol: &'g Symbolic<T>, of: fn(&T) -> Number) -> Result<Number> {
        match symbol {
            Symbolic::Known(number) => Ok(of(number)),
            Symbolic::Name(name) => match self.find(name)? {
                Item::Dim(Dim::Known(number)) => Ok(Number::Int(number)),
                item => Ok(Number::Computed(item)),
            },
        }
    }

    fn symbols<T>(&mut self, all: &'g [Symbolic<T>], of: fn(&T) -> Number) -> Result<Arg> {
        let numbers = all.iter().map(|symbol| self.symbol(symbol, of));
        numbers.collect::<Result<_>>().map(Arg::Numbers)
    }
}

fn numbers<T>(all: &[T], of: fn(&T) -> Number) -> Arg {
    Arg::Numbers(all.iter().map(of).collect())
}

/// How many nodes of each operator there are, with those of graphs that nodes wrap.
pub fn count<'g>(graph: &'g schema::Graph, counts: &mut HashMap<&'g str, usize>) {
    for node in &graph.nodes {
        match wrapped(node) {
            Some((inner, _)) => count(inner, counts),
            None => *counts.entry(op_type(node)).or_default() += 1,
        }
    }
}
