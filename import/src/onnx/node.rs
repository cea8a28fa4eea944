//! A node as its conversion sees it.

use super::{
    item::Item,
    proto::{self, attribute_kind as kind},
    scope::{Scope, Source},
    subgraph::Subgraph,
};
use crate::graph::{
    builder::GraphBuilder,
    constant::Const,
    error::Result,
    value::{Value, is_open},
};
use bytes::Bytes;
use relay_dialects::dim::Dim;
use std::{cell::RefCell, collections::HashSet, rc::Rc};

/// A node with its operands. Its attributes and inputs are read through it, one fallible call each. It notes
/// which attributes were read: one that nobody read is an error.
pub struct Node<'m> {
    proto: &'m proto::Node,
    source: Source<'m>,
    /// The version of ONNX's operator set that says what the node means.
    pub opset: i64,
    inputs: Vec<Option<Item>>,
    scope: &'m Scope<'m>,
    read: RefCell<HashSet<String>>,
}

impl<'m> Node<'m> {
    /// Binds a node to its operands, which are in `scope`.
    pub fn new(
        proto: &'m proto::Node,
        source: Source<'m>,
        inputs: Vec<Option<Item>>,
        scope: &'m Scope<'m>,
    ) -> Self {
        Self {
            proto,
            source,
            opset: proto.opset_in(source.opset),
            inputs,
            scope,
            read: RefCell::default(),
        }
    }

    /// A required input that is a tensor.
    pub fn input(&self, index: usize) -> Result<Value> {
        let item = self.item(index)?;
        let tensor = item.tensor();
        tensor.cloned().map_err(|what| is(index, what))
    }

    /// An optional input that is a tensor; `None` of anything else, too, which no operator of tensors has
    /// ([`Node::check_tensors`]).
    pub fn optional(&self, index: usize) -> Option<Value> {
        self.optional_item(index)?.tensor().ok().cloned()
    }

    /// A required input that is a sequence of tensors.
    pub fn sequence(&self, index: usize) -> Result<Rc<[Value]>> {
        let item = self.item(index)?;
        let tensors = item.sequence();
        tensors.cloned().map_err(|what| is(index, what))
    }

    /// A required input that may be anything.
    pub fn item(&self, index: usize) -> Result<&Item> {
        self.optional_item(index)
            .ok_or_else(|| format!("input {index} is missing"))
    }

    /// An optional input that may be anything.
    pub fn optional_item(&self, index: usize) -> Option<&Item> {
        self.inputs.get(index)?.as_ref()
    }

    /// Checks that all inputs are tensors.
    pub fn check_tensors(&self) -> Result<()> {
        let mut given = (0..self.inputs.len()).filter(|&index| self.inputs[index].is_some());
        given.try_for_each(|index| self.input(index).map(drop))
    }

    /// All inputs, which are tensors: at least one, and none may be left out.
    pub fn variadic(&self) -> Result<Vec<Value>> {
        if self.inputs.is_empty() {
            return Err("it has no inputs".into());
        }
        (0..self.inputs.len())
            .map(|index| self.input(index))
            .collect()
    }

    /// Checks that there are no more inputs than the operator takes.
    pub fn check_inputs(&self, most: usize) -> Result<()> {
        if self.inputs.len() > most {
            return Err(format!(
                "it has {} inputs, the operator takes at most {most}",
                self.inputs.len()
            ));
        }
        Ok(())
    }

    /// A required input that must be known at compile time.
    pub fn constant(&self, index: usize, what: &str) -> Result<Const> {
        let value = self.input(index)?;
        let mut forms = value.elements().unwrap_or_default().iter();
        if let Some(open) = forms.find(|form| !form.is_known()) {
            return Err(format!("{what} (input {index}): {}", is_open(*open)));
        }
        value.constant().cloned().ok_or_else(|| {
            format!(
                "{what} (input {index}) is computed at run time; only one known at compile time is \
                 supported"
            )
        })
    }

    /// As [`Node::constant`], of integers; `None` if the input is absent.
    pub fn optional_ints(&self, index: usize, what: &str) -> Result<Option<Vec<i64>>> {
        match self.optional_item(index) {
            None => Ok(None),
            Some(_) => {
                let ints = self.list(index, what)?.to_ints();
                let wrong = || format!("{what} (input {index}) does not hold integers");
                ints.map(Some).ok_or_else(wrong)
            }
        }
    }

    /// As [`Node::optional_ints`] for a required input of sizes, which may be those of open dimensions.
    pub fn dims(&self, index: usize, what: &str) -> Result<Vec<Dim>> {
        let value = self.input(index)?;
        match value.elements() {
            Some(forms) if value.rank() <= 1 => Ok(forms.to_vec()),
            // The least number of 64 bits is none of MLIR's open dimensions here.
            _ => Ok(self
                .ints(index, what)?
                .into_iter()
                .map(Dim::Known)
                .collect()),
        }
    }

    /// As [`Node::dims`]; `None` if the input is absent.
    pub fn optional_dims(&self, index: usize, what: &str) -> Result<Option<Vec<Dim>>> {
        let is_there = self.optional_item(index).is_some();
        is_there.then(|| self.dims(index, what)).transpose()
    }

    /// As [`Node::dims`]. What is computed at run time is a new symbol for each number.
    pub fn sizes(&self, b: &mut GraphBuilder, index: usize, what: &str) -> Result<Vec<Dim>> {
        let value = self.input(index)?;
        if value.is_known() {
            return self.dims(index, what);
        }
        let sizes = b.sizes_of(&value);
        sizes.map_err(|reason| format!("{what} (input {index}): {reason}"))
    }

    /// As [`Node::constant`], for lists of sizes, axes and the like, as floats.
    pub fn floats(&self, index: usize, what: &str) -> Result<Vec<f64>> {
        Ok(self.list(index, what)?.to_floats())
    }

    /// A constant of rank 0 or 1 of bounded length.
    fn list(&self, index: usize, what: &str) -> Result<Const> {
        const MOST: usize = 1 << 16;
        let list = self.constant(index, what)?;
        if list.shape.len() > 1 || list.count() > MOST {
            return Err(format!("{what} (input {index}) has shape {:?}", list.shape));
        }
        Ok(list)
    }

    /// As [`Node::optional_ints`] for a required input.
    pub fn ints(&self, index: usize, what: &str) -> Result<Vec<i64>> {
        self.optional_ints(index, what)?
            .ok_or_else(|| format!("input {index} ({what}) is missing"))
    }

    /// As [`Node::optional_ints`], of one number.
    pub fn optional_int(&self, index: usize, what: &str) -> Result<Option<i64>> {
        match self.optional_ints(index, what)?.as_deref() {
            None => Ok(None),
            Some([one]) => Ok(Some(*one)),
            Some(_) => Err(format!("{what} (input {index}) is not one number")),
        }
    }

    /// As [`Node::ints`], of one number.
    pub fn int(&self, index: usize, what: &str) -> Result<i64> {
        self.optional_int(index, what)?
            .ok_or_else(|| format!("input {index} ({what}) is missing"))
    }

    /// The number of inputs that the node lists.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// The domain and the type of its operator.
    pub fn operator(&self) -> (&str, &str) {
        (&self.proto.domain, &self.proto.op_type)
    }

    /// The number of outputs that the node lists.
    pub fn output_count(&self) -> usize {
        self.proto.output.len()
    }

    /// Whether the model names this output.
    pub fn has_output(&self, index: usize) -> bool {
        self.proto
            .output
            .get(index)
            .is_some_and(|name| !name.is_empty())
    }

    fn attr(&self, name: &str, kind: i32, what: &str) -> Result<Option<&'m proto::Attribute>> {
        self.read.borrow_mut().insert(name.into());
        let Some(attr) = self.proto.attribute.iter().find(|attr| attr.name == name) else {
            return Ok(None);
        };
        if attr.kind != kind {
            return Err(format!("attribute '{name}' is not {what}"));
        }
        Ok(Some(attr))
    }

    /// Declares that an attribute may be there but has no effect on inference.
    pub fn ignore_attr(&self, name: &str) {
        self.read.borrow_mut().insert(name.into());
    }

    /// An optional integer attribute.
    pub fn attr_i64(&self, name: &str) -> Result<Option<i64>> {
        Ok(self.attr(name, kind::INT, "an integer")?.map(|attr| attr.i))
    }

    /// A required integer attribute.
    pub fn required_i64(&self, name: &str) -> Result<i64> {
        self.attr_i64(name)?
            .ok_or_else(|| format!("attribute '{name}' is missing"))
    }

    /// The list of axes: an attribute in operator sets before `since`, the second input from then on.
    pub fn axes(&self, since: i64) -> Result<Option<Vec<i64>>> {
        if self.opset < since {
            self.check_inputs(1)?;
            self.attr_ints("axes")
        } else {
            self.check_inputs(2)?;
            self.optional_ints(1, "the axes")
        }
    }

    /// An integer attribute with a default.
    pub fn attr_i64_or(&self, name: &str, default: i64) -> Result<i64> {
        Ok(self.attr_i64(name)?.unwrap_or(default))
    }

    /// A boolean, written as 0 or 1.
    pub fn attr_bool_or(&self, name: &str, default: bool) -> Result<bool> {
        match self.attr_i64_or(name, i64::from(default))? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("attribute '{name}' is {other}, expected 0 or 1")),
        }
    }

    /// An optional float attribute.
    pub fn attr_f32(&self, name: &str) -> Result<Option<f32>> {
        Ok(self.attr(name, kind::FLOAT, "a float")?.map(|attr| attr.f))
    }

    /// A float attribute with a default.
    pub fn attr_f32_or(&self, name: &str, default: f32) -> Result<f64> {
        Ok(f64::from(self.attr_f32(name)?.unwrap_or(default)))
    }

    /// An optional list of integers.
    pub fn attr_ints(&self, name: &str) -> Result<Option<Vec<i64>>> {
        Ok(self
            .attr(name, kind::INTS, "a list of integers")?
            .map(|attr| attr.ints.clone()))
    }

    /// An optional list of floats.
    pub fn attr_floats(&self, name: &str) -> Result<Option<Vec<f32>>> {
        Ok(self
            .attr(name, kind::FLOATS, "a list of floats")?
            .map(|attr| attr.floats.clone()))
    }

    /// An optional string attribute.
    pub fn attr_text(&self, name: &str) -> Result<Option<String>> {
        let attr = self.attr(name, kind::STRING, "a string")?;
        Ok(attr.map(|attr| String::from_utf8_lossy(&attr.s).into_owned()))
    }

    /// A string attribute with a default.
    pub fn attr_str_or(&self, name: &str, default: &str) -> Result<String> {
        Ok(self.attr_text(name)?.unwrap_or_else(|| default.into()))
    }

    /// An optional list of strings.
    pub fn attr_strings(&self, name: &str) -> Result<Option<Vec<String>>> {
        let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
        Ok(self
            .attr(name, kind::STRINGS, "a list of strings")?
            .map(|attr| attr.strings.iter().map(text).collect()))
    }

    /// An optional tensor attribute.
    pub fn attr_tensor(&self, name: &str) -> Result<Option<Const>> {
        self.attr(name, kind::TENSOR, "a tensor")?
            .map(|attr| {
                let tensor = attr
                    .t
                    .as_ref()
                    .ok_or_else(|| format!("attribute '{name}' holds no tensor"))?;
                self.source
                    .tensors
                    .read(tensor)
                    .map_err(|reason| format!("attribute '{name}': {reason}"))
            })
            .transpose()
    }

    /// A required graph.
    pub fn attr_graph(&self, name: &str) -> Result<Subgraph<'m>> {
        let graph = self.attr(name, kind::GRAPH, "a graph")?;
        let graph = graph
            .and_then(|attr| attr.g.as_deref())
            .ok_or_else(|| format!("attribute '{name}' is missing, or holds no graph"))?;
        Subgraph::new(graph, self.source, self.scope)
            .map_err(|reason| format!("attribute '{name}': {reason}"))
    }

    /// A graph that the node need not have.
    pub fn optional_graph(&self, name: &str) -> Result<Option<Subgraph<'m>>> {
        match self.attr(name, kind::GRAPH, "a graph")? {
            Some(_) => self.attr_graph(name).map(Some),
            None => Ok(None),
        }
    }

    /// Fails if the node has an attribute that its conversion did not read.
    pub fn check_attrs(&self) -> Result<()> {
        let read = self.read.borrow();
        // Which inputs a node may overwrite.
        let is_hint = |attr: &proto::Attribute| self.opset < 6 && attr.name == "consumed_inputs";
        let unread: Vec<String> = self
            .proto
            .attribute
            .iter()
            .filter(|attr| !read.contains(&attr.name) && !is_hint(attr))
            .map(describe_attr)
            .collect();
        if unread.is_empty() {
            return Ok(());
        }
        Err(format!(
            "attributes that are unknown at opset {}: {}",
            self.opset,
            unread.join(", ")
        ))
    }
}

/// What is said of an input that is something else than expected.
fn is(index: usize, what: String) -> String {
    format!("input {index} is {what}")
}

/// `name=value`, for messages.
pub fn describe_attr(attr: &proto::Attribute) -> String {
    const SHOWN: usize = 8;
    fn list<T: std::fmt::Debug>(values: &[T]) -> String {
        if values.len() > SHOWN {
            format!("{:?} and {} more", &values[..SHOWN], values.len() - SHOWN)
        } else {
            format!("{values:?}")
        }
    }
    let text = |bytes: &[u8]| format!("{:?}", String::from_utf8_lossy(bytes));
    let value = match attr.kind {
        kind::FLOAT => attr.f.to_string(),
        kind::INT => attr.i.to_string(),
        kind::STRING => text(&attr.s),
        kind::TENSOR => match &attr.t {
            Some(tensor) => format!("<tensor {:?}>", tensor.dims),
            None => "<tensor>".into(),
        },
        kind::GRAPH | kind::GRAPHS => "<graph>".into(),
        kind::FLOATS => list(&attr.floats),
        kind::INTS => list(&attr.ints),
        kind::STRINGS => list(&attr.strings.iter().map(|s| text(s)).collect::<Vec<_>>()),
        other => format!("<kind {other}>"),
    };
    format!("{}={value}", attr.name)
}
