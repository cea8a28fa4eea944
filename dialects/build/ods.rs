//! What ODS declares of an op, read from TableGen's records.

use crate::records::{Record, Records};

/// An op.
pub struct Op {
    /// Its full name.
    pub name: String,
    /// The name of its type in Rust.
    pub rust: String,
    /// What it does.
    pub summary: String,
    pub operands: Vec<Part>,
    pub attrs: Vec<Attr>,
    /// Its operands and attributes by their numbers, in the order of the declaration.
    pub arguments: Vec<Argument>,
    pub results: Vec<Part>,
    pub regions: Vec<Part>,
    /// Where its result types come from.
    pub types: Types,
    /// Whether an attribute has the numbers of operands, or of results.
    pub has_operand_segments: bool,
    pub has_result_segments: bool,
    /// Whether its parts have forms that a builder has no parameters for: successors and groups of groups.
    pub has_other_parts: bool,
}

/// The number of an operand or attribute.
#[derive(Clone, Copy)]
pub enum Argument {
    Operand(usize),
    Attr(usize),
}

/// An operand, a result or a region.
pub struct Part {
    pub name: String,
    pub count: Count,
}

/// How many values, or blocks, a part stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Count {
    One,
    Optional,
    Any,
}

/// Where result types come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Types {
    /// They are given.
    Given,
    /// There is one result of the type of this operand.
    OfOperand(usize),
    /// There is one result of the type of this attribute.
    OfAttr(usize),
    /// MLIR finds them.
    Inferred,
}

/// An attribute.
pub struct Attr {
    pub name: String,
    pub kind: Kind,
    /// Whether an op may lack it.
    pub is_optional: bool,
    /// The C++ type that stores it.
    pub storage: String,
}

/// What an attribute holds.
#[derive(Clone, PartialEq, Eq)]
pub enum Kind {
    /// An integer of so many bits.
    Int(i64),
    Index,
    Bool,
    Unit,
    Text,
    Symbol,
    Type,
    Ints,
    ShortInts,
    /// An enum of that module.
    Enum(String, String),
    Other,
}

/// A dialect.
pub struct Dialect {
    pub name: String,
    /// Its ops, file by file, in alphabetical order of their names.
    pub ops: Vec<Op>,
    /// All enums that its files know.
    pub enums: Vec<Enum>,
}

impl Dialect {
    /// A dialect without ops.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            ops: Vec::new(),
            enums: Vec::new(),
        }
    }

    /// Adds what a file declares.
    pub fn add(&mut self, records: &Records) {
        let mut ops: Vec<Op> = records.of_class("Op").into_iter().filter_map(op).collect();
        ops.sort_by(|one, other| one.name.cmp(&other.name));
        self.ops.extend(ops);
        let attrs = records.of_class("Attr");
        self.enums.extend(attrs.into_iter().filter_map(enum_of));
    }
}

fn op(record: Record<'_>) -> Option<Op> {
    let dialect = record.record("opDialect")?.text("name");
    let mut operands = Vec::new();
    let mut attrs = Vec::new();
    let mut arguments = Vec::new();
    for (argument, name) in record.arguments("arguments") {
        let constraint = argument.record("constraint").unwrap_or(argument);
        if constraint.is("TypeConstraint") {
            arguments.push(Argument::Operand(operands.len()));
            operands.push(part(constraint, name));
        } else if constraint.is("Attr") {
            arguments.push(Argument::Attr(attrs.len()));
            attrs.push(attr(constraint, name));
        }
    }
    let results = record.arguments("results").into_iter();
    let results = results.map(|(result, name)| {
        let constraint = result.record("constraint").unwrap_or(result);
        (constraint, name)
    });
    let results: Vec<(Record<'_>, &str)> = results.collect();
    let regions = record.arguments("regions").into_iter();
    let traits = traits(record);
    let has = |name: &str| {
        traits
            .iter()
            .any(|known| known.text("trait").ends_with(name))
    };
    let is_grouped = |(part, _): (Record<'_>, &str)| {
        let constraint = part.record("constraint").unwrap_or(part);
        constraint.is("VariadicOfVariadic")
    };
    Some(Op {
        name: format!("{dialect}.{}", record.text("opName")),
        rust: rust_name(record.name),
        summary: record.text("summary").to_string(),
        types: types(record, &operands, &results, &traits, &attrs),
        operands,
        attrs,
        arguments,
        results: results
            .iter()
            .map(|(result, name)| part(*result, name))
            .collect(),
        regions: regions
            .map(|(region, name)| region_part(region, name))
            .collect(),
        has_operand_segments: has("AttrSizedOperandSegments"),
        has_result_segments: has("AttrSizedResultSegments"),
        has_other_parts: !record.arguments("successors").is_empty()
            || record.arguments("arguments").into_iter().any(is_grouped)
            || has("SameVariadicOperandSize")
            || has("SameVariadicResultSize"),
    })
}

fn part(constraint: Record<'_>, name: &str) -> Part {
    let count = if constraint.is("Variadic") {
        Count::Any
    } else if constraint.is("Optional") {
        Count::Optional
    } else {
        Count::One
    };
    Part {
        name: name.to_string(),
        count,
    }
}

/// A region stands for its first block, which one of any size, such as the body of a declaration, may lack.
fn region_part(region: Record<'_>, name: &str) -> Part {
    let count = if region.is("VariadicRegion") {
        Count::Any
    } else if region.is("SizedRegion") {
        Count::One
    } else {
        Count::Optional
    };
    Part {
        name: name.to_string(),
        count,
    }
}

/// The traits of an op, with those in lists of traits.
fn traits(record: Record<'_>) -> Vec<Record<'_>> {
    let mut open = record.records("traits");
    let mut traits = Vec::new();
    while let Some(known) = open.pop() {
        open.extend(known.records("traits"));
        traits.push(known);
    }
    traits
}

/// Where result types come from. `mlir-tblgen` decides by the same rules whether it gives the op an inference; a test
/// of `ops` compares with the ops of a context.
fn types(
    record: Record<'_>,
    operands: &[Part],
    results: &[(Record<'_>, &str)],
    traits: &[Record<'_>],
    attrs: &[Attr],
) -> Types {
    let has = |name: &str| traits.iter().any(|known| known.text("trait") == name);
    let is_fixed = |part: &Part| part.count == Count::One;
    let has_fixed_results = results
        .iter()
        .all(|(result, name)| is_fixed(&part(*result, name)));
    if !has_fixed_results {
        return Types::Given;
    }
    if results.is_empty() || has("InferTypeOpInterface::Trait") {
        return Types::Inferred;
    }
    if has("SameOperandsAndResultType") {
        return match operands.iter().position(is_fixed) {
            Some(number) if results.len() == 1 => Types::OfOperand(number),
            Some(_) => Types::Inferred,
            None => Types::Given,
        };
    }
    let is_same = |name: &str| has_same_type(results, traits, name);
    let is_typing = |part: &Part| is_fixed(part) && is_same(&part.name);
    if let Some(number) = operands.iter().position(is_typing) {
        return Types::OfOperand(number);
    }
    let is_typing = |attr: &Attr| attr.storage == "::mlir::TypedAttr" && is_same(&attr.name);
    if let Some(number) = attrs.iter().position(is_typing) {
        return Types::OfAttr(number);
    }
    let is_known = |name: &str| {
        let mut fixed = operands.iter().filter(|part| is_fixed(part));
        fixed.any(|part| part.name == name) || attrs.iter().any(|attr| attr.name == name)
    };
    let follows = |result: &str| {
        traits.iter().any(|known| {
            if known.is("TypesMatchWith") {
                return known.text("rhs") == result && is_known(known.text("lhs"));
            }
            let values = known.texts("values");
            known.is("AllTypesMatch")
                && values.contains(&result)
                && values.iter().any(|value| is_known(value))
        })
    };
    let is_found = |(result, name): &(Record<'_>, &str)| {
        !result.text("builderCall").is_empty() || follows(name)
    };
    // Without the interface's file, mlir-tblgen gives no op of a dialect an inference.
    match record.knows("InferTypeOpInterface") && results.iter().all(is_found) {
        true => Types::Inferred,
        false => Types::Given,
    }
}

/// Whether an operand or attribute has the type of the one result.
fn has_same_type(results: &[(Record<'_>, &str)], traits: &[Record<'_>], name: &str) -> bool {
    let [(_, result)] = results else {
        return false;
    };
    let mut matching = traits.iter().filter(|known| known.is("AllTypesMatch"));
    matching.any(|known| {
        let values = known.texts("values");
        values.contains(result) && values.contains(&name)
    })
}

fn attr(constraint: Record<'_>, name: &str) -> Attr {
    let mut inner = constraint;
    let mut is_optional = constraint.number("isOptional") == Some(1);
    while let Some(base) = inner.record("baseAttr") {
        is_optional |= inner.is("OptionalAttr") || !inner.text("defaultValue").is_empty();
        inner = base;
    }
    Attr {
        name: name.to_string(),
        kind: kind(inner),
        is_optional,
        storage: match inner.name {
            EXTENTS => EXTENTS.to_string(),
            _ => inner.text("storageType").to_string(),
        },
    }
}

/// The constraint of lists of dimensions, of which C++ knows only that they are attributes.
pub const EXTENTS: &str = "Relay_Extents";

fn kind(attr: Record<'_>) -> Kind {
    if let Some(declared) = enum_of(attr) {
        return Kind::Enum(declared.module, declared.rust);
    }
    let value = attr.record("valueType");
    let bits = value.and_then(|ty| ty.number("bitwidth"));
    match attr.text("storageType") {
        "::mlir::BoolAttr" => Kind::Bool,
        "::mlir::UnitAttr" => Kind::Unit,
        "::mlir::StringAttr" => Kind::Text,
        "::mlir::FlatSymbolRefAttr" => Kind::Symbol,
        "::mlir::TypeAttr" => Kind::Type,
        "::mlir::DenseI64ArrayAttr" => Kind::Ints,
        "::mlir::DenseI32ArrayAttr" => Kind::ShortInts,
        "::mlir::IntegerAttr" if value.is_some_and(|ty| ty.name == "Index") => Kind::Index,
        // A sign is a part of the type; attributes with one have no reader here.
        "::mlir::IntegerAttr" if value.is_some_and(|ty| ty.is("I")) => match bits {
            Some(1) => Kind::Bool,
            Some(bits) => Kind::Int(bits),
            None => Kind::Other,
        },
        _ => Kind::Other,
    }
}

/// An enum.
pub struct Enum {
    /// The module that declares it: its dialect.
    pub module: String,
    /// The name of its type in Rust.
    pub rust: String,
    pub summary: String,
    /// Whether it is a set of flags.
    pub is_set: bool,
    pub form: Form,
    /// What stands between flags.
    pub separator: String,
    /// Each with its C++ name, its number and its keyword.
    pub cases: Vec<(String, i64, String)>,
}

/// What attribute holds an enum.
pub enum Form {
    /// An integer of so many bits.
    Int(i64),
    /// One of its dialect: what the text has before and after the keyword.
    Written(String, String),
}

/// The enum that an attribute holds.
fn enum_of(attr: Record<'_>) -> Option<Enum> {
    let (info, dialect) = match attr.is("EnumAttr") {
        true => (attr.record("enum")?, attr.record("dialect")),
        false => (attr, None),
    };
    if !info.is("EnumAttrInfo") {
        return None;
    }
    let form = match dialect {
        Some(dialect) => written_form(attr, dialect.text("name")),
        None => Form::Int(info.number("bitwidth")?),
    };
    let cases = info.records("enumerants").into_iter().filter_map(|case| {
        let number = case.number("value")?;
        Some((case.text("symbol").into(), number, case.text("str").into()))
    });
    let module = match dialect {
        Some(dialect) => dialect.text("name"),
        None => info.text("cppNamespace").split("::").nth(2)?,
    };
    Some(Enum {
        module: module.to_lowercase(),
        rust: camel_case(info.text("className")),
        summary: info.text("summary").to_string(),
        is_set: info.is("BitEnumBase"),
        form,
        separator: info.text("separator").to_string(),
        cases: cases.collect(),
    })
}

/// MLIR writes an attribute whose format has brackets of its own as `#arith.fastmath<...>`, another one as
/// `#gpu<dim x>`.
fn written_form(attr: Record<'_>, dialect: &str) -> Form {
    let mnemonic = attr.text("mnemonic");
    match attr.text("assemblyFormat").starts_with("`<`") {
        true => Form::Written(format!("#{dialect}.{mnemonic}<"), ">".to_string()),
        false => Form::Written(format!("#{dialect}<{mnemonic} "), ">".to_string()),
    }
}

/// `AddF` of the record `Arith_AddFOp`.
fn rust_name(record: &str) -> String {
    let class = record.split_once('_').map_or(record, |(_, class)| class);
    camel_case(class.strip_suffix("Op").unwrap_or(class))
}

/// `VectorInsert` of `vector_insert`; a name that has capitals keeps them.
pub fn camel_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    });
    words.collect()
}
