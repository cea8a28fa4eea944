//! Measures how long operators take. Who computes what is decided so.
//!
//! What is measured runs in turns with a kernel of ours, the *neighbour*, as it would in a model: threads of an external
//! library and ours wait for work in loops, and take the processors from each other. What the neighbour then takes longer than
//! alone is the library's.

use crate::{
    CodegenError, Target,
    cache::{self, Cache, Key},
    external::{self, ExternalCodegen, graph::Part},
    files::TemporaryFolder,
    kernels,
    library::Options,
    link::write_library,
    split::split,
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Builder, Loc, Op, Type, Value},
    names,
    pass::{run_pipeline, with_diagnostics},
    relay::{build::make, custom},
};
use relay_passes::pipeline::{Level, Order, Precision};
use relay_runtime::{DType, Instance, Model, NodeTime, Session, Tensor, pool::available_threads};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// Runs before the first one that counts: threads start, caches fill, and generators build what they keep.
const WARM_RUNS: usize = 3;

/// How many runs count, at least and at most.
const RUNS: std::ops::RangeInclusive<usize> = 7..=101;

/// When no other run begins, if there were enough.
const TIME: Duration = Duration::from_millis(20);

/// The elements of the neighbour's tensor, which are enough for all threads.
const NEIGHBOUR: i64 = 1 << 16;

/// The neighbour's name in profiles.
const NAME: &str = "neighbour";

/// A module with the neighbour alone.
const ALONE: &str = "func.func @main() { return }";

/// What makes functions of operators that have a code generator.
const PARTITION: &str = "merge-compiler-regions,partition-graph";

/// The nanoseconds that the kernels of a module's `@main` take on this machine, as
/// [`Evaluator::time`](relay_passes::evaluator::Evaluator) says. With `cache`, they are kept there: the same model is placed in
/// the same way again.
///
/// # Errors
/// If the module cannot be compiled, loaded or run.
pub fn time(module: Op, plugins: &[&str], cache: bool) -> Result<f64, CodegenError> {
    let cache = cache && !custom::is_in(module);
    let user = cache.then(Cache::of_user).flatten();
    // A library may have changed since.
    let Some(user) = user.filter(|_| plugins.is_empty()) else {
        return measure(module, plugins, cache);
    };
    let (target, threads) = (Target::host()?, available_threads());
    let text = module.to_text(false);
    let key = Key::of(&[
        b"time",
        cache::identity(&target).as_bytes(),
        &threads.to_le_bytes(),
        text.as_bytes(),
    ]);
    let known = user.get(&key).and_then(|bytes| bytes.try_into().ok());
    if let Some(bytes) = known {
        return Ok(f64::from_le_bytes(bytes));
    }
    let nanoseconds = measure(module, plugins, cache)?;
    user.put(&key, &nanoseconds.to_le_bytes());
    Ok(nanoseconds)
}

/// Compiles a module, and runs it.
fn measure(module: Op, plugins: &[&str], cache: bool) -> Result<f64, CodegenError> {
    let folder = TemporaryFolder::new().map_err(|source| CodegenError::Io {
        path: "temporary folder".into(),
        source,
    })?;
    let cache = cache.then(Cache::of_user).flatten();
    // The system may keep a library for as long as the process lives, and would give it out again for its path.
    let run = |program: &[u8], file: &str| {
        let path = folder.path().join(file);
        let is_external = compile(program, plugins, cache.as_ref(), &path)?;
        Ok::<_, CodegenError>((median(&Model::load(&path)?)?, is_external))
    };
    let (times, is_external) = run(&module.to_bytecode(), "timing.so")?;
    if !is_external {
        return Ok(times.own);
    }
    let (alone, _) = run(ALONE.as_bytes(), "alone.so")?;
    Ok(times.own + (times.neighbour - alone.neighbour).max(0.0))
}

/// Compiles a program and the neighbour for this machine to a library that times each kernel; whether a part of it is external.
fn compile(
    program: &[u8],
    plugins: &[&str],
    cache: Option<&Cache>,
    output: &Path,
) -> Result<bool, CodegenError> {
    let target = Target::host()?;
    // A new context: the pass that asks may hold the lock of the module's context.
    let context = relay_dialects::context();
    let mut module = relay_dialects::parse(&context, program, "-")
        .ok_or_else(|| CodegenError::Lowering("the module does not parse again".into()))?;
    // So that no other kernel has the neighbour's name.
    run(&context, &mut module, "strip-debuginfo")?;
    add_neighbour(Op::of_module(&module))?;
    run(&context, &mut module, PARTITION)?;
    let order = Order::standard(&target);
    let high = order.passes(Level::Relay);
    run(&context, &mut module, &high.join(","))?;
    let parts = external::take(Op::of_module(&module), &target)?;
    let low = order.passes(Level::Planned).split_off(high.len());
    run(&context, &mut module, &low.join(","))?;
    let (interface, sources) = split(&context, &mut module, &target)?;
    let mut objects = kernels::compile(&sources, &target, cache, &|| Ok(()))?;
    objects.extend(external::compile(
        &parts,
        &generators(&parts, plugins)?,
        &target,
    )?);
    let options = Options {
        name: "timing".into(),
        target,
        precision: Precision::F32,
        profile: true,
    };
    write_library(
        Op::of_module(&module),
        &interface,
        &objects,
        &options,
        output,
    )?;
    Ok(!parts.is_empty())
}

/// Makes `@main` compute the neighbour before all else.
fn add_neighbour(module: Op) -> Result<(), CodegenError> {
    let main = module.function("main").ok_or(CodegenError::NoEntry)?;
    let ctx = module.ctx();
    let ty = Type::tensor(&[NEIGHBOUR], Type::f32(ctx));
    let input = main.add_parameter(ty);
    let start = Builder::at_start(main.body(), Loc::name(ctx, NAME), ctx);
    let result = make(&start, names::relay::EXP, &[input], &[]);
    let end = main.body().terminator().ok_or(CodegenError::NoEntry)?;
    let returned: Vec<Value> = end.operands().into_iter().chain([result]).collect();
    end.set_operands(&returned);
    let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
    let ty = Type::function(ctx, &types(&main.body().args()), &types(&returned));
    main.set_attr("function_type", Attr::ty(ty));
    Ok(())
}

/// Runs passes; what they report is the error.
fn run(context: &Context, module: &mut Module<'_>, passes: &str) -> Result<(), CodegenError> {
    let (done, diagnostics) = with_diagnostics(context, || run_pipeline(context, module, passes));
    done.map_err(|reason| {
        let reason = if diagnostics.is_empty() {
            reason
        } else {
            diagnostics
        };
        CodegenError::Lowering(reason.trim().into())
    })
}

/// The generators that write the code of some functions.
fn generators(
    parts: &[Part],
    plugins: &[&str],
) -> Result<Vec<Arc<dyn ExternalCodegen>>, CodegenError> {
    let is_built_in = |part: &Part| {
        external::BUILT_IN
            .iter()
            .any(|known| known.name() == part.target)
    };
    let mut generators = Vec::new();
    for part in parts.iter().filter(|part| is_built_in(part)) {
        generators.push(external::find(&part.target)?);
    }
    if !parts.iter().all(is_built_in) {
        for plugin in plugins {
            generators.push(external::find(plugin)?);
        }
    }
    Ok(generators)
}

/// Nanoseconds in a run, the median of several.
struct Times {
    /// Of all kernels but the neighbour.
    own: f64,
    /// Of the neighbour.
    neighbour: f64,
}

/// Runs a library, and says what its kernels take.
fn median(model: &Model) -> Result<Times, CodegenError> {
    let mut instance = model.instance(0)?;
    let inputs = model.inputs().iter();
    let inputs: Vec<Tensor> = inputs
        .map(|port| filled(port.dtype, &port.shape))
        .collect::<Result<_, _>>()?;
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let mut outputs = instance.run(&inputs)?;
    for _ in 1..WARM_RUNS {
        instance.run_into(&inputs, &mut outputs)?;
    }
    let (start, mut before) = (Instant::now(), spent(&instance));
    let (mut own, mut neighbour) = (Vec::new(), Vec::new());
    while own.len() < *RUNS.start() || (own.len() < *RUNS.end() && start.elapsed() < TIME) {
        instance.run_into(&inputs, &mut outputs)?;
        let now = spent(&instance);
        own.push(now.0 - before.0);
        neighbour.push(now.1 - before.1);
        before = now;
    }
    let middle = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 2] as f64
    };
    Ok(Times {
        own: middle(own),
        neighbour: middle(neighbour),
    })
}

/// The nanoseconds of all runs so far: of all kernels but the neighbour, and of that.
fn spent(instance: &Instance) -> (u64, u64) {
    let nodes = instance.profile();
    let (neighbour, own): (Vec<_>, Vec<_>) = nodes.into_iter().partition(|node| node.name == NAME);
    let sum = |nodes: Vec<NodeTime>| nodes.iter().map(|node| node.nanoseconds).sum();
    (sum(own), sum(neighbour))
}

/// A tensor of 0.5 for floats, and of zeros, which are places in every tensor and numbers of every type. It is written, so that
/// it has memory of its own.
fn filled(dtype: DType, shape: &[i64]) -> Result<Tensor, CodegenError> {
    let mut tensor = Tensor::try_zeros(dtype, shape)?;
    let bytes = tensor.bytes_mut();
    match dtype {
        DType::F32 => fill(bytes, &0.5_f32.to_le_bytes()),
        DType::F64 => fill(bytes, &0.5_f64.to_le_bytes()),
        _ => fill(bytes, &[0]),
    }
    Ok(tensor)
}

fn fill(bytes: &mut [u8], number: &[u8]) {
    for place in bytes.chunks_exact_mut(number.len()) {
        place.copy_from_slice(number);
    }
}
