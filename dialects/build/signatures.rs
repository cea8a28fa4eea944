//! Rust for our ops by name: a constant for each name, and the operands and attributes of each op.

use crate::ods::{Attr, Count, Dialect, EXTENTS, Op};

/// The constants of the names of our ops: `NN_CONV2D` of `relay.nn.conv2d`, in a module for each dialect.
pub fn names(dialects: &[Dialect]) -> String {
    let module = |Dialect { name, ops, .. }: &Dialect| {
        let constants: String = ops.iter().map(|op| constant(name, &op.name)).collect();
        format!("/// The ops of `{name}`.\npub mod {name} {{\n{constants}}}\n")
    };
    dialects.iter().map(module).collect()
}

/// The constant of an op's name: `NN_CONV2D` of `relay.nn.conv2d`.
fn constant(dialect: &str, name: &str) -> String {
    let short = name.strip_prefix(dialect).unwrap_or(name);
    let constant = short.trim_start_matches('.').replace('.', "_");
    let constant = constant.to_uppercase();
    format!("    /// `{name}`\n    pub const {constant}: &str = \"{name}\";\n")
}

/// The operands and attributes of our ops.
pub fn signatures(dialects: &[Dialect]) -> String {
    let ops = dialects.iter().flat_map(|dialect| &dialect.ops);
    let all: String = ops.map(signature).collect();
    format!("pub const ALL: &[Signature] = &[\n{all}];\n")
}

fn signature(op: &Op) -> String {
    let fixed = op.operands.iter().filter(|part| part.count == Count::One);
    let fixed = fixed.count();
    let operands = match fixed == op.operands.len() {
        true => format!("Operands::Exactly({fixed})"),
        false => format!("Operands::AtLeast({fixed})"),
    };
    let holds = |attr: &Attr| match attr.storage.as_str() {
        "::mlir::IntegerAttr" => "Int",
        "::mlir::BoolAttr" => "Bool",
        "::mlir::FloatAttr" => "Float",
        "::mlir::DenseI64ArrayAttr" | EXTENTS => "Ints",
        "::mlir::DenseF64ArrayAttr" => "Floats",
        "::mlir::StringAttr" => "Text",
        "::mlir::TypeAttr" => "Type",
        _ => "Other",
    };
    let mut attrs: Vec<(&str, &str)> = op
        .attrs
        .iter()
        .map(|it| (it.name.as_str(), holds(it)))
        .collect();
    attrs.sort_unstable();
    // MLIR counts them among an op's attributes.
    let segments = [
        (op.has_operand_segments, "operandSegmentSizes"),
        (op.has_result_segments, "resultSegmentSizes"),
    ];
    attrs.extend(
        segments
            .iter()
            .filter(|(has, _)| *has)
            .map(|(_, name)| (*name, "Other")),
    );
    let attrs: String = attrs
        .iter()
        .map(|(name, holds)| format!("({name:?}, Holds::{holds}), "))
        .collect();
    let name = &op.name;
    format!("Signature {{ name: {name:?}, operands: {operands}, attrs: &[{attrs}] }},\n")
}
