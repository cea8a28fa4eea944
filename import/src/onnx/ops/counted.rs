//! Loops whose condition counts steps, as TensorFlow's recurrent layers have them.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::{item::Item, proto, structure, subgraph::Subgraph},
};
use relay_dialects::{dim, element::Element};

/// The condition of a loop's body: a state to which each step adds 1 is less than a number that no step changes.
pub(super) struct Counter {
    /// The state that counts.
    counter: usize,
    bound: Bound,
    /// Whether the counter may be equal to the bound.
    may_be_equal: bool,
}

/// What a counter is compared with.
enum Bound {
    /// A state.
    State(usize),
    /// A number that stands outside of the body.
    Around(Value),
}

/// The nodes of a body.
struct Body<'s, 'm> {
    subgraph: &'s Subgraph<'m>,
    graph: &'m proto::Graph,
    inputs: Vec<&'m str>,
}

impl Counter {
    /// What the condition of a body counts, if it does.
    pub(super) fn of(subgraph: &Subgraph<'_>) -> Option<Self> {
        let (graph, _) = subgraph.described();
        let inputs = structure::inputs(graph).map(|input| input.name.as_str());
        let body = Body {
            subgraph,
            graph,
            inputs: inputs.collect(),
        };
        let condition = body.node(body.source(&graph.output.first()?.name))?;
        let [lhs, rhs] = &condition.input[..] else {
            return None;
        };
        let (counter, bound) = match condition.op_type.as_str() {
            "Less" | "LessOrEqual" => (lhs, rhs),
            "Greater" | "GreaterOrEqual" => (rhs, lhs),
            _ => return None,
        };
        Some(Self {
            counter: body.counter(body.source(counter))?,
            bound: body.bound(body.source(bound))?,
            may_be_equal: condition.op_type.ends_with("OrEqual"),
        })
    }

    /// The number of steps of a loop from its first states, if `first`, a boolean of rank 0, says whether there is a first step.
    pub(super) fn steps(
        &self,
        b: &mut GraphBuilder,
        states: &[Item],
        first: &Value,
    ) -> Result<Option<Value>> {
        let state = |place: usize| states.get(place).and_then(|state| state.tensor().ok());
        let bound = match &self.bound {
            Bound::State(place) => state(*place),
            Bound::Around(value) => Some(value),
        };
        let (Some(counter), Some(bound)) = (state(self.counter), bound) else {
            return Ok(None);
        };
        let (Some(counter), Some(bound)) = (number(b, counter)?, number(b, bound)?) else {
            return Ok(None);
        };
        let mut steps = b.binary("subtract", &bound, &counter)?;
        if self.may_be_equal {
            steps = b.with_scalar("add", &steps, 1.0)?;
        }
        // The condition of the first step is one of its own, and the next ones are checked behind a step.
        let steps = b.with_scalar("maximum", &steps, 1.0)?;
        let none = b.scalar(Element::I64, 0.0);
        b.op("where", &[first.clone(), steps, none], &[]).map(Some)
    }
}

impl<'m> Body<'_, 'm> {
    fn node(&self, output: &str) -> Option<&'m proto::Node> {
        let mut nodes = self.graph.node.iter();
        nodes.find(|node| node.output.iter().any(|name| name == output))
    }

    /// Where a value comes from, behind nodes that do not change whole numbers.
    fn source(&self, name: &'m str) -> &'m str {
        let mut name = name;
        while let Some(node) = self.node(name)
            && matches!(node.op_type.as_str(), "Identity" | "Cast" | "CastLike")
            && let [input, ..] = &node.input[..]
        {
            name = input;
        }
        name
    }

    /// The state that a body takes as an input.
    fn state(&self, input: &str) -> Option<usize> {
        let place = self.inputs.iter().position(|name| *name == input)?;
        place.checked_sub(2)
    }

    /// Where the next value of a state comes from.
    fn next(&self, state: usize) -> Option<&'m str> {
        Some(self.source(&self.graph.output.get(1 + state)?.name))
    }

    /// The state whose next value this is, if a step adds 1 to it.
    fn counter(&self, sum: &str) -> Option<usize> {
        let add = self.node(sum).filter(|node| node.op_type == "Add")?;
        let [lhs, rhs] = &add.input[..] else {
            return None;
        };
        let state = |value: &'m str, other: &'m str| {
            let state = self.state(self.source(value))?;
            let is_one = self.subgraph.around(self.source(other))?.scalar() == Some(1.0);
            (is_one && self.next(state) == Some(sum)).then_some(state)
        };
        state(lhs, rhs).or_else(|| state(rhs, lhs))
    }

    /// A value that is the same in all steps.
    fn bound(&self, source: &'m str) -> Option<Bound> {
        if let Some(state) = self.state(source) {
            return (self.next(state) == Some(source)).then_some(Bound::State(state));
        }
        let around = self.node(source).is_none();
        let value = around.then(|| self.subgraph.around(source)).flatten()?;
        Some(Bound::Around(value.clone()))
    }
}

/// A whole number of rank 0.
fn number(b: &mut GraphBuilder, value: &Value) -> Result<Option<Value>> {
    if !value.element().is_integer() || dim::product(value.dims())? != 1 {
        return Ok(None);
    }
    let value = b.cast(value, Element::I64)?;
    b.reshape_to_scalar(&value).map(Some)
}
