//! `relay-to-te`: primitive functions of Relay operators as tensor expressions, with a schedule.
//!
//! ```mlir
//! func.func private @fused_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
//!   %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func private @fused_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
//!   %relu = te.compute "relu" (%i: 4) {
//!     %v = tensor.extract %x[%i] : tensor<4xf32>
//!     %zero = arith.constant 0.000000e+00 : f32
//!     %m = arith.maximumf %v, %zero : f32
//!     te.yield %m : f32
//!   } : tensor<4xf32>
//!   te.schedule {
//!     %s = te.stage %relu : tensor<4xf32>
//!     %i = te.axes %s
//!   }
//!   return %relu : tensor<4xf32>
//! }
//! ```

use crate::{
    machine::machine,
    records::{self, RECORDS, TUNED_FOR},
    te::lower_te::check_schedule,
};
use relay_dialects::{
    attrs, inferred,
    ir::{Attr, Builder, Op, Type, Value},
    names,
    ops::{arith, builtin, func},
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
    te::{Compute, build},
    tir::KernelKind,
};
use relay_loops::kernel_limits::{check_stage, check_tensors};
use relay_topi::{Candidate, Machine, Plan, compute, rewrite};
use relay_tune::{Database, Fit, Key, ScheduleText};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "relay-to-te",
    summary: "Lower primitive functions of Relay operators to tensor expressions with a schedule",
    description: include_str!("relay_to_te.md"),
    anchor: builtin::Module::NAME,
    options: &[CANDIDATE, KNOBS, RECORDS, TUNED_FOR, SCHEDULE],
    run,
};

/// Which of a function's schedules is written.
const CANDIDATE: OptionSpec = OptionSpec {
    name: "candidate",
    summary: "the rank of the schedule to write, by predicted cycles; functions with fewer schedules get the cheapest, \
              0",
    default: Default::Int(0),
};

/// As above, by what was chosen.
const KNOBS: OptionSpec = OptionSpec {
    name: "knobs",
    summary: "the knobs of the schedule to write, as in te.knobs, for functions that have them",
    default: Default::Str(""),
};

/// Who writes schedules.
const SCHEDULE: OptionSpec = OptionSpec {
    name: "schedule",
    summary: "templates, or none for no te.schedule, as te-auto-schedule needs it",
    default: Default::Str("templates"),
};

/// What is left on a function: what was chosen for the stages that take most of its time, how many choices there are, and
/// the cycles that one core is expected to take with it.
const CHOSEN: &str = attrs::KNOBS;
const COUNT: &str = attrs::CANDIDATES;
const CYCLES: &str = attrs::PREDICTED_CYCLES;

/// The cycles that the schedule of a function is expected to take on one core, if it has one that we chose.
pub fn predicted_cycles(func: Op) -> Option<f64> {
    func.attr(CYCLES)?.as_f64()
}

/// Runs the pass on a module.
///
/// # Errors
/// If the module is for no machine, or an operator has no tensor expression.
pub fn run(module: Op, options: &Options) -> PassResult {
    if options.int(CANDIDATE.name) < 0 {
        return fail(module, "candidate is negative, expected a rank from 0 on");
    }
    let by = options.str(SCHEDULE.name);
    if !["templates", "none"].contains(&by) {
        return fail(
            module,
            format!("schedule is {by}, expected templates or none"),
        );
    }
    let machine = match by {
        "templates" => Some(machine(module)?),
        _ => None,
    };
    let records = records::read(module, options)?;
    for func in module.functions() {
        if is_unexpressed(&func) {
            inferred::check(func)?;
            express(func)?;
            if let Some(machine) = machine.filter(|_| !has_schedule(func)) {
                schedule(func, machine, options);
            }
        }
        if let Some(records) = records.as_ref().filter(|_| is_expressed(&func)) {
            apply_record(func, module, records, options.str(TUNED_FOR.name));
        }
    }
    Ok(())
}

/// Puts what a tuner chose for a function into the place of its schedule, if that can be carried out.
fn apply_record(func: Op, module: Op, records: &Database, target: &str) {
    let name = func.symbol().unwrap_or_default();
    let say = |text: &str| func.emit_remark("records", &name, text);
    let Some((choice, fit)) = records.find(&Key::of(func), target) else {
        return say("has no record");
    };
    let Some(chosen) = &choice.schedule else {
        return;
    };
    let default = ScheduleText::of(func, module);
    let inserted = chosen.insert(func, module);
    let legal = inserted.and_then(|()| check_schedule(func, module));
    if let Err(reason) = legal {
        match default {
            // It was here a moment ago.
            Some(default) => drop(default.insert(func, module)),
            None => relay_tune::schedule::schedule(func)
                .into_iter()
                .for_each(Op::erase),
        }
        return say(&format!(
            "the record {} does not apply: {reason}",
            choice.key
        ));
    }
    func.set_attr(attrs::RECORD, Attr::str(func.ctx(), &choice.key));
    func.set_attr(CHOSEN, Attr::str(func.ctx(), &choice.from));
    for attribute in [COUNT, CYCLES] {
        func.remove_attr(attribute);
    }
    match fit {
        Fit::Exact => say(&format!("gets the schedule of record {}", choice.key)),
        Fit::Samples(samples) => say(&format!(
            "gets the schedule of record {}, of {samples} samples",
            choice.key
        )),
    }
}

/// Whether a function's operators are to be computed as one kernel. Reshapes alone become views.
fn is_unexpressed(func: &Op) -> bool {
    let has_operators = |func: &Op| {
        let mut ops = func.body().ops().into_iter();
        ops.any(|op| op.name().starts_with("relay."))
    };
    func.has_attr(relay_dialects::attrs::PRIMITIVE)
        && !KernelKind::View.is_of(*func)
        && has_operators(func)
}

/// Whether a function is of tensor expressions.
fn is_expressed(func: &Op) -> bool {
    func.body().ops().into_iter().any(|op| op.is(Compute::NAME))
}

/// Whether an operator brought a schedule of its own.
fn has_schedule(func: Op) -> bool {
    let mut ops = func.body().ops().into_iter();
    ops.any(|op| op.is(names::te::SCHEDULE))
}

/// Writes the schedule of a function of tensor expressions that the options ask for, or the cheapest.
fn schedule(func: Op, machine: Machine, options: &Options) {
    rewrite(func, machine);
    let Some(plan) = Plan::of(func, machine) else {
        return;
    };
    let candidates = plan.candidates();
    let knobs = options.str(KNOBS.name);
    let asked = |(rank, candidate): &(usize, &Candidate)| match knobs {
        "" => *rank as i64 == options.int(CANDIDATE.name),
        _ => candidate.knobs == knobs,
    };
    let found = candidates.iter().enumerate().find(asked);
    let Some(chosen) = found.map(|(_, chosen)| chosen).or(candidates.first()) else {
        return;
    };
    plan.emit(chosen);
    let ctx = func.ctx();
    func.set_attr(CHOSEN, Attr::str(ctx, &chosen.knobs));
    func.set_attr(COUNT, Attr::i64(ctx, candidates.len() as i64));
    func.set_attr(CYCLES, Attr::float(Type::f64(ctx), chosen.cycles.0.round()));
}

/// Replaces the operators of a primitive function by their tensor expressions.
fn express(func: Op) -> PassResult {
    let mut map: HashMap<Value, Value> = HashMap::new();
    let ops = func.body().ops();
    for op in &ops {
        let b = Builder::before(*op);
        let name = op.name();
        if name == names::relay::CONSTANT {
            let value = constant(&b, *op)?;
            map.insert(op.result(0), value);
        } else if name.starts_with("relay.") {
            let inputs: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| map.get(&operand).copied().unwrap_or(operand))
                .collect();
            check_tensors(*op, &[op.operands(), op.results()].concat())?;
            let results = match compute(&b, *op, &inputs) {
                Ok(results) => results,
                Err(reason) => return fail(*op, reason),
            };
            map.extend(op.results().into_iter().zip(results));
        } else if name == func::Return::NAME {
            let values: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| map.get(&operand).copied().unwrap_or(operand))
                .collect();
            op.set_operands(&values);
        }
    }
    for op in ops
        .into_iter()
        .rev()
        .filter(|op| op.name().starts_with("relay."))
    {
        op.erase();
    }
    let stages = func.find_all(Compute::NAME);
    stages.into_iter().try_for_each(check_stage)
}

/// A scalar constant becomes part of the expressions that use it.
fn constant(b: &Builder, op: Op) -> Result<Value, PassFailed> {
    let ty = op.result(0).ty();
    let scalar = op.attr("value").and_then(|value| {
        value.splat_value().or_else(|| {
            let bytes = value.bytes().filter(|_| ty.count() == 1)?;
            // A list of one is a splat.
            Attr::dense(Type::tensor(&[], ty.element()), &bytes)?.splat_value()
        })
    });
    let Some(scalar) = scalar else {
        return fail(
            op,
            "is not a scalar and stands in a primitive function; fuse-ops passes it as an argument",
        );
    };
    Ok(build::compute(
        b,
        "constant",
        &ty.shape(),
        ty.element(),
        |b, _| match scalar.as_i64() {
            Some(value) if ty.element().is_unsigned() => b.int_constant(ty.element(), value),
            _ => arith::Constant::build(b, scalar),
        },
    ))
}
