//! Cuts the kernels out of a module, which keeps their calls.

use crate::{
    CodegenError, Target,
    cache::Key,
    host_calls::run_beside_device,
    interface::{Interface, Node, PARALLEL_BODY, Taken},
    kernels::{NAME, Source},
    lower::{TO_LLVM, entry, lower_kernels, nodes, prepare, program_interface, uses_tiles},
    program::set_kernels,
    symbols::{callee, declare, name_external, rename},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Block, Builder, Loc, Op},
    ops::func,
    pass::{run_pipeline, run_unverified},
    tir::KernelKind,
};
use relay_passes::pipeline::CPU;
use std::collections::{HashMap, HashSet};

/// Takes the kernels out of a module with [memory planned](relay_passes::pipeline::Level::Planned),
/// and lowers what is left, the calls of them, to the llvm dialect.
///
/// # Errors
/// If there is no entry function, a constant has no bytes, or a pass or conversion fails.
pub fn split(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
) -> Result<(Interface, Vec<Source>), CodegenError> {
    let mut nodes = nodes(entry(Op::of_module(module))?, Op::of_module(module))?;
    run_pipeline(context, module, "strip-debuginfo").map_err(CodegenError::Lowering)?;
    let tiles = uses_tiles(Op::of_module(module));
    name_external(Op::of_module(module), &mut nodes)?;
    let sources = take(Op::of_module(module), &mut nodes, target);
    if target.device.is_some() {
        run_beside_device(entry(Op::of_module(module))?)?;
    }
    // What is left are the calls, which a processor makes.
    lower_kernels(context, module, &CPU)?;
    let interface = prepare(Op::of_module(module), nodes, tiles)?;
    // LLVM verifies what becomes of it.
    run_unverified(context, module, TO_LLVM).map_err(CodegenError::Lowering)?;
    Ok((interface, sources))
}

/// As [`split`], of the kernels of a program.
///
/// # Errors
/// If a pass or conversion fails.
pub fn split_program(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
    mut taken: Taken,
) -> Result<(Interface, Vec<Source>), CodegenError> {
    set_kernels(&mut taken, Op::of_module(module));
    run_pipeline(context, module, "strip-debuginfo").map_err(CodegenError::Lowering)?;
    let tiles = uses_tiles(Op::of_module(module));
    let mut interface = program_interface(taken, &[], tiles);
    let sources = take(Op::of_module(module), &mut interface.nodes, target);
    let symbols = interface.nodes.iter().map(|node| node.symbol.clone());
    if let Some(taken) = &mut interface.program {
        taken.symbols = symbols.collect();
    }
    run_unverified(context, module, TO_LLVM).map_err(CodegenError::Lowering)?;
    Ok((interface, sources))
}

/// Moves the kernels out of `module`, which keeps a declaration of each; kernels that are equal but
/// for their names become one. Locations must have been stripped. `nodes` get the symbols.
fn take(module: Op, nodes: &mut [Node], target: &Target) -> Vec<Source> {
    let functions: HashMap<String, Op> = module
        .functions()
        .into_iter()
        .filter_map(|func| Some((func.symbol()?, func)))
        .collect();
    let calls = calls_of_graphs(functions.values());
    let called = calls.iter().filter_map(|call| callee(*call));
    // A program's calls are in no module.
    let callees: HashSet<String> = called
        .chain(nodes.iter().map(|node| node.kernel.clone()))
        .collect();
    // Kernels of several targets may be in one library.
    let device = target.device.map(|device| device.identity());
    let machine = target.cpu.clone() + &device.unwrap_or_default();
    let mut sources: Vec<Source> = Vec::new();
    let mut symbols: HashMap<String, String> = HashMap::new();
    for kernel in module.functions().into_iter().filter(is_kernel) {
        let name = kernel.symbol().unwrap_or_default();
        let declaration = declare(kernel);
        let code = cut_out(module, kernel, &functions);
        if !callees.contains(&name) {
            declaration.erase();
            continue;
        }
        let key = Key::of(&[machine.as_bytes(), &code]);
        let symbol = format!("relay_kernel_{}", key.short());
        match sources.iter_mut().find(|source| source.symbol == symbol) {
            Some(source) => {
                source.names.push(name.clone());
                declaration.erase();
            }
            None => {
                declaration.set_attr("sym_name", Attr::str(module.ctx(), &symbol));
                sources.push(Source {
                    symbol: symbol.clone(),
                    names: vec![name.clone()],
                    code,
                });
            }
        }
        symbols.insert(name, symbol);
    }
    rename(&calls, nodes, &symbols);
    sources
}

fn is_kernel(func: &Op) -> bool {
    KernelKind::Generated.is_of(*func)
}

/// The calls in functions that are neither kernels nor parts of such.
fn calls_of_graphs<'f>(functions: impl Iterator<Item = &'f Op>) -> Vec<Op> {
    functions
        .filter(|func| !is_kernel(func) && !func.has_attr(PARALLEL_BODY))
        .flat_map(|func| func.find_all(func::Call::NAME))
        .collect()
}

/// Moves a kernel, and parallel loops of it that are functions, into a module of their own; its
/// bytecode.
fn cut_out(module: Op, kernel: Op, functions: &HashMap<String, Op>) -> Vec<u8> {
    let ctx = module.ctx();
    let block = Block::new(ctx, &[]);
    let unit = Builder::at_end(module.body(), Loc::unknown(ctx), ctx).module(None, block);
    let mut loops = 0;
    for call in kernel.find_all(func::Call::NAME) {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        let Some(body) = callee.and_then(|callee| functions.get(&callee)) else {
            continue;
        };
        let name = loop_name(loops);
        loops += 1;
        call.set_attr("callee", Attr::symbol(ctx, &name));
        body.set_attr("sym_name", Attr::str(ctx, &name));
        body.detach();
        block.append(*body);
    }
    kernel.set_attr("sym_name", Attr::str(ctx, NAME));
    kernel.remove_attr(relay_dialects::attrs::FLOPS);
    kernel.detach();
    block.append(kernel);
    declare_callees(module, unit);
    let code = unit.to_bytecode();
    unit.erase();
    code
}

/// Declares in `unit` what its functions call and `module` only declares, too: the runtime's functions.
fn declare_callees(module: Op, unit: Op) {
    let calls = unit.find_all(func::Call::NAME).into_iter();
    for name in calls.filter_map(|call| call.attr("callee")?.as_symbol()) {
        if unit.lookup(&name).is_none()
            && let Some(declaration) = module.lookup(&name)
        {
            unit.body().append(declaration.clone_detached());
        }
    }
}

fn loop_name(index: usize) -> String {
    format!("{NAME}_{index}")
}
