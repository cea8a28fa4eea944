//! `plan-devices`: a device for each value.

mod capture;
mod conflicts;
mod constraints;
mod defaults;
mod domains;
mod normalise;

use constraints::Constraints;
use relay_dialects::{
    attrs::PRIMITIVE,
    inferred,
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
    relay::VirtualDevice,
    tir::KernelKind,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "plan-devices",
    summary: "assign a device to each value, and copy values between devices",
    description: include_str!("plan_devices.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "default",
            summary: "the device of values without constraints",
            default: Default::Str("cpu:0"),
        },
        OptionSpec {
            name: "host",
            summary: "the device of shapes",
            default: Default::Str("cpu:0"),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let default = device(module, options, "default")?;
    let host = device(module, options, "host")?;
    inferred::check(module)?;
    normalise::project_before_copies(module);
    conflicts::copy_operands(module);
    let mut constraints = Constraints::of(module, &host)?;
    defaults::complete(&mut constraints, &default);
    capture::write(&mut constraints);
    Ok(())
}

/// The device that an option names.
fn device(module: Op, options: &Options, name: &str) -> Result<VirtualDevice, PassFailed> {
    match VirtualDevice::parse(options.str(name)) {
        Ok(device) if device.kind.is_some() => Ok(device.or(&VirtualDevice::default())),
        Ok(_) => fail(
            module,
            format!("option '{name}' has to name a kind of device, as cpu:0 does"),
        ),
        Err(reason) => fail(module, format!("option '{name}': {reason}")),
    }
}

/// Whether a function is a kernel or becomes one: what is inside runs as a whole, wherever its operands lie.
fn is_primitive(function: Op) -> bool {
    function.has_attr(PRIMITIVE) || KernelKind::of_function(function).is_some()
}

/// The functions of a module that are planned.
fn planned(module: Op) -> Vec<Op> {
    let functions = module.functions().into_iter();
    functions
        .filter(|function| !is_primitive(*function))
        .collect()
}

/// All ops inside of an op that this pass looks at, each before what is inside of it.
fn ops_in(root: Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut open: Vec<Op> = inner(root);
    while let Some(op) = open.pop() {
        found.push(op);
        open.extend(inner(op));
    }
    found
}

/// The ops of an op's regions, the first one last. What is inside of a primitive function is not among them.
fn inner(op: Op) -> Vec<Op> {
    if is_primitive(op) {
        return Vec::new();
    }
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    let mut ops: Vec<Op> = blocks.flat_map(|block| block.ops()).collect();
    ops.reverse();
    ops
}
