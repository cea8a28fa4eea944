//! Constants, variables, calls of functions, and what changes nothing.

use super::row::{Row, items};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{
        element::{TEXT, part},
        item::Item,
        node::Node,
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    items(
        &[
            "Identity",
            "IdentityN",
            "StopGradient",
            "PreventGradient",
            "Snapshot",
            "PlaceholderWithDefault",
            "ReadVariableOp",
            "RefIdentity",
            "Enter",
            "RefEnter",
            "LoopCond",
            "NextIteration",
            "RefNextIteration",
        ],
        identity,
    ),
    items(&["CheckNumerics", "CheckNumericsV2"], checked),
    items(&["EnsureShape"], ensured),
    items(&["Const"], constant),
    items(&["VarHandleOp"], variable),
    items(&["VariableV2", "Variable"], variable_of_old),
    items(&["Assert", "NoOp"], |_, _| Ok(Vec::new())),
    items(&["Placeholder"], placeholder),
    items(&["PartitionedCall", "StatefulPartitionedCall"], call),
];

/// What it reads; of the handle of a variable, the variable's value.
fn identity(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["frame_name", "shape"]);
    let is_complex = n.attrs.ty("dtype")?.and_then(part).is_some();
    let is_read = n.written.op == "ReadVariableOp";
    let items = n.inputs.iter().map(|item| match item {
        Item::Variable(key) if is_read => Item::given(b, n.host.value(key)?, is_complex),
        other => Ok(other.clone()),
    });
    items.collect()
}

/// Numbers are not checked when the model runs.
fn checked(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["message"]);
    identity(n, b)
}

/// Shapes are known.
fn ensured(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["shape"]);
    identity(n, b)
}

fn constant(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["dtype"]);
    let tensor = n.attrs.tensor("value")?.ok_or("it has no value")?;
    if tensor.dtype == TEXT {
        return Ok(vec![Item::Opaque]);
    }
    let value = n.host.constant(n.written, tensor)?;
    Ok(vec![Item::given(b, value, part(tensor.dtype).is_some())?])
}

fn variable(n: &Node<'_, '_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs
        .ignore(&["allowed_devices", "dtype", "shape", "shared_name"]);
    Ok(vec![Item::Variable(n.host.variable(n.written)?)])
}

/// A variable of an old graph is its value.
fn variable_of_old(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["shape", "shared_name"]);
    let is_complex = n.attrs.ty("dtype")?.and_then(part).is_some();
    let key = n.host.variable(n.written)?;
    Ok(vec![Item::given(b, n.host.value(&key)?, is_complex)?])
}

fn placeholder(n: &Node<'_, '_>, _: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["dtype", "shape"]);
    Err("it is no input of the signature, so it has no value".into())
}

fn call(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.host.call(b, n.attrs.required_function("f")?, &n.inputs)
}

/// The inputs of a node without the last one, which is another kind of input.
pub fn all_but_last(n: &Node<'_, '_>) -> Result<Vec<Value>> {
    let count = n.inputs.len().checked_sub(1);
    n.tensors(0..count.ok_or("there are no inputs")?)
}
