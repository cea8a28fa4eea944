//! Running a module at compile time: how constants are folded.

use crate::{
    CodegenError, Target,
    emit::{Form, emit},
    library::Options,
    link::link,
    lower::to_llvm,
};
use melior::{Context, ir::Module};
use relay_dialects::ir::Op;
use relay_runtime::Model;

/// Compiles a lowered module to a library.
///
/// # Errors
/// If any step fails; see [`CodegenError`].
pub fn compile_lowered(
    context: &Context,
    module: &mut Module<'_>,
    options: &Options,
    output: &std::path::Path,
) -> Result<(), CodegenError> {
    let interface = to_llvm(context, module)?;
    let object = emit(Op::of_module(module), &interface, options, Form::Object)?;
    link(&object, &interface.weights, &options.name, output)
}

/// Runs the lowered module, whose `@main` takes no inputs; returns the bytes of its outputs.
///
/// # Errors
/// If it cannot be compiled, loaded or run.
pub fn evaluate(context: &Context, module: &mut Module<'_>) -> Result<Vec<Vec<u8>>, CodegenError> {
    let folder = tempfile::tempdir().map_err(|source| CodegenError::Io {
        path: "temporary folder".into(),
        source,
    })?;
    let library = folder.path().join("constants.so");
    let options = Options {
        name: "constants".into(),
        target: Target::host(),
        profile: false,
    };
    compile_lowered(context, module, &options, &library)?;
    let model = Model::load(&library)?;
    let outputs = model.instance(0)?.run(&[])?;
    Ok(outputs
        .into_iter()
        .map(|tensor| tensor.bytes().to_vec())
        .collect())
}
