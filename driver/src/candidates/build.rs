//! Schedules of a kernel as libraries.

use super::Kernel;
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    output,
};
use melior::Context;
use relay_dialects::{
    attrs,
    ir::{Attr, Op},
};
use relay_passes::{
    analysis::{bytes::bytes, flops::flops},
    pipeline::Level,
    te::relay_to_te::predicted_cycles,
};
use relay_runtime::{Model, pool::available_threads};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A schedule of a kernel, ready to run.
#[derive(Debug)]
pub struct Built {
    /// Its place among the kernel's schedules, by predicted cycles.
    pub rank: usize,
    /// The template and its knobs.
    pub knobs: String,
    /// The cycles that one core is expected to take.
    pub cycles: f64,
    /// How many schedules the kernel has.
    pub count: usize,
    /// The floating-point operations of a call.
    pub flops: u64,
    /// The bytes of its inputs and outputs.
    pub bytes: u64,
    /// The library.
    pub model: Model,
}

/// Compiles the schedules of these ranks, side by side, on all threads that this process may use; in their order.
pub fn build(
    kernel: &Kernel,
    ranks: &[usize],
    options: &CompileOptions,
) -> Vec<Result<Built, DriverError>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<Built, DriverError>)>> = Mutex::default();
    let work = || {
        let context = compile::prepare();
        while let Some(&rank) = ranks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let built = one(&context, kernel, rank, options);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((rank, built));
        }
    };
    thread::scope(|scope| {
        for _ in 0..available_threads().min(ranks.len()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(rank, _)| *rank);
    done.into_iter().map(|(_, built)| built).collect()
}

/// Compiles a schedule.
fn one(
    context: &Context,
    kernel: &Kernel,
    rank: usize,
    options: &CompileOptions,
) -> Result<Built, DriverError> {
    let options = CompileOptions {
        candidate: rank,
        progress: false,
        dump_ir: None,
        profile: false,
        ..options.clone()
    };
    let mut module = relay_dialects::parse(context, kernel.text.as_bytes(), "kernel.mlir")
        .ok_or_else(|| kernel.error("its module does not parse again"))?;
    let wrong = |error: DriverError| kernel.error(format!("schedule {rank}: {error}"));
    compile::run_between(context, &mut module, (Level::Relay, Level::Te), &options)
        .map_err(wrong)?;
    let whole = Op::of_module(&module);
    let (Some(function), Some(main)) = (whole.lookup(super::kernel::NAME), whole.lookup("main"))
    else {
        return Err(kernel.error("its module has no function"));
    };
    let count = function.attr(attrs::CANDIDATES).and_then(Attr::as_i64);
    let knobs = function.attr(attrs::KNOBS).and_then(Attr::as_str);
    let (flops, bytes) = (flops(main, whole).unwrap_or(0), bytes(function));
    let cycles = predicted_cycles(function).unwrap_or_default();
    let program = compile::te_to_program(context, &mut module, &options).map_err(wrong)?;
    let folder = output::temporary_folder()?;
    let library = folder.path().join(format!("{}.so", super::kernel::NAME));
    compile::write_library(&module, &program, super::kernel::NAME, &library, &options)
        .map_err(wrong)?;
    Ok(Built {
        rank,
        knobs: knobs.unwrap_or_default(),
        cycles,
        count: count.map_or(1, |count| count as usize),
        flops,
        bytes,
        // The mapping outlives the file.
        model: Model::load(&library)?,
    })
}
