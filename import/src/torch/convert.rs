//! From the nodes of a graph to operators.

use super::{
    complex::{self, Part},
    graphs::{Region, graphs, region},
    item::Item,
    ops::{
        self, Conversion,
        row::{Converted, Written},
    },
    schema::{self, Argument, OptionalTensor, TensorMeta, names},
    scope::{Found, Origin, Scope},
    view::{is_view, out},
};
use crate::{
    compose::complex::Complex,
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use relay_dialects::element::Element;
use std::collections::{BTreeMap, HashMap, HashSet};

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
    region(node).is_some() || ops::find(&node.target).is_some()
}

/// Converts the nodes of a graph.
pub struct Converter<'g, 'b> {
    /// The builder.
    pub b: &'b mut GraphBuilder,
    /// What names stand for.
    pub scope: Scope<'g>,
    pub(super) used: HashSet<&'g str>,
    pub(super) types: &'g BTreeMap<String, TensorMeta>,
    /// What was found wrong.
    pub failures: Vec<Failure>,
    lost: HashSet<&'g str>,
}

/// The names that a converter knows, without its builder.
#[derive(Clone, Default)]
pub struct Names<'g> {
    scope: Scope<'g>,
    used: HashSet<&'g str>,
}

/// Programs that are read step by step say nothing of how tensors lie.
static NO_TYPES: BTreeMap<String, TensorMeta> = BTreeMap::new();

/// Programs that are read step by step convert their nodes one by one.
impl<'g, 'b> Converter<'g, 'b> {
    /// A converter that knows names already.
    pub fn of_names(b: &'b mut GraphBuilder, names: Names<'g>) -> Self {
        Self {
            b,
            scope: names.scope,
            used: names.used,
            types: &NO_TYPES,
            failures: Vec::new(),
            lost: HashSet::new(),
        }
    }

    /// The names, which the converter forgets.
    pub fn take_names(&mut self) -> Names<'g> {
        Names {
            scope: std::mem::take(&mut self.scope),
            used: std::mem::take(&mut self.used),
        }
    }

    /// Says what names there are.
    pub fn set_names(&mut self, names: Names<'g>) {
        (self.scope, self.used) = (names.scope, names.used);
    }

    /// Notes that somebody reads a name.
    pub fn mark_used(&mut self, name: &'g str) {
        self.used.insert(name);
    }

    /// Fails if a tensor that earlier names own has been changed since.
    pub fn check_unchanged(&self, before: &Names<'g>) -> Result<()> {
        match self.scope.changed_since(&before.scope) {
            None => Ok(()),
            Some(name) => Err(format!(
                "it changes the tensor '{name}' in place where data decide; that is not supported"
            )),
        }
    }
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
            types: &graph.tensor_values,
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
        let names: Vec<&'g str> = node.outputs.iter().flat_map(names).collect();
        match region(node) {
            Some(Region::Wrapped(graph, before)) => return self.inline(node, graph, before),
            Some(Region::Control(control)) => {
                let values = self.control(control, node)?;
                return self.define_results(&names, values.into_iter().map(Item::from), None);
            }
            None => {}
        }
        let converted = self.converted(node)?;
        self.bind(node, &names, converted)
    }

    /// Says what the names of a node's results stand for, and changes the arguments that the node changes.
    pub fn bind(
        &mut self,
        node: &'g schema::Node,
        names: &[&'g str],
        converted: Converted,
    ) -> Result<()> {
        let conversion = conversion(node)?;
        let Converted { results, changes } = converted;
        self.change_arguments(node, conversion, changes)?;
        if conversion.is_in_place {
            return match node.inputs.first().map(|input| &input.arg) {
                Some(Argument::AsTensor(target)) => self.change(&target.name, node, &results),
                _ => Err("what it changes is no tensor".into()),
            };
        }
        if let Some(out) = out(node) {
            return self.change(out, node, &results);
        }
        let base = self.viewed(node, conversion, &results)?;
        let view = base.map(|base| (node, base));
        self.define_results(names, results.into_iter(), view)
    }

    /// Says what the results of a node stand for: views of a tensor, or tensors of their own.
    fn define_results(
        &mut self,
        names: &[&'g str],
        items: impl ExactSizeIterator<Item = Item>,
        view: Option<(&'g schema::Node, &'g str)>,
    ) -> Result<()> {
        let count = items.len();
        for (place, (name, item)) in names.iter().zip(items).enumerate() {
            let origin = match view {
                Some((node, base)) => Origin::View { node, base, place },
                None => Origin::Own,
            };
            self.scope.define(name, item, origin);
        }
        let mut missing = names.iter().skip(count);
        match missing.find(|name| self.used.contains(*name)) {
            Some(name) => Err(format!("its result '{name}' is not supported")),
            None => Ok(()),
        }
    }

    /// Changes the argument into which an operator writes its result.
    fn change(&mut self, target: &'g str, node: &'g schema::Node, items: &[Item]) -> Result<()> {
        let Some(new) = items.first() else {
            return Err("it has no result".into());
        };
        self.write(target, new.clone())?;
        if let Some(name) = node.outputs.iter().flat_map(names).next() {
            let item = self.find(target)?;
            let origin = Origin::Same(self.scope.same(target)?);
            self.scope.define(name, item, origin);
        }
        Ok(())
    }

    /// Changes the arguments that an operator changes beside its results.
    fn change_arguments(
        &mut self,
        node: &'g schema::Node,
        conversion: Conversion,
        changes: Vec<Value>,
    ) -> Result<()> {
        for (name, new) in conversion.row.changes.iter().zip(changes) {
            let mut inputs = node.inputs.iter();
            let input = inputs.find(|input| input.name == *name);
            let target = match input.map(|input| &input.arg) {
                Some(Argument::AsTensor(target)) => target,
                Some(Argument::AsOptionalTensor(OptionalTensor::AsTensor(target))) => target,
                _ => continue,
            };
            self.write(&target.name, Item::Tensor(new))?;
        }
        Ok(())
    }

    /// The name of the tensor that the results of a node are views of, if they are. What has other elements is a copy.
    fn viewed(
        &mut self,
        node: &'g schema::Node,
        conversion: Conversion,
        items: &[Item],
    ) -> Result<Option<&'g str>> {
        let base = match node.inputs.first().map(|input| &input.arg) {
            Some(Argument::AsTensor(base)) if is_view(conversion, node, self.types) => &base.name,
            _ => return Ok(None),
        };
        let Some(element) = element_of(&self.find(base)?) else {
            return Ok(None);
        };
        let is_alike = |item: &Item| element_of(item) == Some(element);
        let is_bits = node.target.ends_with("view.dtype");
        Ok((is_bits || items.iter().all(is_alike)).then_some(base))
    }

    /// What a node makes of what its arguments stand for now.
    pub fn converted(&mut self, node: &'g schema::Node) -> Result<Converted> {
        let conversion = conversion(node)?;
        let read = self.node(node, conversion)?;
        complex::convert(conversion.row, &read, self.b)
    }

    /// What a name stands for now.
    pub fn find(&mut self, name: &'g str) -> Result<Item> {
        match self.scope.find(name)? {
            Found::Item(item) => Ok(item),
            Found::Outdated { node, place } => {
                let items = self.converted(node)?.results;
                let item = items.get(place).cloned().ok_or("it has no such result")?;
                // All parts of a tensor are made together, and are outdated together.
                for (name, item) in node.outputs.iter().flat_map(names).zip(items) {
                    let origin = self.scope.origin(name)?;
                    self.scope.define(name, item, origin);
                }
                Ok(item)
            }
        }
    }

    /// Changes the elements of a tensor in place.
    pub fn write(&mut self, name: &'g str, new: Item) -> Result<()> {
        let old = self.find(name)?;
        let new = complex::as_old(self.b, name, &old, new)?;
        if new.dims() != old.dims() {
            return Err(format!(
                "it makes {:?} of {:?} in place, which is not supported",
                new.dims().unwrap_or_default(),
                old.dims().unwrap_or_default()
            ));
        }
        match self.scope.origin(name)? {
            Origin::Own => {
                self.scope.change(name, new);
                Ok(())
            }
            Origin::Same(other) => self.write(other, new),
            Origin::View { node, base, place } => {
                let old = self.find(base)?;
                let whole = match &old {
                    Item::Complex(_) => {
                        let real = self.seen_through(node, (&old, place, &new), Part::Real)?;
                        let imaginary =
                            self.seen_through(node, (&old, place, &new), Part::Imaginary)?;
                        Item::Complex(Complex { real, imaginary })
                    }
                    _ => self
                        .seen_through(node, (&old, place, &new), Part::Real)?
                        .into(),
                };
                self.write(base, whole)
            }
        }
    }

    /// The tensor, or a part of its complex numbers, in which a result of a node, which is a view of it, is replaced.
    fn seen_through(
        &mut self,
        node: &'g schema::Node,
        (base, place, new): (&Item, usize, &Item),
        part: Part,
    ) -> Result<Value> {
        let conversion = conversion(node)?;
        let view = conversion.row.view.ok_or("it writes into no view")?;
        let results = self.converted(node)?.results;
        let results: Vec<Value> = results.iter().filter_map(|item| part.of(item)).collect();
        let read = self.node(node, conversion)?;
        let read = complex::part(self.b, &read, part)?;
        let unlike = || "it writes a part of complex numbers, which is not supported".to_owned();
        let is_alike = matches!(base, Item::Complex(_)) == matches!(new, Item::Complex(_));
        let values = part.of(base).zip(part.of(new)).filter(|_| is_alike);
        let (base, new) = values.ok_or_else(unlike)?;
        let written = Written {
            base: &base,
            results: &results,
            place,
            new: &new,
        };
        (view.write)(&read, self.b, &written)
    }
}

/// The element type of a tensor, or of the parts of one of complex numbers.
fn element_of(item: &Item) -> Option<Element> {
    match item {
        Item::Tensor(value) => Some(value.element()),
        Item::Complex(numbers) => Some(numbers.real.element()),
        _ => None,
    }
}

/// The conversion of a node that holds no graph.
fn conversion(node: &schema::Node) -> Result<Conversion> {
    ops::find(&node.target).ok_or_else(|| "there is no conversion".into())
}

/// How many nodes of each operator there are, with those of graphs that nodes hold.
pub fn count<'g>(graph: &'g schema::Graph, counts: &mut HashMap<&'g str, usize>) {
    for node in &graph.nodes {
        if !matches!(region(node), Some(Region::Wrapped(..))) {
            *counts.entry(op_type(node)).or_default() += 1;
        }
        graphs(node).for_each(|inner| count(inner, counts));
    }
}
