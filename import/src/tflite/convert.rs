//! The conversion of graphs, node by node.

use super::{
    constant,
    element::{self, element},
    flat::Flat,
    grain::Grain,
    node::{Host, Input, Node},
    operators::{self, CUSTOM},
    ops::{Row, conversion, is_by_parts},
    schema::{self, Graph, Model, Tensor, tensor},
    state::{self, Kept, States},
};
use crate::graph::{builder::GraphBuilder, constant::Const, error::Result, value::Value};
use bytes::Bytes;
use relay_dialects::element::Element;
use std::{cell::Cell, collections::HashMap};

/// The most graphs in graphs.
const MOST_DEPTH: usize = 32;

/// What all graphs of a model share while it is imported.
pub struct Importer<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its file.
    pub file: &'m Bytes,
    /// The tables of the file, for options.
    pub flat: &'m Flat<'m>,
    /// What it keeps from run to run.
    pub states: States,
    /// How many graphs are being written now, one in the other.
    depth: Cell<usize>,
}

/// The values of a graph's tensors, by their numbers.
pub struct Scope<'m> {
    graph: &'m Graph,
    values: Vec<Option<Value>>,
    /// The imaginary parts of complex numbers, whose real parts are the values.
    imaginary: HashMap<i32, Value>,
}

/// The name of an operator.
pub fn operator_name(model: &Model, operator: &schema::Operator) -> String {
    let Some(code) = model.codes.get(operator.code as usize) else {
        return format!("operator {}", operator.code);
    };
    match operators::find(code.builtin) {
        Some(known) if known.number == CUSTOM => code.custom.clone(),
        Some(known) => known.name.into(),
        None => format!("operator {}", code.builtin),
    }
}

/// The name of a node: that of the first tensor that it computes, or its operator with its number.
pub fn node_name(model: &Model, graph: &Graph, index: usize) -> String {
    let Some(operator) = graph.operators.get(index) else {
        return String::new();
    };
    let first = operator
        .outputs
        .iter()
        .find_map(|number| tensor(graph, *number));
    match first {
        Some(tensor) if !tensor.name.is_empty() => tensor.name.clone(),
        _ => format!("{}_{index}", operator_name(model, operator)),
    }
}

impl<'m> Scope<'m> {
    /// Where nothing is computed yet.
    pub fn of(graph: &'m Graph) -> Self {
        Self {
            graph,
            values: vec![None; graph.tensors.len()],
            imaginary: HashMap::new(),
        }
    }

    /// Says what a tensor is.
    pub fn define(&mut self, number: i32, value: Value) {
        let place = usize::try_from(number)
            .ok()
            .and_then(|number| self.values.get_mut(number));
        if let Some(place) = place {
            *place = Some(value);
        }
    }

    /// Says what the imaginary parts of a tensor's numbers are.
    fn define_imaginary(&mut self, number: i32, value: Value) {
        self.imaginary.insert(number, value);
    }

    /// What a tensor is, if something computed it.
    pub fn find(&self, number: i32) -> Option<&Value> {
        self.values.get(usize::try_from(number).ok()?)?.as_ref()
    }
}

impl<'m> Importer<'m> {
    /// What imports a model.
    pub fn new(model: &'m Model, file: &'m Bytes, flat: &'m Flat<'m>, states: States) -> Self {
        Self {
            model,
            file,
            flat,
            states,
            depth: Cell::new(0),
        }
    }

    /// A tensor's value: what computed it, or its elements in the file, or its state.
    pub fn value(&self, b: &GraphBuilder, scope: &mut Scope<'m>, number: i32) -> Result<Value> {
        if let Some(value) = scope.find(number) {
            return Ok(value.clone());
        }
        let tensor = tensor(scope.graph, number)
            .ok_or_else(|| format!("it reads tensor {number}, which is not there"))?;
        let wrong = |reason| format!("tensor {number} ('{}'): {reason}", tensor.name);
        if tensor.is_variable {
            return self
                .states
                .get(&Kept::Variable(number))
                .filter(|_| self.depth.get() == 0)
                .ok_or_else(|| wrong("a variable of an inner graph is not supported".into()));
        }
        if tensor.ty == element::RESOURCE {
            // A handle says which variable; see `ops::state`.
            return Err(wrong("nothing makes this handle".into()));
        }
        let known = constant::read(self.model, self.file, tensor).map_err(wrong)?;
        let known = match known {
            Some(known) => known,
            None if tensor.shape.contains(&0) => {
                let shape = tensor.shape.iter().map(|&dim| dim.into()).collect();
                Const::of_bytes(element(tensor.ty).map_err(wrong)?, shape, Vec::new())
            }
            None => return Err(wrong("nothing computes it".into())),
        };
        let name = if tensor.name.is_empty() {
            b.node()
        } else {
            &tensor.name
        };
        let value = Value::known(known, name);
        scope.define(number, value.clone());
        Ok(value)
    }

    /// The conversion of a node's operator.
    pub fn conversion(
        &self,
        operator: &schema::Operator,
    ) -> Result<(&'static operators::Operator, &'static Row)> {
        let code = self.model.codes.get(operator.code as usize);
        let code =
            code.ok_or_else(|| format!("operator {} is not in the file's list", operator.code))?;
        let kind = operators::find(code.builtin);
        let kind = kind.ok_or_else(|| {
            format!(
                "operator {} is of a newer version of the format than 3d",
                code.builtin
            )
        })?;
        let row = conversion(&operator_name(self.model, operator))?;
        Ok((kind, row))
    }

    /// Writes a node, and says what the tensors are that it computes.
    pub fn convert(
        &self,
        b: &mut GraphBuilder,
        scope: &mut Scope<'m>,
        operator: &'m schema::Operator,
    ) -> Result<()> {
        let (kind, row) = self.conversion(operator)?;
        let inputs = self.inputs(b, scope, (row, operator))?;
        // Operators that move or add up numbers do it with both parts of complex ones.
        let parts: Option<Vec<_>> = (is_by_parts(row.operator)
            && inputs.iter().any(|input| input.imaginary.is_some()))
        .then(|| inputs.iter().map(Input::as_imaginary).collect());
        let options = operator
            .options
            .filter(|options| kind.has(options) && options.kind != 0);
        if operator.options.is_some() && options.is_none() && !kind.fields.is_empty() {
            return Err("its options are those of another operator".into());
        }
        let options = options
            .map(|options| self.flat.table(options.at))
            .transpose()?;
        let (at, size) = operator.custom;
        let custom = at.checked_add(size).and_then(|end| self.file.get(at..end));
        let custom = custom.ok_or("its options lead out of the file")?;
        let write = |b: &mut GraphBuilder, inputs: Vec<Input>| {
            let node = Node::new(kind, operator, (scope.graph, self), inputs, options, custom);
            let made = (row.convert)(&node, b)?;
            node.check_options()?;
            Ok::<_, String>(made)
        };
        let mut made = write(b, inputs)?.into_iter();
        let mut imaginary = match parts {
            Some(parts) => Some(write(b, parts)?.into_iter()),
            None => None,
        };
        for &number in &operator.outputs {
            let Some(value) = made.next() else {
                break;
            };
            let is_complex =
                tensor(scope.graph, number).is_some_and(|tensor| tensor.ty == element::COMPLEX64);
            if number < 0 {
                continue;
            }
            if is_complex {
                let other = imaginary
                    .as_mut()
                    .map_or_else(|| made.next(), Iterator::next);
                let other = other.ok_or("what it computes of complex numbers is not supported")?;
                scope.define(number, value);
                scope.define_imaginary(number, other);
                continue;
            }
            let value = self.as_made(b, scope.graph, row, number, value)?;
            scope.define(number, value);
        }
        Ok(())
    }

    /// What a node reads.
    fn inputs(
        &self,
        b: &mut GraphBuilder,
        scope: &mut Scope<'m>,
        (row, operator): (&Row, &'m schema::Operator),
    ) -> Result<Vec<Input>> {
        let mut inputs = Vec::with_capacity(operator.inputs.len());
        for &number in &operator.inputs {
            let of_file = tensor(scope.graph, number);
            let is_handle = of_file.is_some_and(|tensor| tensor.ty == element::RESOURCE);
            if number < 0 || is_handle {
                inputs.push(Input::default());
                continue;
            }
            let value = self.value(b, scope, number)?;
            let imaginary = scope.imaginary.get(&number).cloned();
            if imaginary.is_some() && !(row.is_complex || is_by_parts(row.operator)) {
                return Err("complex numbers are not supported here".into());
            }
            inputs.push(Input {
                real: Some(self.as_read(b, scope.graph, row, number, value)?),
                imaginary,
            });
        }
        Ok(inputs)
    }

    /// A tensor as an operator reads it: in floats, if it is converted for those.
    fn as_read(
        &self,
        b: &mut GraphBuilder,
        graph: &Graph,
        row: &Row,
        number: i32,
        value: Value,
    ) -> Result<Value> {
        match tensor(graph, number).filter(|tensor| row.in_floats && Grain::is_of(tensor)) {
            Some(tensor) => Grain::of(tensor)?.dequantised(b, &value),
            None => Ok(value),
        }
    }

    /// A tensor that an operator computes, as the file says it.
    fn as_made(
        &self,
        b: &mut GraphBuilder,
        graph: &Graph,
        row: &Row,
        number: i32,
        value: Value,
    ) -> Result<Value> {
        let tensor = tensor(graph, number)
            .ok_or_else(|| format!("it computes tensor {number}, which is not there"))?;
        let value = match row.in_floats && Grain::is_of(tensor) && value.element().is_float() {
            true => Grain::of(tensor)?.quantised(b, &value)?,
            false => value,
        };
        let declared = element(tensor.ty)?;
        // Strings of the language of models and numbers of few bits are bytes here.
        if declared != value.element() && element::packed(tensor.ty).is_none() {
            return Err(format!(
                "it computes '{}' of {:?}, but the file says {}",
                tensor.name,
                value.element(),
                element::name(tensor.ty)
            ));
        }
        Ok(value)
    }

    fn body(
        &self,
        b: &mut GraphBuilder,
        graph: &'m Graph,
        inputs: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let mut scope = Scope::of(graph);
        for (&number, value) in graph.inputs.iter().zip(inputs) {
            scope.define(number, value);
        }
        for (index, operator) in graph.operators.iter().enumerate() {
            let wrong = |reason| {
                let (name, kind) = (
                    node_name(self.model, graph, index),
                    operator_name(self.model, operator),
                );
                format!("node '{name}' ({kind}) of graph '{}': {reason}", graph.name)
            };
            self.convert(b, &mut scope, operator).map_err(wrong)?;
        }
        let results = graph
            .outputs
            .iter()
            .map(|number| self.value(b, &mut scope, *number));
        results.collect()
    }
}

impl Host for Importer<'_> {
    fn resource(&self, graph: &Graph, handle: i32) -> Result<Kept> {
        state::resource(self.model, self.flat, graph, handle).map(Kept::Resource)
    }

    fn states(&self) -> &States {
        &self.states
    }

    fn graph(&self, b: &mut GraphBuilder, index: i64, inputs: Vec<Value>) -> Result<Vec<Value>> {
        let graph = usize::try_from(index)
            .ok()
            .and_then(|index| self.model.graphs.get(index));
        let graph = graph.ok_or_else(|| format!("graph {index} is not there"))?;
        if graph.inputs.len() != inputs.len() {
            return Err(format!(
                "graph {index} takes {} tensors, not {}",
                graph.inputs.len(),
                inputs.len()
            ));
        }
        if self.depth.get() >= MOST_DEPTH {
            return Err(format!(
                "more than {MOST_DEPTH} graphs are one in the other"
            ));
        }
        self.depth.set(self.depth.get() + 1);
        let made = self.body(b, graph, inputs);
        self.depth.set(self.depth.get() - 1);
        made
    }
}

/// The elements of an input or output of the model.
pub fn port_element(tensor: &Tensor) -> Result<Element> {
    match element::packed(tensor.ty) {
        Some(_) => Err(format!(
            "inputs and outputs of {} are not supported",
            element::name(tensor.ty)
        )),
        None => element(tensor.ty),
    }
}
