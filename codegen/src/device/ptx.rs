//! PTX, by LLVM's backend for NVIDIA's GPUs.

use super::threads;
use crate::{
    CodegenError,
    image::{Grid, MOST_THREADS},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Block, Builder, Op},
    ops::gpu,
    pass::run_pipeline,
};
use relay_machine::GpuKind;

/// The mark of a function that the processor launches, for upstream's translation.
const KERNEL: &str = "nvvm.kernel";

/// The mark that says how many threads a block has at most.
const THREADS: &str = "nvvm.maxntid";

/// To here a block gets as many registers for each thread as a thread can have: 65536 for a block, 255 for a thread. Of more threads the driver
/// has to know, or it does not launch a block whose threads have too many. Where it does not matter the mark makes NVIDIA's assembler
/// spill for the sake of more threads at a time.
const THREADS_WITH_ALL_REGISTERS: i64 = 256;

/// The PTX of a module of functions of threads.
///
/// # Errors
/// If a conversion fails, or a function calls one that a GPU does not have.
pub(super) fn image(
    context: &Context,
    module: &mut Module<'_>,
    grids: &[Grid],
    chip: &str,
) -> Result<Vec<u8>, CodegenError> {
    threads::lower(context, module, (GpuKind::Cuda, chip))?;
    let root = Op::of_module(module);
    wrap(root, grids);
    let passes =
        format!("nvvm-attach-target{{chip={chip} O=3}},gpu-module-to-binary{{format=isa}}");
    run_pipeline(context, module, &passes).map_err(CodegenError::Lowering)?;
    let binaries = Op::of_module(module).find_all(gpu::Binary::NAME);
    let objects = binaries
        .first()
        .and_then(|binary| binary.attr("objects")?.as_array());
    let text = objects.and_then(|objects| objects.first()?.gpu_object());
    text.ok_or_else(|| CodegenError::Llvm("there is no PTX of a kernel".into()))
}

/// Puts all functions into a `gpu.module`.
fn wrap(module: Op, grids: &[Grid]) {
    let body = Block::new(module.ctx(), &[]);
    for op in module.body().ops() {
        op.detach();
        body.append(op);
    }
    let b = Builder::at_end(module.body(), module.loc(), module.ctx());
    let unit = gpu::GPUModule::build(&b, "kernels", body);
    for grid in grids {
        if let Some(function) = unit.lookup(&grid.name) {
            function.set_attr(KERNEL, Attr::unit(module.ctx()));
            let threads = grid.threads.unwrap_or(MOST_THREADS);
            if threads > THREADS_WITH_ALL_REGISTERS {
                let threads = i32::try_from(threads).unwrap_or(i32::MAX);
                function.set_attr(THREADS, Attr::short_ints(module.ctx(), &[threads]));
            }
            function.set_attr("sym_visibility", Attr::str(module.ctx(), "public"));
        }
    }
}
