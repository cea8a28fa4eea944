//! The attribute `relay.machine`, by which a module says what machine it is for.
//!
//! It is a dictionary: `triple`, `cpu` and `features` as LLVM takes them, `file`, the file of the numbers, all numbers of
//! [`Machine`] by name, the names of the matrix `units` and of the instruction for bytes, `byte_dot`, if there is one, the `fitted` numbers
//! as a dictionary of their own, and likewise the `gpu` that kernels run on, if they do.

use crate::{ByteDot, Fitted, Gpu, Machine, Target, Units, number};
use relay_dialects::{
    attrs,
    ir::{Attr, Ctx, Op, named},
};

/// The entry that names the matrix units.
const UNITS: &str = "units";

/// The entry that names the instruction for bytes.
const BYTE_DOT: &str = "byte_dot";

/// The entry of the GPU.
const GPU: &str = "gpu";

/// The entry of the GPU's chip, by LLVM's name.
pub const CHIP: &str = "chip";

/// The entry of the fitted numbers.
const FITTED: &str = "fitted";

/// Vectors hold whole f32, and at least two.
const LEAST_VECTOR_BITS: i64 = 64;

/// Says on a module that it is for a target.
pub fn attach(module: Op, target: &Target) {
    let ctx = module.ctx();
    let text = |name: &str, value: &str| (name.to_owned(), Attr::str(ctx, value));
    let mut entries = vec![
        text("triple", &target.triple),
        text("cpu", &target.cpu),
        text("features", &target.features),
        text("file", target.file()),
    ];
    if let Some(device) = &target.device {
        entries.push(text(CHIP, &device.card.chip));
    }
    entries.extend(describe(ctx, target.schedules_for()));
    module.set_attr(attrs::MACHINE, Attr::dict(ctx, &named(&entries)));
}

/// Says on a module that it is for a machine, of no particular target.
pub fn attach_machine(module: Op, machine: Machine) {
    let entries = describe(module.ctx(), machine);
    module.set_attr(attrs::MACHINE, Attr::dict(module.ctx(), &named(&entries)));
}

/// The machine of the innermost module around an op, or of the op itself, that names one; none if no module does.
///
/// # Errors
/// If the attribute lacks a number, or has one that no machine has.
pub fn machine_of(op: Op) -> Result<Option<Machine>, String> {
    let mut at = Some(op);
    while let Some(op) = at {
        if let Some(attr) = op.attr(attrs::MACHINE) {
            let machine = read(attr).map_err(|reason| format!("{}: {reason}", attrs::MACHINE))?;
            return Ok(Some(machine));
        }
        at = op.parent();
    }
    Ok(None)
}

/// All that an attribute says of a machine. A number that is whole is written as one.
fn describe(ctx: Ctx, machine: Machine) -> Vec<(String, Attr)> {
    let entry = |(name, value): (&str, f64)| (name.to_owned(), number::attr(ctx, value));
    let mut entries: Vec<_> = machine.numbers().into_iter().map(entry).collect();
    let units: Vec<Attr> = machine
        .units
        .iter()
        .map(|unit| Attr::str(ctx, unit.name))
        .collect();
    entries.push((UNITS.into(), Attr::array(ctx, &units)));
    if let Some(dot) = machine.byte_dot {
        entries.push((BYTE_DOT.into(), Attr::str(ctx, dot.name)));
    }
    if let Some(gpu) = machine.gpu {
        entries.push((GPU.into(), gpu.describe(ctx)));
    }
    let mut fitted = machine.fitted;
    let fitted = fitted.by_name().into_iter();
    let fitted: Vec<_> = fitted.map(|(name, value)| entry((name, *value))).collect();
    entries.push((FITTED.into(), Attr::dict(ctx, &named(&fitted))));
    entries
}

/// The machine that an attribute describes.
fn read(attr: Attr) -> Result<Machine, String> {
    let fitted = attr.get(FITTED);
    let fitted = Fitted::of_numbers(|name| number::of(fitted?, name));
    let lacks = |place: &str, names: &[&str], of: Option<Attr>| {
        let missing = names
            .iter()
            .find(|name| of.and_then(|of| number::of(of, name)).is_none());
        format!(
            "there is no positive number {place}{}",
            missing.unwrap_or(&"")
        )
    };
    let fitted = fitted.ok_or_else(|| lacks("fitted.", Fitted::NAMES, attr.get(FITTED)))?;
    let machine = Machine::of_numbers(|name| number::of(attr, name), fitted);
    let machine = machine.ok_or_else(|| lacks("", Machine::NUMBERS, Some(attr)))?;
    let bits = machine.vector_bits;
    if bits < LEAST_VECTOR_BITS || bits % 32 != 0 {
        return Err(format!(
            "vector_bits is {bits}, expected a multiple of 32 from {LEAST_VECTOR_BITS} on"
        ));
    }
    let units = attr.get(UNITS).and_then(Attr::as_texts).unwrap_or_default();
    let known = Units::named(&units);
    let units = known.ok_or_else(|| format!("one of the units {} is unknown", units.join(", ")))?;
    let name = attr.get(BYTE_DOT).and_then(Attr::as_str);
    let byte_dot = name.map(|name| ByteDot::named(&name).ok_or(name));
    let byte_dot = byte_dot.transpose();
    let byte_dot = byte_dot.map_err(|name| format!("the {BYTE_DOT} {name} is unknown"))?;
    let gpu = attr.get(GPU).map(Gpu::read);
    let gpu = gpu
        .transpose()
        .map_err(|reason| format!("{GPU}: {reason}"))?;
    Ok(Machine {
        units,
        byte_dot,
        gpu,
        ..machine
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::context;

    #[test]
    fn a_module_says_all_of_its_machine() {
        let context = context();
        let text = "module { module { } }";
        let module = melior::ir::Module::parse(&context, text).expect("the text is a module");
        let module = Op::of_module(&module);
        assert_eq!(machine_of(module), Ok(None));
        for text in [
            "x86-64-v3",
            "sapphirerapids",
            "neoverse-v2",
            "wasm32",
            "nvidia/h100 x86-64-v3",
        ] {
            let target = Target::parse(text).expect("it is a target");
            attach(module, &target);
            let inner = module.body().ops()[0];
            assert_eq!(
                machine_of(inner),
                Ok(Some(target.schedules_for())),
                "{text}"
            );
        }
        attach_machine(module, Machine::new(512));
        assert_eq!(machine_of(module), Ok(Some(Machine::new(512))));
    }
}
