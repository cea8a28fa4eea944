//! Running a module at compile time: how constants are folded.

use crate::{CodegenError, Target, library::Options, link::write_library, lower::to_llvm};
use relay_dialects::{ir::Op, pass::run_pipeline};
use relay_passes::{
    evaluator,
    pipeline::{self, Level},
};
use relay_runtime::Model;

/// The highest level that folds no constants itself.
const EVALUATION_LEVEL: u8 = 1;

/// Lets passes compute constants by compiling and running them. Once per process is enough.
pub fn install() {
    evaluator::install(|module| evaluate(module).map_err(|error| error.to_string()));
}

/// Compiles and runs a module of Relay operators whose `@main` takes no inputs; returns the bytes
/// of its outputs.
///
/// # Errors
/// If it cannot be compiled, loaded or run.
pub fn evaluate(module: Op) -> Result<Vec<Vec<u8>>, CodegenError> {
    // In a context of its own: the pass that asks may hold the module's.
    let context = relay_dialects::context();
    let mut copy = relay_dialects::copy_to(&context, module)
        .ok_or_else(|| CodegenError::Lowering("the module does not parse again".into()))?;
    let target = Target::host()?;
    for pass in pipeline::passes(Level::Lowered, EVALUATION_LEVEL, target.vector_bits) {
        run_pipeline(&context, &mut copy, &pass).map_err(CodegenError::Lowering)?;
    }
    let folder = tempfile::tempdir().map_err(|source| CodegenError::Io {
        path: "temporary folder".into(),
        source,
    })?;
    let library = folder.path().join("constants.so");
    let options = Options {
        name: "constants".into(),
        target,
        profile: false,
    };
    let interface = to_llvm(&context, &mut copy)?;
    write_library(Op::of_module(&copy), &interface, &options, &library)?;
    let model = Model::load(&library)?;
    let outputs = model.instance(0)?.run(&[])?;
    Ok(outputs
        .into_iter()
        .map(|tensor| tensor.bytes().to_vec())
        .collect())
}
