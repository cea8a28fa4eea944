//! Runs a module at compile time. Constants are folded so.

use crate::{
    CodegenError, Target,
    cache::{self, Cache, Key},
    error::describe_constant,
    files::TemporaryFolder,
    kernels,
    library::Options,
    link::write_library,
    pipelines,
    split::split,
    timing,
    weights::ALIGNMENT,
};
use melior::ir::{Location, Module};
use relay_dialects::{
    ir::{Attr, Ctx, Op, Value},
    names,
    pass::run_unverified,
    pipeline,
    relay::custom,
};
use relay_passes::{
    evaluator::{Bytes, Evaluator},
    pipeline::{Level, Order, Precision},
};
use relay_runtime::{DType, Model, Tensor};
use std::{
    ffi::c_void,
    fs,
    ops::Range,
    path::Path,
    sync::{Arc, Once},
};

/// The highest optimisation level that folds no constants itself.
const EVALUATION_LEVEL: u8 = 1;

/// Constants of at most this many bytes stay in the program: an operator may have to know their elements.
const KEPT_BYTES: i64 = 64;

/// Compiles and runs programs for passes: to compute constants, and to measure.
pub static EVALUATOR: Evaluator = Evaluator {
    evaluate: |module, cache| evaluate(module, cache).map_err(|error| error.to_string()),
    time: |module, plugins, cache| {
        timing::time(module, plugins, cache).map_err(|error| error.to_string())
    },
};

/// Registers all passes and [pipelines](crate::pipelines) with MLIR, and gives the passes the function that
/// computes constants. One call per process is enough.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        relay_passes::register_with(&EVALUATOR);
        pipeline::register(pipelines::ALL);
    });
}

/// Compiles and runs a module of Relay operators whose `@main` takes no inputs; returns the bytes of its
/// outputs.
///
/// Its larger constants become inputs first: the program is then small, and the same for all constants of these
/// shapes. With `cache`, the program is taken from the user's cache, and kept there.
///
/// # Errors
/// If the module cannot be compiled, loaded or run.
pub fn evaluate(module: Op, cache: bool) -> Result<Vec<Bytes>, CodegenError> {
    let inputs = constants_to_inputs(module)?;
    let cache = cache && !custom::is_in(module);
    let cache = cache.then(Cache::of_user).flatten();
    let model = load_program(&module.to_bytecode(), cache.as_ref())?;
    run(&model, &inputs)
}

/// Compiles a module of Relay operators for this machine, and loads it. `fill` writes its `@main`. What is compiled stays in
/// the user's cache.
///
/// # Errors
/// If the module cannot be compiled or loaded.
pub fn load(ctx: Ctx, fill: impl FnOnce(Op)) -> Result<Model, CodegenError> {
    let (program, cache) = relay_dialects::tool::with_context(ctx, |context| {
        let module = Module::new(Location::unknown(context));
        let module = Op::of_module(&module);
        fill(module);
        let cache = (!custom::is_in(module)).then(Cache::of_user).flatten();
        (module.to_bytecode(), cache)
    });
    load_program(&program, cache.as_ref())
}

/// Compiles a program, or takes it from a cache, and loads it.
fn load_program(program: &[u8], cache: Option<&Cache>) -> Result<Model, CodegenError> {
    // Weights lie in a model's file at any byte.
    let target = Target {
        aligned: false,
        ..Target::host()?
    };
    let key = Key::of(&[b"constants", cache::identity(&target).as_bytes(), program]);
    let folder = TemporaryFolder::new().map_err(|source| CodegenError::Io {
        path: "temporary folder".into(),
        source,
    })?;
    let path = folder.path().join("constants.so");
    let io = |source| CodegenError::Io {
        path: path.clone(),
        source,
    };
    match cache.and_then(|cache| cache.get(&key)) {
        Some(library) => fs::write(&path, library).map_err(io)?,
        None => {
            compile(program, target, cache, &path)?;
            if let Some(cache) = cache {
                cache.put(&key, &fs::read(&path).map_err(io)?);
            }
        }
    }
    Ok(Model::load(&path)?)
}

/// Runs a model on constants.
fn run(model: &Model, inputs: &[(Attr, String)]) -> Result<Vec<Bytes>, CodegenError> {
    // Small constants are copied; all others are read where they lie.
    let mut copies: Vec<Tensor> = Vec::new();
    let mut pointers: Vec<*const c_void> = Vec::new();
    for ((attr, what), port) in inputs.iter().zip(model.inputs()) {
        let no_bytes = || CodegenError::NoBytes(what.clone());
        if attr.is_resource() {
            let place = attr.read(|bytes| bytes.as_ptr().cast());
            pointers.push(place.ok_or_else(no_bytes)?);
            continue;
        }
        let copy = attr.read(|bytes| Tensor::from_bytes(port.dtype, &port.shape, bytes));
        let copy = copy.flatten().ok_or_else(no_bytes)?;
        pointers.push(copy.bytes().as_ptr().cast());
        copies.push(copy);
    }
    let mut ranges = Vec::new();
    let mut end = 0;
    for port in model.outputs() {
        let count: i64 = port.shape.iter().product();
        let start = end;
        end += (count as usize * port.dtype.size()).next_multiple_of(ALIGNMENT);
        ranges.push(start..start + count as usize * port.dtype.size());
    }
    // One allocation for all results: the pages of one large block are cheaper than those of hundreds of
    // tensors.
    let mut block = Tensor::try_zeros(DType::I8, &[end as i64])?;
    let start = block.bytes_mut().as_mut_ptr();
    let targets: Vec<*mut c_void> = ranges
        .iter()
        .map(|range| start.wrapping_add(range.start).cast())
        .collect();
    // SAFETY: the program was compiled for inputs of these types at any address. Resources stay where they are
    // while the context lives, copies until the end of this function. Each output's range is as long as the
    // output, and the ranges do not overlap.
    unsafe { model.instance(0)?.run_pointers(&pointers, &targets)? };
    let block = Arc::new(block);
    let own = |range: Range<usize>| -> Bytes {
        Box::new(Output {
            block: Arc::clone(&block),
            range,
        })
    };
    Ok(ranges.into_iter().map(own).collect())
}

/// A result: a part of what all lie in.
struct Output {
    block: Arc<Tensor>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Output {
    fn as_ref(&self) -> &[u8] {
        &self.block.bytes()[self.range.clone()]
    }
}

/// Makes every constant of more than [`KEPT_BYTES`] a parameter of `@main`; returns their values, and what
/// they are in messages.
fn constants_to_inputs(module: Op) -> Result<Vec<(Attr, String)>, CodegenError> {
    let main = module.function("main").ok_or(CodegenError::NoEntry)?;
    let mut inputs = Vec::new();
    let mut known: Vec<(Attr, Value)> = Vec::new();
    for op in main.find_all(names::relay::CONSTANT) {
        let ty = op.result(0).ty();
        if ty.byte_count() <= KEPT_BYTES {
            continue;
        }
        let Some(value) = op.attr("value") else {
            continue;
        };
        let parameter = match known.iter().find(|(attr, _)| *attr == value) {
            Some((_, parameter)) => *parameter,
            None => {
                inputs.push((value, describe_constant(op)));
                main.add_parameter(ty)
            }
        };
        known.push((value, parameter));
        op.replace_with(&[parameter]);
    }
    Ok(inputs)
}

/// Compiles a program to a library.
fn compile(
    program: &[u8],
    target: Target,
    cache: Option<&Cache>,
    output: &Path,
) -> Result<(), CodegenError> {
    // A new context: the pass that asks may hold the lock of the module's context.
    let context = relay_dialects::context();
    let mut module = relay_dialects::parse(&context, program, "-")
        .ok_or_else(|| CodegenError::Lowering("the module does not parse again".into()))?;
    let order = Order {
        opt_level: EVALUATION_LEVEL,
        // It folds no constants.
        cache: false,
        ..Order::standard(&target)
    };
    let passes = order.passes(Level::Planned);
    run_unverified(&context, &mut module, &passes.join(",")).map_err(CodegenError::Lowering)?;
    if !Op::of_module(&module).verify() {
        return Err(CodegenError::Lowering("the kernels are not valid".into()));
    }
    let (interface, kernels) = split(&context, &mut module, &target)?;
    let kernels = kernels::compile(&kernels, &target, cache, &|| Ok(()))?;
    let options = Options {
        name: "constants".into(),
        target,
        precision: Precision::F32,
        profile: false,
    };
    let module = Op::of_module(&module);
    write_library(module, &interface, &kernels, &options, output)
}
