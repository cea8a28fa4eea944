//! Elements around others, and elements that move between the channels and the extents of images.

use super::shape::sizes;
use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;

/// The widths that a list of pairs says: for each dimension of `x` how many elements come before it and how many behind.
///
/// # Errors
/// If there is not one pair for each dimension, a width is negative, or nothing can be known of one.
pub fn widths(b: &mut GraphBuilder, x: &Value, pairs: &Value) -> Result<Vec<Dim>> {
    if pairs.dims() != [Dim::Known(x.rank() as i64), Dim::Known(2)] {
        return Err(format!(
            "widths of shape {:?} for data of shape {:?}",
            pairs.dims(),
            x.dims()
        ));
    }
    let flat = b.reshape(pairs, &[2 * x.rank() as i64])?;
    let widths = sizes(b, &flat)?;
    let mut known = widths.iter().filter_map(|width| width.known());
    match known.find(|width| *width < 0) {
        Some(width) => Err(format!("a width of {width}")),
        None => Ok(widths),
    }
}

/// Data between reflections of themselves. `mode` is REFLECT, without the elements of the border, or SYMMETRIC, with them.
///
/// # Errors
/// If a width depends on an open dimension.
pub fn mirrored(
    b: &mut GraphBuilder,
    x: &Value,
    widths: &[Dim],
    mode: &'static str,
) -> Result<Value> {
    let known: Option<Vec<i64>> = widths.iter().map(|width| width.known()).collect();
    let known = known.ok_or("widths that depend on open dimensions are not supported")?;
    let attrs = [
        ("pad_width", Param::Ints(known)),
        ("mode", Param::Str(mode)),
    ];
    b.op("nn.mirror_pad", std::slice::from_ref(x), &attrs)
}

/// An image [N, H, W, C] through an operator that takes and returns [N, C, H, W].
///
/// # Errors
/// If the operator does not take it.
pub fn with_channels_first(
    b: &mut GraphBuilder,
    x: &Value,
    convert: impl FnOnce(&mut GraphBuilder, Value) -> Result<Value>,
) -> Result<Value> {
    let x = b.transpose(x, &[0, 3, 1, 2])?;
    let made = convert(b, x)?;
    b.transpose(&made, &[0, 2, 3, 1])
}
