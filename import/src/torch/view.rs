//! Which results of nodes lie in the memory of an argument.

use super::{
    ops::Conversion,
    program::known,
    schema::{self, Argument, Extent, TensorMeta, names},
};
use std::collections::BTreeMap;

/// Whether the results of a node may be views of its first argument. Whether they have the same elements is not looked at.
pub fn is_view(
    conversion: Conversion,
    node: &schema::Node,
    types: &BTreeMap<String, TensorMeta>,
) -> bool {
    let Some(view) = conversion.row.view else {
        return false;
    };
    let is_copy = |input: &schema::NamedArgument| {
        input.name == "copy" && matches!(input.arg, Argument::AsBool(true))
    };
    let is_in_order = |argument: Option<&Argument>| {
        let name = argument.and_then(|argument| names(argument).first().copied());
        name.and_then(|name| types.get(name)).map(lies_in_order)
    };
    if is_moved(node, types) {
        return false;
    }
    // A copy lies in order; a view of the same elements lies as they do.
    let orders = (
        is_in_order(node.inputs.first().map(|input| &input.arg)),
        is_in_order(node.outputs.first()),
    );
    let is_reordered = view.is_copy_if_out_of_order && orders == (Some(false), Some(true));
    !is_reordered && !node.inputs.iter().any(is_copy)
}

/// Whether a node that is given a memory format makes a copy whose elements lie in another order.
fn is_moved(node: &schema::Node, types: &BTreeMap<String, TensorMeta>) -> bool {
    let mut inputs = node.inputs.iter();
    if !inputs.any(|input| matches!(input.arg, Argument::AsMemoryFormat(_))) {
        return false;
    }
    let strides = |argument: Option<&Argument>| {
        let name = argument.and_then(|argument| names(argument).first().copied());
        known(&types.get(name?)?.strides).ok()
    };
    let of_base = strides(node.inputs.first().map(|input| &input.arg));
    let of_result = strides(node.outputs.first());
    of_base
        .zip(of_result)
        .is_some_and(|(base, result)| base != result)
}

/// Whether the elements of a tensor lie one behind the other, as far as numbers say.
fn lies_in_order(meta: &TensorMeta) -> bool {
    let mut next = Some(1);
    let axes = meta.sizes.iter().zip(&meta.strides).rev();
    axes.into_iter().all(|axis| match axis {
        (Extent::AsInt(1), _) => true,
        (Extent::AsInt(size), Extent::AsInt(stride)) => {
            let is_next = next.is_none_or(|next| next == *stride);
            next = stride.checked_mul(*size);
            is_next
        }
        (_, Extent::AsInt(stride)) => {
            let is_next = next.is_none_or(|next| next == *stride);
            next = None;
            is_next
        }
        // A stride that is a form of extents is taken for the one that fits.
        _ => {
            next = None;
            true
        }
    })
}

/// The argument of ATen's operators into which they write their result.
pub const OUT: &str = "out";

/// The tensor that takes the result of an operator of ATen, if it is given one.
pub fn out(node: &schema::Node) -> Option<&str> {
    let own = node
        .target
        .strip_prefix("torch.ops.")
        .unwrap_or(&node.target);
    let mut inputs = node.inputs.iter().filter(|_| own.starts_with("aten."));
    match &inputs.find(|input| input.name == OUT)?.arg {
        Argument::AsTensor(name) => Some(&name.name),
        _ => None,
    }
}
