//! Lowers modules to the llvm dialect, and collects the constants.

use crate::{
    CodegenError, Target,
    bf16::{has_bf16, round_by_way_of_f32, round_casts_by_bits},
    error::describe_constant,
    extremes,
    interface::{Interface, Kernel, Node, PARALLEL_BODY, Taken},
    ports::{Ports, ports},
    program::set_kernels,
    symbols::{callee, name_external},
    weights::{Weights, has_bytes},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    attrs,
    dim::Dim,
    ir::{Attr, Builder, Op, Type},
    names,
    ops::{func, memref},
    pass::{run_pipeline, run_unverified},
    symbols::is_of_runtime,
};
use relay_machine::{target::Fused, units::UNITS};
use relay_passes::pipeline::{CPU, Kind};

/// Upstream's conversions, in order.
pub(crate) const TO_LLVM: &str = "convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,lower-affine,\
    convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,convert-arith-to-llvm,\
    finalize-memref-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},\
    convert-cf-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts,canonicalize,cse";

/// Upstream's passes that compute with f32 in the place of bf16, and write conversions between the two as arithmetic on
/// their bits.
pub(crate) const EXPAND_BF16: &str = "math-extend-to-supported-types{extra-types=f16 target-type=f32},\
    arith-emulate-unsupported-floats{source-types=bf16 target-type=f32},arith-expand{include-bf16=true}";

/// Upstream's conversion of branches.
const BRANCHES_TO_LLVM: &str = "convert-cf-to-llvm";

/// Lowers AMX tiles, and branches that carry them, to the llvm dialect: the conversion of branches alone does not know
/// their types. It takes that one's place: where branches are LLVM's before indices are, passes between that merge blocks give
/// them arguments of type index, which nobody converts.
const AMX_TO_LLVM: &str = "convert-to-llvm{filter-dialects=amx,cf}";

/// Our pass behind the conversions, where LLVM would round what is only moved.
const MOVE_BF16: &str = "bf16-storage-legalize";

/// Upstream's pass that makes products and sums of multiply-adds. LLVM would call a function of the C library for
/// each element.
const EXPAND_FMA: &str = "math-expand-ops{ops=fma}";

/// Our pass that decides which products and sums are multiply-adds: LLVM decides anew for each copy of a loop.
const FUSE: &str = "fuse-multiply-add";
const FUSE_SINGLES: &str = "fuse-multiply-add{doubles=false}";

/// Our pass that rounds and converts in one instruction.
const ROUND_TO_INTEGER: &str = "fuse-round-to-integer";

/// Our pass that writes products of bytes as instructions.
fn lower_byte_dots(target: &Target) -> String {
    let instruction = target.byte_dot.map_or("none", |dot| dot.name);
    format!("lower-byte-dots{{instruction={instruction}}}")
}

/// The conversions that a module needs for a target.
pub(crate) fn conversions(module: Op, target: &Target) -> String {
    let mut passes = Vec::new();
    extremes::keep_in_f32(module);
    if has_bf16(module) {
        if !target.rounds_to_bf16 {
            round_by_way_of_f32(module);
            passes.push(EXPAND_BF16);
        } else if target.flushes_bf16() {
            round_casts_by_bits(module);
        }
    }
    passes.push(match target.fused {
        Fused::Nothing => EXPAND_FMA,
        Fused::Singles => FUSE_SINGLES,
        Fused::All => FUSE,
    });
    if target.rounds_to_integers() {
        passes.push(ROUND_TO_INTEGER);
    }
    let byte_dots = lower_byte_dots(target);
    if !module.find_all(names::tir::DOT_BYTES).is_empty() {
        passes.push(&byte_dots);
    }
    let to_llvm = if uses_tiles(module) {
        keep_amx_apart(module);
        TO_LLVM.replacen(BRANCHES_TO_LLVM, AMX_TO_LLVM, 1)
    } else {
        TO_LLVM.into()
    };
    passes.push(&to_llvm);
    if !target.rounds_to_bf16 {
        passes.push(MOVE_BF16);
    }
    passes.join(",")
}

/// Keeps functions with AMX tiles from being inlined: in a function, LLVM gives each of the eight tile registers
/// one shape, and runs out of them where two kernels meet.
fn keep_amx_apart(module: Op) {
    for func in module
        .functions()
        .into_iter()
        .filter(|func| uses_tiles(*func))
    {
        let flags = Attr::array(func.ctx(), &[Attr::str(func.ctx(), "noinline")]);
        func.set_attr("passthrough", flags);
    }
}

/// Whether a module has instructions on tile registers.
pub(crate) fn uses_tiles(module: Op) -> bool {
    let mut units = UNITS.iter().filter(|unit| unit.is_of_tiles);
    units.any(|unit| !module.find_all(unit.op).is_empty())
}

/// Lowers a module of scf, memref and vector to the llvm dialect.
///
/// # Errors
/// If there is no entry function, a constant has no bytes, or a conversion fails.
pub fn to_llvm(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
) -> Result<Interface, CodegenError> {
    let root = Op::of_module(module);
    let mut nodes = nodes(entry(root)?, root)?;
    name_external(root, &mut nodes)?;
    let interface = prepare(root, nodes, uses_tiles(root))?;
    let conversions = conversions(root, target);
    run_pipeline(context, module, &conversions).map_err(CodegenError::Lowering)?;
    Ok(interface)
}

/// As [`to_llvm`], of the kernels of a program.
///
/// # Errors
/// If a conversion fails.
pub fn program_to_llvm(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
    mut taken: Taken,
) -> Result<Interface, CodegenError> {
    let root = Op::of_module(module);
    set_kernels(&mut taken, root);
    let interface = program_interface(taken, &root.functions(), uses_tiles(root));
    let conversions = conversions(root, target);
    run_pipeline(context, module, &conversions).map_err(CodegenError::Lowering)?;
    Ok(interface)
}

/// Lowers kernels of loops that stand alone in a module; the kernels, and the functions that their parallel
/// loops have become.
///
/// # Errors
/// If a pass or conversion fails.
pub(crate) fn kernels_to_llvm(
    context: &Context,
    module: &mut Module<'_>,
    target: &Target,
) -> Result<Vec<Kernel>, CodegenError> {
    lower_kernels(context, module, &CPU)?;
    let kernels = Kernel::all(&Op::of_module(module).functions());
    // LLVM verifies what becomes of it.
    let conversions = conversions(Op::of_module(module), target);
    run_unverified(context, module, &conversions).map_err(CodegenError::Lowering)?;
    Ok(kernels)
}

/// Lowers the launches of kernels whose threads are elsewhere.
///
/// # Errors
/// If a conversion fails.
pub(crate) fn host_to_llvm(
    context: &Context,
    module: &mut Module<'_>,
) -> Result<Vec<Kernel>, CodegenError> {
    let kernels = Kernel::all(&Op::of_module(module).functions());
    run_unverified(context, module, TO_LLVM).map_err(CodegenError::Lowering)?;
    Ok(kernels)
}

pub(crate) fn lower_kernels(
    context: &Context,
    module: &mut Module<'_>,
    kind: &Kind,
) -> Result<(), CodegenError> {
    run_unverified(context, module, &kind.kernel_passes()).map_err(CodegenError::Lowering)?;
    let is_valid = Op::of_module(module).verify();
    is_valid
        .then_some(())
        .ok_or_else(|| CodegenError::Lowering("the kernels are not valid".into()))
}

/// The function that runs the model.
pub(crate) fn entry(module: Op) -> Result<Op, CodegenError> {
    let main = module.lookup("main");
    main.filter(|main| main.has_attr(relay_dialects::attrs::NUM_INPUTS))
        .ok_or(CodegenError::NoEntry)
}

/// The calls of kernels in order.
///
/// # Errors
/// If a constant that they read has no bytes: later, nobody knows which nodes these are.
pub(crate) fn nodes(main: Op, module: Op) -> Result<Vec<Node>, CodegenError> {
    let mut constants = main.find_all(names::tir::ALLOCATE_CONST).into_iter();
    let is_bare = |op: &Op| !op.attr("value").is_some_and(has_bytes);
    if let Some(bare) = constants.find(is_bare) {
        return Err(CodegenError::NoBytes(describe_constant(bare)));
    }
    let calls = main.find_all(func::Call::NAME).into_iter();
    let is_kernel = |call: &Op| callee(*call).is_none_or(|callee| !is_of_runtime(&callee));
    let calls = calls.filter(is_kernel);
    Ok(calls.map(|call| node(call, module)).collect())
}

/// The names of the functions with an attribute.
fn with_attr(functions: &[Op], attr: &str) -> Vec<String> {
    let with = functions.iter().filter(|func| func.has_attr(attr));
    with.filter_map(|func| func.symbol()).collect()
}

/// Collects the interface and moves constants out of the code.
pub(crate) fn prepare(
    module: Op,
    nodes: Vec<Node>,
    uses_tiles: bool,
) -> Result<Interface, CodegenError> {
    let main = entry(module)?;
    let Ports {
        inputs,
        outputs,
        symbols,
        conditions,
        arena,
        later_arenas,
    } = ports(module, main)?;
    // MLIR warns of each attribute that LLVM does not have, and prints the whole function into the warning: with many
    // inputs, that takes longer than everything else.
    main.remove_attr("arg_attrs");
    for function in module.body().ops() {
        function.remove_attr(attrs::DEFINES);
        function.remove_attr(attrs::DEFINED_BY);
    }
    let functions: Vec<Op> = module.functions();
    Ok(Interface {
        inputs,
        outputs,
        symbols,
        conditions,
        arena,
        later_arenas,
        weights: pack_weights(main)?,
        parallel_bodies: with_attr(&functions, PARALLEL_BODY),
        kernels: Kernel::all(&functions),
        nodes,
        images: Vec::new(),
        uses_tiles,
        program: None,
    })
}

/// What the library needs to know; `functions` are those that are compiled with the program.
pub(crate) fn program_interface(mut taken: Taken, functions: &[Op], uses_tiles: bool) -> Interface {
    let kernels = taken.symbols.iter().zip(&taken.flops);
    let node = |(kernel, flops): (&String, &u64)| Node {
        name: kernel.clone(),
        kernel: kernel.clone(),
        symbol: kernel.clone(),
        flops: *flops,
    };
    Interface {
        inputs: std::mem::take(&mut taken.inputs),
        outputs: std::mem::take(&mut taken.outputs),
        symbols: Vec::new(),
        conditions: Vec::new(),
        arena: Dim::Known(0),
        later_arenas: Vec::new(),
        weights: std::mem::take(&mut taken.weights),
        parallel_bodies: with_attr(functions, PARALLEL_BODY),
        kernels: Kernel::all(functions),
        nodes: kernels.map(node).collect(),
        images: Vec::new(),
        uses_tiles,
        program: Some(taken),
    }
}

fn node(call: Op, module: Op) -> Node {
    let kernel = call
        .attr("callee")
        .and_then(Attr::as_symbol)
        .unwrap_or_default();
    let flops = module
        .lookup(&kernel)
        .and_then(|kernel| kernel.attr(relay_dialects::attrs::FLOPS)?.as_i64());
    let names = call.loc().names();
    let name = if names.is_empty() {
        kernel.clone()
    } else {
        names.join(" + ")
    };
    Node {
        name,
        symbol: kernel.clone(),
        kernel,
        flops: flops.and_then(|flops| flops.try_into().ok()).unwrap_or(0),
    }
}

/// Gives every constant of `main` a place among the weights. The weights become a new last parameter.
fn pack_weights(main: Op) -> Result<Weights, CodegenError> {
    let mut weights = Weights::default();
    let mut views: Vec<(Op, usize)> = Vec::new();
    for op in main.find_all(names::tir::ALLOCATE_CONST) {
        let ty = op.result(0).ty();
        let offset = op.attr("value").and_then(|value| weights.add(value, ty));
        views.push((
            op,
            offset.ok_or_else(|| CodegenError::NoBytes(describe_constant(op)))?,
        ));
    }
    let ctx = main.ctx();
    let argument = main.add_parameter(Type::memref(&[weights.len() as i64], Type::int(ctx, 8)));
    for (op, offset) in views {
        let b = Builder::before(op);
        let offset = b.index(offset as i64);
        let view = memref::View::build(&b, op.result(0).ty(), argument, offset, &[]);
        op.replace_with(&[view]);
    }
    Ok(weights)
}
