//! Whether attributes on ops are declared, and hold what they are declared to hold.

use crate::{
    attrs::{ALL, Holds, OF_CLOSURES},
    ir::{Attr, Op, Type},
    names,
    relay::VirtualDevice,
    signatures,
    similar::suggestion,
    tir::KernelKind,
};

/// Checks that an op of ours has no attributes but those that it declares, and those of a dialect.
///
/// # Errors
/// Names one that it has, as a diagnostic's text.
pub fn verify_own(op: Op) -> Result<(), String> {
    if op.is(names::relay::CUSTOM) {
        // Its declaration says which attributes it has, and its type relation checks them.
        return Ok(());
    }
    let is_foreign = |name: &String| {
        let is_of_closure = op.is(names::relay::FN) && OF_CLOSURES.contains(&name.as_str());
        !name.contains('.') && !is_of_closure
    };
    match op.foreign_attrs().into_iter().find(is_foreign) {
        Some(attr) => Err(no_attribute(&op.name(), &attr)),
        None => Ok(()),
    }
}

/// Says that an op has no attribute of this name, and which one was probably meant.
pub fn no_attribute(op: &str, name: &str) -> String {
    let declared = signatures::find(op).map(|signature| signature.attrs);
    let declared = declared.unwrap_or_default().iter().map(|(name, _)| *name);
    format!("has no attribute '{name}'{}", suggestion(name, declared))
}

/// Checks an attribute of one of our dialects on an op that does not define it itself.
///
/// # Errors
/// That nobody declares it, or that it holds something else, as a diagnostic's text.
pub fn verify(name: &str, attr: Attr) -> Result<(), String> {
    let declared = ALL.iter().find(|declared| declared.name == name);
    let declared = declared.ok_or_else(|| {
        format!("has the attribute '{name}', which is none that passes leave for each other")
    })?;
    if fits(declared.holds, attr) {
        return Ok(());
    }
    let expected = declared.holds.text();
    Err(format!(
        "has the attribute '{name}' = {attr}; expected one of type {expected}"
    ))
}

/// Whether an attribute holds this.
fn fits(holds: Holds, attr: Attr) -> bool {
    let is_device = |text: String| VirtualDevice::parse(&text).is_ok();
    let is_int = |ty: Type| ty.is_int() && ty.bit_width() == 64;
    match holds {
        Holds::Unit => attr == Attr::unit(attr.ctx()),
        Holds::Int => attr.as_i64().is_some() && is_int(attr.typ()),
        Holds::Float => attr.as_f64().is_some(),
        Holds::Ints => attr.as_ints().is_some(),
        Holds::Text => attr.as_str().is_some(),
        Holds::Texts => attr.as_texts().is_some(),
        Holds::Type => attr.as_type().is_some(),
        Holds::Dictionary => attr.as_entries().is_some(),
        Holds::Lists => (attr.as_array())
            .is_some_and(|lists| lists.into_iter().all(|list| list.as_array().is_some())),
        Holds::Dim => attr.as_str().is_some() && attr.as_dim().is_some() || fits(Holds::Int, attr),
        Holds::Dims => attr.as_dims().is_some(),
        Holds::Device => attr.as_str().is_some_and(is_device),
        Holds::Devices => (attr.as_texts()).is_some_and(|texts| texts.into_iter().all(is_device)),
        Holds::Kernel => KernelKind::of_written(attr).is_some(),
    }
}
