//! The versions of ONNX's operator set.

use super::{
    proto::{self, Function},
    structure::is_default_domain,
};
use crate::graph::error::Result;

/// The oldest operator set that is read.
pub const OLDEST_OPSET: i64 = 1;
/// The newest operator set that is read.
pub const NEWEST_OPSET: i64 = 28;

/// The version of ONNX's operator set; the newest of a model that uses operators of other domains alone.
///
/// # Errors
/// If the model states none that is read.
pub fn of_model(model: &proto::Model) -> Result<i64> {
    let nodes = model.graph.iter().flat_map(|graph| &graph.node);
    let is_used = nodes
        .into_iter()
        .any(|node| is_default_domain(&node.domain));
    let is_needless = !is_used && !model.opset_import.is_empty();
    let version = model
        .opset_import
        .iter()
        .find(|set| is_default_domain(&set.domain))
        .map(|set| set.version)
        .or(is_needless.then_some(NEWEST_OPSET))
        .ok_or("the model does not state the version of ONNX's operator set that it uses")?;
    check(version)?;
    Ok(version)
}

/// The operator set of a function's nodes; none if it says none.
///
/// # Errors
/// If it is none that is read.
pub fn of_function(function: &Function) -> Result<Option<i64>> {
    let mut sets = function.opset_import.iter();
    let own = sets.find(|set| is_default_domain(&set.domain));
    match own.map(|set| set.version) {
        Some(version) => check(version).map(|()| Some(version)),
        None => Ok(None),
    }
}

/// Fails if a version of ONNX's operator set is too old or too new.
fn check(version: i64) -> Result<()> {
    match (OLDEST_OPSET..=NEWEST_OPSET).contains(&version) {
        true => Ok(()),
        false => Err(format!(
            "operator set {version} is not supported, only {OLDEST_OPSET} to {NEWEST_OPSET}; \
             convert the model with onnx.version_converter"
        )),
    }
}
