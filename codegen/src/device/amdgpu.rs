//! Code objects, by LLVM's backend for AMD's GPUs. Neither ROCm nor its libraries of functions take part.

use super::threads;
use crate::{
    CodegenError, emit,
    image::{Grid, MOST_THREADS},
    linker::share,
};
use inkwell::{
    AddressSpace, GlobalVisibility, OptimizationLevel,
    attributes::{Attribute, AttributeLoc},
    context::Context as LlvmContext,
    module::{FlagBehavior, Linkage, Module as LlvmModule},
    targets::{
        CodeModel, FileType, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine,
        TargetTriple,
    },
    types::{BasicMetadataTypeEnum, BasicTypeEnum},
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Builder, Op, Type},
    ops::llvm,
};
use relay_machine::GpuKind;

/// LLVM's name of AMD's GPUs that ROCm drives.
const TRIPLE: &str = "amdgcn-amd-amdhsa";

/// LLVM's number of the calling convention of kernels, `AMDGPU_KERNEL`.
const KERNEL: u32 = 91;

/// LLVM's number of the address space of global memory. Pointers of kernels' arguments lead there.
const GLOBAL: u16 = 1;

/// The type of memory that a thread has for itself: on AMD's GPUs it has an address space of its own.
const PRIVATE_POINTER: &str = "!llvm.ptr<5>";

/// The version of code objects, times 100: the newest one that all releases of ROCm 6 load.
const CODE_OBJECT_VERSION: u64 = 500;

/// The code object of a module of functions of threads, or its assembly.
///
/// # Errors
/// If a conversion fails, a function calls one that a GPU does not have, LLVM refuses one, or the linker is missing or refuses.
pub(super) fn image(
    context: &Context,
    module: &mut Module<'_>,
    grids: &[Grid],
    chip: &str,
    form: FileType,
) -> Result<Vec<u8>, CodegenError> {
    threads::lower(context, module, (GpuKind::Rocm, chip))?;
    let root = Op::of_module(module);
    place_memory(root)?;
    let llvm_context = LlvmContext::create();
    let llvm = emit::translate(root, &llvm_context)?;
    let machine = machine(chip)?;
    llvm.set_data_layout(&machine.get_target_data().get_data_layout());
    for grid in grids {
        if let Some(function) = llvm.get_function(&grid.name) {
            write_kernel(&llvm, function, grid)?;
        }
    }
    let version = llvm_context
        .i32_type()
        .const_int(CODE_OBJECT_VERSION, false);
    let flag = "amdhsa_code_object_version";
    llvm.add_basic_value_flag(flag, FlagBehavior::Error, version);
    emit::optimize_for(&llvm, &machine)?;
    let code = emit::write_code(&llvm, &machine, form)?;
    match form {
        FileType::Assembly => Ok(code),
        FileType::Object => share(&code, ["--no-undefined"]),
    }
}

/// LLVM's object for a chip.
fn machine(chip: &str) -> Result<TargetMachine, CodegenError> {
    LlvmTarget::initialize_amd_gpu(&InitializationConfig::default());
    let triple = TargetTriple::create(TRIPLE);
    let target = LlvmTarget::from_triple(&triple);
    let target = target.map_err(|error| CodegenError::Llvm(error.to_string()))?;
    let machine = target.create_target_machine(
        &triple,
        chip,
        "",
        OptimizationLevel::Aggressive,
        RelocMode::PIC,
        CodeModel::Default,
    );
    machine.ok_or_else(|| CodegenError::Llvm(format!("LLVM makes no code for {chip}")))
}

/// Gives a thread's own memory the type that AMD's GPUs have for it.
fn place_memory(module: Op) -> Result<(), CodegenError> {
    let private = Type::parse(module.ctx(), PRIVATE_POINTER)
        .ok_or_else(|| CodegenError::Lowering(format!("{PRIVATE_POINTER} is no type")))?;
    for memory in module.find_all(llvm::Alloca::NAME) {
        let own = memory.result(0);
        let flat = own.ty();
        own.set_ty(private);
        let cast = llvm::AddrSpaceCast::build(&Builder::after(memory), flat, own);
        own.replace_all_uses_with(cast);
        if let Some(cast) = cast.def() {
            cast.set_operand(0, own);
        }
    }
    Ok(())
}

/// Gives a function's name to a kernel that calls it. Its pointers lead to global memory.
fn write_kernel<'c>(
    llvm: &LlvmModule<'c>,
    function: FunctionValue<'c>,
    grid: &Grid,
) -> Result<(), CodegenError> {
    let context = llvm.get_context();
    let global = context.ptr_type(AddressSpace::from(GLOBAL));
    let flat = context.ptr_type(AddressSpace::default());
    let parameters: Vec<BasicMetadataTypeEnum<'c>> = function
        .get_param_iter()
        .map(|parameter| match parameter.get_type() {
            BasicTypeEnum::PointerType(_) => global.into(),
            other => other.into(),
        })
        .collect();
    function.set_linkage(Linkage::Internal);
    let inner = format!("{}_thread", grid.name);
    function.as_global_value().set_name(&inner);
    let ty = context.void_type().fn_type(&parameters, false);
    let kernel = llvm.add_function(&grid.name, ty, Some(Linkage::External));
    let symbol = kernel.as_global_value();
    symbol.set_visibility(GlobalVisibility::Protected);
    mark(function, kernel, grid.threads);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(kernel, ""));
    let mut arguments: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
    for parameter in kernel.get_param_iter() {
        arguments.push(match parameter {
            BasicValueEnum::PointerValue(pointer) => {
                builder.build_address_space_cast(pointer, flat, "")?.into()
            }
            other => other.into(),
        });
    }
    builder.build_call(function, &arguments, "")?;
    builder.build_return(None)?;
    Ok(())
}

/// Says that a kernel is one, how many threads its blocks have, and that it becomes one with the function that it calls.
fn mark(function: FunctionValue<'_>, kernel: FunctionValue<'_>, threads: Option<i64>) {
    let context = function.get_type().get_context();
    let flag =
        |name: &str| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
    function.add_attribute(AttributeLoc::Function, flag("alwaysinline"));
    kernel.set_call_conventions(KERNEL);
    kernel.add_attribute(AttributeLoc::Function, flag("nounwind"));
    let threads = match threads {
        Some(threads) => format!("{threads},{threads}"),
        None => format!("1,{MOST_THREADS}"),
    };
    let sizes = context.create_string_attribute("amdgpu-flat-work-group-size", &threads);
    kernel.add_attribute(AttributeLoc::Function, sizes);
    let uniform = context.create_string_attribute("uniform-work-group-size", "true");
    kernel.add_attribute(AttributeLoc::Function, uniform);
}
