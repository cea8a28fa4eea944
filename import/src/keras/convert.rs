//! Runs through the graph of a model, and writes what each call computes.

use super::{
    item::{Arguments, Item, Tensor, Tree},
    layer::{Argument, Call, Layer, Network, Reference},
    node::Node,
    ops::{self, Masking},
    scope::Scope,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};

/// What is wrong with a call.
pub struct Failure {
    /// The call, as [`name_of_call`] names it.
    pub node: String,
    /// The class of the layer.
    pub class: String,
    /// The reason; none if the class is not supported.
    pub reason: Option<String>,
}

/// What a run found and made.
#[derive(Default)]
pub struct Findings {
    /// What is wrong.
    pub failures: Vec<Failure>,
    /// What the calls compute, by their names.
    pub results: Vec<(String, Value)>,
}

/// The name of a call: that of its layer, with the names of the models around it, and its number if it is not the first one.
pub fn name_of_call(path: &str, layer: &str, call: usize) -> String {
    let name = match path.is_empty() {
        true => layer.to_string(),
        false => format!("{path}/{layer}"),
    };
    match call {
        0 => name,
        call => format!("{name}:{call}"),
    }
}

/// Writes the calls of a model, whose inputs are given. Returns its outputs, in which what could not be computed is lost.
///
/// # Errors
/// If the inputs are not those of the model.
pub fn run(
    network: &Network,
    (path, scope): (&str, &Scope),
    inputs: &Item,
    b: &mut GraphBuilder,
    findings: &mut Findings,
) -> Result<Item> {
    let mut results: Vec<Vec<Item>> = network.layers.iter().map(|_| Vec::new()).collect();
    bind(network, &network.inputs, inputs, b, &mut results)?;
    for &(number, call) in &network.plan {
        let layer = &network.layers[number];
        if layer.is_input() {
            if results[number].is_empty() {
                results[number].push(Tree::Lost);
            }
            continue;
        }
        let arguments = arguments(&layer.calls[call], &results);
        let result = match arguments {
            None => Tree::Lost,
            Some(arguments) => {
                let name = name_of_call(path, &layer.name, call);
                let own = scope.layer(&layer.key, &layer.name);
                made(layer, (&name, own), arguments, b, findings)
            }
        };
        results[number].push(result);
    }
    Ok(network.outputs.map(&|at| result(&results, at)))
}

/// What a call makes; lost if it fails.
fn made(
    layer: &Layer,
    (name, scope): (&str, Scope),
    arguments: Arguments,
    b: &mut GraphBuilder,
    findings: &mut Findings,
) -> Item {
    b.enter(name);
    let result = match &layer.network {
        Some(network) => {
            let first = arguments.0.into_iter().next().unwrap_or(Tree::None);
            run(network, (name, &scope), &first, b, findings)
        }
        None if ops::find(layer).is_none() => {
            findings.failures.push(Failure {
                node: name.into(),
                class: layer.class.clone(),
                reason: None,
            });
            return Tree::Lost;
        }
        None => apply(layer, scope, arguments, b),
    };
    let result = result.unwrap_or_else(|reason| {
        findings.failures.push(Failure {
            node: name.into(),
            class: layer.class.clone(),
            reason: Some(reason),
        });
        Tree::Lost
    });
    if layer.network.is_none() {
        let leaves = result.leaves();
        for (place, tensor) in leaves.iter().enumerate() {
            let name = match leaves.len() {
                1 => name.to_string(),
                _ => format!("{name}.{place}"),
            };
            findings.results.push((name, tensor.value.clone()));
        }
    }
    result
}

/// A layer applied to arguments.
///
/// # Errors
/// What the layer does not support.
pub fn apply(
    layer: &Layer,
    scope: Scope,
    (args, kwargs): Arguments,
    b: &mut GraphBuilder,
) -> Result<Item> {
    if let Some(network) = &layer.network {
        let first = args.into_iter().next().unwrap_or(Tree::None);
        let mut findings = Findings::default();
        let result = run(network, (&layer.name, &scope), &first, b, &mut findings)?;
        return match findings.failures.into_iter().next() {
            None => Ok(result),
            Some(failure) => {
                let reason = failure
                    .reason
                    .unwrap_or_else(|| "it is not supported".into());
                Err(format!("'{}' ({}): {reason}", failure.node, failure.class))
            }
        };
    }
    let row = ops::find(layer)
        .ok_or_else(|| format!("layer '{}' ({}) is not supported", layer.name, layer.class))?;
    let mut node = Node::new((layer, apply), scope, (args, kwargs))?;
    if row.casts() && !layer.is_operation {
        node.cast_floats(b)?;
    }
    let mut result = row.convert(&node, b)?;
    node.check()?;
    if row.masking == Masking::Pass
        && let Some(mask) = node.mask()
    {
        set_mask(&mut result, &mask);
    }
    Ok(result)
}

fn set_mask(item: &mut Item, mask: &Value) {
    match item {
        Tree::Leaf(Tensor { mask: own, .. }) => {
            own.get_or_insert_with(|| mask.clone());
        }
        Tree::List(all) => all.iter_mut().for_each(|one| set_mask(one, mask)),
        _ => {}
    }
}

/// The arguments of a call; `None` if one of them could not be computed.
fn arguments(call: &Call, results: &[Vec<Item>]) -> Option<Arguments> {
    let item = |argument: &Argument| argument.map(&|at| result(results, at));
    let args: Vec<Item> = call.args.iter().map(item).collect();
    let kwargs = call
        .kwargs
        .iter()
        .map(|(name, one)| (name.clone(), item(one)));
    let kwargs: Vec<(String, Item)> = kwargs.collect();
    let named = kwargs.iter().map(|(_, one)| one);
    let is_lost = args.iter().chain(named).any(Tree::has_lost);
    (!is_lost).then_some((args, kwargs))
}

/// A result of a call.
fn result(results: &[Vec<Item>], at: &Reference) -> Option<Item> {
    let call = results.get(at.layer)?.get(at.call)?;
    let mut flat = Vec::new();
    flatten(call, &mut flat);
    flat.get(at.result).map(|item| (*item).clone())
}

/// The tensors of a structure, and those that could not be computed, in order.
fn flatten<'i>(item: &'i Item, all: &mut Vec<&'i Item>) {
    match item {
        Tree::List(parts) => parts.iter().for_each(|part| flatten(part, all)),
        Tree::Dict(parts) => parts.iter().for_each(|(_, part)| flatten(part, all)),
        Tree::Leaf(_) | Tree::Lost => all.push(item),
        _ => {}
    }
}

/// Gives the layers that stand for inputs what is given.
fn bind(
    network: &Network,
    expected: &Argument,
    given: &Item,
    b: &mut GraphBuilder,
    results: &mut [Vec<Item>],
) -> Result<()> {
    match (expected, given) {
        (Tree::Leaf(at), Tree::Leaf(tensor)) => {
            let layer = &network.layers[at.layer];
            let element = layer.element_of_input()?;
            let value = match tensor.value.element() == element {
                true => tensor.value.clone(),
                false => b.cast(&tensor.value, element)?,
            };
            results[at.layer] = vec![Item::masked(value, tensor.mask.clone())];
            Ok(())
        }
        (Tree::Leaf(_), Tree::List(all)) if all.len() == 1 => {
            bind(network, expected, &all[0], b, results)
        }
        (Tree::List(all), Tree::Leaf(_)) if all.len() == 1 => {
            bind(network, &all[0], given, b, results)
        }
        (Tree::List(expected), Tree::List(given)) if expected.len() == given.len() => {
            let mut pairs = expected.iter().zip(given);
            pairs.try_for_each(|(expected, given)| bind(network, expected, given, b, results))
        }
        (Tree::Dict(expected), Tree::Dict(given)) => expected.iter().try_for_each(|(key, one)| {
            let found = given.iter().find(|(name, _)| name == key);
            let (_, found) = found.ok_or_else(|| format!("input '{key}' is missing"))?;
            bind(network, one, found, b, results)
        }),
        (Tree::List(all), Tree::Dict(given)) => all.iter().try_for_each(|one| {
            let Tree::Leaf(at) = one else {
                return Err("the inputs of a model are given by name, and have none".into());
            };
            let name = &network.layers[at.layer].name;
            let found = given.iter().find(|(key, _)| key == name);
            let (_, found) = found.ok_or_else(|| format!("input '{name}' is missing"))?;
            bind(network, one, found, b, results)
        }),
        (_, given) => Err(format!(
            "the model takes {} tensors, and {} is given",
            expected.leaves().len(),
            given.kind()
        )),
    }
}
