//! Layers that networks of `keras.applications` have of their own.

use super::row::{Row, item, row};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    keras::{item::Item, node::Node},
};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["CustomScaleLayer"], scaled_sum),
    row(&["LayerScale"], layer_scale),
    item(&["StochasticDepth"], stochastic_depth),
];

/// The sum of two tensors, the second of which is scaled (InceptionResNetV2).
fn scaled_sum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let scale = n.config.float("scale", 1.0)?;
    let tensors = n.tensors()?;
    let [x, y] = &tensors[..] else {
        return Err(format!(
            "it takes 2 tensors, and {} are given",
            tensors.len()
        ));
    };
    let scaled = b.with_scalar("multiply", &y.value, scale)?;
    b.binary("add", &x.value, &scaled)
}

/// A scale for each channel (ConvNeXt).
fn layer_scale(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.config.ignore(&["init_values", "projection_dim"]);
    let x = n.x()?;
    // Keras 3 gives the weight no name.
    let name = match n.scope.has_next("gamma") {
        true => "gamma",
        false => "variable",
    };
    let scale = n.weight(b, name)?;
    b.binary("multiply", &x, &scale)
}

/// Samples are dropped in training only (ConvNeXt).
fn stochastic_depth(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Item> {
    n.config.ignore(&["drop_path_rate"]);
    Ok(n.first()?.clone())
}
