//! Ranges of an axis.

use crate::{
    graph::{builder::GraphBuilder, error::Result},
    torch::node::Node,
};
use relay_dialects::dim::Dim;

/// Where a slice begins and ends, as Python takes bounds.
pub fn bound(bound: Dim, extent: Dim) -> Result<Dim> {
    match (bound, extent) {
        (Dim::Known(bound), Dim::Known(extent)) => {
            let bound = if bound < 0 {
                bound.saturating_add(extent)
            } else {
                bound
            };
            Ok(Dim::Known(bound.clamp(0, extent)))
        }
        // The end of everything.
        (Dim::Known(i64::MAX), extent) => Ok(extent),
        (Dim::Known(bound), extent) if bound < 0 => extent.plus(bound)?.max(0),
        (bound, extent) => bound.min(extent),
    }
}

/// The bounds of a slice of a node, and its step.
pub fn range(n: &Node<'_>, b: &mut GraphBuilder, extent: Dim) -> Result<(Dim, Dim, i64)> {
    let start = n.dim(b, "start")?.unwrap_or(Dim::Known(0));
    let end = n.dim(b, "end")?.unwrap_or(Dim::Known(i64::MAX));
    let step = n.int_or("step", 1)?;
    if step < 1 {
        return Err(format!("argument 'step' is {step}"));
    }
    let (start, end) = (bound(start, extent)?, bound(end, extent)?);
    // The end is not before the start.
    Ok((start, end.max(start)?, step))
}
