//! `relayc`: the compiler for people with a model.

use clap::{Args, Parser, Subcommand, ValueEnum};
use miette::IntoDiagnostic;
use relay_codegen::{Target, emit::Form};
use relay_driver::{
    bench, candidates,
    compile::{CompileOptions, Emit, compile},
    explain,
    frontend::Shapes,
    inspect,
    inspect_library::inspect_library,
    machine, npz, run,
};
use relay_passes::pipeline::{Level, Precision};
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

/// Compile a trained model to a small, fast, self-contained library.
///
/// relayc compile model.onnx -o model.so makes a library for this machine; relayc run model.so
/// runs it. Inputs and outputs are .npz files keyed by tensor names.
#[derive(Parser)]
#[command(name = "relayc", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile a model to a shared library, or to any form on the way there
    Compile {
        /// The model: .onnx or .mlir
        model: PathBuf,
        /// What to write; "-" is the standard output [default: the model's name with .so, for
        /// objects .o, and the standard output for text]
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// What to make of the model instead of a library
        #[arg(long, value_enum)]
        emit: Option<EmitArg>,
        #[command(flatten)]
        how: How,
    },
    /// Run a model and save what it returns
    Run {
        /// A compiled model (.so), or a model to compile first
        model: PathBuf,
        /// The inputs (.npz, by tensor name); without them, seeded random ones
        #[arg(long)]
        inputs: Option<PathBuf>,
        /// Where to write the outputs (.npz)
        #[arg(long)]
        outputs: Option<PathBuf>,
        /// The number of threads; 0 for as many as this process may use
        #[arg(long, default_value_t = 0)]
        threads: usize,
        /// Print how long a run takes
        #[arg(long)]
        print_time: bool,
        /// How many runs to time
        #[arg(long, default_value_t = 10)]
        repeat: usize,
        /// The seed of random inputs
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        how: How,
    },
    /// Show a model's inputs, outputs, parameters, floating-point operations and operators, and
    /// every operator that is not supported; of a compiled model, its target, and the sizes of
    /// weights, arena and code
    Inspect {
        /// The model: .onnx, .mlir, or compiled (.so)
        model: PathBuf,
        #[command(flatten)]
        shapes: ShapeArgs,
    },
    /// Time a model, as a whole and by node
    Bench {
        /// The model: .onnx or .mlir
        #[arg(required_unless_present = "machine")]
        model: Option<PathBuf>,
        /// The number of threads; 0 for as many as this process may use
        #[arg(long, default_value_t = 0)]
        threads: usize,
        /// How many runs to time
        #[arg(long, default_value_t = 30)]
        repeat: usize,
        /// How many nodes to show
        #[arg(long, default_value_t = 20)]
        nodes: usize,
        /// Show what bounds each node: its operations, its bytes (inputs, weights and outputs), the
        /// share of the roofline that it reaches, and its loops. The roof is measured, too; a node
        /// whose data are in a cache can be above that of memory
        #[arg(long)]
        explain: bool,
        /// Measure the machine instead of a model: multiply-adds, and bytes from memory
        #[arg(long, conflicts_with_all = ["model", "explain"])]
        machine: bool,
        #[command(flatten)]
        how: How,
    },
    /// Time schedules of each kernel of a model beside each other
    Candidates(CandidatesArgs),
    /// Fit the cost model's numbers again, to the times of schedules, and print old and new ones
    Refit {
        /// What relayc candidates wrote
        record: PathBuf,
        #[command(flatten)]
        how: How,
    },
}

#[derive(Args)]
struct CandidatesArgs {
    /// The model: .onnx or .mlir
    model: PathBuf,
    /// Where to write the times (JSON). Kernels that the file holds already are not measured again, so that
    /// several models go into one file and a run that was stopped goes on
    #[arg(short, long)]
    output: PathBuf,
    /// The most schedules of a kernel: all of a space that has no more, else the half of them that are
    /// expected to be fastest and an even sample of the others
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    threads: u64,
    #[command(flatten)]
    how: How,
}

#[derive(Args)]
struct ShapeArgs {
    /// The shape of an input of which an ONNX model leaves dimensions open: x=8,3,224,224. Other inputs'
    /// dimensions of the same name become the same; those that nothing says are 1. May be repeated
    #[arg(long = "shape", value_name = "INPUT=D,D,..", value_parser = parse_shape)]
    shapes: Vec<(String, Vec<i64>)>,
}

impl ShapeArgs {
    fn by_name(&self) -> Shapes {
        self.shapes.iter().cloned().collect()
    }
}

/// Reads `name=8,3,224,224`; a name may hold any character.
fn parse_shape(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, dims) = text
        .rsplit_once('=')
        .ok_or("an input's name, '=' and its dimensions, such as x=8,3,224,224")?;
    let dims = dims.split(',').filter(|dim| !dim.is_empty()).map(|dim| {
        let number = dim.trim().parse::<i64>().ok().filter(|dim| *dim >= 0);
        number
            .ok_or_else(|| format!("'{dim}' is no dimension: whole numbers from 0 on, with commas"))
    });
    Ok((name.to_owned(), dims.collect::<Result<_, _>>()?))
}

#[derive(Args)]
struct How {
    #[command(flatten)]
    shapes: ShapeArgs,
    /// The machine: "native", a level such as x86-64-v3, or a triple and options, such as
    /// "x86_64-unknown-linux-gnu -mcpu=skylake" or "native -mattr=-avx512f"; "x86-64-v3,x86-64-v4" for
    /// a library that runs the newest code that the processor can
    #[arg(long, default_value = "native")]
    target: String,
    /// How hard to optimise, from 0 (every operator on its own) to 3
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    opt_level: u8,
    /// What convolutions, matrix products and what follows them read and write
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionArg,
    /// Write the IR after each pass into this folder, numbered, large constants elided
    #[arg(long, value_name = "DIR")]
    dump_ir: Option<PathBuf>,
    /// Verify the IR after every pass: to find the pass that breaks it
    #[arg(long)]
    verify_each: bool,
    /// Compile all kernels: neither take them from the cache in RELAY_CACHE_DIR (or
    /// XDG_CACHE_HOME/relay-mlir, or ~/.cache/relay-mlir) nor keep them there
    #[arg(long)]
    no_cache: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum PrecisionArg {
    /// What the model says
    #[default]
    F32,
    /// 16-bit floats with 8 bits of precision in the place of f32: constants and tensors between
    /// kernels take half of the bytes, sums are still of f32, inputs and outputs stay as they are.
    /// Results differ in the third digit: compare them with those of f32 before you rely on them
    Bf16,
}

impl From<PrecisionArg> for Precision {
    fn from(precision: PrecisionArg) -> Self {
        match precision {
            PrecisionArg::F32 => Self::F32,
            PrecisionArg::Bf16 => Self::Bf16,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum EmitArg {
    Relay,
    Te,
    Tir,
    Llvm,
    Asm,
    Object,
}

impl How {
    fn options(&self, emit: Option<EmitArg>) -> miette::Result<CompileOptions> {
        let emit = match emit {
            None => Emit::Library,
            Some(EmitArg::Relay) => Emit::Ir(Level::Relay),
            Some(EmitArg::Te) => Emit::Ir(Level::Te),
            Some(EmitArg::Tir) => Emit::Ir(Level::Tir),
            Some(EmitArg::Llvm) => Emit::Code(Form::LlvmText),
            Some(EmitArg::Asm) => Emit::Code(Form::Assembly),
            Some(EmitArg::Object) => Emit::Code(Form::Object),
        };
        let mut targets = Target::parse_list(&self.target).into_diagnostic()?;
        let older = targets.split_off(1);
        if !older.is_empty() && emit != Emit::Library {
            miette::bail!("only a library can be for several targets; name one");
        }
        let target = targets.remove(0);
        Ok(CompileOptions {
            target,
            older,
            opt_level: self.opt_level,
            shapes: self.shapes.by_name(),
            precision: self.precision.into(),
            emit,
            dump_ir: self.dump_ir.clone(),
            verify_each: self.verify_each,
            profile: false,
            cache: !self.no_cache,
            progress: std::io::stderr().is_terminal(),
            candidate: 0,
        })
    }
}

fn main() -> ExitCode {
    relay_dialects::tool::end_on_broken_pipe();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into()),
        )
        .without_time()
        .with_target(false)
        .init();
    match execute(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> miette::Result<()> {
    match command {
        Command::Compile {
            model,
            output,
            emit,
            how,
        } => {
            let output = output.unwrap_or_else(|| default_output(&model, emit));
            compile_to(&model, &output, &how.options(emit)?)
        }
        Command::Run {
            model,
            inputs,
            outputs,
            threads,
            print_time,
            repeat,
            seed,
            how,
        } => {
            let model = run::load_or_compile(&model, &how.options(None)?).into_diagnostic()?;
            let tensors = run::inputs(model.inputs(), inputs.as_deref(), seed).into_diagnostic()?;
            let mut session = model.instance(threads).into_diagnostic()?;
            let repeat = if print_time { repeat } else { 0 };
            let (results, times) = run::run(&mut session, &tensors, repeat).into_diagnostic()?;
            print_latency(&times);
            match outputs {
                Some(path) => npz::write(&path, model.outputs(), &results).into_diagnostic(),
                None => Ok(()),
            }
        }
        Command::Inspect { model, shapes } => print_summary(&model, &shapes),
        Command::Candidates(args) => time_candidates(&args),
        Command::Refit { record, how } => {
            let record = candidates::Record::read(&record).into_diagnostic()?;
            let fitted = candidates::refit(&record, &how.options(None)?);
            print!("{}", fitted.into_diagnostic()?.describe());
            Ok(())
        }
        Command::Bench {
            model,
            threads,
            repeat,
            nodes,
            explain,
            how,
            machine: _,
        } => {
            let options = how.options(None)?;
            has_one_target(&options)?;
            match model {
                None => limits(&options, threads).map(|_| ()),
                Some(model) => measure(&model, threads, repeat, nodes, explain, &options),
            }
        }
    }
}

/// Prints what a model or a library is.
fn print_summary(model: &Path, shapes: &ShapeArgs) -> miette::Result<()> {
    if model.extension().is_some_and(|extension| extension == "so") {
        print!("{}", inspect_library(model).into_diagnostic()?);
        return Ok(());
    }
    let summary = inspect::inspect(model, &shapes.by_name()).into_diagnostic()?;
    print!("{summary}");
    Ok(())
}

/// Refuses to measure what is compiled for several targets.
fn has_one_target(options: &CompileOptions) -> miette::Result<()> {
    if !options.older.is_empty() {
        miette::bail!(
            "a library for several targets runs the newest code that the processor can: \
             name the target to measure"
        );
    }
    Ok(())
}

/// Times schedules of a model's kernels; an error if one of them is wrong.
fn time_candidates(args: &CandidatesArgs) -> miette::Result<()> {
    let options = args.how.options(None)?;
    let settings = candidates::Settings {
        threads: args.threads as usize,
        candidates: args.count as usize,
    };
    let target = options.target.describe();
    let mut record = candidates::Record::open(&args.output, settings, &target).into_diagnostic()?;
    let mut say = |text: &str| eprintln!("{text}");
    candidates::measure(&args.model, &options, &mut record, &args.output, &mut say)
        .into_diagnostic()?;
    let wrong = |kernel: &candidates::Measured| {
        let (model, name) = (kernel.model.clone(), kernel.name.clone());
        let failures = kernel.failures.iter();
        failures
            .map(|failure| format!("{model}: kernel {name}: {failure}"))
            .collect::<Vec<_>>()
    };
    let failures: Vec<String> = record.kernels.iter().flat_map(wrong).collect();
    match failures.len() {
        0 => Ok(()),
        count => miette::bail!("{count} schedules are wrong:\n{}", failures.join("\n")),
    }
}

/// Compiles a model, and says for what if that is written to a file.
fn compile_to(model: &Path, output: &Path, options: &CompileOptions) -> miette::Result<()> {
    compile(model, output, options).into_diagnostic()?;
    if output != Path::new("-") {
        let targets = [&options.target].into_iter().chain(&options.older);
        let targets: Vec<String> = targets.map(Target::describe).collect();
        eprintln!("wrote {} for {}", output.display(), targets.join(", "));
    }
    Ok(())
}

/// Times a model and prints what was found.
fn measure(
    path: &Path,
    threads: usize,
    repeat: usize,
    nodes: usize,
    explain: bool,
    options: &CompileOptions,
) -> miette::Result<()> {
    let (model, timed) = bench::compile_both(path, options).into_diagnostic()?;
    let inputs = run::inputs(model.inputs(), None, 0).into_diagnostic()?;
    let mut session = model.instance(threads).into_diagnostic()?;
    let (_, times) = run::run(&mut session, &inputs, repeat).into_diagnostic()?;
    drop(session);
    print_latency(&times);
    let mut timed = timed.instance(threads).into_diagnostic()?;
    let profile = bench::profile(&mut timed, &inputs, repeat).into_diagnostic()?;
    if explain {
        let kernels = explain::kernels(path, options).into_diagnostic()?;
        let limits = limits(options, threads)?;
        print!(
            "{}",
            explain::table(
                &profile,
                &kernels,
                limits,
                options.target.schedules_for(),
                nodes
            )
        );
    } else {
        print!("{}", bench::table(&profile, nodes));
    }
    Ok(())
}

/// Measures the machine and prints what was found.
fn limits(options: &CompileOptions, threads: usize) -> miette::Result<machine::Limits> {
    let limits = machine::limits(options, threads).into_diagnostic()?;
    println!("FMA peak: {:.1} GFLOP/s", limits.gflops);
    println!("memory: {:.1} GB/s", limits.gbytes);
    Ok(limits)
}

/// Where to write what was asked for without `--output`.
fn default_output(model: &Path, emit: Option<EmitArg>) -> PathBuf {
    let name = Path::new(model.file_name().unwrap_or_default());
    match emit {
        None => name.with_extension("so"),
        Some(EmitArg::Object) => name.with_extension("o"),
        Some(_) => PathBuf::from("-"),
    }
}

fn print_latency(times: &[Duration]) {
    if let Some(latency) = bench::Latency::of(times) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "median {:.3} ms, min {:.3} ms, p95 {:.3} ms, max {:.3} ms over {} runs",
            ms(latency.median),
            ms(latency.min),
            ms(latency.p95),
            ms(latency.max),
            times.len()
        );
    }
}
