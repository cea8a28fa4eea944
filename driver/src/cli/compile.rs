//! `relayc compile`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError,
    compile::{Emit, Report, compile},
    frontend::Unsaid,
    notes::with_warnings,
};
use clap::ValueEnum;
use relay_codegen::{emit::Form, interface::Executor};
use relay_passes::pipeline::Level;
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(clap::Args)]
pub struct Args {
    /// The model: .onnx, .pt2 or .pt (PyTorch), .keras, .h5 or .json (Keras), .tflite, -symbol.json (MXNet), .gguf, .pb, .pbtxt or a SavedModel's folder (TensorFlow), .relay or .mlir
    model: PathBuf,
    /// The output file; "-" is the standard output [default: the model's name with .so, for objects .o, for
    /// bare models the name alone, and the standard output for text]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// The form to write instead of a library
    #[arg(long, value_enum)]
    emit: Option<EmitArg>,
    /// The executor of a program's functions
    #[arg(long, value_enum, default_value_t)]
    executor: ExecutorArg,
    /// Print the result as JSON on the standard output, as docs/json.md describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExecutorArg {
    /// Machine code, compiled ahead of time
    #[default]
    Aot,
    /// A virtual machine. The library holds the program as bytecode, and the operators as machine code
    Vm,
}

#[derive(Clone, Copy, ValueEnum)]
enum EmitArg {
    Relay,
    /// The instructions of a program's functions
    Program,
    Te,
    Tir,
    Llvm,
    Asm,
    /// What a GPU runs of the model: PTX (--target cuda), or assembly (--target amd/mi300x)
    #[value(alias = "ptx")]
    Gpu,
    Object,
    /// A folder with a bare model: an object and C without runtime, allocator or system, for microcontrollers
    /// and WebAssembly, and a description in JSON
    Bare,
}

impl From<EmitArg> for Emit {
    fn from(emit: EmitArg) -> Self {
        match emit {
            EmitArg::Relay => Self::Ir(Level::Relay),
            EmitArg::Program => Self::Program,
            EmitArg::Te => Self::Ir(Level::Te),
            EmitArg::Tir => Self::Ir(Level::Tir),
            EmitArg::Llvm => Self::Code(Form::LlvmText),
            EmitArg::Asm => Self::Code(Form::Assembly),
            EmitArg::Gpu => Self::Gpu,
            EmitArg::Object => Self::Code(Form::Object),
            EmitArg::Bare => Self::Bare,
        }
    }
}

impl Args {
    /// Compiles a model, and says for what if that is written to a file.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let emit = self.emit.map_or(Emit::Library, Emit::from);
        let mut options = self.how.options(emit, voice)?;
        if emit != Emit::Bare {
            options.reading.unsaid = Unsaid::Open;
        }
        // Only programs have instructions, and all have that a machine is to run.
        options.program = emit == Emit::Program;
        options.executor = match self.executor {
            ExecutorArg::Aot => Executor::Aot,
            ExecutorArg::Vm => Executor::Vm,
        };
        let output = self
            .output
            .unwrap_or_else(|| default_output(&self.model, emit));
        if self.json && output == Path::new("-") {
            let reason = "--json has the standard output for itself; name a file with --output";
            return Err(DriverError::Usage(reason.into()));
        }
        let start = Instant::now();
        let work = || compile(&self.model, &output, &options);
        // What collects warnings takes the place of the log.
        let (made, warnings) = match self.json {
            true => with_warnings(work),
            false => (work(), Vec::new()),
        };
        for warning in &warnings {
            tracing::warn!("{warning}");
        }
        let made = made?;
        let report = Report::new(made, &output, &options, (start.elapsed(), warnings));
        if output != Path::new("-") {
            voice.say(report.to_string());
        }
        match self.json {
            true => json::print(true, &report),
            false => Ok(()),
        }
    }
}

/// Where to write what was asked for without `--output`.
fn default_output(model: &Path, emit: Emit) -> PathBuf {
    let name = Path::new(model.file_name().unwrap_or_default());
    match emit {
        Emit::Library => name.with_extension("so"),
        Emit::Code(Form::Object) => name.with_extension("o"),
        Emit::Bare => name.with_extension(""),
        Emit::Ir(_) | Emit::Program | Emit::Code(_) | Emit::Gpu => PathBuf::from("-"),
    }
}
