//! From a model to a library, or to any form on the way.

use crate::{
    DriverError,
    frontend::{self, with_diagnostics},
};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{Context, ir::Module};
use relay_codegen::{
    Target,
    emit::{Form, emit},
    library, link, lower,
};
use relay_dialects::{ir::Op, pass::run_pipeline};
use relay_passes::pipeline::{self, Level};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What to make of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The IR at a level, as text.
    Ir(Level),
    /// LLVM IR, assembly or an object.
    Code(Form),
    /// A shared library.
    Library,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The machine.
    pub target: Target,
    /// 0 (no fusion, no layout changes) to 3.
    pub opt_level: u8,
    /// What to make.
    pub emit: Emit,
    /// Where to write the IR after each pass.
    pub dump_ir: Option<PathBuf>,
    /// Whether the library times each node.
    pub profile: bool,
    /// Whether to show progress on stderr.
    pub progress: bool,
}

/// Compiles a model file to `output`.
///
/// # Errors
/// See [`DriverError`].
pub fn compile(model: &Path, output: &Path, options: &CompileOptions) -> Result<(), DriverError> {
    relay_passes::register();
    relay_codegen::evaluate::install();
    let context = relay_dialects::context();
    let mut module = frontend::load(&context, model)?;
    let name = library_name(output);
    compile_module(&context, &mut module, &name, output, options)
}

/// Compiles a module to `output`; `name` is the prefix of the library's functions.
///
/// # Errors
/// See [`DriverError`].
pub fn compile_module(
    context: &Context,
    module: &mut Module<'_>,
    name: &str,
    output: &Path,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let level = match options.emit {
        Emit::Ir(level) => level,
        Emit::Code(_) | Emit::Library => Level::Lowered,
    };
    run_passes(
        context,
        module,
        &pipeline::passes(level, options.opt_level),
        options,
    )?;
    if let Emit::Ir(_) = options.emit {
        let text = Op::of_module(module).to_string();
        return fs::write(output, text).map_err(DriverError::io(output));
    }
    let library = library::Options {
        name: name.into(),
        target: options.target.clone(),
        profile: options.profile,
    };
    let interface = lower::to_llvm(context, module)?;
    let form = if let Emit::Code(form) = options.emit {
        form
    } else {
        Form::Object
    };
    let code = emit(Op::of_module(module), &interface, &library, form)?;
    match options.emit {
        Emit::Library => Ok(link::link(&code, &interface.weights, &library, output)?),
        _ => fs::write(output, code).map_err(DriverError::io(output)),
    }
}

/// Runs passes one by one, so that each can be shown, dumped and blamed.
fn run_passes(
    context: &Context,
    module: &mut Module<'_>,
    passes: &[&str],
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let bar = if options.progress {
        ProgressBar::new(passes.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    if let Some(folder) = &options.dump_ir {
        fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
        dump(module, folder, 0, "input")?;
    }
    for (index, pass) in passes.iter().enumerate() {
        bar.set_message(pass.to_string());
        let (result, diagnostics) =
            with_diagnostics(context, || run_pipeline(context, module, pass));
        result.map_err(|_| DriverError::Pass {
            pass: pass.to_string(),
            diagnostics,
        })?;
        if let Some(folder) = &options.dump_ir {
            dump(module, folder, index + 1, pass)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Writes `NN-pass.mlir`, with large constants elided.
fn dump(module: &Module<'_>, folder: &Path, number: usize, pass: &str) -> Result<(), DriverError> {
    let pass = pass
        .strip_prefix("func.func(")
        .and_then(|inner| inner.strip_suffix(')'))
        .unwrap_or(pass);
    let path = folder.join(format!("{number:02}-{pass}.mlir"));
    fs::write(&path, Op::of_module(module).to_text(true)).map_err(DriverError::io(path))
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
