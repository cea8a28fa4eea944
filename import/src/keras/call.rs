//! The calls of layers, as Keras 3 and Keras 2 write them.

use super::{
    element,
    item::Tree,
    layer::{Argument, Call, DEEPEST, INPUT, Layer, Reference},
};
use crate::graph::{
    constant::{Const, MAX_ELEMENTS, Numbers},
    error::Result,
};
use relay_dialects::element::Element;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, HashMap};

/// The layers of a graph by their names.
pub struct Graph<'l> {
    layers: &'l [Layer],
    by_name: HashMap<&'l str, usize>,
    /// Whether calls are written as Keras 3 does.
    is_keras_3: bool,
}

impl<'l> Graph<'l> {
    /// The layers, which `described` describes.
    ///
    /// # Errors
    /// If two have one name.
    pub fn of(layers: &'l [Layer], described: &[Json]) -> Result<Self> {
        let mut calls = described
            .iter()
            .filter_map(|json| json.pointer("/inbound_nodes/0"));
        let is_keras_3 = calls.any(Json::is_object);
        let mut by_name = HashMap::new();
        for (number, layer) in layers.iter().enumerate() {
            if by_name.insert(layer.name.as_str(), number).is_some() {
                return Err(format!("two layers are called '{}'", layer.name));
            }
        }
        Ok(Self {
            layers,
            by_name,
            is_keras_3,
        })
    }

    /// The calls of a layer.
    ///
    /// # Errors
    /// If they are none, or are of layers that are not there.
    pub fn calls(&self, json: &Json) -> Result<Vec<Call>> {
        let nodes = json.get("inbound_nodes").and_then(Json::as_array);
        let nodes = nodes.map_or(&[][..], Vec::as_slice);
        let name = json.get("name").and_then(Json::as_str).unwrap_or_default();
        if nodes.is_empty() && json.get("class_name").and_then(Json::as_str) == Some(INPUT) {
            return Ok(vec![Call::default()]);
        }
        let calls = nodes.iter().map(|node| match node {
            Json::Object(node) => self.call(node),
            _ => self.call_of_keras_2(node),
        });
        calls
            .map(|call| call.map_err(|reason| format!("layer '{name}': {reason}")))
            .collect()
    }

    fn call(&self, node: &Map<String, Json>) -> Result<Call> {
        let args = match node.get("args") {
            Some(args) => match self.argument(args, 0)? {
                Tree::List(args) => args,
                one => vec![one],
            },
            None => Vec::new(),
        };
        let kwargs = match node.get("kwargs") {
            Some(kwargs) => match self.argument(kwargs, 0)? {
                Tree::Dict(kwargs) => kwargs,
                _ => return Err("'kwargs' is no dictionary".into()),
            },
            None => Vec::new(),
        };
        Ok(Call { args, kwargs })
    }

    /// An argument as Keras 3 writes it.
    fn argument(&self, json: &Json, depth: usize) -> Result<Argument> {
        if depth > DEEPEST {
            return Err("an argument is within too many others".into());
        }
        let list = |all: &[Json]| {
            let all = all.iter().map(|one| self.argument(one, depth + 1));
            all.collect::<Result<Vec<_>>>().map(Tree::List)
        };
        let object = match json {
            Json::Array(all) => return list(all),
            Json::Object(object) => object,
            plain => return plain_argument(plain),
        };
        let empty = Json::Null;
        let class = object.get("class_name").and_then(Json::as_str);
        let config = object.get("config").unwrap_or(&empty);
        match class {
            Some("__keras_tensor__") => {
                let history = config.get("keras_history");
                let history = history.ok_or("a tensor has no 'keras_history'")?;
                self.reference(history, false).map(Tree::Leaf)
            }
            Some("__tensor__" | "__numpy__") => array(config),
            Some("__tuple__") => {
                let items = object.get("items").and_then(Json::as_array);
                list(items.ok_or("a tuple has no 'items'")?)
            }
            Some("__slice__") => {
                let part = |name| self.argument(config.get(name).unwrap_or(&empty), depth + 1);
                Ok(Tree::Slice(Box::new([
                    part("start")?,
                    part("stop")?,
                    part("step")?,
                ])))
            }
            Some("__ellipsis__") => Ok(Tree::Ellipsis),
            Some("__bytes__") => plain_argument(config.get("value").unwrap_or(&empty)),
            // Types of elements, and other objects of Keras.
            Some("DTypePolicy") => plain_argument(config.get("name").unwrap_or(&empty)),
            Some(other) => Err(format!("an argument of class {other} is not supported")),
            None => {
                let all = object.iter().map(|(key, value)| {
                    let value = self.argument(value, depth + 1)?;
                    Ok((key.clone(), value))
                });
                all.collect::<Result<Vec<_>>>().map(Tree::Dict)
            }
        }
    }

    /// A call as Keras 2 writes it: the first argument, a structure of `[layer, call, result, {name: argument}]`.
    fn call_of_keras_2(&self, node: &Json) -> Result<Call> {
        let mut kwargs = BTreeMap::new();
        let mut first = self.structure(node, &mut kwargs, 0)?;
        if let Tree::List(all) = &mut first
            && let [one] = &mut all[..]
        {
            first = std::mem::replace(one, Tree::None);
        }
        Ok(Call {
            args: vec![first],
            kwargs: kwargs.into_iter().collect(),
        })
    }

    fn structure(
        &self,
        json: &Json,
        kwargs: &mut BTreeMap<String, Argument>,
        depth: usize,
    ) -> Result<Argument> {
        if depth > DEEPEST {
            return Err("an argument is within too many others".into());
        }
        match json {
            Json::Array(all) if self.is_reference(all) => {
                if let Some(Json::Object(given)) = all.get(3) {
                    for (name, value) in given {
                        let value = self.value_of_keras_2(value, depth + 1)?;
                        kwargs.insert(name.clone(), value);
                    }
                }
                self.value_of_keras_2(&Json::Array(all[..3].to_vec()), depth + 1)
            }
            Json::Array(all) => {
                let all = all.iter().map(|one| self.structure(one, kwargs, depth + 1));
                all.collect::<Result<Vec<_>>>().map(Tree::List)
            }
            Json::Object(all) => {
                let all = all.iter().map(|(key, one)| {
                    let one = self.structure(one, kwargs, depth + 1)?;
                    Ok((key.clone(), one))
                });
                all.collect::<Result<Vec<_>>>().map(Tree::Dict)
            }
            _ => Err("a call has no layer before it".into()),
        }
    }

    /// Whether a list is `[layer, call, result]`, or a constant in this form.
    fn is_reference(&self, list: &[Json]) -> bool {
        let name = list.first().and_then(Json::as_str);
        let is_known = |name: &str| name == CONSTANT || self.by_name.contains_key(name);
        matches!(list.len(), 3 | 4) && name.is_some_and(is_known) && list[1].is_i64()
    }

    fn value_of_keras_2(&self, json: &Json, depth: usize) -> Result<Argument> {
        if depth > DEEPEST {
            return Err("an argument is within too many others".into());
        }
        match json {
            Json::Array(all) if self.is_reference(all) => match all[0].as_str() {
                Some(CONSTANT) => self.value_of_keras_2(&all[2], depth + 1),
                _ => self.reference(json, true).map(Tree::Leaf),
            },
            Json::Array(all) => {
                let all = all.iter().map(|one| self.value_of_keras_2(one, depth + 1));
                all.collect::<Result<Vec<_>>>().map(Tree::List)
            }
            Json::Object(all) => match (all.get("start"), all.get("stop"), all.get("step")) {
                (Some(start), Some(stop), Some(step)) => {
                    let parts = [start, stop, step];
                    let [start, stop, step] =
                        parts.map(|part| self.value_of_keras_2(part, depth + 1));
                    Ok(Tree::Slice(Box::new([start?, stop?, step?])))
                }
                _ => self.argument(json, depth + 1),
            },
            Json::String(text) if text == "..." => Ok(Tree::Ellipsis),
            plain => plain_argument(plain),
        }
    }

    /// Inputs or outputs of the model.
    ///
    /// # Errors
    /// If they are none.
    pub fn ends(&self, json: &Json) -> Result<Argument> {
        match json {
            Json::Array(all) if all.len() == 3 && all[0].is_string() => {
                self.reference(json, true).map(Tree::Leaf)
            }
            Json::Array(all) => {
                let all = all.iter().map(|one| self.ends(one));
                all.collect::<Result<Vec<_>>>().map(Tree::List)
            }
            Json::Object(all) => {
                if let Some(items) = all.get("items") {
                    return self.ends(items);
                }
                let all = all
                    .iter()
                    .map(|(key, one)| Ok((key.clone(), self.ends(one)?)));
                all.collect::<Result<Vec<_>>>().map(Tree::Dict)
            }
            _ => Err("the inputs or outputs of a model are no list".into()),
        }
    }

    /// A result by `[layer, call, result]`. If a model's own call is counted, its others begin with 1.
    fn reference(&self, json: &Json, counts_own_call: bool) -> Result<Reference> {
        let part = |place: usize| json.get(place);
        let name = part(0).and_then(Json::as_str);
        let name = name.ok_or("a tensor does not say its layer")?;
        let number = |place: usize| {
            let number = part(place).and_then(Json::as_u64);
            let number = number.and_then(|number| usize::try_from(number).ok());
            number.ok_or_else(|| format!("a tensor of layer '{name}' does not say its call"))
        };
        let layer = self.by_name.get(name);
        let layer = *layer.ok_or_else(|| format!("there is no layer '{name}'"))?;
        let (mut call, result) = (number(1)?, number(2)?);
        if counts_own_call && self.layers[layer].counts_own_call(self.is_keras_3) {
            call = call.saturating_sub(1);
        }
        Ok(Reference {
            layer,
            call,
            result,
        })
    }
}

/// What stands in the place of a layer's name if an argument is a constant.
const CONSTANT: &str = "_CONSTANT_VALUE";

fn plain_argument<T>(json: &Json) -> Result<Tree<T>> {
    Ok(match json {
        Json::Null => Tree::None,
        Json::Bool(flag) => Tree::Bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Tree::Int(number),
            (None, Some(number)) => Tree::Float(number),
            _ => return Err(format!("the number {number}")),
        },
        Json::String(text) => Tree::Text(text.clone()),
        _ => return Err("an argument is not of a plain type".into()),
    })
}

/// An array that a model holds: nested lists of numbers.
fn array<T>(config: &Json) -> Result<Tree<T>> {
    let name = config
        .get("dtype")
        .and_then(Json::as_str)
        .unwrap_or("float32");
    let element = element::of_name(name)?;
    let value = config.get("value").ok_or("an array has no 'value'")?;
    Ok(Tree::Array(nested(value, element)?))
}

/// Nested lists of numbers as a tensor. Fails if lists differ in length, or an element is no number.
fn nested(value: &Json, element: Element) -> Result<Const> {
    let mut shape = Vec::new();
    let mut inner = value;
    while let Json::Array(all) = inner {
        shape.push(all.len() as i64);
        let Some(first) = all.first() else {
            break;
        };
        inner = first;
        if shape.len() > DEEPEST {
            return Err("an array has too many axes".into());
        }
    }
    let mut numbers = Vec::new();
    flatten(value, &shape, &mut numbers)?;
    let count: i64 = shape.iter().product();
    if count > MAX_ELEMENTS || count != numbers.len() as i64 {
        return Err("the lists of an array differ in length".into());
    }
    let numbers = match element.is_float() {
        true => Numbers::Floats(numbers),
        false => Numbers::Ints(numbers.into_iter().map(|number| number as i128).collect()),
    };
    Ok(Const::new(element, shape, &numbers))
}

fn flatten(value: &Json, shape: &[i64], numbers: &mut Vec<f64>) -> Result<()> {
    match (value, shape) {
        (Json::Array(all), [extent, rest @ ..]) if all.len() as i64 == *extent => {
            all.iter().try_for_each(|one| flatten(one, rest, numbers))
        }
        (Json::Number(number), []) => {
            numbers.push(number.as_f64().ok_or("an element is no number")?);
            Ok(())
        }
        (Json::Bool(flag), []) => {
            numbers.push(f64::from(u8::from(*flag)));
            Ok(())
        }
        _ => Err(
            "the lists of an array differ in length, or hold something else than numbers".into(),
        ),
    }
}
