//! Kernels whose threads run on a GPU: their images, their launches, and the graph around them.
//!
//! A kernel's object holds an image for the GPU and functions of the processor that launch it, so kernels are compiled, kept in the
//! cache and linked as those of processors. For NVIDIA's GPUs the image is PTX, which their driver compiles for the card. For AMD's GPUs it
//! is a code object, machine code for one chip. For an emulated GPU it is a shared library of the processor.

mod amdgpu;
mod emulated;
mod ptx;
mod threads;

use crate::{
    CodegenError, Target,
    host_calls::run_beside_device,
    image::{Grid, Image},
    interface::Interface,
    lower::{self, entry, lower_kernels},
    symbols::declare,
};
use inkwell::targets::FileType;
use melior::{Context, ir::Module};
use relay_dialects::{
    copy_to,
    ir::{Attr, Block, Builder, Loc, Op},
    ops::memref,
    pass::run_pipeline,
};
use relay_machine::{GpuKind, target::Device};
use relay_passes::pipeline::GPU;

/// Our pass on vectors that go to shared memory.
const COPY: &str = "func.func(copy-asynchronously)";

/// Lowers the kernels of a module to launches, which stay, and takes out what the threads do.
///
/// # Errors
/// If a pass or conversion fails, or the device cannot run a function.
pub(crate) fn lower_to_launches(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
    device: &Device,
) -> Result<Vec<Image>, CodegenError> {
    lower_kernels(context, module, &GPU)?;
    take_images(
        context,
        Op::of_module(module),
        target,
        device,
        FileType::Object,
    )
}

/// Takes what threads do out of a lowered module, which keeps the launches. `form` chooses between machine code and its text.
///
/// # Errors
/// If a conversion fails, or the device cannot run a function.
pub(crate) fn take_images(
    context: &Context,
    module: Op,
    target: &Target,
    device: &Device,
    form: FileType,
) -> Result<Vec<Image>, CodegenError> {
    let grids = Grid::all(module);
    if grids.is_empty() {
        return Ok(Vec::new());
    }
    let mut threads = cut_out(context, module, &grids)?;
    let chip = &device.card.chip;
    if device.card.copies_asynchronously() {
        run_pipeline(context, &mut threads, COPY).map_err(CodegenError::Lowering)?;
    }
    let bytes = match (device.is_emulated, device.card.gpu.kind) {
        (true, _) => emulated::image(context, &mut threads, target, &grids)?,
        (false, GpuKind::Cuda) => ptx::image(context, &mut threads, &grids, chip)?,
        (false, GpuKind::Rocm) => amdgpu::image(context, &mut threads, &grids, chip, form)?,
    };
    Ok(vec![Image { bytes, grids }])
}

/// Lowers a module of scf, memref and vector to the llvm dialect; grids of threads become images.
///
/// # Errors
/// If there is no entry function, a constant has no bytes, a conversion fails, or the device cannot run a function.
pub fn to_llvm(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
) -> Result<Interface, CodegenError> {
    let mut images = Vec::new();
    if let Some(device) = &target.device {
        let root = Op::of_module(module);
        run_beside_device(entry(root)?)?;
        images = take_images(context, root, target, device, FileType::Object)?;
    }
    let interface = lower::to_llvm(context, module, target)?;
    Ok(Interface {
        images,
        ..interface
    })
}

/// What a GPU runs of all kernels of a lowered module, as text: PTX, or the assembly of AMD's GPUs. Comments before it say what launches have
/// for each kernel.
///
/// # Errors
/// If the target has no GPU, a conversion fails, or the device cannot run a function.
pub fn text(context: &Context, module: Op, target: &Target) -> Result<Vec<u8>, CodegenError> {
    let device = target.device.filter(|device| !device.is_emulated);
    let device = device.ok_or_else(|| CodegenError::Target {
        text: target.text.clone(),
        reason: "there is no code for a GPU; write --target cuda, or a card such as nvidia/h100 or amd/mi300x"
            .into(),
    })?;
    let images = take_images(context, module, target, &device, FileType::Assembly)?;
    let comment = match device.card.gpu.kind {
        GpuKind::Cuda => "//",
        GpuKind::Rocm => ";",
    };
    let Some(image) = images.into_iter().next() else {
        return Ok(Vec::new());
    };
    let launches = image.grids.iter();
    let launches = launches.map(|grid| format!("{comment} {}\n", grid.launch()));
    let mut text = launches.collect::<String>().into_bytes();
    text.extend(image.bytes);
    Ok(text)
}

/// Moves the functions of threads, and what they name, into a module of their own; declarations stay.
fn cut_out<'c>(
    context: &'c Context,
    module: Op,
    grids: &[Grid],
) -> Result<Module<'c>, CodegenError> {
    let block = Block::new(module.ctx(), &[]);
    let unit = Builder::at_end(module.body(), Loc::unknown(module.ctx()), module.ctx());
    let unit = unit.module(None, block);
    for global in module.find_all(memref::Global::NAME) {
        global.detach();
        block.append(global);
    }
    for func in grids.iter().filter_map(|grid| module.lookup(&grid.name)) {
        let declaration = declare(func);
        let name = func.symbol().unwrap_or_default();
        func.detach();
        block.append(func);
        declaration.set_attr("sym_name", Attr::str(module.ctx(), &name));
    }
    let copied = copy_to(context, unit);
    unit.erase();
    copied.ok_or_else(|| CodegenError::Lowering("the threads of a grid do not parse again".into()))
}
