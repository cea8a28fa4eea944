//! Measures what a machine can do at most: multiply-adds and bytes in a second, with kernels that are compiled
//! as models are.

use crate::{
    DriverError,
    compile::{self, CompileOptions, Emit},
    frontend::Reading,
    output, run,
};
use relay_passes::{F32_BYTES, Machine};
use relay_runtime::{DType, Model, Tensor};
use serde::Serialize;
use std::{
    fmt::{self, Write},
    path::Path,
};

/// The pieces of work of a run; many more than threads, so that threads share them evenly.
const TASKS: usize = 64;
/// Multiply-adds of each accumulator in a piece of work.
const STEPS: usize = 4_000;
/// The bytes that are read to measure bandwidth: more than caches hold.
const STREAM_BYTES: usize = 512 << 20;
/// The sums that are carried through a stream side by side, so that none waits for another.
const STREAM_SUMS: usize = 8;
/// How often the loop of multiply-adds runs; the best run counts. The runs are short and many, so that some are
/// not interrupted.
const FMA_RUNS: usize = 250;
/// How often the stream is read.
const STREAM_RUNS: usize = 8;

/// The limits of a machine with some number of threads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    /// 10^9 floating-point operations in a second; a multiply-add is two.
    pub gflops: f64,
    /// 10^9 bytes in a second that can be read from memory.
    pub gbytes: f64,
}

impl fmt::Display for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "FMA peak: {:.1} GFLOP/s", self.gflops)?;
        writeln!(formatter, "memory: {:.1} GB/s", self.gbytes)
    }
}

impl Limits {
    /// The time that a kernel takes at least, in nanoseconds: for its operations, or its bytes.
    pub fn nanoseconds(&self, flops: u64, bytes: u64) -> f64 {
        let at = |count: u64, rate: f64| if rate > 0.0 { count as f64 / rate } else { 0.0 };
        at(flops, self.gflops).max(at(bytes, self.gbytes))
    }

    /// The cycles of a nanosecond, of threads that together do what `machine` does in a cycle.
    pub fn cycles_per_nanosecond(&self, machine: Machine) -> f64 {
        cycles_per_nanosecond(self.gflops, machine)
    }
}

/// Measures both limits of the machine.
///
/// # Errors
/// If the kernels cannot be compiled or run.
pub fn limits(options: &CompileOptions, threads: usize) -> Result<Limits, DriverError> {
    Ok(Limits {
        gflops: fma_peak(options, threads)?,
        gbytes: bandwidth(options, threads)?,
    })
}

/// The cycles of a nanosecond, where `machine` does 10^9 operations so many times in a second.
pub(crate) fn cycles_per_nanosecond(gflops: f64, machine: Machine) -> f64 {
    // A multiply-add is two operations.
    let operations_per_cycle = 2 * machine.fma_per_cycle * machine.lanes(F32_BYTES);
    gflops / operations_per_cycle as f64
}

/// The most operations in a second of `threads` threads (0 for as many as the process may use), in 10^9:
/// independent multiply-adds on operands in registers, of which each is two operations.
///
/// # Errors
/// If the kernel cannot be compiled or run.
pub fn fma_peak(options: &CompileOptions, threads: usize) -> Result<f64, DriverError> {
    FmaPeak::new(options)?.measure(threads, FMA_RUNS)
}

/// Writes a library of independent multiply-adds, for a machine that need not be this one. Returns how many floating-point operations
/// a run has.
///
/// # Errors
/// If it cannot be compiled.
pub(crate) fn fma_library(options: &CompileOptions, library: &Path) -> Result<usize, DriverError> {
    let fma = Fma::of(options);
    let text = fma_kernel(fma.lanes, fma.accumulators);
    write_library("fma_peak", &text, options, library)?;
    Ok(fma.operations())
}

/// The multiply-adds of a machine.
struct Fma {
    /// The numbers of a register.
    lanes: usize,
    /// The registers of sums.
    accumulators: usize,
}

impl Fma {
    /// Three quarters of the registers hold sums, and two more the factors.
    fn of(options: &CompileOptions) -> Self {
        Self {
            lanes: options.target.vector_bits as usize / 32,
            accumulators: options.target.vector_registers as usize * 3 / 4,
        }
    }

    /// The floating-point operations of a run.
    fn operations(&self) -> usize {
        2 * self.lanes * self.accumulators * TASKS * STEPS
    }
}

/// Independent multiply-adds on operands in registers.
pub(crate) struct FmaPeak {
    model: Model,
    operands: Tensor,
    /// The floating-point operations of a run.
    operations: usize,
}

impl FmaPeak {
    /// # Errors
    /// If the kernel cannot be compiled.
    pub(crate) fn new(options: &CompileOptions) -> Result<Self, DriverError> {
        let Fma {
            lanes,
            accumulators,
        } = Fma::of(options);
        let mut operands = Tensor::zeros(DType::F32, &[accumulators as i64 + 2, lanes as i64]);
        // 0x3f3f3f3f is 0.747: the accumulators converge, and no operand is denormal.
        operands.bytes_mut().fill(0x3f);
        Ok(Self {
            model: compile("fma_peak", &fma_kernel(lanes, accumulators), options)?,
            operands,
            operations: Fma::of(options).operations(),
        })
    }

    /// The most of so many runs, in 10^9 operations in a second.
    ///
    /// # Errors
    /// If it cannot be run.
    pub(crate) fn measure(&self, threads: usize, runs: usize) -> Result<f64, DriverError> {
        let operands = std::slice::from_ref(&self.operands);
        let seconds = best_run(&self.model, threads, operands, runs)?;
        Ok(self.operations as f64 / seconds / 1e9)
    }
}

/// The bytes that `threads` threads read from memory in a second, in 10^9.
///
/// # Errors
/// If the kernel cannot be compiled or run.
pub fn bandwidth(options: &CompileOptions, threads: usize) -> Result<f64, DriverError> {
    let lanes = options.target.vector_bits as usize / 32;
    let rows = STREAM_BYTES / (TASKS * STREAM_SUMS * lanes * size_of::<f32>());
    let model = compile("bandwidth", &stream_kernel(lanes, rows), options)?;
    let shape = [TASKS, rows, STREAM_SUMS * lanes].map(|extent| extent as i64);
    let mut stream = Tensor::zeros(DType::F32, &shape);
    // Linux maps memory that was never written to a single page of zeros. So the bytes are written first.
    stream.bytes_mut().fill(0x3f);
    let seconds = best_run(&model, threads, std::slice::from_ref(&stream), STREAM_RUNS)?;
    Ok(stream.bytes().len() as f64 / seconds / 1e9)
}

fn best_run(
    model: &Model,
    threads: usize,
    inputs: &[Tensor],
    runs: usize,
) -> Result<f64, DriverError> {
    let mut session = model.instance(threads)?;
    let (_, times) = run::run(&mut session, inputs, runs)?;
    let best = times.into_iter().min().unwrap_or_default();
    Ok(best.as_secs_f64().max(1e-9))
}

fn compile(name: &str, text: &str, options: &CompileOptions) -> Result<Model, DriverError> {
    let folder = output::temporary_folder()?;
    let library = folder.path().join(format!("{name}.so"));
    write_library(name, text, options, &library)?;
    // The mapping outlives the file.
    Ok(Model::load(&library)?)
}

fn write_library(
    name: &str,
    text: &str,
    options: &CompileOptions,
    library: &Path,
) -> Result<(), DriverError> {
    let folder = output::temporary_folder()?;
    let path = folder.path().join(format!("{name}.mlir"));
    output::write(&path, text.as_bytes())?;
    let options = CompileOptions {
        reading: Reading::default(),
        dump_ir: None,
        progress: false,
        warn: false,
        profile: false,
        codegen: Vec::new(),
        placement: Default::default(),
        emit: Emit::Library,
        ..options.clone()
    };
    compile::compile(&path, library, &options).map(drop)
}

/// A function of one input and one output that runs `body` for each piece of work, `%task`. The body defines one
/// vector, `%sum`.
fn kernel(input: &str, lanes: usize, body: &str) -> String {
    format!(
        "func.func @main(%x: memref<{input}> {{relay.name = \"x\"}}, \
         %y: memref<{TASKS}x{lanes}xf32> {{relay.name = \"y\"}}) \
         attributes {{relay.num_inputs = 1 : i64}} {{\n\
         %zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n\
         tir.for %task = 0 to {TASKS} parallel {{\n{body}\
         vector.store %sum, %y[%task, %zero] : memref<{TASKS}x{lanes}xf32>, vector<{lanes}xf32>\n\
         }}\nreturn\n}}\n"
    )
}

/// The text `prefix0, prefix1, ...` of `count` names, each changed by `each`.
fn list(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(", ")
}

/// Adds up the results of `%r` to `%sum`.
fn add_up(count: usize, vector: &str) -> String {
    let mut text = String::new();
    let mut sum = "%r#0".to_string();
    for index in 1..count {
        let next = if index + 1 == count {
            "%sum".into()
        } else {
            format!("%s{index}")
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{next} = arith.addf {sum}, %r#{index} : {vector}");
        sum = next;
    }
    text
}

/// A loop of `extent` steps that carries `count` vectors, whose first values are `first`.
fn carrying(
    extent: usize,
    count: usize,
    vector: &str,
    first: impl Fn(usize) -> String,
    body: &str,
) -> String {
    let carried = list(count, |index| format!("%a{index} = {}", first(index)));
    let types = list(count, |_| vector.to_string());
    let next = list(count, |index| format!("%b{index}"));
    format!(
        "%extent = arith.constant {extent} : index\n\
         %r:{count} = scf.for %k = %zero to %extent step %one iter_args({carried}) -> ({types}) \
         {{\n{body}scf.yield {next} : {types}\n}}\n{}",
        add_up(count, vector)
    )
}

/// Loads row `index` of the input as `%x{index}`. LLVM cannot know that the rows are equal; it would compute
/// only one accumulator otherwise.
fn fma_kernel(lanes: usize, accumulators: usize) -> String {
    let vector = format!("vector<{lanes}xf32>");
    let rows = accumulators + 2;
    let input = format!("{rows}x{lanes}xf32");
    let mut body = String::new();
    for row in 0..rows {
        let _ = writeln!(
            body,
            "%i{row} = arith.constant {row} : index\n\
             %x{row} = vector.load %x[%i{row}, %zero] : memref<{input}>, {vector}"
        );
    }
    let mut step = String::new();
    for index in 0..accumulators {
        let (a, b) = (accumulators, accumulators + 1);
        let _ = writeln!(
            step,
            "%b{index} = vector.fma %a{index}, %x{a}, %x{b} : {vector}"
        );
    }
    let first = |index| format!("%x{index}");
    body += &carrying(STEPS, accumulators, &vector, first, &step);
    kernel(&input, lanes, &body)
}

/// Adds up `rows` rows for each piece of work.
fn stream_kernel(lanes: usize, rows: usize) -> String {
    let vector = format!("vector<{lanes}xf32>");
    let input = format!("{TASKS}x{rows}x{}xf32", STREAM_SUMS * lanes);
    let mut body = format!("%none = arith.constant dense<0.0> : {vector}\n");
    let mut step = String::new();
    for index in 0..STREAM_SUMS {
        let place = index * lanes;
        let _ = writeln!(body, "%i{index} = arith.constant {place} : index");
        let _ = writeln!(
            step,
            "%x{index} = vector.load %x[%task, %k, %i{index}] : memref<{input}>, {vector}\n\
             %b{index} = arith.addf %a{index}, %x{index} : {vector}"
        );
    }
    body += &carrying(rows, STREAM_SUMS, &vector, |_| "%none".into(), &step);
    kernel(&input, lanes, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_bound_by_operations_or_by_bytes() {
        let limits = Limits {
            gflops: 100.0,
            gbytes: 10.0,
        };
        // Compared exactly: the quotients are small whole numbers.
        assert!((limits.nanoseconds(1000, 10) - 10.0).abs() < f64::EPSILON);
        assert!((limits.nanoseconds(1000, 1000) - 100.0).abs() < f64::EPSILON);
    }
}
