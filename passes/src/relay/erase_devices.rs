//! `erase-devices`: one device for everything, that of the module's target.

use relay_dialects::{
    attrs::{PARAM_DEVICES, VIRTUAL_DEVICE},
    ir::{Attr, Op, named},
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::{
        VirtualDevice,
        device::{CPU, DeviceCopy, OnDevice, of_attr},
    },
};
use relay_machine::ir::machine_of;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "erase-devices",
    summary: "remove devices from a program that runs on one device",
    description: include_str!("erase_devices.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut ops = Vec::new();
    module.walk(|op| ops.push(op));
    let machine = machine_of(module).or_else(|reason| fail(module, reason))?;
    let gpu = machine.and_then(|machine| machine.gpu);
    let own = gpu.map_or(CPU, |gpu| gpu.kind.name());
    ops.iter().try_for_each(|op| check(*op, own))?;
    warn_of_host(&ops, own);
    for op in ops {
        if OnDevice::of(op).is_some() || DeviceCopy::of(op).is_some() {
            op.replace_with(&[op.operand(0)]);
        } else {
            forget(op);
        }
    }
    Ok(())
}

/// Checks that code is generated for the devices that an op names: the target's `own` kind, or the processor, whose operators it runs, too.
fn check(op: Op, own: &str) -> PassResult {
    for (what, device) in devices(op) {
        let kind = device.kind.unwrap_or(CPU);
        if kind != CPU && kind != own {
            return fail(
                op,
                format!(
                    "puts {what} on {device}, but code is generated for {own} only: name a {own} device there, or give the \
                     operators to an external code generator, which partition-graph does"
                ),
            );
        }
    }
    Ok(())
}

/// Says once that another device than the processor runs what a module puts there.
fn warn_of_host(ops: &[Op], own: &str) {
    if own == CPU {
        return;
    }
    let on_host = |op: &&Op| {
        let mut devices = devices(**op).into_iter();
        devices.find(|(_, device)| device.kind == Some(CPU))
    };
    let mut found = ops.iter().filter_map(|op| Some((*op, on_host(&op)?)));
    if let Some((op, (what, device))) = found.next() {
        let others = found.count();
        op.emit_warning(&format!(
            "puts {what} on {device}, and so do {others} others: the target's device, {own}, runs all operators that have no external \
             code; results are the same"
        ));
    }
}

/// The devices that an op names, and what lies on each.
fn devices(op: Op) -> Vec<(String, VirtualDevice)> {
    if let Some(mark) = OnDevice::of(op) {
        return vec![(maker(op), mark.device)];
    }
    if let Some(copy) = DeviceCopy::of(op) {
        return vec![
            (maker(op), copy.from),
            (format!("a copy of {}", maker(op)), copy.to),
        ];
    }
    let params = op
        .attr("arg_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let params = params.into_iter().map(|attrs| attrs.get(VIRTUAL_DEVICE));
    let closed = op
        .attr(PARAM_DEVICES)
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let params = params.chain(closed.into_iter().map(Some)).enumerate();
    let named = params.map(|(index, device)| (format!("parameter {index}"), device));
    let named = named.chain([("its result".into(), op.attr(VIRTUAL_DEVICE))]);
    named
        .filter_map(|(what, device)| Some((what, of_attr(device?).ok()?)))
        .collect()
}

/// Who makes the value that a mark or a copy passes on.
fn maker(op: Op) -> String {
    match op.operand(0).def() {
        Some(other) if OnDevice::of(other).is_some() || DeviceCopy::of(other).is_some() => {
            maker(other)
        }
        Some(maker) => format!("the result of '{}'", maker.name()),
        None => "a parameter".into(),
    }
}

/// Takes the devices off an op.
fn forget(op: Op) {
    op.remove_attr(VIRTUAL_DEVICE);
    op.remove_attr(PARAM_DEVICES);
    let Some(params) = op.attr("arg_attrs").and_then(Attr::as_array) else {
        return;
    };
    if params
        .iter()
        .all(|attrs| attrs.get(VIRTUAL_DEVICE).is_none())
    {
        return;
    }
    let without = params.into_iter().map(|attrs| {
        let mut entries = attrs.as_entries().unwrap_or_default();
        entries.retain(|(name, _)| name != VIRTUAL_DEVICE);
        Attr::dict(op.ctx(), &named(&entries))
    });
    let without: Vec<Attr> = without.collect();
    op.set_attr("arg_attrs", Attr::array(op.ctx(), &without));
}
