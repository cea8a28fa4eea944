//! Images for the emulated driver (`gpu-emulator/`): a shared library of the processor.

use crate::{
    CodegenError, Target, emit,
    image::Grid,
    linker::{share, system_libraries},
    lower::conversions,
    writer::{Pool, Writer, parameter},
};
use inkwell::{
    context::Context as LlvmContext,
    module::{Linkage, Module as LlvmModule},
    targets::FileType,
    values::{BasicMetadataValueEnum, FunctionValue},
};
use melior::{Context, ir::Module};
use relay_dialects::{ir::Op, pass::run_unverified};
use std::path::PathBuf;

/// Our pass that makes calls of the emulator of what a device has.
const LOWER: &str = "lower-device-ops{device=emulated}";

/// A shared library with a function of a thread for each grid: it takes a list of the places of its arguments.
///
/// # Errors
/// If a conversion fails, LLVM refuses a function, or the linker is missing or refuses.
pub(super) fn image(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
    grids: &[Grid],
) -> Result<Vec<u8>, CodegenError> {
    let conversions = conversions(Op::of_module(module), target);
    run_unverified(context, module, &format!("{LOWER},{conversions}"))
        .map_err(CodegenError::Lowering)?;
    let llvm_context = LlvmContext::create();
    let llvm = emit::translate(Op::of_module(module), &llvm_context)?;
    for grid in grids {
        if let Some(function) = llvm.get_function(&grid.name) {
            write_entry(&llvm, function, &grid.name)?;
        }
    }
    emit::annotate(&llvm, &[], target);
    emit::optimize(&llvm, target)?;
    let object = emit::machine_code(&llvm, target, FileType::Object)?;
    // The emulator defines what the object asks for.
    let flags = ["--gc-sections", "--strip-debug", "--hash-style=gnu"].map(PathBuf::from);
    let libraries = system_libraries(target.architecture)?;
    share(&object, flags.into_iter().chain(libraries))
}

/// Gives a function's name to one that unpacks its arguments.
fn write_entry<'c>(
    llvm: &LlvmModule<'c>,
    function: FunctionValue<'c>,
    name: &str,
) -> Result<(), CodegenError> {
    let w = Writer::new(llvm, Pool::OfModule);
    function.set_linkage(Linkage::Internal);
    function
        .as_global_value()
        .set_name(&format!("{name}_thread"));
    let ty = w.context.void_type().fn_type(&[w.ptr.into()], false);
    let entry = llvm.add_function(name, ty, Some(Linkage::External));
    w.enter(entry);
    let list = parameter(entry, 0).into_pointer_value();
    let mut arguments: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
    for (place, wanted) in function.get_param_iter().enumerate() {
        let place = w.load_pointer(list, place as u32)?.into_pointer_value();
        arguments.push(
            w.builder
                .build_load(wanted.get_type(), place, "argument")?
                .into(),
        );
    }
    w.builder.build_call(function, &arguments, "")?;
    w.builder.build_return(None)?;
    Ok(())
}
