//! Products with weights: Dense, EinsumDense, Embedding.

use super::{
    activation::named,
    row::{Row, item, row},
};
use crate::{
    compose::{attention::capped, einsum::einsum, gather::check_indices, linear::product},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Item, Tree},
        node::Node,
    },
};
use relay_dialects::element::Element;

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["Dense"], dense).passing(),
    row(&["EinsumDense"], einsum_dense),
    item(&["Embedding"], embedding),
    item(&["ReversibleEmbedding"], reversible_embedding),
];

/// activation(x * kernel + bias), for the last axis.
fn dense(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let units = n.config.required_int("units")?;
    let kernel = kernel(n, b, "kernel")?;
    if kernel.rank() != 2 || kernel.extent(1)? != units {
        return Err(format!(
            "its kernel has shape {:?}, expected {units} columns",
            kernel.dims()
        ));
    }
    let mut made = product(b, &x, &kernel)?;
    made = with_bias(n, b, made)?;
    named(b, &n.config, "activation", &made)
}

/// A kernel. That of a quantised layer is of bytes, each column of which has a scale behind the bias.
fn kernel(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    match n.policy.is_int8 {
        false => n.weight(b, name),
        true => Err(
            "quantised layers are not supported; save the model before quantize, and quantise it with relayc quantize"
                .into(),
        ),
    }
}

/// Adds a bias of the last axis, unless there is none.
fn with_bias(n: &Node<'_>, b: &mut GraphBuilder, x: Value) -> Result<Value> {
    match n.config.flag("use_bias", true)? {
        true => {
            let bias = n.weight(b, "bias")?;
            b.binary("add", &x, &bias)
        }
        false => Ok(x),
    }
}

fn einsum_dense(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.config.ignore(&["output_shape"]);
    let equation = n
        .config
        .text("equation")?
        .ok_or("attribute 'equation' is missing")?;
    let (x, kernel) = (n.x()?, kernel(n, b, "kernel")?);
    let mut made = einsum(b, vec![x, kernel], equation)?;
    if n.config.text("bias_axes")?.is_some() {
        let bias = n.weight(b, "bias")?;
        made = b.binary("add", &made, &bias)?;
    }
    named(b, &n.config, "activation", &made)
}

fn embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.config.ignore(&["input_dim", "output_dim"]);
    let table = kernel(n, b, "embeddings")?;
    embedded(n, b, &table)
}

/// The rows of a table at some subscripts, with a mask that leaves out 0 if the layer says so.
fn embedded(n: &Node<'_>, b: &mut GraphBuilder, table: &Value) -> Result<Item> {
    let x = n.x()?;
    let indices = match x.element() {
        Element::I32 | Element::I64 => x.clone(),
        _ => b.cast(&x, Element::I32)?,
    };
    if table.rank() != 2 {
        return Err(format!("its table has shape {:?}", table.dims()));
    }
    check_indices(b, &indices, table.dims()[0])?;
    let made = b.taken(table, &indices, 0)?;
    let mask = match n.config.flag("mask_zero", false)? {
        true => Some(b.with_scalar("not_equal", &x, 0.0)?),
        false => None,
    };
    Ok(Item::masked(made, mask))
}

/// An embedding that is also the product with its table, transposed.
fn reversible_embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.config
        .ignore(&["input_dim", "output_dim", "reverse_dtype"]);
    let table = kernel(n, b, "embeddings")?;
    let is_tied = n.config.flag("tie_weights", true)?;
    let cap = n.config.optional_float("logit_soft_cap")?;
    let is_reverse = matches!(n.arg(1, &["reverse"]), Some(Tree::Bool(true)));
    if !is_reverse {
        return embedded(n, b, &table);
    }
    n.config.ignore(&["mask_zero"]);
    let x = n.x()?;
    let reverse = match is_tied {
        true => b.transpose(&table, &[1, 0])?,
        false => n.weight(b, "reverse_embeddings")?,
    };
    let mut made = product(b, &x, &reverse)?;
    if let Some(cap) = cap {
        made = capped(b, &made, cap)?;
    }
    Ok(Item::of(made))
}
