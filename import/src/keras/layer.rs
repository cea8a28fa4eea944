//! The graph of a model: its layers, and the calls of each.

use super::{element, item::Tree};
use crate::graph::error::Result;
use relay_dialects::element::Element;
use serde_json::{Map, Value as Json};

/// The deepest model within models, and the deepest structure of arguments.
pub const DEEPEST: usize = 32;

/// The class of layers that stand for inputs.
pub const INPUT: &str = "InputLayer";

/// A result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The number of the layer.
    pub layer: usize,
    /// The number of its call.
    pub call: usize,
    /// The number of the result.
    pub result: usize,
}

/// What a call takes.
pub type Argument = Tree<Reference>;

/// A call of a layer.
#[derive(Debug, Default)]
pub struct Call {
    /// Arguments by place.
    pub args: Vec<Argument>,
    /// Arguments by name.
    pub kwargs: Vec<(String, Argument)>,
}

/// A layer, or an operation of `keras.ops`.
#[derive(Debug)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
    /// Whether it is an operation, which has no weights.
    pub is_operation: bool,
    /// Whether Keras 2 wrote it.
    pub is_keras_2: bool,
    /// Its attributes.
    pub config: Map<String, Json>,
    /// Its calls.
    pub calls: Vec<Call>,
    /// The layers of a model.
    pub network: Option<Network>,
    /// The layers that it wraps, by the attributes that hold them.
    pub parts: Vec<(String, Layer)>,
    /// The name of its group of weights: its class, with its number among layers of this class.
    pub key: String,
}

/// A graph of layers.
#[derive(Debug)]
pub struct Network {
    /// Its layers.
    pub layers: Vec<Layer>,
    /// Layers and calls, in an order in which they can be computed.
    pub plan: Vec<(usize, usize)>,
    /// Its inputs, as a call of the model gives them.
    pub inputs: Argument,
    /// Its outputs.
    pub outputs: Argument,
}

impl Layer {
    /// The type of the elements of an input that it stands for.
    ///
    /// # Errors
    /// If it is not supported.
    pub fn element_of_input(&self) -> Result<Element> {
        match self.config.get("dtype") {
            None | Some(Json::Null) => Ok(Element::F32),
            Some(Json::String(name)) => element::of_name(name),
            Some(policy) => {
                let name = policy.pointer("/config/name").and_then(Json::as_str);
                let name = name.ok_or("the type of an input is not known")?;
                element::of_name(name.strip_prefix("mixed_").map_or(name, |_| "float32"))
            }
        }
    }

    /// Notes whether Keras 2 wrote it, and the layers in it.
    pub fn set_keras_2(&mut self, is_keras_2: bool) {
        self.is_keras_2 = is_keras_2;
        let own = self
            .network
            .iter_mut()
            .flat_map(|network| &mut network.layers);
        let parts = self.parts.iter_mut().map(|(_, part)| part);
        own.chain(parts)
            .for_each(|layer| layer.set_keras_2(is_keras_2));
    }

    /// A layer that it wraps.
    ///
    /// # Errors
    /// If it wraps none there.
    pub fn part(&self, attribute: &str) -> Result<&Self> {
        let mut parts = self.parts.iter();
        let found = parts.find(|(name, _)| name == attribute);
        found
            .map(|(_, part)| part)
            .ok_or_else(|| format!("attribute '{attribute}' holds no layer"))
    }

    /// Whether it stands for an input.
    pub fn is_input(&self) -> bool {
        self.class == INPUT
    }

    /// Whether references to its calls count from 1: the call with its own inputs is number 0. Keras 3 counts so only where a reference is
    /// an output of a model, and does not for Sequential models.
    pub fn counts_own_call(&self, is_keras_3: bool) -> bool {
        self.network.as_ref().is_some_and(|network| {
            let first = network.layers.first();
            match self.class.as_str() {
                "Sequential" => !is_keras_3 && first.is_some_and(Self::is_input),
                _ => true,
            }
        })
    }
}

impl Network {
    /// How many calls it makes, with those of the models in it.
    pub fn count_of_calls(&self) -> usize {
        let layers = self.layers.iter().map(|layer| {
            let inner = layer.network.as_ref().map_or(1, Self::count_of_calls);
            layer.calls.len().saturating_mul(inner)
        });
        layers.fold(0, usize::saturating_add)
    }
}
