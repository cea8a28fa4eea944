//! Reads the graph of a model from its description.

use super::{
    call::Graph,
    item::Tree,
    layer::{Argument, Call, DEEPEST, INPUT, Layer, Network, Reference},
};
use crate::graph::error::Result;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// The most calls of layers: models that call models grow quickly.
const MOST_CALLS: usize = 1 << 16;

/// The classes of Keras 2 that stand for functions of TensorFlow.
const FUNCTIONS: &[&str] = &["SlicingOpLambda", "TFOpLambda"];

/// The layers within layers, by the attributes that hold them.
const PARTS: &[&str] = &["layer", "backward_layer", "cell"];

impl Layer {
    /// Reads a layer and the layers in it.
    ///
    /// # Errors
    /// If the description is none.
    pub fn read(json: &Json, depth: usize) -> Result<Self> {
        if depth > DEEPEST {
            return Err("layers are within too many others".into());
        }
        let class = json.get("class_name").and_then(Json::as_str);
        let class = class.ok_or("a layer has no 'class_name'")?.to_string();
        let empty = Json::Object(Map::new());
        let config = json.get("config").unwrap_or(&empty);
        // Sequential models of Keras before 2.2.3 are lists.
        let config = match config {
            Json::Array(layers) => {
                let layers = Json::Array(layers.clone());
                Map::from_iter([("layers".to_string(), layers)])
            }
            Json::Object(config) => config.clone(),
            _ => return Err(format!("a layer of class {class} has no attributes")),
        };
        let text = |value: Option<&Json>| Some(value?.as_str()?.to_string());
        let name = text(json.get("name")).or_else(|| text(config.get("name")));
        let name = name.unwrap_or_else(|| class.clone());
        let within = |reason| format!("layer '{name}': {reason}");
        let network = match config.contains_key("layers") {
            true => Some(Network::read(&class, &config, depth + 1).map_err(within)?),
            false => None,
        };
        let mut parts = Vec::new();
        for attribute in PARTS {
            match config.get(*attribute) {
                Some(part @ Json::Object(_)) => {
                    let part = Self::read(part, depth + 1).map_err(within)?;
                    parts.push(((*attribute).to_string(), part));
                }
                _ => continue,
            }
        }
        for cell in config
            .get("cells")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            let cell = Self::read(cell, depth + 1).map_err(within)?;
            parts.push(("cells".into(), cell));
        }
        Ok(Self {
            is_operation: is_operation(json, &config) || FUNCTIONS.contains(&class.as_str()),
            is_keras_2: false,
            key: snake(python_name(&class)),
            calls: Vec::new(),
            name,
            class,
            config,
            network,
            parts,
        })
    }
}

/// Whether a description is of an operation of `keras.ops`. Those in `.h5` files do not say their modules; every layer says whether it
/// is trained.
fn is_operation(json: &Json, config: &Map<String, Json>) -> bool {
    match json.get("module").and_then(Json::as_str) {
        Some(module) => module.starts_with("keras.src.ops") || module.starts_with("keras.ops"),
        None => {
            !config.contains_key("trainable")
                && !config.contains_key("layers")
                && json.get("class_name").and_then(Json::as_str) != Some(INPUT)
                && json.get("inbound_nodes").is_some()
        }
    }
}

/// The name of a class in Python, where that in files is another one.
fn python_name(class: &str) -> &str {
    match class {
        "GroupQueryAttention" => "GroupedQueryAttention",
        class => class,
    }
}

/// The name of a class with underscores, as Keras' `to_snake_case` makes it.
fn snake(class: &str) -> String {
    let letters: Vec<char> = class
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let mut name = String::new();
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| letters[place]);
        let next = letters.get(place + 1);
        let starts_word = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || (before != '_' && next.is_some_and(char::is_ascii_lowercase))
            });
        if starts_word {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

impl Network {
    fn read(class: &str, config: &Map<String, Json>, depth: usize) -> Result<Self> {
        let described = config.get("layers").and_then(Json::as_array);
        let described = described.ok_or("attribute 'layers' is no list")?;
        let layers = described.iter().map(|json| Layer::read(json, depth));
        let mut layers = layers.collect::<Result<Vec<_>>>()?;
        let (inputs, outputs) = match config.contains_key("output_layers") {
            true => {
                let graph = Graph::of(&layers, described)?;
                let calls = described.iter().map(|json| graph.calls(json));
                let calls = calls.collect::<Result<Vec<_>>>()?;
                let ends = ["input_layers", "output_layers"].map(|end| {
                    let end = config.get(end).unwrap_or(&Json::Null);
                    graph.ends(end)
                });
                for (layer, calls) in layers.iter_mut().zip(calls) {
                    layer.calls = calls;
                }
                let [inputs, outputs] = ends;
                (inputs?, outputs?)
            }
            false => chain(&mut layers, config)?,
        };
        number_groups(&mut layers, class == "Sequential");
        let plan = plan(&layers)?;
        let network = Self {
            layers,
            plan,
            inputs,
            outputs,
        };
        network.check()?;
        Ok(network)
    }

    /// Fails if an output is nothing that a call computes.
    fn check(&self) -> Result<()> {
        let ends = [&self.inputs, &self.outputs];
        for end in ends.into_iter().flat_map(Tree::leaves) {
            let layer = &self.layers[end.layer];
            if end.call >= layer.calls.len() {
                return Err(format!("layer '{}' has no call {}", layer.name, end.call));
            }
        }
        if self.count_of_calls() > MOST_CALLS {
            return Err(format!("it makes more than {MOST_CALLS} calls"));
        }
        match self.outputs.leaves().is_empty() {
            true => Err("the model has no outputs".into()),
            false => Ok(()),
        }
    }
}

/// The layers of a Sequential model one after the other; one that stands for the input is put before them if there is none.
fn chain(layers: &mut Vec<Layer>, config: &Map<String, Json>) -> Result<(Argument, Argument)> {
    let first = layers.first().ok_or("a model has no layers")?;
    if !first.is_input() {
        let shape = first.config.get("batch_input_shape");
        let shape = shape.or_else(|| config.get("build_input_shape"));
        let mut own = Map::new();
        own.insert("batch_shape".into(), shape.cloned().unwrap_or(Json::Null));
        if let (true, Some(dtype @ Json::String(_))) = (
            first.class == "Embedding",
            first
                .config
                .get("input_dtype")
                .or(first.config.get("dtype")),
        ) {
            own.insert("dtype".into(), dtype.clone());
        }
        let input = Layer {
            name: format!("{}_input", first.name),
            class: INPUT.into(),
            is_operation: false,
            is_keras_2: false,
            config: own,
            calls: Vec::new(),
            network: None,
            parts: Vec::new(),
            key: snake(INPUT),
        };
        layers.insert(0, input);
    }
    let result = |layer: usize| {
        Tree::Leaf(Reference {
            layer,
            call: 0,
            result: 0,
        })
    };
    for (place, layer) in layers.iter_mut().enumerate() {
        let args = place.checked_sub(1).map(result);
        layer.calls = vec![Call {
            args: args.into_iter().collect(),
            kwargs: Vec::new(),
        }];
    }
    Ok((result(0), result(layers.len() - 1)))
}

/// Names the groups of weights: layers of one class are numbered. Sequential models do not count the layer that stands for the input.
fn number_groups(layers: &mut [Layer], is_sequential: bool) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for layer in layers {
        if layer.is_operation || (is_sequential && layer.is_input()) {
            continue;
        }
        let count = counts.entry(layer.key.clone()).or_default();
        if *count > 0 {
            layer.key = format!("{}_{count}", layer.key);
        }
        *count += 1;
    }
}

/// An order of calls in which arguments come before what they are arguments of; layers keep the order of their calls.
fn plan(layers: &[Layer]) -> Result<Vec<(usize, usize)>> {
    let mut done = vec![0; layers.len()];
    let mut plan = Vec::new();
    let total: usize = layers.iter().map(|layer| layer.calls.len()).sum();
    while plan.len() < total {
        let before = plan.len();
        for (number, layer) in layers.iter().enumerate() {
            while let Some(call) = layer.calls.get(done[number]) {
                let kwargs = call.kwargs.iter().map(|(_, argument)| argument);
                let mut needs = call.args.iter().chain(kwargs).flat_map(Tree::leaves);
                if !needs.all(|need| need.call < done[need.layer]) {
                    break;
                }
                plan.push((number, done[number]));
                done[number] += 1;
            }
        }
        if plan.len() == before {
            let stuck = layers.iter().zip(&done);
            let stuck = stuck.filter(|(layer, done)| layer.calls.len() > **done);
            let names: Vec<&str> = stuck
                .map(|(layer, _)| layer.name.as_str())
                .take(5)
                .collect();
            return Err(format!(
                "the graph has a cycle, or a call that is missing, at the layers {}",
                names.join(", ")
            ));
        }
    }
    Ok(plan)
}
