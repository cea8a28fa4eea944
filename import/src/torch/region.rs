//! Graphs within nodes: regions that run as they stand, branches, and loops.
//!
//! A branch or a body of a loop is written once. It may read what is around it, and changes nothing that it is given.

use super::{
    convert::Converter,
    graphs::{Control, passed},
    item::Item,
    node::Arg,
    schema::{self, Argument, Graph, names},
    scope::Origin,
};
use crate::graph::{
    builder::GraphBuilder,
    error::Result,
    loops::{Sequence, Stepped},
    value::Value,
};
use relay_dialects::element::Element;

impl<'g> Converter<'g, '_> {
    /// What a branch or a loop returns.
    pub fn control(&mut self, control: Control, node: &'g schema::Node) -> Result<Vec<Value>> {
        match control {
            Control::Cond => cond(self, node),
            Control::Map => map(self, node),
            Control::Scan => scan(self, node),
            Control::WhileLoop => while_loop(self, node),
        }
    }

    /// Runs the graph of a node as it stands. What it changes of what it is given is changed.
    pub fn inline(
        &mut self,
        node: &'g schema::Node,
        graph: &'g Graph,
        before: usize,
    ) -> Result<()> {
        let passed = passed(node, graph, before)?;
        let mut items = Vec::with_capacity(passed.len());
        for (inner, outer) in &passed {
            items.push((*inner, self.find(outer)?));
        }
        let mut inner = Converter::new(graph, self.b);
        inner.take(items);
        inner.run_whole(graph)?;
        let outer = |name: &str| passed.iter().find(|(inner, _)| *inner == name);
        let mut returned = Vec::new();
        for name in graph.outputs.iter().flat_map(names) {
            let same = outer(inner.scope.same(name)?).map(|(_, outer)| *outer);
            returned.push((inner.find(name)?, same));
        }
        let mut changed = Vec::new();
        for (inner_name, outer) in &passed {
            if inner.scope.is_changed(inner_name) {
                changed.push((*outer, inner.find(inner_name)?));
            }
        }
        for (name, item) in changed {
            self.check_alone(name, &passed)?;
            self.write(name, item)?;
        }
        let results = node.outputs.iter().flat_map(names);
        for (name, (item, same)) in results.zip(returned) {
            let origin = same.map_or(Origin::Own, Origin::Same);
            self.scope.define(name, item, origin);
        }
        Ok(())
    }

    /// Checks that a tensor that a graph changes is passed to it once.
    fn check_alone(&self, name: &str, passed: &[(&str, &'g str)]) -> Result<()> {
        let root = self.scope.root(name);
        let sharing = passed
            .iter()
            .filter(|(_, outer)| self.scope.root(outer) == root);
        match sharing.count() {
            0 | 1 => Ok(()),
            _ => Err(format!(
                "its graph changes '{name}' in place, and takes another view of it, which is not supported"
            )),
        }
    }

    /// Says what the inputs of this graph are.
    fn take(&mut self, items: Vec<(&'g str, Item)>) {
        for (name, item) in items {
            self.scope.define(name, item, Origin::Own);
        }
    }

    /// Converts all nodes.
    ///
    /// # Errors
    /// The first failure.
    fn run_whole(&mut self, graph: &'g Graph) -> Result<()> {
        self.run(graph);
        match self.failures.first() {
            None => Ok(()),
            Some(failure) => Err(format!(
                "node '{}' ({}): {}",
                failure.node, failure.op_type, failure.reason
            )),
        }
    }

    /// An argument that is a graph.
    fn graph_at(node: &'g schema::Node, place: usize) -> Result<&'g Graph> {
        match node.inputs.get(place).map(|input| &input.arg) {
            Some(Argument::AsGraph(named)) => Ok(&named.graph),
            _ => Err(format!("argument {place} is no graph")),
        }
    }

    /// An argument that is a list of tensors; none is given for an empty one.
    fn values_at(&mut self, node: &'g schema::Node, place: usize) -> Result<Vec<Value>> {
        let Some(input) = node.inputs.get(place) else {
            return Ok(Vec::new());
        };
        match self.arg(&input.arg)? {
            Arg::Tensors(values) => {
                let values: Option<Vec<Value>> = values.into_iter().collect();
                values.ok_or_else(|| format!("argument {place} lacks a tensor"))
            }
            Arg::Tensor(value) => Ok(vec![value]),
            Arg::Numbers(numbers) => {
                let values = numbers.into_iter().map(|number| {
                    let element = super::promote::of_number(&number);
                    number.cast(self.b, element)
                });
                values.collect()
            }
            Arg::None => Ok(Vec::new()),
            _ => Err(format!("argument {place} is no list of tensors")),
        }
    }
}

/// What a graph computes of values.
fn computed(b: &mut GraphBuilder, graph: &Graph, values: Vec<Value>) -> Result<Vec<Value>> {
    let inputs: Vec<&str> = graph.inputs.iter().flat_map(names).collect();
    if inputs.len() != values.len() {
        return Err(format!(
            "a graph takes {} tensors, and it is given {}",
            inputs.len(),
            values.len()
        ));
    }
    let mut inner = Converter::new(graph, b);
    let items = inputs.iter().zip(values);
    inner.take(
        items
            .map(|(name, value)| (*name, Item::Tensor(value)))
            .collect(),
    );
    inner.run_whole(graph)?;
    if let Some(name) = inputs.iter().find(|name| inner.scope.is_changed(name)) {
        return Err(format!(
            "a branch or a loop changes the tensor '{name}', which it is given, in place; that is not supported"
        ));
    }
    let mut results = Vec::with_capacity(graph.outputs.len());
    for output in &graph.outputs {
        let [name] = names(output)[..] else {
            return Err("a branch or a loop returns what is no tensor".into());
        };
        results.push(inner.tensor(name)?);
    }
    Ok(results)
}

/// A condition: a boolean of rank 0.
fn flag(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    let value = b.cast(value, Element::Bool)?;
    b.reshape_to_scalar(&value)
}

/// Of two graphs, the one that a condition chooses runs.
fn cond<'g>(c: &mut Converter<'g, '_>, node: &'g schema::Node) -> Result<Vec<Value>> {
    let graphs = [Converter::graph_at(node, 1)?, Converter::graph_at(node, 2)?];
    let operands = c.values_at(node, 3)?;
    let condition = match node
        .inputs
        .first()
        .map(|input| c.arg(&input.arg))
        .transpose()?
    {
        Some(Arg::Tensor(value)) => value,
        Some(Arg::Number(number)) => number.cast(c.b, Element::Bool)?,
        _ => return Err("the condition is no boolean".into()),
    };
    if let Some(holds) = condition.scalar() {
        return computed(c.b, graphs[usize::from(holds == 0.0)], operands);
    }
    let b = &mut *c.b;
    let condition = flag(b, &condition)?;
    let yes = b.branch((&condition, true), |b| {
        computed(b, graphs[0], operands.clone())
    })?;
    let no = b.branch((&condition, false), |b| computed(b, graphs[1], operands));
    match no {
        Ok(no) => b.either(&condition, [yes, no]),
        Err(reason) => {
            b.give_up(yes);
            Err(reason)
        }
    }
}

/// A graph of values returns their next ones while another graph of them holds.
fn while_loop<'g>(c: &mut Converter<'g, '_>, node: &'g schema::Node) -> Result<Vec<Value>> {
    let (holds, body) = (Converter::graph_at(node, 0)?, Converter::graph_at(node, 1)?);
    let (states, others) = (c.values_at(node, 2)?, c.values_at(node, 3)?);
    let condition = |b: &mut GraphBuilder, states: &[Value]| {
        let made = computed(b, holds, [states, &others].concat())?;
        flag(
            b,
            made.first()
                .ok_or("the condition's graph returns nothing")?,
        )
    };
    let b = &mut *c.b;
    let first = condition(b, &states)?;
    let trips = b.scalar(Element::I64, i64::from(i32::MAX) as f64);
    b.repeat_while((&trips, &first), &states, |b, step| {
        let next = computed(b, body, [&step.states[..], &others].concat())?;
        let condition = condition(b, &next)?;
        Ok((condition, next))
    })
}

/// A loop over the first axis of tensors, with states.
fn scan<'g>(c: &mut Converter<'g, '_>, node: &'g schema::Node) -> Result<Vec<Value>> {
    let (states, rows) = (c.values_at(node, 1)?, c.values_at(node, 2)?);
    let others = c.values_at(node, 3)?;
    steps(c.b, Converter::graph_at(node, 0)?, (states, rows, others))
}

/// A loop over the first axis of tensors, without states.
fn map<'g>(c: &mut Converter<'g, '_>, node: &'g schema::Node) -> Result<Vec<Value>> {
    let (rows, others) = (c.values_at(node, 1)?, c.values_at(node, 2)?);
    steps(
        c.b,
        Converter::graph_at(node, 0)?,
        (Vec::new(), rows, others),
    )
}

/// The last states of a loop, and what its steps return beside them, along a new first axis.
fn steps(
    b: &mut GraphBuilder,
    body: &Graph,
    (states, rows, others): (Vec<Value>, Vec<Value>, Vec<Value>),
) -> Result<Vec<Value>> {
    let first = rows.first().ok_or("there is nothing to go over")?;
    let trips = *first
        .dims()
        .first()
        .ok_or("it goes over a tensor of rank 0")?;
    for row in &rows {
        let extent = *row
            .dims()
            .first()
            .ok_or("it goes over a tensor of rank 0")?;
        b.equate(extent, trips)?;
    }
    let sequences: Vec<Sequence> = rows
        .into_iter()
        .map(|value| Sequence {
            value,
            reversed: false,
        })
        .collect();
    let stepped = b.scan(trips, &states, &sequences, &[], |b, step| {
        let inputs = [&step.states[..], &step.elements, &others].concat();
        let mut made = computed(b, body, inputs)?;
        if made.len() < states.len() {
            return Err("a step returns fewer tensors than there are states".into());
        }
        let outputs = made.split_off(states.len());
        Ok(Stepped {
            states: made,
            outputs,
        })
    })?;
    Ok([stepped.states, stepped.outputs].concat())
}
