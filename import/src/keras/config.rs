//! The attributes of a layer, and which of them were read.

use super::element;
use crate::graph::error::Result;
use relay_dialects::element::Element;
use serde_json::{Map, Value as Json};
use std::{cell::RefCell, collections::HashSet};

/// Attributes that say nothing of what is computed: names, how weights are made, trained and kept.
const NEEDLESS: &[&str] = &[
    "activity_regularizer",
    "adjustment_factor",
    "autocast",
    "batch_input_shape",
    "batch_shape",
    "build_input_shape",
    "dtype",
    "dynamic",
    "function",
    "implementation",
    "input_dtype",
    "input_length",
    "lora_alpha",
    "lora_rank",
    "name",
    "noise_shape",
    "quantization_config",
    "ragged",
    "registered_name",
    "seed",
    "sparse",
    "synchronized",
    "trainable",
    "unit_forget_bias",
    "unroll",
];

/// The same of all attributes that end so.
const NEEDLESS_ENDS: &[&str] = &["_constraint", "_initializer", "_regularizer"];

/// The attributes of a layer.
pub struct Config<'m> {
    /// Whether Keras 2 wrote them: some defaults and names stand for other things there.
    pub is_keras_2: bool,
    given: &'m Map<String, Json>,
    read: RefCell<HashSet<&'m str>>,
}

impl<'m> Config<'m> {
    /// Those of a layer.
    pub fn new(given: &'m Map<String, Json>, is_keras_2: bool) -> Self {
        Self {
            is_keras_2,
            given,
            read: RefCell::default(),
        }
    }

    /// An attribute as the file has it; `None` if it is not given, or is `None`.
    pub fn value(&self, name: &str) -> Option<&'m Json> {
        let (name, value) = self.given.get_key_value(name)?;
        self.read.borrow_mut().insert(name);
        (!value.is_null()).then_some(value)
    }

    /// Notes attributes that change nothing in this layer.
    pub fn ignore(&self, names: &[&str]) {
        for name in names {
            self.value(name);
        }
    }

    /// An attribute that `parse` reads.
    fn parsed<T>(
        &self,
        name: &str,
        what: &str,
        parse: impl FnOnce(&'m Json) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let wrong = || {
            let mut text = value.to_string();
            if text.len() > 100 {
                text = format!("a long value ({} bytes)", text.len());
            }
            format!("attribute '{name}' is {text}, expected {what}")
        };
        parse(value).map(Some).ok_or_else(wrong)
    }

    /// A boolean.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        let read = self.parsed(name, "a boolean", |value| match value {
            Json::Bool(flag) => Some(*flag),
            number => number.as_i64().map(|number| number != 0),
        })?;
        Ok(read.unwrap_or(default))
    }

    /// An integer.
    pub fn int(&self, name: &str) -> Result<Option<i64>> {
        self.parsed(name, "an integer", whole)
    }

    /// An integer that has to be given.
    pub fn required_int(&self, name: &str) -> Result<i64> {
        self.int(name)?.ok_or_else(|| missing(name))
    }

    /// A float.
    pub fn float(&self, name: &str, default: f64) -> Result<f64> {
        Ok(self.optional_float(name)?.unwrap_or(default))
    }

    /// A float, if it is given. Arrays of one element are floats, too.
    pub fn optional_float(&self, name: &str) -> Result<Option<f64>> {
        self.parsed(name, "a number", number)
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<Option<&'m str>> {
        self.parsed(name, "a text", Json::as_str)
    }

    /// A text, or what it is by default.
    pub fn text_or(&self, name: &str, default: &'m str) -> Result<&'m str> {
        Ok(self.text(name)?.unwrap_or(default))
    }

    /// Integers: a list, or one.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>> {
        self.parsed(name, "integers", |value| match value {
            Json::Array(all) => all.iter().map(whole).collect(),
            Json::Object(_) => items(value)?.iter().map(whole).collect(),
            one => whole(one).map(|one| vec![one]),
        })
    }

    /// As many integers as there are axes; one stands for all.
    pub fn ints_of(&self, name: &str, axes: usize, default: i64) -> Result<Vec<i64>> {
        match self.ints(name)? {
            None => Ok(vec![default; axes]),
            Some(all) if all.len() == axes => Ok(all),
            Some(all) if all.len() == 1 => Ok(vec![all[0]; axes]),
            Some(all) => Err(format!(
                "attribute '{name}' is {all:?}, expected {axes} integers"
            )),
        }
    }

    /// Floats: a list, or one.
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>> {
        self.parsed(name, "numbers", |value| match value {
            Json::Array(all) => all.iter().map(number).collect(),
            Json::Object(_) => items(value)?.iter().map(number).collect(),
            one => number(one).map(|one| vec![one]),
        })
    }

    /// A type of elements, if it is given.
    pub fn element(&self, name: &str) -> Result<Option<Element>> {
        self.text(name)?.map(element::of_name).transpose()
    }

    /// The type that the layer computes in, and that of its weights.
    pub fn policy(&self) -> Result<Policy> {
        let Some(value) = self.value("dtype") else {
            return Policy::of_name("float32");
        };
        let name = match value {
            Json::String(name) => Some(name.as_str()),
            // Keras 2 has "Policy", Keras 3 "DTypePolicy", and policies of quantised layers, whose names say all.
            other => other
                .pointer("/config/name")
                .or_else(|| other.pointer("/config/source_name"))
                .and_then(Json::as_str),
        };
        Policy::of_name(name.ok_or("attribute 'dtype' has no name")?)
    }

    /// Fails if an attribute was not read that may say something.
    pub fn check(&self) -> Result<()> {
        let read = self.read.borrow();
        let is_unread = |(name, value): &(&String, &Json)| {
            let is_needless = NEEDLESS.contains(&name.as_str())
                || NEEDLESS_ENDS.iter().any(|end| name.ends_with(end));
            !is_needless && !value.is_null() && !read.contains(name.as_str())
        };
        match self.given.iter().find(is_unread) {
            None => Ok(()),
            Some((name, value)) => {
                let mut text = value.to_string();
                text.truncate(text.char_indices().nth(60).map_or(text.len(), |(at, _)| at));
                Err(format!("attribute '{name}' ({text}) is not supported"))
            }
        }
    }
}

/// The types of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What it computes in; floats that it takes become such.
    pub compute: Element,
    /// Whether its weights are bytes with scales.
    pub is_int8: bool,
}

impl Policy {
    fn of_name(name: &str) -> Result<Self> {
        let (is_int8, name) = match name.strip_prefix("int8_from_") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let name = name.strip_prefix("mixed_").unwrap_or(name);
        if name.contains("_from_") {
            return Err(format!(
                "layers quantised as '{name}' are not supported; int8 is"
            ));
        }
        Ok(Self {
            compute: element::of_name(name)?,
            is_int8,
        })
    }
}

/// What is said of an attribute that has to be given.
pub fn missing(name: &str) -> String {
    format!("attribute '{name}' is missing")
}

/// A whole number; Python's floats may be such, too.
fn whole(value: &Json) -> Option<i64> {
    let of_float = || {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    };
    value.as_i64().or_else(of_float)
}

/// The elements of a tuple or an array as Keras writes them.
pub fn items(value: &Json) -> Option<&Vec<Json>> {
    let list = value
        .get("items")
        .or_else(|| value.pointer("/config/value"))
        .or_else(|| value.get("value"));
    list?.as_array()
}

fn number(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => number.as_f64(),
        Json::Array(all) if all.len() == 1 => number(&all[0]),
        Json::Object(_) => match value
            .pointer("/config/value")
            .or_else(|| value.get("value"))
        {
            Some(inner) if !inner.is_object() => number(inner),
            _ => None,
        },
        _ => None,
    }
}
