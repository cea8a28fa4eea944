//! From nodes to operators.

use super::{
    attrs::Attrs,
    body::{Body, Read},
    frames,
    item::Item,
    node::{Host, Node},
    ops::{convert_complex, find},
    proto,
    scope::Scope,
    tensor,
    variables::Variables,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

/// The most functions that call each other.
const DEEPEST: usize = 64;

/// The operators of control flow that are no rows of a table: they need the graph around them.
pub const FLOW: &[&str] = &[
    "Exit",
    "Merge",
    "RefExit",
    "RefMerge",
    "RefSwitch",
    "Switch",
];

/// The most nodes that are converted, with those of functions and of the steps of loops each time that they are written.
const MOST_NODES: usize = 1 << 20;

/// The innermost node that is wrong.
#[derive(Clone)]
pub struct Fault {
    /// Its name.
    pub node: String,
    /// Its operator.
    pub op: String,
    /// What is wrong.
    pub reason: String,
}

/// Converts the nodes of a model.
pub struct Importer<'m> {
    functions: HashMap<&'m str, &'m proto::Function>,
    variables: &'m Variables,
    bodies: RefCell<HashMap<String, Rc<Body<'m>>>>,
    values: RefCell<HashMap<String, Value>>,
    constants: RefCell<HashMap<*const proto::Node, Value>>,
    depth: Cell<usize>,
    /// How many nodes were converted, each as often as it was.
    converted: Cell<usize>,
    fault: RefCell<Option<Fault>>,
    /// What nodes compute outside of branches and loops, by name; none if nobody asks for it.
    exposed: Option<RefCell<Vec<(String, Value)>>>,
}

impl<'m> Importer<'m> {
    /// For the nodes of a graph. `is_exposing` says whether what nodes compute is noted.
    pub fn new(graph: &'m proto::Graph, variables: &'m Variables, is_exposing: bool) -> Self {
        let functions = graph.library.iter().flat_map(|library| &library.function);
        let functions = functions.filter_map(|function| {
            let signature = function.signature.as_ref()?;
            Some((signature.name.as_str(), function))
        });
        Self {
            functions: functions.collect(),
            variables,
            bodies: RefCell::default(),
            values: RefCell::default(),
            constants: RefCell::default(),
            depth: Cell::new(0),
            converted: Cell::new(0),
            fault: RefCell::default(),
            exposed: is_exposing.then(RefCell::default),
        }
    }

    /// The innermost node that is wrong for a reason.
    pub fn fault(&self, reason: &str) -> Option<Fault> {
        let fault = self.fault.borrow().clone();
        fault.filter(|fault| fault.reason == reason)
    }

    /// What nodes computed outside of branches and loops, by name.
    pub fn exposed(&self) -> Vec<(String, Value)> {
        let exposed = self.exposed.as_ref();
        exposed.map_or_else(Vec::new, |exposed| exposed.borrow().clone())
    }

    /// Computes the nodes that results need.
    ///
    /// # Errors
    /// With what is wrong with the first one that is.
    pub fn evaluate(
        &self,
        b: &mut GraphBuilder,
        scope: &mut Scope<'_, 'm>,
        wanted: &[Read],
    ) -> Result<()> {
        let body = scope.body;
        let order = body.order(
            wanted,
            |node| frames::reads(body, node),
            |node| scope.results.contains_key(&node),
        )?;
        for node in order {
            // A loop that another node has run has the results of all its ends.
            if scope.results.contains_key(&node) {
                continue;
            }
            let written = &body.nodes[node];
            b.enter(&written.name);
            self.converted.set(self.converted.get() + 1);
            if self.converted.get() > MOST_NODES {
                return Err(format!(
                    "its functions and loops, written out, have more than {MOST_NODES} nodes"
                ));
            }
            match self.results(b, scope, node) {
                Ok(results) => {
                    self.expose(b, written, &results);
                    scope.results.insert(node, results);
                }
                Err(reason) => {
                    self.note(written, &reason);
                    return Err(reason);
                }
            }
        }
        Ok(())
    }

    /// Notes that a node is wrong, unless one in it is.
    fn note(&self, node: &proto::Node, reason: &str) {
        let mut fault = self.fault.borrow_mut();
        if fault.as_ref().is_none_or(|fault| fault.reason != reason) {
            *fault = Some(Fault {
                node: node.name.clone(),
                op: node.op.clone(),
                reason: reason.into(),
            });
        }
    }

    fn expose(&self, b: &GraphBuilder, node: &proto::Node, results: &[Item]) {
        let Some(exposed) = &self.exposed else { return };
        if b.is_in_region() {
            return;
        }
        let mut exposed = exposed.borrow_mut();
        for (number, item) in results.iter().enumerate() {
            // A complex result has two parts, and no tensor for them both.
            if let Item::Tensor(value) = item
                && !value.is_known()
            {
                exposed.push((result_name(&node.name, number), value.clone()));
            }
        }
    }

    /// The results of a node.
    fn results(
        &self,
        b: &mut GraphBuilder,
        scope: &mut Scope<'_, 'm>,
        node: usize,
    ) -> Result<Vec<Item>> {
        let written = &scope.body.nodes[node];
        match written.op.as_str() {
            "Exit" | "RefExit" => {
                let evaluate: frames::Evaluate<'_, 'm> =
                    &|b, scope, wanted| self.evaluate(b, scope, wanted);
                return frames::exit(evaluate, b, scope, node);
            }
            "Merge" | "RefMerge" => return frames::merge(b, scope, node),
            _ => {}
        }
        let inputs = frames::reads(scope.body, node).into_iter();
        let inputs: Vec<Item> = inputs.map(|read| scope.item(read)).collect::<Result<_>>()?;
        if inputs.iter().any(|input| matches!(input, Item::Dead)) {
            return Ok(vec![Item::Dead]);
        }
        if matches!(written.op.as_str(), "Switch" | "RefSwitch") {
            return frames::switch(b, &inputs, frames::is_loop_switch(scope.body, node));
        }
        if self.functions.contains_key(written.op.as_str()) {
            return self.call(b, &written.op, &inputs);
        }
        let row = find(&written.op).ok_or("the operator is not supported")?;
        let bound = Node {
            written,
            attrs: Attrs::new(&written.attr),
            inputs,
            host: self,
        };
        let results = match bound.is_complex() {
            true => convert_complex(row, &bound, b)?,
            false => row.results_of(&bound, b)?,
        };
        bound.attrs.check()?;
        Ok(results)
    }
}

/// The name of a result of a node.
pub fn result_name(node: &str, number: usize) -> String {
    match number {
        0 => node.into(),
        number => format!("{node}:{number}"),
    }
}

impl<'m> Host<'m> for Importer<'m> {
    fn call(&self, b: &mut GraphBuilder, function: &str, inputs: &[Item]) -> Result<Vec<Item>> {
        let body = self.body(function)?;
        if inputs.len() != body.arguments() {
            return Err(format!(
                "function '{function}' takes {} arguments, and {} are given",
                body.arguments(),
                inputs.len()
            ));
        }
        if self.depth.get() >= DEEPEST {
            return Err(format!(
                "functions call each other more than {DEEPEST} deep, the last one is '{function}'"
            ));
        }
        let around = b.node().to_owned();
        self.depth.set(self.depth.get() + 1);
        let mut scope = Scope::new(&body, inputs);
        let done = self.evaluate(b, &mut scope, &body.results);
        self.depth.set(self.depth.get() - 1);
        b.enter(&around);
        done?;
        body.results.iter().map(|read| scope.item(*read)).collect()
    }

    fn body(&self, function: &str) -> Result<Rc<Body<'m>>> {
        if let Some(body) = self.bodies.borrow().get(function) {
            return Ok(Rc::clone(body));
        }
        let written = self.functions.get(function);
        let written = written.ok_or_else(|| format!("there is no function '{function}'"))?;
        let body = Body::of_function(written);
        let body = Rc::new(body.map_err(|reason| format!("function '{function}': {reason}"))?);
        let mut bodies = self.bodies.borrow_mut();
        bodies.insert(function.into(), Rc::clone(&body));
        Ok(body)
    }

    fn variable(&self, node: &proto::Node) -> Result<Rc<str>> {
        self.variables.key(node).map(Rc::from)
    }

    fn value(&self, key: &str) -> Result<Value> {
        if let Some(value) = self.values.borrow().get(key) {
            return Ok(value.clone());
        }
        let name = key.split("/.ATTRIBUTES").next().unwrap_or(key);
        let value = Value::known(self.variables.value(key)?, name);
        self.values.borrow_mut().insert(key.into(), value.clone());
        Ok(value)
    }

    fn constant(&self, node: &proto::Node, written: &proto::Tensor) -> Result<Value> {
        let place: *const proto::Node = node;
        if let Some(value) = self.constants.borrow().get(&place) {
            return Ok(value.clone());
        }
        let value = Value::known(tensor::constant(written)?, &node.name);
        self.constants.borrow_mut().insert(place, value.clone());
        Ok(value)
    }
}
