//! Control flow of the first kind, which frozen graphs have.
//!
//! A `Switch` lets a tensor through to one of two branches, and a `Merge` returns what comes of the branch that is taken. If the model
//! computes which one, both are computed, and the `Merge` chooses: no operator here has effects. A loop is a frame: each of its states
//! comes in through an `Enter` or, of the step before, through a `NextIteration`; a `Merge` returns it, a `Switch` lets it through to the
//! step or to the `Exit`, and a `LoopCond` says to which.

use super::{
    body::{Body, Read},
    facts::{Source, facts},
    item::Item,
    loops::Loop,
    ops::flag,
    proto,
    scope::Scope,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use std::collections::HashMap;

/// A node without the mark of old graphs, whose tensors are references.
fn kind(node: &proto::Node) -> &str {
    node.op.strip_prefix("Ref").unwrap_or(&node.op)
}

/// The frame that an `Enter` leads into.
fn frame_of(node: &proto::Node) -> Option<&[u8]> {
    match &node.attr.get("frame_name")?.value {
        Some(proto::Value::S(name)) if kind(node) == "Enter" => Some(name),
        _ => None,
    }
}

/// The node at an input of a node.
fn before<'b>(body: &'b Body<'_>, node: usize, place: usize) -> Option<(usize, &'b proto::Node)> {
    let mut read = *body.reads[node].get(place)?;
    // Behind nodes that change nothing.
    for _ in 0..body.nodes.len() {
        let (place, node) = body.node(read)?;
        if node.op != "Identity" {
            return Some((place, node));
        }
        read = *body.reads[place].first()?;
    }
    None
}

/// Whether a `Switch` is one of a loop.
fn is_of_loop(body: &Body<'_>, node: usize) -> bool {
    let condition = before(body, node, 1);
    kind(&body.nodes[node]) == "Switch" && condition.is_some_and(|(_, node)| node.op == "LoopCond")
}

/// A loop.
struct Frame {
    /// The nodes through which tensors come in.
    enters: Vec<usize>,
    /// For each state, where it comes in, its `Merge`, and what it is in the next step.
    states: Vec<(usize, usize, Read)>,
    /// Whether there is another step.
    condition: Read,
}

impl Frame {
    /// The loop that an `Exit` ends.
    fn of(body: &Body<'_>, exit: usize) -> Result<Self> {
        let wrong = || format!("'{}' is the end of no loop", body.nodes[exit].name);
        let (switch, _) = before(body, exit, 0).ok_or_else(wrong)?;
        let (merge, _) = before(body, switch, 0).ok_or_else(wrong)?;
        let (condition, _) = before(body, switch, 1).ok_or_else(wrong)?;
        let enters = body.reads[merge].iter().filter_map(|read| body.node(*read));
        let mut names = enters.filter_map(|(_, node)| frame_of(node));
        let name = names.next().ok_or_else(wrong)?;
        let all = body.nodes.iter().enumerate();
        let enters: Vec<usize> = all
            .filter(|(_, node)| frame_of(node) == Some(name))
            .map(|(place, _)| place)
            .collect();
        let mut states = Vec::new();
        for (merge, node) in body.nodes.iter().enumerate() {
            if kind(node) != "Merge" {
                continue;
            }
            let inputs = body.reads[merge].iter().filter_map(|read| body.node(*read));
            let inputs: Vec<(usize, &proto::Node)> = inputs.collect();
            let enter = inputs.iter().find(|(place, _)| enters.contains(place));
            let next = inputs
                .iter()
                .find(|(_, node)| kind(node) == "NextIteration");
            if let (Some((enter, _)), Some((next, _))) = (enter, next) {
                let next = *body.reads[*next].first().ok_or_else(wrong)?;
                states.push((*enter, merge, next));
            }
        }
        let condition = *body.reads[condition].first().ok_or_else(wrong)?;
        Ok(Self {
            enters,
            states,
            condition,
        })
    }
}

/// What a node reads: the end of a loop reads what the loop begins with, and a loop's `Switch` does not read the condition.
pub fn reads(body: &Body<'_>, node: usize) -> Vec<Read> {
    let own = &body.reads[node];
    match kind(&body.nodes[node]) {
        "Exit" => match Frame::of(body, node) {
            Ok(frame) => {
                let enters = frame.enters.iter();
                enters
                    .flat_map(|enter| body.reads[*enter].clone())
                    .collect()
            }
            Err(_) => own.clone(),
        },
        "Switch" if is_of_loop(body, node) => own.iter().take(1).copied().collect(),
        _ => own.clone(),
    }
}

/// The nodes of a loop, beside what the graph around it computes.
struct Part<'p, 's, 'm> {
    scope: &'p Scope<'s, 'm>,
    frame: &'p Frame,
}

impl Source for Part<'_, '_, '_> {
    fn body(&self) -> &Body<'_> {
        self.scope.body
    }

    fn origin(&self, read: Read) -> Read {
        let body = self.scope.body;
        let mut read = body.origin(read);
        for _ in 0..body.nodes.len() {
            match read {
                Read::Result { node, number: 1 } if is_of_loop(body, node) => {
                    read = body.origin(body.reads[node][0]);
                }
                _ => break,
            }
        }
        read
    }

    fn state(&self, origin: Read) -> Option<usize> {
        let Read::Result { node, number: 0 } = origin else {
            return None;
        };
        let mut states = self.frame.states.iter();
        states.position(|(_, merge, _)| *merge == node)
    }

    fn outer(&self, origin: Read) -> Option<Value> {
        self.scope.item(origin).ok()?.tensor().ok()
    }
}

/// Computes the nodes that results need.
pub type Evaluate<'e, 'm> =
    &'e dyn Fn(&mut GraphBuilder, &mut Scope<'_, 'm>, &[Read]) -> Result<()>;

/// What a loop ends with. The loop is written at the first of its ends, and the others find their results.
pub fn exit<'m>(
    evaluate: Evaluate<'_, 'm>,
    b: &mut GraphBuilder,
    scope: &mut Scope<'_, 'm>,
    node: usize,
) -> Result<Vec<Item>> {
    let body = scope.body;
    let frame = Frame::of(body, node)?;
    let first = frame.states.iter().map(|(enter, _, _)| {
        let read = body.reads[*enter].first();
        scope.item(*read.ok_or("a loop's input is missing")?)
    });
    let first: Vec<Item> = first.collect::<Result<_>>()?;
    if first.iter().any(|item| matches!(item, Item::Dead)) {
        return Ok(vec![Item::Dead]);
    }
    let last = last_states(evaluate, b, scope, (&frame, first))?;
    let mut own = None;
    for (place, other) in body.nodes.iter().enumerate() {
        if kind(other) != "Exit" {
            continue;
        }
        let switch = before(body, place, 0);
        let merge = switch.and_then(|(switch, _)| before(body, switch, 0));
        let merge = merge.map(|(merge, _)| merge);
        let mut states = frame.states.iter();
        let state = states.position(|(_, state, _)| merge == Some(*state));
        if let Some(item) = state.and_then(|state| last.get(state)) {
            scope.results.insert(place, vec![item.clone()]);
            if place == node {
                own = Some(item.clone());
            }
        }
    }
    own.map(|item| vec![item])
        .ok_or_else(|| "the loop does not have this end".into())
}

/// Writes a loop, and returns its last states.
fn last_states<'m>(
    evaluate: Evaluate<'_, 'm>,
    b: &mut GraphBuilder,
    outer: &Scope<'_, 'm>,
    (frame, first): (&Frame, Vec<Item>),
) -> Result<Vec<Item>> {
    let next: Vec<Read> = frame.states.iter().map(|(_, _, next)| *next).collect();
    let part = Part {
        scope: outer,
        frame,
    };
    let inside = |b: &mut GraphBuilder, states: &[Item], wanted: &[Read]| -> Result<Vec<Item>> {
        let mut inner = Scope::new(outer.body, outer.arguments);
        inner.results.clone_from(&outer.results);
        for ((_, merge, _), state) in frame.states.iter().zip(states) {
            inner.results.insert(*merge, vec![state.clone()]);
        }
        evaluate(b, &mut inner, wanted)?;
        wanted.iter().map(|read| inner.item(*read)).collect()
    };
    let of = Loop {
        states: first,
        facts: facts(&part, &next, (&part, frame.condition)),
        condition: &|b, states| {
            let made = inside(b, states, &[frame.condition])?;
            let holds = made.first().ok_or("a loop has no condition")?;
            flag(b, &holds.tensor()?)
        },
        step: &|b, states| inside(b, states, &next),
    };
    of.run(b)
}

/// What a node lets through: a tensor to the first branch if a condition does not hold, to the second if it does.
pub fn switch(b: &mut GraphBuilder, inputs: &[Item], is_of_loop: bool) -> Result<Vec<Item>> {
    let item = inputs.first().ok_or("input 0 is missing")?;
    if is_of_loop {
        return Ok(vec![item.clone(), item.clone()]);
    }
    let condition = inputs.get(1).ok_or("input 1 is missing")?;
    Ok(match flag(b, &condition.tensor()?)?.scalar() {
        None => vec![item.clone(), item.clone()],
        Some(0.0) => vec![item.clone(), Item::Dead],
        Some(_) => vec![Item::Dead, item.clone()],
    })
}

/// Whether a node is a `Switch` of a loop.
pub fn is_loop_switch(body: &Body<'_>, node: usize) -> bool {
    is_of_loop(body, node)
}

/// The conditions under which something is computed: what computes each, and whether it holds.
type Guards = Vec<(Read, bool)>;

/// The conditions under which each of some results is computed.
fn guards(body: &Body<'_>, wanted: &[Read]) -> Result<Vec<Guards>> {
    let reads_of = |node: usize| -> Vec<Read> {
        let data = reads(body, node);
        let controls = body.controls(node);
        let controls = controls.map(|node| Read::Result { node, number: 0 });
        data.into_iter().chain(controls).collect()
    };
    // A loop's first states are enough: its steps go round.
    let is_end = |node: usize| kind(&body.nodes[node]) == "NextIteration";
    let order = body.order(wanted, reads_of, is_end)?;
    let mut all: HashMap<usize, Guards> = HashMap::new();
    let of = |all: &HashMap<usize, Guards>, read: Read| -> Guards {
        let Read::Result { node, number } = read else {
            return Vec::new();
        };
        let mut own = all.get(&node).cloned().unwrap_or_default();
        if kind(&body.nodes[node]) == "Switch"
            && !is_of_loop(body, node)
            && let Some(condition) = body.reads[node].get(1)
        {
            own.push((body.origin(*condition), number == 1));
        }
        own
    };
    for node in order {
        let inputs: Vec<Guards> = reads_of(node).iter().map(|read| of(&all, *read)).collect();
        let own = match kind(&body.nodes[node]) {
            // Of branches that end here, what they have in common stays.
            "Merge" => inputs.into_iter().reduce(|common, guards| {
                let stays = common.into_iter().filter(|guard| guards.contains(guard));
                stays.collect()
            }),
            _ => Some(inputs.concat()),
        };
        let mut own = own.unwrap_or_default();
        let mut seen: Guards = Vec::new();
        own.retain(|guard| {
            let is_new = !seen.contains(guard);
            seen.push(*guard);
            is_new
        });
        all.insert(node, own);
    }
    Ok(wanted.iter().map(|read| of(&all, *read)).collect())
}

/// What comes of one of two branches, and which one.
pub fn merge<'m>(b: &mut GraphBuilder, scope: &Scope<'_, 'm>, node: usize) -> Result<Vec<Item>> {
    let reads = &scope.body.reads[node];
    let items: Vec<Item> = reads
        .iter()
        .map(|read| scope.item(*read))
        .collect::<Result<_>>()?;
    let mut alive = items.iter().enumerate();
    let mut alive = alive
        .by_ref()
        .filter(|(_, item)| !matches!(item, Item::Dead));
    let (Some((place, first)), second) = (alive.next(), alive.next()) else {
        return Ok(vec![Item::Dead]);
    };
    let number = |b: &GraphBuilder, place: usize| {
        b.scalar(relay_dialects::element::Element::I32, place as f64)
    };
    let Some((other, second)) = second else {
        return Ok(vec![first.clone(), number(b, place).into()]);
    };
    let guards = guards(scope.body, &[reads[place], reads[other]])?;
    let [of_first, of_second] = &guards[..] else {
        return Err("its branches are not two".into());
    };
    let opposite = of_first
        .iter()
        .find(|(condition, holds)| of_second.contains(&(*condition, !holds)));
    let (condition, holds) = opposite.ok_or("nothing says which of its branches is taken")?;
    let condition = scope.item(*condition)?.tensor()?;
    let condition = flag(b, &condition)?;
    let (yes, no) = if *holds {
        (first, second)
    } else {
        (second, first)
    };
    let (yes, no) = (yes.tensor()?, no.tensor()?);
    let chosen = b.op("where", &[condition.clone(), yes, no], &[])?;
    let (place, other) = if *holds {
        (place, other)
    } else {
        (other, place)
    };
    let numbers = [condition, number(b, place), number(b, other)];
    let chosen_place = b.op("where", &numbers, &[])?;
    Ok(vec![chosen.into(), chosen_place.into()])
}
