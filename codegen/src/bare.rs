//! Bare models: one object without the runtime, for machines without an operating system.
//!
//! The object defines `<name>_run_graph`, the graph of a [library's](crate::library) descriptor, and its constants,
//! `<name>_weights`. It asks for `<name>_parallel_for` and `<name>_workspace`, which stand for the functions of the
//! runtime of these names, and for what C's library always has (`memcpy`, `memset`, functions of numbers).

use crate::{
    CodegenError,
    emit::{annotate, machine_code, optimize, translate},
    interface::Interface,
    library::{self, Part},
};
use inkwell::{
    context::Context as LlvmContext,
    module::Module,
    targets::FileType,
    values::{FunctionValue, InstructionOpcode, InstructionValue},
};
use relay_dialects::ir::Op;

/// The code of a bare model.
#[derive(Debug)]
pub struct Code {
    /// A relocatable object.
    pub object: Vec<u8>,
    /// The most bytes that `<name>_workspace` is asked for: by a kernel, and by the body of its parallel loop.
    pub workspace_bytes: [u64; 2],
}

/// Emits a module of the llvm dialect as a bare model.
///
/// # Errors
/// If LLVM rejects the module, or its kernels need a system (AMX tiles).
pub fn emit(
    module: Op,
    interface: &Interface,
    options: &library::Options,
) -> Result<Code, CodegenError> {
    if interface.uses_tiles {
        return Err(CodegenError::Target {
            text: options.target.describe(),
            reason: "AMX tiles need a system that allows them; leave them out, by -mattr=-amx-tile"
                .into(),
        });
    }
    let mut computed = interface.symbols.iter().filter(|open| open.is_computed());
    if let Some(open) = computed.next() {
        let name = &open.symbol.name;
        return Err(CodegenError::Lowering(format!(
            "a bare model has static memory, and the shapes of this one depend on data: a run computes the dimension {name}"
        )));
    }
    if !interface.symbols.is_empty() {
        let names: Vec<&str> = (interface.symbols.iter())
            .map(|open| open.symbol.name.as_str())
            .collect();
        return Err(CodegenError::Lowering(format!(
            "a bare model has static memory, and this one has the open dimensions {}: fix them (--shape)",
            names.join(", ")
        )));
    }
    let context = LlvmContext::create();
    let llvm = translate(module, &context)?;
    let workspace_bytes = workspaces(&llvm)?;
    library::add_interface(&llvm, interface, options, &Part::Bare)?;
    annotate(&llvm, &interface.kernels, &options.target);
    optimize(&llvm, &options.target)?;
    let object = machine_code(&llvm, &options.target, FileType::Object)?;
    Ok(Code {
        object,
        workspace_bytes,
    })
}

/// The most bytes that calls of `relay_rt_workspace(level, bytes)` ask for, by level.
fn workspaces(llvm: &Module<'_>) -> Result<[u64; 2], CodegenError> {
    let mut most = [0; 2];
    let Some(workspace) = llvm.get_function("relay_rt_workspace") else {
        return Ok(most);
    };
    let blocks = llvm
        .get_functions()
        .flat_map(FunctionValue::get_basic_blocks);
    for call in blocks.flat_map(|block| block.get_instructions()) {
        if !calls(call, workspace) {
            continue;
        }
        let number = |index| {
            let operand = call.get_operand(index)?.value()?.into_int_value();
            operand.get_zero_extended_constant()
        };
        let (Some(level), Some(bytes)) = (number(0), number(1)) else {
            let reason = "a workspace whose size is known only when it runs";
            return Err(CodegenError::Lowering(reason.into()));
        };
        let known = &mut most[usize::from(level != 0)];
        *known = bytes.max(*known);
    }
    Ok(most)
}

/// Whether an instruction calls a function.
fn calls(instruction: InstructionValue<'_>, callee: FunctionValue<'_>) -> bool {
    let last = instruction.get_num_operands().checked_sub(1);
    let called = last.and_then(|last| instruction.get_operand(last)?.value());
    instruction.get_opcode() == InstructionOpcode::Call
        && called.is_some_and(|value| {
            value.is_pointer_value()
                && value.into_pointer_value() == callee.as_global_value().as_pointer_value()
        })
}
