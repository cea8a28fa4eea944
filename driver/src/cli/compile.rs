//! `relayc compile`.

use super::{how::How, log::Voice};
use crate::{
    DriverError,
    compile::{Emit, compile},
};
use clap::ValueEnum;
use relay_codegen::{Target, emit::Form};
use relay_passes::pipeline::Level;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The model: .onnx or .mlir
    model: PathBuf,
    /// What to write; "-" is the standard output [default: the model's name with .so, for
    /// objects .o, for bare models the name alone, and the standard output for text]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// What to make of the model instead of a library
    #[arg(long, value_enum)]
    emit: Option<EmitArg>,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, ValueEnum)]
enum EmitArg {
    Relay,
    Te,
    Tir,
    Llvm,
    Asm,
    Object,
    /// A folder with a bare model: an object and C that call no runtime, no allocator and no
    /// system, for microcontrollers and WebAssembly, and a description of it in JSON
    Bare,
}

impl From<EmitArg> for Emit {
    fn from(emit: EmitArg) -> Self {
        match emit {
            EmitArg::Relay => Self::Ir(Level::Relay),
            EmitArg::Te => Self::Ir(Level::Te),
            EmitArg::Tir => Self::Ir(Level::Tir),
            EmitArg::Llvm => Self::Code(Form::LlvmText),
            EmitArg::Asm => Self::Code(Form::Assembly),
            EmitArg::Object => Self::Code(Form::Object),
            EmitArg::Bare => Self::Bare,
        }
    }
}

impl Args {
    /// Compiles a model, and says for what if that is written to a file.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let emit = self.emit.map_or(Emit::Library, Emit::from);
        let options = self.how.options(emit, voice)?;
        let output = self
            .output
            .unwrap_or_else(|| default_output(&self.model, emit));
        compile(&self.model, &output, &options)?;
        if output != Path::new("-") {
            let targets = [&options.target].into_iter().chain(&options.older);
            let targets: Vec<String> = targets.map(Target::describe).collect();
            voice.say(format!(
                "wrote {} for {}",
                output.display(),
                targets.join(", ")
            ));
        }
        Ok(())
    }
}

/// Where to write what was asked for without `--output`.
fn default_output(model: &Path, emit: Emit) -> PathBuf {
    let name = Path::new(model.file_name().unwrap_or_default());
    match emit {
        Emit::Library => name.with_extension("so"),
        Emit::Code(Form::Object) => name.with_extension("o"),
        Emit::Bare => name.with_extension(""),
        Emit::Ir(_) | Emit::Code(_) => PathBuf::from("-"),
    }
}
