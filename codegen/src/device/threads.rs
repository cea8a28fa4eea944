//! What threads of a GPU do, lowered to the llvm dialect; and what they may not compute, because no GPU has instructions for it.

use crate::{
    CodegenError,
    lower::{EXPAND_BF16, TO_LLVM},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Op, Type},
    ops::{llvm, math},
    pass::run_unverified,
    tir::Scope,
};
use relay_machine::GpuKind;

/// Lowers functions of threads: our passes write what a kind of GPU has, and decide which products and sums are multiply-adds.
///
/// # Errors
/// If a conversion fails, or a function computes or calls what a GPU does not have.
pub(super) fn lower(
    context: &Context,
    module: &mut Module<'_>,
    (kind, chip): (GpuKind, &str),
) -> Result<(), CodegenError> {
    check_functions(Op::of_module(module))?;
    let (device, dots) = (kind.name(), byte_dots(kind, chip));
    let matrices = match kind {
        GpuKind::Cuda => "convert-nvgpu-to-nvvm".to_owned(),
        GpuKind::Rocm => format!("convert-amdgpu-to-rocdl{{chipset={chip}}}"),
    };
    let passes = format!(
        "lower-device-ops{{device={device} byte-dots={dots}}},{matrices},lower-byte-dots,fuse-multiply-add,{EXPAND_BF16},{TO_LLVM}"
    );
    run_unverified(context, module, &passes).map_err(CodegenError::Lowering)?;
    let root = Op::of_module(module);
    declare_shared_memory(root)?;
    check_calls(root)
}

/// A chip's instruction for products of bytes.
fn byte_dots(kind: GpuKind, chip: &str) -> &'static str {
    match kind {
        GpuKind::Cuda => "dp4a",
        GpuKind::Rocm if chip.starts_with("gfx9") => "sdot4",
        GpuKind::Rocm if chip.starts_with("gfx11") => "sudot4",
        GpuKind::Rocm => "none",
    }
}

/// The type of shared memory, and the linkage of what another place defines. A launch says the size of a block's shared memory. A device
/// would reserve that of the type beside the launch's.
const DYNAMIC_MEMORY: &str = "!llvm.array<0 x i8>";
const EXTERNAL: &str = "#llvm.linkage<external>";

/// Leaves the size of the shared memory to launches.
fn declare_shared_memory(module: Op) -> Result<(), CodegenError> {
    let missing = |text: &str| CodegenError::Lowering(format!("MLIR does not read {text}"));
    let ctx = module.ctx();
    let dynamic = Type::parse(ctx, DYNAMIC_MEMORY).ok_or_else(|| missing(DYNAMIC_MEMORY))?;
    let external = Attr::parse(ctx, EXTERNAL).ok_or_else(|| missing(EXTERNAL))?;
    for global in module.find_all(llvm::Global::NAME) {
        if global.attr("addr_space").and_then(Attr::as_i64) == Some(Scope::SHARED_ADDRESS_SPACE) {
            global.set_attr("global_type", Attr::ty(dynamic));
            global.set_attr("linkage", external);
        }
    }
    Ok(())
}

/// What LLVM has instructions for, of any float.
const NATIVE: [&str; 14] = [
    math::AbsF::NAME,
    math::AbsI::NAME,
    math::Ceil::NAME,
    math::CopySign::NAME,
    math::CountLeadingZeros::NAME,
    math::CtPop::NAME,
    math::CountTrailingZeros::NAME,
    math::Floor::NAME,
    math::Fma::NAME,
    math::Round::NAME,
    math::RoundEven::NAME,
    math::Sqrt::NAME,
    math::Trunc::NAME,
    math::IPowI::NAME,
];

/// What LLVM has instructions for, of f32.
const NATIVE_OF_F32: [&str; 2] = [math::Exp2::NAME, math::Rsqrt::NAME];

/// Refuses functions that are left where the passes on f32 are done. LLVM would end the process.
///
/// # Errors
/// Names the function.
fn check_functions(module: Op) -> Result<(), CodegenError> {
    let is_wrong = |op: Op| {
        let name = op.name();
        let is_native = NATIVE.contains(&name.as_str())
            || NATIVE_OF_F32.contains(&name.as_str()) && op.result(0).ty().element().is_f32()
            || name.starts_with("math.is");
        name.starts_with(math::PREFIX) && !is_native
    };
    let Some(op) = module.find(is_wrong) else {
        return Ok(());
    };
    let (name, ty) = (op.name(), op.result(0).ty().element());
    Err(CodegenError::Lowering(format!(
        "a kernel computes {name} of {ty}, which is not supported on GPUs yet: compile for a processor, or compute in f32"
    )))
}

/// Refuses functions of the C library, which a GPU does not have.
///
/// # Errors
/// Names the function.
fn check_calls(module: Op) -> Result<(), CodegenError> {
    let functions = module.body().ops().into_iter();
    let mut declared =
        functions.filter(|op| op.is(llvm::LLVMFunc::NAME) && op.block_in(0).is_none());
    let Some(missing) = declared.find_map(Op::symbol) else {
        return Ok(());
    };
    Err(CodegenError::Lowering(format!(
        "a kernel calls {missing}, which GPUs do not have: the function is not supported on GPUs for this element type; compile \
         for a processor, or compute in f32"
    )))
}
