//! LLVM IR, assembly and objects.

use crate::{
    CodegenError, Target,
    interface::{Interface, Kernel},
    library::{self, Part},
};
use inkwell::{
    attributes::{Attribute, AttributeLoc},
    context::Context as LlvmContext,
    llvm_sys::{
        LLVMDiagnosticSeverity,
        core::{
            LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription,
            LLVMGetDiagInfoSeverity,
        },
        prelude::LLVMDiagnosticInfoRef,
    },
    module::Module as LlvmModule,
    passes::PassBuilderOptions,
    targets::{FileType, TargetMachine},
    types::BasicTypeEnum,
    values::{FunctionValue, InstructionOpcode},
};
use relay_dialects::ir::Op;
use std::{
    ffi::{CStr, c_void},
    ptr,
};

/// Which form of the code is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// LLVM IR as text, optimised.
    LlvmText,
    /// Assembly.
    Assembly,
    /// A relocatable object.
    Object,
}

/// Emits a module of the llvm dialect.
///
/// # Errors
/// If LLVM rejects the module.
pub fn emit(
    module: Op,
    interface: &Interface,
    options: &library::Options,
    form: Form,
) -> Result<Vec<u8>, CodegenError> {
    emit_part(module, interface, options, form, &Part::Whole)
}

/// Emits one part of a library.
pub(crate) fn emit_part(
    module: Op,
    interface: &Interface,
    options: &library::Options,
    form: Form,
    part: &Part,
) -> Result<Vec<u8>, CodegenError> {
    let context = LlvmContext::create();
    let llvm = translate(module, &context)?;
    library::add_interface(&llvm, interface, options, part)?;
    annotate(&llvm, &interface.kernels, &options.target);
    optimize(&llvm, &options.target)?;
    if form == Form::LlvmText {
        return Ok(llvm.print_to_string().to_bytes().to_vec());
    }
    let file_type = if form == Form::Assembly {
        FileType::Assembly
    } else {
        FileType::Object
    };
    machine_code(&llvm, &options.target, file_type)
}

/// Assembly or an object of an optimised module.
pub(crate) fn machine_code(
    llvm: &LlvmModule<'_>,
    target: &Target,
    file_type: FileType,
) -> Result<Vec<u8>, CodegenError> {
    write_code(
        llvm,
        &target.machine().map_err(CodegenError::Llvm)?,
        file_type,
    )
}

/// As [`machine_code`], for any machine.
///
/// # Errors
/// What LLVM's backend reports. Without the handler, LLVM would end the process.
pub(crate) fn write_code(
    llvm: &LlvmModule<'_>,
    machine: &TargetMachine,
    file_type: FileType,
) -> Result<Vec<u8>, CodegenError> {
    let mut errors: Vec<String> = Vec::new();
    let context = llvm.get_context().raw();
    // SAFETY: the handler and the list are of use to LLVM until the second call.
    let buffer = unsafe {
        LLVMContextSetDiagnosticHandler(context, Some(keep_error), (&raw mut errors).cast());
        let buffer = machine.write_to_memory_buffer(llvm, file_type);
        LLVMContextSetDiagnosticHandler(context, None, ptr::null_mut());
        buffer
    };
    let buffer = buffer.map_err(|error| CodegenError::Llvm(error.to_string()))?;
    match errors.is_empty() {
        true => Ok(buffer.as_slice().to_vec()),
        false => Err(CodegenError::Llvm(errors.join("; "))),
    }
}

/// Adds an error of LLVM to a list of texts. Warnings and remarks are left out.
extern "C" fn keep_error(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM calls this with a diagnostic and the list; the text is LLVM's to give and ours to give back.
    unsafe {
        if matches!(
            LLVMGetDiagInfoSeverity(info),
            LLVMDiagnosticSeverity::LLVMDSError
        ) {
            let text = LLVMGetDiagInfoDescription(info);
            let errors = &mut *errors.cast::<Vec<String>>();
            errors.push(CStr::from_ptr(text).to_string_lossy().into_owned());
            LLVMDisposeMessage(text);
        }
    }
}

/// The module of the llvm dialect as LLVM's.
pub(crate) fn translate<'c>(
    module: Op,
    context: &'c LlvmContext,
) -> Result<LlvmModule<'c>, CodegenError> {
    // SAFETY: both libraries are one LLVM in this process, so the raw context and module mean the
    // same to both; the module is owned by what is returned.
    unsafe {
        let raw = mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw().cast());
        if raw.is_null() {
            return Err(CodegenError::Llvm(
                "the llvm dialect did not translate".into(),
            ));
        }
        Ok(LlvmModule::new(raw.cast()))
    }
}

/// Tells LLVM what the IR guarantees: kernels' buffers do not alias but for those in one place, nothing unwinds.
pub(crate) fn annotate(llvm: &LlvmModule<'_>, kernels: &[Kernel], target: &Target) {
    let context = llvm.get_context();
    let flag =
        |name: &str| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
    for function in llvm
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
    {
        let name = function.get_name().to_string_lossy().into_owned();
        function.add_attribute(AttributeLoc::Function, flag("nounwind"));
        if !target.aligned {
            expect_no_alignment(function);
        }
        // What runs before the processor is known has a CPU already, and no features.
        let is_set = function.get_string_attribute(AttributeLoc::Function, "target-cpu");
        for (key, value) in [
            ("target-cpu", &target.cpu),
            ("target-features", &target.features),
        ] {
            if !value.is_empty() && is_set.is_none() {
                let attribute = context.create_string_attribute(key, value);
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
        if let Some(kernel) = kernels.iter().find(|kernel| kernel.name == name) {
            expect_no_aliases(function, kernel, flag("noalias"));
        }
    }
}

/// Says of a kernel's buffers, but for those in one place, that they do not alias. Each
/// parameter of LLVM's function is the one of ours that has its number.
fn expect_no_aliases(function: FunctionValue<'_>, kernel: &Kernel, noalias: Attribute) {
    let parameters = function.get_type().get_param_types();
    for (number, parameter) in parameters.into_iter().enumerate() {
        let ty = BasicTypeEnum::try_from(parameter);
        if ty.is_ok_and(BasicTypeEnum::is_pointer_type) && !kernel.in_place.contains(&number) {
            function.add_attribute(AttributeLoc::Param(number as u32), noalias);
        }
    }
}

/// Removes what restricts a function's memory effects: it reads and writes at any address.
fn expect_no_alignment(function: FunctionValue<'_>) {
    let blocks = function.get_basic_block_iter();
    for access in blocks.flat_map(|block| block.get_instructions()) {
        if access.get_opcode() != InstructionOpcode::Alloca {
            // All but loads and stores refuse.
            let _ = access.set_alignment(1);
        }
    }
}

/// Runs LLVM's passes.
pub(crate) fn optimize(llvm: &LlvmModule<'_>, target: &Target) -> Result<(), CodegenError> {
    optimize_for(llvm, &target.machine().map_err(CodegenError::Llvm)?)
}

/// As [`optimize`], for any machine.
pub(crate) fn optimize_for(
    llvm: &LlvmModule<'_>,
    machine: &TargetMachine,
) -> Result<(), CodegenError> {
    llvm.set_triple(&machine.get_triple());
    llvm.set_data_layout(&machine.get_target_data().get_data_layout());
    llvm.verify()
        .map_err(|error| CodegenError::Llvm(error.to_string()))?;
    let options = PassBuilderOptions::create();
    options.set_loop_unrolling(true);
    llvm.run_passes("default<O2>", machine, options)
        .map_err(|error| CodegenError::Llvm(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_backend_are_ours() {
        let context = LlvmContext::create();
        let llvm = context.create_module("wrong");
        let ty = context.void_type().fn_type(&[], false);
        let function = llvm.add_function("wrong", ty, None);
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(function, ""));
        let wrong = "no_such_instruction".to_owned();
        let wrong = context.create_inline_asm(ty, wrong, String::new(), true, false, None, false);
        builder
            .build_indirect_call(ty, wrong, &[], "")
            .expect("a call is built");
        builder.build_return(None).expect("a return is built");
        let target = Target::host().expect("LLVM knows this machine");
        let error = machine_code(&llvm, &target, FileType::Object).expect_err("it is no code");
        assert!(error.to_string().contains("mnemonic"), "{error}");
    }

    #[test]
    fn buffers_in_one_place_may_alias() {
        let context = LlvmContext::create();
        let llvm = context.create_module("kernels");
        let (pointer, number) = (context.ptr_type(Default::default()), context.i64_type());
        let parameters = [
            pointer.into(),
            pointer.into(),
            number.into(),
            pointer.into(),
        ];
        let ty = context.void_type().fn_type(&parameters, false);
        for name in ["kernel", "entry"] {
            let block = context.append_basic_block(llvm.add_function(name, ty, None), "");
            let builder = context.create_builder();
            builder.position_at_end(block);
            builder.build_return(None).expect("a return is built");
        }
        let kernel = Kernel {
            name: "kernel".into(),
            in_place: vec![0, 3],
        };
        let target = Target::host().expect("LLVM knows this machine");
        annotate(&llvm, &[kernel], &target);
        let noalias = |name: &str| {
            let function = llvm.get_function(name).expect("it was added");
            let kind = Attribute::get_named_enum_kind_id("noalias");
            let has = |number| {
                let place = AttributeLoc::Param(number);
                function.get_enum_attribute(place, kind).is_some()
            };
            (0..4).filter(|number| has(*number)).collect::<Vec<u32>>()
        };
        assert_eq!(noalias("kernel"), [1]);
        assert!(noalias("entry").is_empty());
    }
}
