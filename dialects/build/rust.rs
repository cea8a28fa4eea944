//! Rust for the ops and enums that ODS declares: a type for each op, with its name, builder and accessors.

use crate::ods::{Argument, Attr, Count, Dialect, Enum, Form, Kind, Op, Part, Types, camel_case};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// The types of the ops of a dialect of ours. (An op of `relay` is its name, operands and attributes: what passes do with
/// operators is in the operators' rows.)
pub fn own_views(dialect: &Dialect) -> String {
    let ops = dialect.ops.iter();
    let ops: String = ops.map(|op| view(op, &op.rust)).collect();
    format!("use crate::ops::support::*;\n{ops}{}", inferred(&[dialect]))
}

/// The types of the ops of MLIR, a module for each dialect.
pub fn upstream_views(dialects: &[Dialect]) -> String {
    let dialects: Vec<&Dialect> = dialects.iter().collect();
    let enums = held_enums(&dialects);
    let modules: String = dialects
        .iter()
        .map(|dialect| module(dialect, &enums))
        .collect();
    let ops = dialects.iter().flat_map(|dialect| &dialect.ops);
    let names: String = ops.map(|op| format!("{:?}, ", op.name)).collect();
    format!(
        "{modules}/// The names of all ops that have a type here.\npub const NAMES: &[&str] = &[{names}];\n{}",
        inferred(&dialects)
    )
}

/// For a test: the ops whose builders leave it to MLIR to find the types of results.
fn inferred(dialects: &[&Dialect]) -> String {
    let ops = dialects.iter().flat_map(|dialect| &dialect.ops);
    let is_inferred =
        |op: &&Op| !op.has_other_parts && !op.results.is_empty() && op.types == Types::Inferred;
    let names: String = ops
        .filter(is_inferred)
        .map(|op| format!("{:?}, ", op.name))
        .collect();
    format!("#[cfg(test)]\npub(crate) const INFERRED: &[&str] = &[{names}];\n")
}

/// The enums that attributes of ops hold, by their modules and names.
fn held_enums<'a>(dialects: &[&'a Dialect]) -> BTreeMap<(&'a str, &'a str), &'a Enum> {
    let attrs = dialects
        .iter()
        .flat_map(|dialect| &dialect.ops)
        .flat_map(|op| &op.attrs);
    let held: BTreeSet<(&str, &str)> = attrs
        .filter_map(|attr| match &attr.kind {
            Kind::Enum(module, name) => Some((module.as_str(), name.as_str())),
            _ => None,
        })
        .collect();
    let mut enums = BTreeMap::new();
    for declared in dialects.iter().flat_map(|dialect| &dialect.enums) {
        let key = (declared.module.as_str(), declared.rust.as_str());
        let is_better = matches!(declared.form, Form::Written(..)) || !enums.contains_key(&key);
        if held.contains(&key) && is_better {
            enums.insert(key, declared);
        }
    }
    enums
}

/// A module of the ops of a dialect and of its enums that attributes of any op hold.
fn module(dialect: &Dialect, enums: &BTreeMap<(&str, &str), &Enum>) -> String {
    let name = &dialect.name;
    // An op that has the name of an enum keeps the end of its C++ name.
    let is_enum = |rust: &str| enums.contains_key(&(name.as_str(), rust));
    let ops = dialect.ops.iter().map(|op| match is_enum(&op.rust) {
        true => view(op, &format!("{}Op", op.rust)),
        false => view(op, &op.rust),
    });
    let ops: String = ops.collect();
    let enums = enums.values().filter(|declared| declared.module == *name);
    let enums: String = enums.map(|declared| enumeration(declared)).collect();
    format!(
        "/// The ops of `{name}`.\npub mod {name} {{\nuse super::support::*;\n\
         /// What the names of the ops begin with.\npub const PREFIX: &str = \"{name}.\";\n\
         {enums}{ops}}}\n"
    )
}

/// The type of an op, which is called `rust`.
fn view(op: &Op, rust: &str) -> String {
    let name = &op.name;
    let summary = match op.summary.is_empty() {
        true => String::new(),
        false => format!(": {}", op.summary.replace('\n', " ")),
    };
    let operands = accessors(op, &op.operands, op.has_operand_segments, "operand");
    let results = accessors(op, &op.results, op.has_result_segments, "result");
    let regions = op
        .regions
        .iter()
        .enumerate()
        .map(|(number, part)| region(op, number, part));
    let regions: String = regions.collect();
    let attrs: String = op.attrs.iter().map(|attr| attribute(op, attr)).collect();
    let build = match op.has_other_parts {
        true => String::new(),
        false => builders(op),
    };
    format!(
        "/// `{name}`{summary}\n#[derive(Clone, Copy)]\npub struct {rust}(Op);\n\
         impl {rust} {{\n    pub const NAME: &str = {name:?};\n\
         #[inline] pub fn of(op: Op) -> Option<Self> {{ op.is(Self::NAME).then_some(Self(op)) }}\n\
         #[inline] pub fn making(value: Value) -> Option<Self> {{ value.def_of(Self::NAME).map(Self) }}\n\
         #[inline] pub fn op(self) -> Op {{ self.0 }}\n\
         {build}{operands}{results}{regions}{attrs}}}\n"
    )
}

/// The functions that read an op's operands or results. A part of any length takes what the others leave.
fn accessors(op: &Op, parts: &[Part], has_segments: bool, what: &str) -> String {
    let varying = parts.iter().position(|part| part.count != Count::One);
    let mut text = String::new();
    for (number, part) in parts.iter().enumerate() {
        let Some(name) = accessor(op, &part.name) else {
            continue;
        };
        let after = parts.len() - 1 - number;
        let group = match has_segments {
            true => format!("segment(self.0, &self.0.{what}s(), \"{what}SegmentSizes\", {number})"),
            false => format!("group(&self.0.{what}s(), {number}, {after})"),
        };
        let is_plain = !has_segments && varying.is_none_or(|varying| number < varying);
        let (ty, value) = match part.count {
            Count::One if is_plain => ("Value", format!("self.0.{what}({number})")),
            Count::One if has_segments => {
                ("Value", format!("only(self.0, &{group}, {:?})", part.name))
            }
            Count::One => (
                "Value",
                format!("self.0.{what}(self.0.{what}_count() - {})", after + 1),
            ),
            Count::Optional => ("Option<Value>", format!("{group}.first().copied()")),
            Count::Any => ("Vec<Value>", group),
        };
        let _ = writeln!(text, "#[inline] pub fn {name}(self) -> {ty} {{ {value} }}");
    }
    text
}

fn region(op: &Op, number: usize, part: &Part) -> String {
    let Some(name) = accessor(op, &part.name) else {
        return String::new();
    };
    match part.count {
        Count::Any => String::new(),
        _ => format!(
            "#[inline] pub fn {name}(self) -> Option<ir::Block> {{ self.0.block_in({number}) }}\n"
        ),
    }
}

fn attribute(op: &Op, attr: &Attr) -> String {
    let Some(name) = accessor(op, &attr.name) else {
        return String::new();
    };
    let key = &attr.name;
    let (ty, read) = reader(&attr.kind);
    if attr.kind == Kind::Unit {
        return format!("#[inline] pub fn {name}(self) -> bool {{ self.0.has_attr({key:?}) }}\n");
    }
    let found = match attr.kind {
        Kind::Other => format!("self.0.attr({key:?})"),
        _ => format!("self.0.attr({key:?}).and_then({read})"),
    };
    let mut text = match attr.is_optional {
        true => format!("#[inline] pub fn {name}(self) -> Option<{ty}> {{ {found} }}\n"),
        false => {
            format!("#[inline] pub fn {name}(self) -> {ty} {{ held(self.0, {key:?}, {read}) }}\n")
        }
    };
    if let Kind::Enum(..) = attr.kind {
        let _ = writeln!(
            text,
            "#[inline] pub fn set_{name}(self, value: {ty}) {{ self.0.set_attr({key:?}, value.attr(self.0.ctx())); }}"
        );
    }
    text
}

/// The name of an accessor; `None` for a part without a name.
fn accessor(op: &Op, part: &str) -> Option<String> {
    const OWN: [&str; 5] = ["op", "of", "making", "build", "build_with"];
    if part.is_empty() {
        return None;
    }
    let name = parameter(part);
    let is_taken = OWN.contains(&name.as_str());
    // An operand and an attribute of one name do not occur in ODS; a region and an operand may.
    let of_value = op
        .operands
        .iter()
        .chain(&op.results)
        .any(|other| other.name == part);
    let is_region = op.regions.iter().any(|other| other.name == part);
    Some(match is_taken || (of_value && is_region) {
        true => format!("{name}_part"),
        false => name,
    })
}

/// The functions that make an op: without its optional attributes, and with them.
fn builders(op: &Op) -> String {
    let ret = match &op.results[..] {
        [one] if one.count == Count::One => "Value",
        _ => "Op",
    };
    let required = parameters(op, false);
    let all = parameters(op, true);
    let with = list_of(&all, |(name, ty)| format!("{name}: {ty}"));
    let body = chain(op, ret);
    if required.len() == all.len() {
        return format!("#[inline] pub fn build(b: &Builder{with}) -> {ret} {{ {body} }}\n");
    }
    let without = list_of(&required, |(name, ty)| format!("{name}: {ty}"));
    let known: BTreeSet<&String> = required.iter().map(|(name, _)| name).collect();
    let passed = list_of(&all, |(name, ty)| match known.contains(name) {
        true => name.clone(),
        false if ty == "bool" => "false".to_string(),
        false => "None".to_string(),
    });
    format!(
        "#[inline] pub fn build(b: &Builder{without}) -> {ret} {{ Self::build_with(b{passed}) }}\n\
         #[inline] pub fn build_with(b: &Builder{with}) -> {ret} {{ {body} }}\n"
    )
}

fn list_of(parameters: &[(String, String)], form: impl Fn(&(String, String)) -> String) -> String {
    parameters
        .iter()
        .map(|parameter| format!(", {}", form(parameter)))
        .collect()
}

/// The parameters of a builder after the builder of ops, with their types.
fn parameters(op: &Op, with_optional: bool) -> Vec<(String, String)> {
    let values = |parts: &[Part], value: &str, what: &str| -> Vec<(String, String)> {
        let named = parts.iter().enumerate();
        named
            .map(|(number, part)| (part_name(part, what, number), counted(part.count, value)))
            .collect()
    };
    let mut all = Vec::new();
    if op.types == Types::Given {
        all.extend(
            values(&op.results, "Type", "result")
                .into_iter()
                .map(|(name, ty)| (name + "_type", ty)),
        );
    }
    for argument in &op.arguments {
        match argument {
            Argument::Operand(number) => {
                let part = &op.operands[*number];
                let name = part_name(part, "operand", *number);
                all.push((name, counted(part.count, "Value")));
            }
            Argument::Attr(number) => {
                let attr = &op.attrs[*number];
                let pair = (parameter(&attr.name), attr_type(attr));
                all.extend((with_optional || !attr.is_optional).then_some(pair));
            }
        }
    }
    let regions = values(&op.regions, "ir::Block", "region").into_iter();
    let of_value = |name: &String| {
        op.operands
            .iter()
            .any(|part| &parameter(&part.name) == name)
    };
    all.extend(regions.map(|(name, ty)| match ty == "&[ir::Block]" {
        true => (name, "&[Option<ir::Block>]".to_string()),
        false if of_value(&name) => (name + "_part", ty),
        false => (name, ty),
    }));
    all
}

fn part_name(part: &Part, what: &str, number: usize) -> String {
    match part.name.is_empty() {
        true => format!("{what}{number}"),
        false => parameter(&part.name),
    }
}

fn counted(count: Count, ty: &str) -> String {
    match count {
        Count::One => ty.to_string(),
        Count::Optional => format!("Option<{ty}>"),
        Count::Any => format!("&[{ty}]"),
    }
}

fn attr_type(attr: &Attr) -> String {
    let ty = match &attr.kind {
        Kind::Unit => return "bool".to_string(),
        Kind::Text | Kind::Symbol => "&str".to_string(),
        Kind::Ints => "&[i64]".to_string(),
        Kind::ShortInts => "&[i32]".to_string(),
        other => reader(other).0,
    };
    match attr.is_optional {
        true => format!("Option<{ty}>"),
        false => ty,
    }
}

/// The type of an attribute's value, and the function that reads it.
fn reader(kind: &Kind) -> (String, String) {
    let (ty, read) = match kind {
        Kind::Int(_) | Kind::Index => ("i64", "Attr::as_i64"),
        Kind::Bool | Kind::Unit => ("bool", "Attr::as_bool"),
        Kind::Text => ("String", "Attr::as_str"),
        Kind::Symbol => ("String", "Attr::as_symbol"),
        Kind::Type => ("Type", "Attr::as_type"),
        Kind::Ints => ("Vec<i64>", "Attr::as_ints"),
        Kind::ShortInts => ("Vec<i32>", "Attr::as_short_ints"),
        Kind::Enum(module, name) => {
            let path = enum_path(module, name);
            return (path.clone(), format!("{path}::of"));
        }
        Kind::Other => ("Attr", "Some"),
    };
    (ty.to_string(), read.to_string())
}

/// The path of an enum; those of our dialects are written by hand, beside these ops.
fn enum_path(module: &str, name: &str) -> String {
    match module {
        "te" | "tir" => format!("crate::{module}::{name}"),
        _ => format!("super::{module}::{name}"),
    }
}

/// The calls that make an op.
fn chain(op: &Op, ret: &str) -> String {
    let slice = |count: Count, name: String| match count {
        Count::One => format!("&[{name}]"),
        Count::Optional => format!("{name}.as_slice()"),
        Count::Any => name,
    };
    let mut text = "Making::new(b, Self::NAME)".to_string();
    for (number, part) in op.operands.iter().enumerate() {
        let name = part_name(part, "operand", number);
        let _ = write!(text, ".operands({})", slice(part.count, name));
    }
    match op.types {
        Types::Given => {
            for (number, part) in op.results.iter().enumerate() {
                let name = part_name(part, "result", number) + "_type";
                let _ = write!(text, ".types({})", slice(part.count, name));
            }
        }
        Types::OfOperand(number) => {
            let name = part_name(&op.operands[number], "operand", number);
            let _ = write!(text, ".types(&[{name}.ty()])");
        }
        Types::OfAttr(number) => {
            let name = parameter(&op.attrs[number].name);
            let _ = write!(text, ".types(&[{name}.typ()])");
        }
        Types::Inferred if op.results.is_empty() => {}
        Types::Inferred => text += ".inferred()",
    }
    for attr in &op.attrs {
        let _ = write!(text, ".{}", setter(attr));
    }
    let parameters = parameters(op, true);
    let regions = &parameters[parameters.len() - op.regions.len()..];
    for ((name, _), part) in regions.iter().zip(&op.regions) {
        text += &match part.count {
            Count::One => format!(".blocks(&[Some({name})])"),
            Count::Optional => format!(".blocks(&[{name}])"),
            Count::Any => format!(".blocks({name})"),
        };
    }
    if op.has_operand_segments {
        text += ".operand_segments()";
    }
    if op.has_result_segments {
        text += ".result_segments()";
    }
    text + match ret {
        "Value" => ".value()",
        _ => ".op()",
    }
}

/// The call that gives an op an attribute.
fn setter(attr: &Attr) -> String {
    let name = parameter(&attr.name);
    let made = match (&attr.kind, attr.is_optional) {
        (Kind::Unit, _) => format!("{name}.then(|| Attr::unit(b.ctx))"),
        (Kind::Other, true) => name,
        (kind, true) => format!("{name}.map(|it| {})", made_of(kind, "it")),
        (kind, false) => format!("Some({})", made_of(kind, &name)),
    };
    format!("attr({:?}, {made})", attr.name)
}

/// The attribute made of a value.
fn made_of(kind: &Kind, value: &str) -> String {
    match kind {
        Kind::Int(bits) => format!("Attr::int(Type::int(b.ctx, {bits}), {value})"),
        Kind::Index => format!("Attr::int(Type::index(b.ctx), {value})"),
        Kind::Bool => format!("Attr::bool(b.ctx, {value})"),
        Kind::Unit => "Attr::unit(b.ctx)".to_string(),
        Kind::Text => format!("Attr::str(b.ctx, {value})"),
        Kind::Symbol => format!("Attr::symbol(b.ctx, {value})"),
        Kind::Type => format!("Attr::ty({value})"),
        Kind::Ints => format!("Attr::ints(b.ctx, {value})"),
        Kind::ShortInts => format!("Attr::short_ints(b.ctx, {value})"),
        Kind::Enum(..) => format!("{value}.attr(b.ctx)"),
        Kind::Other => value.to_string(),
    }
}

/// An enum of the kind of its attribute.
fn enumeration(declared: &Enum) -> String {
    let cases = declared.cases.iter().map(|(symbol, number, keyword)| {
        let case = match declared.is_set {
            true => snake_case(symbol).to_uppercase(),
            // A name in capitals is one word for each part.
            false if !symbol.contains(char::is_lowercase) => camel_case(&symbol.to_lowercase()),
            false => camel_case(symbol),
        };
        // A name in Rust does not begin with a digit.
        let case = match case.starts_with(|letter: char| letter.is_ascii_digit()) {
            true => format!("N{case}"),
            false => case,
        };
        format!("    /// `{keyword}`\n    {case} = {number}, {keyword:?};\n")
    });
    let cases: String = cases.collect();
    let form = match &declared.form {
        Form::Int(bits) => format!("Integer({bits})"),
        Form::Written(before, after) => format!("Written({before:?}, {after:?})"),
    };
    let Enum { rust, summary, .. } = declared;
    match declared.is_set {
        true => {
            let separator = &declared.separator;
            format!(
                "flags! {{ #[doc = {summary:?}] {rust}, {form}, {separator:?} {{\n{cases}}} }}\n"
            )
        }
        false => format!("choice! {{ #[doc = {summary:?}] {rust}, {form} {{\n{cases}}} }}\n"),
    }
}

/// The name of a part as the name of a parameter or function.
fn parameter(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
        "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    let name = snake_case(name);
    // A builder calls the builder of ops `b`.
    match KEYWORDS.contains(&name.as_str()) || name == "b" {
        true => name + "_",
        false => name,
    }
}

/// `then_region` of `thenRegion`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && was_small {
            snake.push('_');
        }
        was_small = letter.is_lowercase() || letter.is_ascii_digit();
        snake.extend(letter.to_lowercase());
    }
    snake
}
