//! Which element types a program computes with.

use relay_dialects::ir::{Op, Type};
use std::collections::BTreeSet;

/// The element types of all tensors in an op: of values, of what is in tuples, references and data types, and of what functions take and
/// give. They are written as MLIR writes them.
pub fn dtypes(op: Op) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    op.walk(|inner| {
        let blocks = inner
            .regions()
            .into_iter()
            .flat_map(|region| region.blocks());
        let parameters = blocks.flat_map(|block| block.args());
        for value in inner.results().into_iter().chain(parameters) {
            collect(value.ty(), &mut found);
        }
    });
    found
}

fn collect(ty: Type, found: &mut BTreeSet<String>) {
    ty.any_part(&mut |part| {
        if part.is_tensor() {
            found.insert(part.element().to_string());
        }
        false
    });
}
