//! Python's functions for Relay's operators, from the TableGen records of their ops.
//!
//! A module holds the operators of a namespace: `nn.conv2d` is `conv2d` in `nn.py`. A function takes the operands and then the
//! attributes, by the names and in the order of the declaration.

use super::{Pages, TableGen, operators::LANGUAGE, relay_operations};
use crate::{Error, Result};
use relay_import::relay_text::OF_TUPLES;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The module of operators whose names have no namespace.
const BASIC: &str = "basic";

/// How wide Python's lines are.
const WIDTH: usize = 120;

/// Attributes that TVM's programs write and our ops do not have: the element type and the layout of a result are those of the
/// data. What an operator's name contains, and the attributes.
const EXTRA: [(&str, &[&str]); 2] = [
    ("conv", &["out_layout", "out_dtype"]),
    ("dense", &["out_dtype"]),
];

/// Attributes that stand behind `groups` in TVM's functions: the weight says the same.
const HINTS: [&str; 2] = ["channels", "kernel_size"];

/// Operators whose functions are written by hand, because they take more than their ops, or other attributes.
const BY_HAND: &[&str] = &["custom", "meshgrid", "split"];

/// Operators with more results in Relay's text than as ops, and how many.
const RESULTS: [(&str, usize); 1] = [("nn.batch_norm", 3)];

/// Attributes that need not be given, although the ops have no default for them: Relay's text has one.
const FILLED: [(&str, &str); 5] = [
    ("concatenate", "axis"),
    ("squeeze", "axis"),
    ("strided_slice", "axes"),
    ("strided_slice", "strides"),
    ("transpose", "axes"),
];

/// An operator.
struct Function {
    /// Its name, with its namespace and without the dialect.
    operator: String,
    /// The parameters for operands: the name, and whether there may be any number of them, or none.
    operands: Vec<(String, Count)>,
    /// The parameters for attributes.
    attributes: Vec<Attribute>,
    /// How many results there are; 0 if that depends.
    results: usize,
    summary: String,
    description: String,
}

/// How many operands a parameter stands for.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    One,
    Optional,
    Any,
}

/// An attribute.
struct Attribute {
    name: String,
    /// Its type in Python.
    ty: &'static str,
    is_required: bool,
}

/// The modules, by their names.
///
/// # Errors
/// If a TableGen file cannot be read.
pub fn modules(tablegen: &TableGen) -> Result<Pages> {
    let records: Value = serde_json::from_str(&tablegen.records("relay")?)
        .map_err(|error| Error::at(Path::new("the dump of records"))(error.into()))?;
    let language = relay_operations(tablegen)?.into_iter();
    let language: BTreeSet<String> = language
        .filter(|op| LANGUAGE.contains(&op.family.as_str()))
        .map(|op| op.name)
        .collect();
    let mut modules: BTreeMap<String, Vec<Function>> = BTreeMap::new();
    for record in records["!instanceof"]["Relay_Op"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let record = &records[record.as_str().unwrap_or_default()];
        let function = Function::of(&records, record);
        let is_language = language.contains(&format!("relay.{}", function.operator));
        if !is_language && !BY_HAND.contains(&function.operator.as_str()) {
            modules.entry(function.module()).or_default().push(function);
        }
    }
    let mut pages: Pages = modules
        .iter_mut()
        .map(|(name, functions)| (format!("{name}.py").into(), module(name, functions)))
        .collect();
    pages.insert("__init__.py".into(), init(modules.keys()));
    Ok(pages)
}

fn init<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("    \"{name}\",\n"))
        .collect();
    format!(
        "\"\"\"Relay's operators by their namespaces. `cargo xtask docs` writes these modules from the operators' declarations.\"\"\"\n\n\
         from ..operator import get\nfrom . import {}\n\n__all__ = [\n{}    \"get\",\n]\n",
        names.join(", "),
        quoted.concat()
    )
}

fn module(name: &str, functions: &mut [Function]) -> String {
    functions.sort_by(|one, other| one.operator.cmp(&other.operator));
    let names: Vec<String> = functions
        .iter()
        .map(|function| format!("    \"{}\",\n", function.name()))
        .collect();
    let what = match name {
        BASIC => "Relay's operators without a namespace".into(),
        name => format!("Relay's operators of `{name}`"),
    };
    let bodies: Vec<String> = functions.iter().map(Function::text).collect();
    let bodies = bodies.join("\n\n");
    // Imports that nothing reads are none.
    let is_read = |name: &&str| {
        let mut ways = [format!(": {name}"), format!("[{name}]"), format!("{name}[")].into_iter();
        ways.any(|way| bodies.contains(&way))
    };
    let typing: Vec<&str> = ["Any", "Optional"].into_iter().filter(is_read).collect();
    let types = ["Flags", "Floats", "Ints"].into_iter().filter(is_read);
    let ours: Vec<&str> = ["Expr"].into_iter().chain(types).chain(["call"]).collect();
    format!(
        "\"\"\"{what}. `cargo xtask docs` writes this module from the operators' declarations.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import {}\n\n\
         from ..expr import {}\n\n\
         __all__ = [\n{}]\n\n\n{}",
        typing.join(", "),
        ours.join(", "),
        names.concat(),
        bodies
    )
}

impl Function {
    fn of(records: &Value, record: &Value) -> Self {
        let text = |field: &str| record[field].as_str().unwrap_or_default().trim().to_owned();
        let operator = text("opName");
        let mut function = Self {
            results: results(records, record),
            summary: text("summary"),
            description: text("description"),
            operands: Vec::new(),
            attributes: Vec::new(),
            operator,
        };
        for argument in record["arguments"]["args"].as_array().into_iter().flatten() {
            let name = argument[1].as_str().unwrap_or_default().to_owned();
            let kind = &records[argument[0]["def"].as_str().unwrap_or_default()];
            if is_of(kind, "Attr") {
                function.attributes.push(Attribute {
                    is_required: function.requires(kind, &name),
                    ty: python_type(records, kind),
                    name,
                });
            } else {
                function.operands.push((name, count(kind)));
            }
        }
        if let Some((_, count)) = RESULTS.iter().find(|(name, _)| *name == function.operator) {
            function.results = *count;
        }
        function.order_hints();
        function.add_extra();
        function
    }

    /// Whether an attribute has neither a default nor the right to be left out.
    fn requires(&self, kind: &Value, name: &str) -> bool {
        let is_filled = FILLED.contains(&(self.operator.as_str(), name));
        !is_filled
            && !is_of(kind, "OptionalAttr")
            && !is_of(kind, "DefaultValuedAttr")
            && !is_of(kind, "DefaultValuedOptionalAttr")
            && !is_of(kind, "UnitAttr")
    }

    fn order_hints(&mut self) {
        if !self
            .attributes
            .iter()
            .any(|attribute| attribute.name == "groups")
        {
            return;
        }
        let all = std::mem::take(&mut self.attributes);
        let (mut hints, others): (Vec<_>, Vec<_>) =
            (all.into_iter()).partition(|attribute| HINTS.contains(&attribute.name.as_str()));
        for attribute in others {
            let is_last = attribute.name == "groups";
            self.attributes.push(attribute);
            if is_last {
                self.attributes.append(&mut hints);
            }
        }
    }

    fn add_extra(&mut self) {
        let extra = EXTRA.iter().find(|(part, _)| self.operator.contains(part));
        let names = extra.map(|(_, names)| *names).unwrap_or_default();
        let missing = names.iter().filter(|name| {
            !self
                .attributes
                .iter()
                .any(|attribute| attribute.name == **name)
        });
        let missing: Vec<Attribute> = missing
            .map(|name| Attribute {
                name: (*name).into(),
                ty: "str",
                is_required: false,
            })
            .collect();
        self.attributes.extend(missing);
    }

    fn module(&self) -> String {
        match self.operator.rsplit_once('.') {
            Some((module, _)) => module.replace('.', "_"),
            None => BASIC.into(),
        }
    }

    fn name(&self) -> &str {
        self.operator.rsplit('.').next().unwrap_or_default()
    }

    fn text(&self) -> String {
        let parameters = self.parameters();
        let name = self.name();
        let head = format!("def {name}({}) -> Expr:\n", parameters.join(", "));
        let head = match head.len() <= WIDTH + 1 {
            true => head,
            false => {
                let lines: Vec<String> = parameters
                    .iter()
                    .map(|parameter| format!("    {parameter},\n"))
                    .collect();
                format!("def {name}(\n{}) -> Expr:\n", lines.concat())
            }
        };
        format!("{head}{}{}", self.docstring(), self.body())
    }

    /// The parameters. Those that have to be given stand first, as Python has it.
    fn parameters(&self) -> Vec<String> {
        let operands = self.operands.iter().map(|(name, count)| match count {
            Count::Optional => format!("{name}: Any = None"),
            _ => format!("{name}: Any"),
        });
        let attributes = self.attributes.iter().map(|attribute| {
            let Attribute {
                name,
                ty,
                is_required,
            } = attribute;
            match is_required {
                true => format!("{name}: {ty}"),
                false => format!("{name}: Optional[{ty}] = None"),
            }
        });
        let (required, others): (Vec<String>, Vec<String>) = operands
            .chain(attributes)
            .partition(|parameter| !parameter.contains(" = "));
        [required, others].concat()
    }

    fn docstring(&self) -> String {
        let mut text = format!("    \"\"\"{}.\n", sentence(&self.summary));
        let mut was_item = false;
        for paragraph in paragraphs(&self.description) {
            let is_item = paragraph.starts_with("- ");
            if !(was_item && is_item) {
                text += "\n";
            }
            text += &wrapped(&paragraph);
            was_item = is_item;
        }
        let text = text.trim_end().replace('\\', "\\\\");
        match self.description.is_empty() {
            true => format!("{text}\"\"\"\n"),
            false => format!("{text}\n    \"\"\"\n"),
        }
    }

    fn body(&self) -> String {
        let of_tuple = OF_TUPLES.contains(&self.operator.as_str());
        let operands: Vec<String> = (self.operands.iter())
            .map(|(name, count)| match count {
                Count::Any if !of_tuple => format!("*{name}"),
                _ => name.clone(),
            })
            .collect();
        let operands = match &operands[..] {
            [one] => format!("({one},)"),
            operands => format!("({})", operands.join(", ")),
        };
        let mut arguments = vec![format!("\"{}\"", self.operator), operands];
        if self.results != 1 {
            arguments.push(format!("results={}", self.results));
        }
        arguments.extend(
            self.attributes
                .iter()
                .map(|attribute| format!("{0}={0}", attribute.name)),
        );
        let line = format!("    return call({})\n", arguments.join(", "));
        if line.len() <= WIDTH + 1 {
            return line;
        }
        let lines: Vec<String> = arguments
            .iter()
            .map(|argument| format!("        {argument},\n"))
            .collect();
        format!("    return call(\n{}    )\n", lines.concat())
    }
}

fn is_of(kind: &Value, class: &str) -> bool {
    let classes = kind["!superclasses"].as_array();
    let name = kind["!name"].as_str();
    name == Some(class) || classes.is_some_and(|classes| classes.iter().any(|known| known == class))
}

fn count(kind: &Value) -> Count {
    match () {
        () if is_of(kind, "Variadic") => Count::Any,
        () if is_of(kind, "Optional") => Count::Optional,
        () => Count::One,
    }
}

/// How many results an op has; 0 if that depends on its operands.
fn results(records: &Value, record: &Value) -> usize {
    let results = record["results"]["args"].as_array();
    let results = results.map(Vec::as_slice).unwrap_or_default();
    let kinds = results
        .iter()
        .map(|result| &records[result[0]["def"].as_str().unwrap_or_default()]);
    match kinds.into_iter().any(|kind| count(kind) != Count::One) {
        true => 0,
        false => results.len(),
    }
}

/// The type of an attribute in Python, by what the generated C++ returns for it.
fn python_type(records: &Value, kind: &Value) -> &'static str {
    let base = &kind["baseAttr"];
    if base.is_object() {
        return python_type(records, &records[base["def"].as_str().unwrap_or_default()]);
    }
    let storage = kind["storageType"].as_str().unwrap_or_default();
    match storage.rsplit("::").next().unwrap_or_default() {
        "IntegerAttr" => "int",
        "BoolAttr" | "UnitAttr" => "bool",
        "FloatAttr" => "float",
        "StringAttr" | "TypeAttr" => "str",
        "DenseI64ArrayAttr" | "DenseI32ArrayAttr" => "Ints",
        "DenseF64ArrayAttr" | "DenseF32ArrayAttr" => "Floats",
        "DenseBoolArrayAttr" => "Flags",
        _ => "Any",
    }
}

/// A summary as a sentence without its point.
fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}

/// The paragraphs and the items of a text, each as one line; items begin with `- `.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        let is_item = line.starts_with("- ");
        match all.last_mut() {
            Some(last) if is_open && !is_item && !line.is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            _ if !line.is_empty() => all.push(line.into()),
            _ => {}
        }
        is_open = !line.is_empty();
    }
    all
}

/// A paragraph in lines of the width of Python's.
fn wrapped(paragraph: &str) -> String {
    let mut text = String::new();
    let mut line = String::from("   ");
    for word in paragraph.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.trim() != "" {
            text += &line;
            text += "\n";
            line = String::from(if paragraph.starts_with("- ") {
                "     "
            } else {
                "   "
            });
        }
        line.push(' ');
        line.push_str(word);
    }
    text + &line + "\n"
}
