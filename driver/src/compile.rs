//! Compiles a model to a library, or to any form on the way.

mod apart;
mod insertion;
mod made;
mod program;

pub(crate) use apart::lower as lower_to;
pub use insertion::Insertion;
pub use made::{Layout, Made, Report, Weights};

use crate::{
    DriverError, bare,
    frontend::{self, Reading, Unsaid},
    output,
    progress::Stage,
    records,
};
use apart::Apart;
use insertion::{flag, place_of};
use melior::{Context, ir::Module};
use relay_codegen::{
    CodegenError, Stop, Target,
    cache::Cache,
    device,
    emit::{Form, emit},
    evaluate,
    external::{self, ExternalCodegen, Placement},
    interface::{Executor, Interface},
    kernels, library, link, lower,
    split::{split, split_program},
};
use relay_dialects::{
    ir::{Op, Type},
    pass::{run_pipeline, run_unverified, with_warnings},
};
use relay_machine::ir::attach;
use relay_passes::{
    pipeline::{Goal, Level, Order, Precision, Records},
    relay::to_mixed_precision::has_products_of_f32,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

/// What to make of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The IR at a level, as text.
    Ir(Level),
    /// The instructions of a program, as text.
    Program,
    /// LLVM IR, assembly or an object.
    Code(Form),
    /// What a GPU runs, as text: PTX, or the assembly of AMD's GPUs.
    Gpu,
    /// A shared library.
    Library,
    /// A folder with a bare model: an object, and C around it, without the runtime.
    Bare,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The machine.
    pub target: Target,
    /// Other machines that the library is for, too: levels below that of `target`, newest first, or GPUs beside the same processor.
    pub older: Vec<Target>,
    /// 0 (no fusion, no layout changes) to 3.
    pub opt_level: u8,
    /// What is said of the model beside its file.
    pub reading: Reading,
    /// What products read and write.
    pub precision: Precision,
    /// What is weighed where a faster kernel needs larger weights.
    pub goal: Goal,
    /// What to make.
    pub emit: Emit,
    /// Where to write the IR after each pass.
    pub dump_ir: Option<PathBuf>,
    /// Whether to verify the IR after each pass. Otherwise it is verified after the passes on operators, and at
    /// the end.
    pub verify_each: bool,
    /// Whether the library times each node.
    pub profile: bool,
    /// Whether to take machine code from the user's cache, and to keep it there.
    pub cache: bool,
    /// Whether to show progress on stderr.
    pub progress: bool,
    /// Whether to log the warnings of passes: of schedules that a search tries, nobody wants them.
    pub warn: bool,
    /// The schedule that each kernel gets: its rank by predicted cycles. 0 is the cheapest.
    pub candidate: usize,
    /// What a tuner found: a file of records.
    pub records: Option<PathBuf>,
    /// What runs the functions of a program.
    pub executor: Executor,
    /// Whether the model is a program of the whole language; [`compile`] finds it out.
    pub program: bool,
    /// External code generators.
    pub codegen: Vec<Arc<dyn ExternalCodegen>>,
    /// Which of those that take an operator has it.
    pub placement: Placement,
    /// Passes beside the standard ones.
    pub insert: Vec<Insertion>,
    /// The [plugins](crate::plugins) that were loaded for those.
    pub plugins: Vec<PathBuf>,
    /// Asked between two passes, and between two kernels.
    pub stop: Stop,
}

impl CompileOptions {
    /// The passes down to a level.
    pub fn passes(&self, level: Level) -> Vec<String> {
        let order = Order {
            opt_level: self.opt_level,
            precision: self.precision,
            goal: self.goal,
            cache: self.cache,
            candidate: self.candidate,
            records: self.records.as_ref().map(|path| Records {
                path: path.clone(),
                machine: records::machine(&self.target),
            }),
            program: self.program,
            checks: !matches!(self.emit, Emit::Bare),
            external: external::passes(&self.codegen, &self.placement),
            ..Order::standard(&self.target)
        };
        let mut passes = order.passes(level);
        for Insertion { after, pipeline } in self.insert.iter().rev() {
            let place = match after {
                None => Some(0),
                Some(after) => place_of(&passes, after).map(|place| place + 1),
            };
            // What they follow may be further down.
            if let Some(place) = place {
                passes.insert(place, pipeline.clone());
            }
        }
        passes
    }

    /// Checks that there are the passes that others are inserted behind.
    ///
    /// # Errors
    /// Names those that there are.
    pub fn check_insertions(&self) -> Result<(), String> {
        let plain = Self {
            insert: Vec::new(),
            ..self.clone()
        };
        let passes = plain.passes(Level::Planned);
        for after in self
            .insert
            .iter()
            .filter_map(|insertion| insertion.after.as_ref())
        {
            if place_of(&passes, after).is_none() {
                let mut known: Vec<&str> = passes.iter().map(|pass| flag(pass)).collect();
                known.dedup();
                return Err(format!(
                    "there is no pass '{after}' to insert one behind; there are {}",
                    known.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Checks that there are code generators to choose between, and that this machine is the one to measure.
    ///
    /// # Errors
    /// Says what to do instead.
    pub fn check_placement(&self) -> Result<(), String> {
        let target = &self.target.text;
        if self.codegen.is_empty() {
            return Err(
                "a placement chooses between external code generators; name one: --codegen=dnnl"
                    .into(),
            );
        }
        if self.placement == Placement::Measured && target != Target::NATIVE {
            return Err(format!(
                "a measured placement is for this machine, and the target is {target}; leave the target out, or give \
                 a file of costs: --placement=COSTS.json"
            ));
        }
        Ok(())
    }

    /// The command line's options that decide what is computed, for a shell.
    pub fn as_flags(&self) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let mut flags = format!(
            "--target {} --opt-level {} --precision {} --optimize {}",
            quoted(&self.target.text),
            self.opt_level,
            self.precision.name(),
            self.goal.name()
        );
        for (flag, value) in self.pass_flags() {
            flags += &format!(" {flag} {}", quoted(&value));
        }
        flags
    }

    /// The flags for passes that are inserted, with their values.
    pub fn pass_flags(&self) -> Vec<(&'static str, String)> {
        let plugins = self.plugins.iter();
        let plugins = plugins.map(|path| ("--load-pass-plugin", path.display().to_string()));
        let insertions = self.insert.iter().map(|Insertion { after, pipeline }| {
            let after = after.iter().map(|after| format!("{after}:"));
            ("--insert-pass", after.collect::<String>() + pipeline)
        });
        plugins.chain(insertions).collect()
    }
}

/// Compiles a model file to `output`; `-` is the standard output. Where a model cannot keep dimensions open of which nothing is
/// said, they are 1, and a warning says why.
///
/// # Errors
/// See [`DriverError`].
pub fn compile(model: &Path, output: &Path, options: &CompileOptions) -> Result<Made, DriverError> {
    let problem = |made: &Result<Made, DriverError>| match made {
        Err(
            reason @ (DriverError::Import(_) | DriverError::Pass { .. } | DriverError::Codegen(_)),
        ) => Some(reason.to_string()),
        _ => None,
    };
    let make = |options: &CompileOptions| compile_as_said(model, output, options);
    open_or_known(model, options, make, problem, Result::is_ok)
}

/// Makes something of a model whose unsaid dimensions stay open. If the result has a problem, and one with dimensions of 1 is good, it
/// returns that one, and warns of the problem.
pub(crate) fn open_or_known<T>(
    model: &Path,
    options: &CompileOptions,
    make: impl Fn(&CompileOptions) -> T,
    problem: impl Fn(&T) -> Option<String>,
    is_good: impl Fn(&T) -> bool,
) -> T {
    let made = make(options);
    let Some(problem) = problem(&made) else {
        return made;
    };
    if !frontend::leaves_dimensions_open(model, &options.reading) {
        return made;
    }
    let mut known = options.clone();
    known.reading.unsaid = Unsaid::One;
    let other = make(&known);
    if !is_good(&other) {
        return made;
    }
    let line = problem.replace('\n', " ");
    tracing::warn!("open dimensions cannot stay open: {line}");
    other
}

fn compile_as_said(
    model: &Path,
    output: &Path,
    options: &CompileOptions,
) -> Result<Made, DriverError> {
    match options.emit {
        Emit::Bare => fs::create_dir_all(output).map_err(DriverError::io(output))?,
        _ => output::check(output)?,
    }
    make_dump_folder(options)?;
    let context = prepare();
    let module = stage("import", || {
        frontend::load(&context, model, &options.reading)
    })?;
    has_entry(&module)?;
    check_precision(&module, options);
    let held = made::held(&module);
    let open = made::open_dimensions(&module);
    let options = &options.of_module(&module);
    match options.emit {
        Emit::Library => {
            let (kernels, layouts) = make_library(&context, module, output, options)?;
            Ok(Made {
                kernels: Some(kernels),
                weights: Some(Weights::new(held, layouts)),
                open,
            })
        }
        _ => make_form(&context, module, output, options).map(|()| Made {
            open,
            ..Made::default()
        }),
    }
}

/// Writes a library; returns the number of its kernels, and the bytes of its constants by layout.
pub(crate) fn make_library(
    context: &Context,
    mut module: Module<'_>,
    output: &Path,
    options: &CompileOptions,
) -> Result<(usize, BTreeMap<String, u64>), DriverError> {
    let name = library_name(output);
    if !options.older.is_empty() {
        return write_bundle(context, module, &name, output, options);
    }
    let program = to_program(context, &mut module, options)?;
    write_library(&module, &program, &name, output, options)?;
    Ok((program.kernels.len(), program.layouts))
}

/// Writes what was asked for instead of a library.
fn make_form(
    context: &Context,
    mut module: Module<'_>,
    output: &Path,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let library = library_options(&library_name(output), options);
    match options.emit {
        Emit::Library => Ok(()),
        Emit::Ir(level) => {
            apart::lower(context, &mut module, level, options)?;
            output::write(output, Op::of_module(&module).to_string().as_bytes())
        }
        Emit::Program => {
            let apart = apart::lower(context, &mut module, Level::Te, options)?;
            let text = apart.program.map(|taken| taken.program.to_string());
            output::write(output, text.unwrap_or_default().as_bytes())
        }
        Emit::Code(form) => {
            let apart = apart::lower(context, &mut module, Level::Lowered, options)?;
            let external = external::compile(&apart.external, &options.codegen, &options.target)?;
            let interface = match apart.program {
                Some(taken) => lower::program_to_llvm(context, &mut module, &options.target, taken),
                None => device::to_llvm(context, &mut module, &options.target),
            }?;
            let mut code = emit(Op::of_module(&module), &interface, &library, form)?;
            if form == Form::Object {
                code = link::with_constants(&code, &interface, &external, &library)?;
            }
            output::write(output, &code)
        }
        Emit::Gpu => {
            apart::lower(context, &mut module, Level::Lowered, options)?;
            let text = device::text(context, Op::of_module(&module), &options.target)?;
            output::write(output, &text)
        }
        Emit::Bare => {
            program::refuse_bare(options)?;
            apart::refuse_bare(options)?;
            run_passes(context, &mut module, Level::Lowered, options)?;
            let interface = lower::to_llvm(context, &mut module, &options.target)?;
            let code = relay_codegen::bare::emit(Op::of_module(&module), &interface, &library)?;
            bare::write(&code, &interface, &library, output)
        }
    }
}

/// Warns of a precision that changes nothing in a module of operators.
pub(crate) fn check_precision(module: &Module<'_>, options: &CompileOptions) {
    if options.precision == Precision::Bf16 && !has_products_of_f32(Op::of_module(module)) {
        tracing::warn!(
            "--precision bf16 changes nothing: no convolution or matrix product of the model reads f32, and those of f16 stay f16"
        );
    }
}

/// Checks that there is something to compile.
pub(crate) fn has_entry(module: &Module<'_>) -> Result<(), DriverError> {
    let main = Op::of_module(module).function("main");
    let main = main.filter(|main| main.block_in(0).is_some());
    let main = main.ok_or(CodegenError::NoEntry)?;
    // A function over buffers gives its results in some of them.
    let has_results = main
        .function_type()
        .is_some_and(|ty| !ty.results().is_empty() || ty.inputs().into_iter().any(Type::is_memref));
    match has_results {
        true => Ok(()),
        false => Err(CodegenError::NoResults.into()),
    }
}

/// A context in which models can be compiled.
pub fn prepare() -> Context {
    evaluate::register_passes();
    relay_dialects::context()
}

/// What a library is linked from, beside the module of kernel calls.
#[derive(Debug)]
pub struct Program {
    interface: Interface,
    kernels: Vec<kernels::Object>,
    /// The bytes of constants by layout.
    layouts: BTreeMap<String, u64>,
}

/// Takes a module at any level down: compiles its kernels, and lowers the rest, which is calls of kernels, to
/// the llvm dialect.
///
/// # Errors
/// See [`DriverError`].
pub fn to_program(
    context: &Context,
    module: &mut Module<'_>,
    options: &CompileOptions,
) -> Result<Program, DriverError> {
    let options = &options.of_module(module);
    let apart = apart::lower(context, module, Level::Planned, options)?;
    planned_to_program(context, module, apart, options)
}

/// As [`to_program`], of a module that is at the level of tensor expressions, with schedules that a search tries.
///
/// # Errors
/// See [`DriverError`].
pub(crate) fn te_to_program(
    context: &Context,
    module: &mut Module<'_>,
    options: &CompileOptions,
) -> Result<Program, DriverError> {
    let options = &CompileOptions {
        warn: false,
        ..options.clone()
    };
    run_between(context, module, (Level::Te, Level::Planned), options)?;
    planned_to_program(context, module, Apart::default(), options)
}

/// Takes a module that is at a level down to another one.
///
/// # Errors
/// See [`DriverError`].
pub(crate) fn run_between(
    context: &Context,
    module: &mut Module<'_>,
    (from, to): (Level, Level),
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let done = options.passes(from).len();
    run_each(context, module, &options.passes(to), done, options)
}

/// Compiles kernels side by side. If one fails, the module is compiled again as a whole, where operators have
/// their names, for the message.
fn planned_to_program(
    context: &Context,
    module: &mut Module<'_>,
    apart: Apart,
    options: &CompileOptions,
) -> Result<Program, DriverError> {
    let mut whole = relay_dialects::copy(module);
    let done = options.passes(Level::Planned).len();
    let passes = options.passes(Level::Lowered);
    let mut lower_whole = || run_each(context, &mut whole, &passes, done, options);
    if options.dump_ir.is_some() || options.verify_each {
        lower_whole()?;
    }
    let Apart {
        program: taken,
        external,
        layouts,
    } = apart;
    let split = || match taken {
        Some(taken) => split_program(context, module, &options.target, taken),
        None => split(context, module, &options.target),
    };
    let cache = options.cache.then(Cache::of_user).flatten();
    let program = stage("split", split).and_then(|(interface, sources)| {
        let bar = Stage::new(options.progress, "kernels", sources.len(), 0);
        let is_done = || {
            bar.step();
            options.stop.check()
        };
        let compile = || kernels::compile(&sources, &options.target, cache.as_ref(), &is_done);
        let mut kernels = stage("kernels", compile)?;
        let generate = || external::compile(&external, &options.codegen, &options.target);
        kernels.extend(stage("external code", generate)?);
        Ok(Program {
            interface,
            kernels,
            layouts,
        })
    });
    program.or_else(|error| lower_whole().and(Err(error.into())))
}

/// Writes the library of a program from [`to_program`]. Its functions' names start with `name`.
///
/// # Errors
/// See [`DriverError`].
pub fn write_library(
    module: &Module<'_>,
    program: &Program,
    name: &str,
    output: &Path,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let library = library_options(name, options);
    let module = Op::of_module(module);
    let Program {
        interface, kernels, ..
    } = program;
    let bar = Stage::new(options.progress, "link", 1, 0);
    bar.enter(&output.display().to_string());
    let link = || link::write_library(module, interface, kernels, &library, output);
    Ok(stage("link", link)?)
}

/// Compiles a module for all targets, into one library; returns what [`make_library`] does. Decisions on operators, above all the layout of
/// constants, are made for the newest target, so that all targets share the constants.
fn write_bundle(
    context: &Context,
    mut module: Module<'_>,
    name: &str,
    output: &Path,
    options: &CompileOptions,
) -> Result<(usize, BTreeMap<String, u64>), DriverError> {
    run_passes(context, &mut module, Level::Relay, options)?;
    let layouts = made::by_layout(&module);
    let mut programs = Vec::new();
    for target in [&options.target].into_iter().chain(&options.older) {
        let options = CompileOptions {
            target: target.clone(),
            dump_ir: options
                .dump_ir
                .as_ref()
                .map(|folder| folder.join(target.variant())),
            ..options.clone()
        };
        let mut module = relay_dialects::copy(&module);
        let apart = apart::take(context, &module, &options)?;
        run_between(
            context,
            &mut module,
            (Level::Relay, Level::Planned),
            &options,
        )?;
        let program = planned_to_program(context, &mut module, apart, &options)?;
        programs.push((target, module, program));
    }
    let variants: Vec<link::Variant<'_>> = programs
        .iter()
        .map(|(target, module, program)| link::Variant {
            target: (*target).clone(),
            module: Op::of_module(module),
            interface: &program.interface,
            kernels: &program.kernels,
        })
        .collect();
    let library = library_options(name, options);
    stage("link", || link::write_bundle(&variants, &library, output))?;
    let kernels = programs.iter().map(|(.., program)| program.kernels.len());
    Ok((kernels.sum(), layouts))
}

fn library_options(name: &str, options: &CompileOptions) -> library::Options {
    library::Options {
        name: name.into(),
        target: options.target.clone(),
        precision: options.precision,
        profile: options.profile,
    }
}

/// Runs passes one by one, so that each can be shown, dumped and blamed.
pub(crate) fn run_passes(
    context: &Context,
    module: &mut Module<'_>,
    level: Level,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    stage("passes", || {
        run_each(context, module, &options.passes(level), 0, options)
    })
}

/// Takes a module of operators down to the first pass with a flag, which is not run. Returns whether there is one at this level of
/// optimisation.
///
/// # Errors
/// See [`DriverError`].
pub(crate) fn run_up_to(
    context: &Context,
    module: &mut Module<'_>,
    flag: &str,
    options: &CompileOptions,
) -> Result<bool, DriverError> {
    let passes = options.passes(Level::Relay);
    let Some(place) = place_of(&passes, flag) else {
        return Ok(false);
    };
    run_each(context, module, &passes[..place], 0, options)?;
    Ok(true)
}

/// Takes a module from where [`run_up_to`] left it through the other passes on operators.
///
/// # Errors
/// See [`DriverError`].
pub(crate) fn run_from(
    context: &Context,
    module: &mut Module<'_>,
    flag: &str,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let passes = options.passes(Level::Relay);
    let done = place_of(&passes, flag).unwrap_or(passes.len());
    run_each(context, module, &passes, done, options)
}

/// Runs the passes of a list that follow the first `done` of them.
fn run_each(
    context: &Context,
    module: &mut Module<'_>,
    passes: &[String],
    done: usize,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    // Verifying takes as long as most passes do. So it is done twice: after the passes on operators, and at the
    // end.
    let high = options.passes(Level::Relay).len();
    let verified =
        |index: usize| options.verify_each || [high, passes.len()].contains(&(index + 1));
    let bar = Stage::new(options.progress, "passes", passes.len(), done);
    make_dump_folder(options)?;
    if done > 0 {
        // The pass that says so is not among those that run.
        attach(Op::of_module(module), &options.target);
    }
    if let Some(folder) = &options.dump_ir
        && done == 0
    {
        dump(module, folder, 0, "input")?;
    }
    for (index, pass) in passes.iter().enumerate().skip(done) {
        options.stop.check()?;
        bar.enter(pass);
        let (result, diagnostics, warnings) = with_warnings(context, || {
            let run = if verified(index) {
                run_pipeline
            } else {
                run_unverified
            };
            timed_pass(pass, || run(context, module, pass))
        });
        result.map_err(|reason| DriverError::Pass {
            pass: pass.clone(),
            // A pipeline that does not parse runs no pass that could say why.
            diagnostics: if diagnostics.is_empty() {
                reason
            } else {
                diagnostics
            },
        })?;
        for warning in warnings.iter().filter(|_| options.warn) {
            tracing::warn!("{warning}");
        }
        if let Some(folder) = &options.dump_ir {
            dump(module, folder, index + 1, pass)?;
        }
        bar.step();
    }
    Ok(())
}

fn make_dump_folder(options: &CompileOptions) -> Result<(), DriverError> {
    match &options.dump_ir {
        Some(folder) => fs::create_dir_all(folder).map_err(DriverError::io(folder)),
        None => Ok(()),
    }
}

/// Does `work`, and logs how long it took: `relayc -v` shows it.
fn stage<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    tracing::info!("{:9.3} ms {what}", milliseconds(start));
    result
}

/// As [`stage`], of a pass: `relayc -vv` shows it.
fn timed_pass<T>(pass: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    tracing::debug!("{:9.3} ms {pass}", milliseconds(start));
    result
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Writes `NN-pass.mlir`, with large constants elided.
fn dump(module: &Module<'_>, folder: &Path, number: usize, pass: &str) -> Result<(), DriverError> {
    let path = folder.join(format!("{number:02}-{}.mlir", flag(pass)));
    output::write(&path, Op::of_module(module).to_text(true).as_bytes())
}

/// The C identifier that a library's functions start with: its file name.
pub fn library_name(output: &Path) -> String {
    let stem = output
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut name: String = stem
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}
