//! Where values lie.

use crate::{
    ir::Op,
    relay::device::{DeviceCopy, OnDevice, of_attr},
};

/// Checks `relay.on_device`.
pub(super) fn verify_on_device(op: Op) -> Result<(), String> {
    let attr = op.attr(OnDevice::DEVICE);
    let device = attr.map_or(Ok(Default::default()), of_attr);
    let device = device.map_err(|reason| format!("{reason} (C1)"))?;
    let constrains = OnDevice::of(op).is_some_and(|on| on.constrains_body || on.constrains_result);
    match constrains && device.is_unconstrained() {
        true => Err("constrains values, but names no device (C2)".into()),
        false => Ok(()),
    }
}

/// Checks `relay.device_copy`.
pub(super) fn verify_copy(op: Op) -> Result<(), String> {
    for name in DeviceCopy::DEVICES {
        let attr = op.attr(name);
        let attr = attr.ok_or_else(|| format!("requires attribute '{name}'"))?;
        let device = of_attr(attr).map_err(|reason| format!("{reason} (C1)"))?;
        if device.is_unconstrained() {
            return Err(format!("{name} names no device (C1)"));
        }
    }
    Ok(())
}
