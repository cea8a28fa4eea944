//! Explains why nodes take as long as they do.

use crate::{
    DriverError, bench::Unit, compile, compile::CompileOptions, frontend, machine::Limits,
};
use relay_dialects::{
    ir::Op,
    names,
    pass::{run_pipeline, with_diagnostics},
    tir::KernelKind,
};
use relay_loops::analysis::{
    loops,
    memory::{self, Plan},
};
use relay_passes::{
    Machine, analysis::bytes::bytes, pipeline::Level, te::relay_to_te::predicted_cycles,
};
use relay_runtime::NodeTime;
use std::{collections::HashMap, fmt::Write, path::Path};

/// Facts about a kernel that are known when it is compiled, and no longer when it runs.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// The bytes of a call's inputs, weights and outputs; `None` if it was not made of tensor
    /// expressions.
    pub bytes: Option<u64>,
    /// The cycles that its schedule was expected to take on one core; `None` if it has none.
    pub cycles: Option<f64>,
    /// Its loops, in short.
    pub schedule: String,
}

impl Kernel {
    /// The nanoseconds that the kernel is expected to take. `limits` has the machine's operations per second,
    /// `machine` its operations per cycle; their quotient is the clock rate.
    pub fn nanoseconds(&self, limits: Limits, machine: Machine) -> Option<f64> {
        let rate = limits.cycles_per_nanosecond(machine);
        self.cycles.map(|cycles| cycles / rate)
    }
}

/// The kernels of a model by name, with facts from its compilation down to loops, and where buffers between them lie.
///
/// # Errors
/// See [`DriverError`].
pub fn kernels(
    path: &Path,
    options: &CompileOptions,
) -> Result<(HashMap<String, Kernel>, Plan), DriverError> {
    let context = compile::prepare();
    let mut module = frontend::load(&context, path, &options.reading)?;
    let (to_te, to_tir) = (options.passes(Level::Te), options.passes(Level::Tir));
    let to_plan = options.passes(Level::Planned);
    let mut run = |passes: &[String]| {
        let pipeline = passes.join(",");
        let (result, diagnostics) =
            with_diagnostics(&context, || run_pipeline(&context, &mut module, &pipeline));
        result.map_err(|_| DriverError::Pass {
            pass: pipeline,
            diagnostics,
        })?;
        Ok::<_, DriverError>(Op::of_module(&module).functions())
    };
    let mut found: HashMap<String, Kernel> = HashMap::new();
    for func in run(&to_te)? {
        let is_te = func
            .block_in(0)
            .is_some_and(|body| body.ops().iter().any(|op| op.is(names::te::COMPUTE)));
        if is_te && let Some(name) = func.symbol() {
            let kernel = found.entry(name).or_default();
            kernel.bytes = Some(bytes(func));
            kernel.cycles = predicted_cycles(func);
        }
    }
    for func in run(&to_tir[to_te.len()..])? {
        if KernelKind::Generated.is_of(func)
            && let Some(name) = func.symbol()
        {
            found.entry(name).or_default().schedule = loops::describe(func);
        }
    }
    let planned = run(&to_plan[to_tir.len()..])?;
    let main = planned
        .into_iter()
        .find(|func| func.symbol().as_deref() == Some("main"));
    Ok((found, main.map(memory::plan).unwrap_or_default()))
}

/// The longest `count` nodes of a profile, a line each: time, the time that the cost model predicted, operations, bytes, the share of what
/// the machine's limits allow, and the schedule.
pub fn table(
    profile: &[NodeTime],
    kernels: &HashMap<String, Kernel>,
    limits: Limits,
    machine: Machine,
    count: usize,
) -> String {
    let total: u64 = profile.iter().map(|node| node.nanoseconds).sum();
    let unit = Unit::of_profile(profile);
    let mut text = format!(
        "{:>10}  {:>10}  {:>6}  {:>10}  {:>10}  {:>8}  {:>7}  {:>6}  node (kernel): schedule\n",
        unit.name(),
        "predicted",
        "%",
        "MFLOP",
        "KiB",
        "GFLOP/s",
        "GB/s",
        "% roof"
    );
    let nothing = Kernel::default();
    for node in profile.iter().take(count) {
        let nanoseconds = (node.nanoseconds as f64 / node.calls.max(1) as f64).max(1.0);
        let kernel = kernels.get(&node.op).unwrap_or(&nothing);
        let bytes = kernel.bytes;
        let optional = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_string(), |value| format!("{value:.digits$}"))
        };
        let predicted = kernel.nanoseconds(limits, machine);
        let roof = bytes.map(|bytes| 100.0 * limits.nanoseconds(node.flops, bytes) / nanoseconds);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:>10.4}  {:>10}  {:>6.2}  {:>10.3}  {:>10}  {:>8.2}  {:>7}  {:>6}  {} ({}): {}",
            nanoseconds / unit.nanoseconds(),
            optional(predicted.map(|predicted| predicted / unit.nanoseconds()), 4),
            100.0 * node.nanoseconds as f64 / total.max(1) as f64,
            node.flops as f64 / 1e6,
            optional(bytes.map(|bytes| bytes as f64 / 1024.0), 1),
            // Operations per nanosecond are 10^9 of them per second.
            node.flops as f64 / nanoseconds,
            optional(bytes.map(|bytes| bytes as f64 / nanoseconds), 2),
            optional(roof, 1),
            node.name,
            node.op,
            kernel.schedule,
        );
    }
    text
}
