//! Types as Relay writes them.

use super::Result;
use crate::relay_text::{
    element,
    syntax::{Dim, Type as Written},
};
use relay_dialects::{
    element::Element,
    ir::{DYNAMIC, Type},
};

/// A type as it is written.
///
/// # Errors
/// If Relay has no such type.
pub(super) fn written(ty: Type) -> Result<Written> {
    if ty.is_incomplete() {
        return Ok(Written::Incomplete);
    }
    if let (true, Some(element)) = (ty.is_tensor(), Element::of(ty.element())) {
        let dims = ty.shape().into_iter().map(|extent| match extent {
            DYNAMIC => Dim::Unknown,
            extent => Dim::Known(extent),
        });
        return Ok(Written::Tensor(dims.collect(), element::name(element)));
    }
    if let Some(fields) = ty.fields() {
        return Ok(Written::Tuple(all(&fields)?));
    }
    if let Some((params, result)) = ty.as_function() {
        let (params, result) = (all(&params)?, Box::new(written(result)?));
        return Ok(Written::Function(Vec::new(), params, result));
    }
    if let Some(inner) = ty.as_reference() {
        return Ok(Written::Ref(Box::new(written(inner)?)));
    }
    if let Some(name) = ty.as_type_var() {
        return Ok(Written::Named(name, Vec::new()));
    }
    match ty.as_adt() {
        Some((name, arguments)) => Ok(Written::Named(name, all(&arguments)?)),
        None => Err(format!("Relay's text cannot say the type {ty}")),
    }
}

fn all(types: &[Type]) -> Result<Vec<Written>> {
    types.iter().map(|ty| written(*ty)).collect()
}
