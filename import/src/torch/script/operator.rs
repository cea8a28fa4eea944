//! The schemas of PyTorch's operators: TorchScript gives arguments by their places, and conversions read them by their names.
//!
//! `schemas.txt` has PyTorch's own list; `test/torchscript/schemas.py` writes it.

use super::value::Val;
use crate::{
    graph::error::Result,
    torch::{
        item::Number,
        ops,
        schema::{Argument, Float, Name, NamedArgument, OptionalTensor, Symbolic},
    },
};
use serde::de::IgnoredAny;
use std::{collections::HashMap, sync::LazyLock};

/// An operator.
pub struct Operator {
    /// Its name in exported programs: `torch.ops.aten.add.Tensor`.
    pub target: String,
    /// Its parameters.
    parameters: Vec<Parameter>,
    /// How many results it has; none where it returns a list.
    pub results: Option<usize>,
}

/// A parameter.
struct Parameter {
    name: &'static str,
    /// The type of a value, or of the items of a list.
    ty: &'static str,
    /// Whether it is a list. `int[2]` takes one integer, too.
    list: List,
    is_optional: bool,
    has_default: bool,
    is_named: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum List {
    No,
    Yes,
    OrOne,
}

/// The operators by their names, `aten::add`, with their overloads in order.
static OPERATORS: LazyLock<HashMap<&'static str, Vec<Operator>>> = LazyLock::new(|| {
    let mut operators: HashMap<&'static str, Vec<Operator>> = HashMap::new();
    for line in include_str!("schemas.txt").lines() {
        if let Some((name, operator)) = read(line) {
            operators.entry(name).or_default().push(operator);
        }
    }
    operators
});

fn read(line: &'static str) -> Option<(&'static str, Operator)> {
    let (whole, rest) = line.split_once('(')?;
    let (rest, results) = rest.rsplit_once(" -> ")?;
    let rest = rest.strip_suffix(')')?;
    let (namespace, own) = whole.split_once("::")?;
    let (own, overload) = own.split_once('.').unwrap_or((own, "default"));
    let name = whole.split_once('.').map_or(whole, |(name, _)| name);
    let mut parameters = Vec::new();
    let mut is_named = false;
    for part in parts(rest) {
        match part {
            "*" => is_named = true,
            part => parameters.push(parameter(part, is_named)?),
        }
    }
    let results = match results.strip_prefix('(') {
        Some(")") => Some(0),
        Some(several) => Some(parts(several.strip_suffix(')')?).len()),
        None if results.contains('[') => None,
        None => Some(1),
    };
    let operator = Operator {
        target: format!("torch.ops.{namespace}.{own}.{overload}"),
        parameters,
        results,
    };
    Some((name, operator))
}

fn parameter(part: &'static str, is_named: bool) -> Option<Parameter> {
    let (part, has_default) = match part.split_once('=') {
        Some((part, _)) => (part, true),
        None => (part, false),
    };
    let (ty, name) = part.rsplit_once(' ')?;
    let (ty, is_optional) = match ty.strip_suffix('?') {
        Some(ty) => (ty, true),
        None => (ty, false),
    };
    let (ty, list) = match ty.split_once('[') {
        Some((ty, "]")) => (ty, List::Yes),
        Some((ty, _)) => (ty, List::OrOne),
        None => (ty, List::No),
    };
    Some(Parameter {
        name,
        ty,
        list,
        is_optional,
        has_default,
        is_named,
    })
}

/// The parts between commas that stand in no brackets.
fn parts(text: &'static str) -> Vec<&'static str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

/// Operators that have the conversion of another one: they differ in what PyTorch's gradients need.
const RENAMED: [(&str, &str); 3] = [
    ("aten::unsafe_chunk", "aten::chunk"),
    ("aten::unsafe_split", "aten::split"),
    ("aten::unsafe_split_with_sizes", "aten::split_with_sizes"),
];

/// The name of the operator whose conversion an operator has.
pub fn renamed(name: &str) -> &str {
    let mut renamed = RENAMED.iter();
    let found = renamed.find(|(known, _)| *known == name);
    found.map_or(name, |(_, other)| other)
}

/// Arguments of a call: those by their places, and those by names.
#[derive(Clone)]
pub struct Arguments<'g> {
    /// Those by their places.
    pub places: Vec<Val<'g>>,
    /// Those by names.
    pub named: Vec<(&'g str, Val<'g>)>,
}

impl<'g> Arguments<'g> {
    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = &Val<'g>> {
        self.places
            .iter()
            .chain(self.named.iter().map(|(_, value)| value))
    }

    /// All of them, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Val<'g>> {
        let named = self.named.iter_mut().map(|(_, value)| value);
        self.places.iter_mut().chain(named)
    }
}

/// The overload of an operator that takes the arguments.
///
/// # Errors
/// If there is none.
pub fn find(name: &str, arguments: &Arguments<'_>) -> Result<&'static Operator> {
    let Some(all) = OPERATORS.get(name) else {
        return Err("there is no conversion of this operator".into());
    };
    let operator = all.iter().find(|operator| operator.takes(arguments));
    operator.ok_or_else(|| {
        let named = arguments.named.iter();
        let named = named.map(|(name, value)| format!("{name}={}", value.kind()));
        let places = arguments.places.iter().map(|value| value.kind().to_owned());
        let kinds: Vec<String> = places.chain(named).collect();
        format!(
            "no form of it takes the arguments ({}); PyTorch 2.15 has {}",
            kinds.join(", "),
            all.len()
        )
    })
}

/// Whether an operator is in PyTorch's list.
pub fn is_listed(name: &str) -> bool {
    OPERATORS.contains_key(name)
}

/// Whether a form of an operator has a conversion.
pub fn is_converted(name: &str) -> bool {
    let mut all = OPERATORS.get(renamed(name)).into_iter().flatten();
    all.any(|operator| ops::find(&operator.target).is_some())
}

impl Operator {
    fn takes(&self, arguments: &Arguments<'_>) -> bool {
        let pairs = self.pairs(arguments);
        pairs.is_some_and(|pairs| pairs.iter().all(|(parameter, value)| parameter.fits(value)))
    }

    /// Each argument with its parameter; none if there are others, or some are missing.
    fn pairs<'a, 'g>(
        &self,
        arguments: &'a Arguments<'g>,
    ) -> Option<Vec<(&Parameter, &'a Val<'g>)>> {
        if arguments.places.len() > self.parameters.len() {
            return None;
        }
        let mut pairs: Vec<(&Parameter, &Val<'g>)> =
            self.parameters.iter().zip(&arguments.places).collect();
        for (name, value) in &arguments.named {
            let rest = &self.parameters[arguments.places.len()..];
            let parameter = rest.iter().find(|parameter| parameter.name == *name)?;
            pairs.push((parameter, value));
        }
        let rest = self.parameters.iter().skip(arguments.places.len());
        let is_given = |parameter: &&Parameter| {
            let mut named = arguments.named.iter();
            parameter.has_default
                || parameter.is_named && parameter.is_optional
                || named.any(|(name, _)| *name == parameter.name)
        };
        rest.into_iter()
            .all(|parameter| is_given(&parameter))
            .then_some(pairs)
    }

    /// The arguments by their names.
    ///
    /// # Errors
    /// If one cannot be given to a conversion.
    pub fn arguments<'g>(
        &self,
        arguments: &Arguments<'g>,
        define: &mut dyn FnMut(&Number) -> String,
    ) -> Result<Vec<NamedArgument>> {
        let pairs = self.pairs(arguments).unwrap_or_default();
        let arguments = pairs.into_iter().map(|(parameter, value)| {
            Ok(NamedArgument {
                name: parameter.name.into(),
                arg: parameter.argument(value, define)?,
            })
        });
        arguments.collect()
    }
}

impl Parameter {
    fn fits(&self, value: &Val<'_>) -> bool {
        match (self.list, value) {
            (_, Val::None) => self.is_optional || self.is_memory(),
            (List::No, value) => self.fits_one(value),
            (_, Val::List(items)) => items.borrow().iter().all(|item| self.fits_one(item)),
            (List::OrOne, value) => self.fits_one(value),
            (List::Yes, _) => false,
        }
    }

    fn is_memory(&self) -> bool {
        matches!(self.ty, "Device" | "Layout" | "MemoryFormat" | "Generator")
    }

    fn fits_one(&self, value: &Val<'_>) -> bool {
        match (self.ty.trim_end_matches('?'), value) {
            ("Tensor", value) => {
                value.is_tensor() || self.ty.ends_with('?') && matches!(value, Val::None)
            }
            ("int" | "SymInt" | "ScalarType", Val::Number(number)) => {
                !matches!(number, Number::Float(_) | Number::Bool(_))
            }
            ("Scalar" | "float", Val::Number(_)) => true,
            ("bool", Val::Number(number)) => {
                matches!(number, Number::Bool(_) | Number::Computed(_))
            }
            ("str", Val::Text(_)) => true,
            ("Device", Val::Other(_)) => true,
            ("Layout" | "MemoryFormat", Val::Number(_)) => true,
            _ => false,
        }
    }

    fn argument(
        &self,
        value: &Val<'_>,
        define: &mut dyn FnMut(&Number) -> String,
    ) -> Result<Argument> {
        if self.is_memory() {
            return Ok(Argument::AsDevice(IgnoredAny));
        }
        Ok(match value {
            Val::None => Argument::AsNone(IgnoredAny),
            Val::Tensor(name) => Argument::AsTensor(named(name)),
            Val::Text(text) => Argument::AsString(text.to_string()),
            Val::Number(Number::Int(number)) if self.ty == "ScalarType" || self.name == "dtype" => {
                Argument::AsScalarType(scalar_type(*number))
            }
            Val::Number(number) => self.number(number, define),
            Val::List(items) => self.items(&items.borrow(), define)?,
            other => return Err(format!("argument '{}' is {}", self.name, other.kind())),
        })
    }

    fn number(&self, number: &Number, define: &mut dyn FnMut(&Number) -> String) -> Argument {
        match number {
            Number::Int(number) if self.ty == "float" => Argument::AsFloat(Float(*number as f64)),
            Number::Int(number) => Argument::AsInt(*number),
            Number::Float(number) => Argument::AsFloat(Float(*number)),
            Number::Bool(flag) => Argument::AsBool(*flag),
            Number::Computed(_) => Argument::AsSymInt(Symbolic::Name(define(number))),
        }
    }

    fn items(
        &self,
        items: &[Val<'_>],
        define: &mut dyn FnMut(&Number) -> String,
    ) -> Result<Argument> {
        if self.ty.starts_with("Tensor") {
            let tensors = items.iter().map(|item| match item {
                Val::Tensor(name) => Ok(OptionalTensor::AsTensor(named(name))),
                Val::None => Ok(OptionalTensor::AsNone(IgnoredAny)),
                other => Err(format!("'{}' has {}", self.name, other.kind())),
            });
            return Ok(Argument::AsOptionalTensors(tensors.collect::<Result<_>>()?));
        }
        if self.ty == "float" {
            let floats = items.iter().map(|item| match item {
                Val::Number(number @ Number::Computed(_)) => Ok(Symbolic::Name(define(number))),
                Val::Number(number) => Ok(Symbolic::Known(Float(number.known().unwrap_or(0.0)))),
                other => Err(format!("'{}' has {}", self.name, other.kind())),
            });
            return Ok(Argument::AsSymFloats(floats.collect::<Result<_>>()?));
        }
        let ints = items.iter().map(|item| match item {
            Val::Number(Number::Int(number)) => Ok(Symbolic::Known(*number)),
            Val::Number(Number::Bool(flag)) => Ok(Symbolic::Known((*flag).into())),
            Val::Number(number @ Number::Computed(_)) => Ok(Symbolic::Name(define(number))),
            other => Err(format!("'{}' has {}", self.name, other.kind())),
        });
        Ok(Argument::AsSymInts(ints.collect::<Result<_>>()?))
    }
}

fn named(name: &str) -> Name {
    Name { name: name.into() }
}

/// The number of an element type in exported programs, by that of TorchScript.
pub fn scalar_type(number: i64) -> i64 {
    match number {
        0..=11 => number + 1,
        15 => 13,
        23 => 29,
        24 => 30,
        27..=29 => [28, 34, 35][(number - 27) as usize],
        _ => 0,
    }
}

/// The number of an element type in TorchScript, by that of exported programs.
pub fn script_type(number: i64) -> Option<i64> {
    (0..30).find(|own| scalar_type(*own) == number)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn every_schema_is_read() {
        // Operators of any arguments are left out.
        let lines = include_str!("schemas.txt").lines();
        let lines = lines.filter(|line| !line.contains("..."));
        let unread: Vec<&str> = lines.filter(|line| read(line).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
    }
}
