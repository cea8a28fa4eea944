//! Layers that apply others: to each step, or in both directions.

use super::row::{Row, item};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Arguments, Item, Tensor, Tree},
        layer::Layer,
        node::Node,
    },
};
use relay_dialects::dim;
use serde_json::Value as Json;

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    item(&["Bidirectional"], bidirectional).wrapping(),
    item(&["TimeDistributed"], time_distributed)
        .wrapping()
        .passing(),
];

/// A layer for each step: the steps are samples.
fn time_distributed(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.config.ignore(&["layer"]);
    let x = n.x()?;
    let [samples, steps, ref rest @ ..] = *x.dims() else {
        return Err(format!("sequences of shape {:?}", x.dims()));
    };
    let part = n.layer.part("layer")?;
    let all = samples.times(steps)?;
    let flat = b.reshape(&x, &[&[all], rest].concat())?;
    let scope = n.scope.part(&["layer"], &part.name);
    let made = n.apply(b, part, scope, (vec![Item::of(flat)], Vec::new()))?;
    let made = made.tensor()?.value.clone();
    let (first, rest) = made
        .dims()
        .split_first()
        .ok_or("a layer returns a scalar")?;
    if dim::unify(*first, all).is_none() {
        return Err(format!(
            "the layer makes {:?} of {all} samples",
            made.dims()
        ));
    }
    b.reshape(&made, &[&[samples, steps], rest].concat())
        .map(Item::of)
}

/// The layer in the other direction: one of its own, or the same with its direction turned.
fn turned(layer: &Layer) -> Result<Layer> {
    let mut described = serde_json::Map::new();
    described.insert("class_name".into(), Json::String(layer.class.clone()));
    let mut config = layer.config.clone();
    let is_reversed = config.get("go_backwards").and_then(Json::as_bool) == Some(true);
    config.insert("go_backwards".into(), Json::Bool(!is_reversed));
    config.insert("name".into(), Json::String(layer.name.clone()));
    described.insert("config".into(), Json::Object(config));
    let mut turned = Layer::read(&Json::Object(described), 0)?;
    turned.set_keras_2(layer.is_keras_2);
    Ok(turned)
}

/// A name with another direction before it.
fn renamed(name: &str, direction: &str) -> String {
    let plain = name
        .strip_prefix("forward_")
        .or_else(|| name.strip_prefix("backward_"));
    format!("{direction}_{}", plain.unwrap_or(name))
}

/// With zeros in the place of outputs of steps that do not count, as this layer has it where sequences are returned.
fn with_zeros(layer: &mut Layer) {
    let sequences = layer.config.get("return_sequences").cloned();
    let sequences = sequences.unwrap_or(Json::Bool(false));
    layer
        .config
        .insert("zero_output_for_mask".into(), sequences);
}

/// The layers of both directions.
fn both(n: &Node<'_>) -> Result<[Layer; 2]> {
    let forward = n.layer.part("layer")?;
    let mut directions = match n.layer.part("backward_layer") {
        Ok(own) => [turned(&turned(forward)?)?, turned(&turned(own)?)?],
        Err(_) => {
            let mut backward = turned(forward)?;
            backward.name = renamed(&forward.name, "backward");
            [turned(&turned(forward)?)?, backward]
        }
    };
    directions[0].name = renamed(&forward.name, "forward");
    directions.iter_mut().for_each(with_zeros);
    Ok(directions)
}

/// Two recurrent layers, one from the first step on, one from the last.
fn bidirectional(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.config.ignore(&["backward_layer", "layer"]);
    let directions = both(n)?;
    let attributes = [
        ["forward_layer", "layer"],
        ["backward_layer", "backward_layer"],
    ];
    let mut made = Vec::new();
    for (place, layer) in directions.iter().enumerate() {
        let scope = n.scope.part(&attributes[place], &layer.name);
        let item = n.apply(b, layer, scope, arguments(n, place)?)?;
        made.push(item.leaves().into_iter().cloned().collect::<Vec<Tensor>>());
    }
    let [forward, backward] = &made[..] else {
        return Err("there are no two directions".into());
    };
    let (Some(y), Some(z)) = (forward.first(), backward.first()) else {
        return Err("a layer returns nothing".into());
    };
    let (mask, y, mut z) = (y.mask.clone(), y.value.clone(), z.value.clone());
    let flag = |name: &str| directions[0].config.get(name).and_then(Json::as_bool);
    if flag("return_sequences") == Some(true) {
        z = b.op("reverse", &[z], &[("axis", Param::Int(1))])?;
    }
    let merged = merged(n, b, (y, z))?;
    let mut results: Vec<Item> = merged
        .into_iter()
        .map(|value| Item::masked(value, mask.clone()))
        .collect();
    if flag("return_state") == Some(true) {
        let all = forward[1..].iter().chain(&backward[1..]);
        results.extend(all.map(|tensor| Item::of(tensor.value.clone())));
    }
    match results.len() {
        1 => Ok(results.swap_remove(0)),
        _ => Ok(Tree::List(results)),
    }
}

/// The outputs of both directions as one, or both.
fn merged(n: &Node<'_>, b: &mut GraphBuilder, (y, z): (Value, Value)) -> Result<Vec<Value>> {
    let mode = match n.layer.config.get("merge_mode") {
        None => Some("concat"),
        Some(_) => n.config.text("merge_mode")?,
    };
    let made = match mode {
        None => return Ok(vec![y, z]),
        Some("concat") => {
            let last = y.rank() - 1;
            b.concatenate(&[y, z], last)?
        }
        Some("sum") => b.binary("add", &y, &z)?,
        Some("ave") => {
            let sum = b.binary("add", &y, &z)?;
            b.with_scalar("divide", &sum, 2.0)?
        }
        Some("mul") => b.binary("multiply", &y, &z)?,
        Some(other) => return Err(format!("attribute 'merge_mode' is '{other}'")),
    };
    Ok(vec![made])
}

/// What a direction takes: the sequence, its part of the states, and the mask.
fn arguments(n: &Node<'_>, place: usize) -> Result<Arguments> {
    let (first, states): (Item, Vec<Item>) = match n.first()? {
        Tree::List(all) if all.len() > 1 => (all[0].clone(), all[1..].to_vec()),
        first => (first.clone(), Vec::new()),
    };
    let states = match n.arg(1, &["initial_state"]) {
        Some(Tree::List(all)) => all.clone(),
        Some(one) => vec![one.clone()],
        None => states,
    };
    let half = states.len() / 2;
    let own = &states[place * half..(place + 1) * half];
    let mut kwargs = Vec::new();
    if !own.is_empty() {
        kwargs.push(("initial_state".to_string(), Tree::List(own.to_vec())));
    }
    if let Some(mask) = n.mask() {
        kwargs.push(("mask".to_string(), Item::of(mask)));
    }
    Ok((vec![first], kwargs))
}
