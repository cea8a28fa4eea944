//! Kernels as objects of their own: compiled side by side, and each but once.
//!
//! A kernel is cut out of the module while it is loops over buffers, under a name that is the same for
//! every kernel. What is left says all that its machine code depends on; its digest names the
//! object's one symbol, and the object in the [cache](crate::cache): a kernel that is there costs
//! neither passes nor LLVM.

use crate::{
    CodegenError, Target,
    cache::{Cache, Key},
    emit,
    lower::{IN_PLACE, Node, PARALLEL_BODY, kernels_to_llvm},
    writer::{Pool, Writer},
};
use inkwell::{
    GlobalVisibility, context::Context as LlvmContext, module::Linkage, targets::FileType,
};
use melior::Context;
use relay_dialects::{
    ir::{Attr, Block, Builder, Loc, Op, Type},
    pass::with_diagnostics,
};
use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The name of every kernel in a module of its own; parallel loops that are functions already add
/// their numbers.
const NAME: &str = "kernel";

/// A kernel to compile.
#[derive(Debug)]
pub struct Source {
    /// The symbol that the object defines.
    symbol: String,
    /// Names of the kernel in the model.
    names: Vec<String>,
    /// A module with the kernel, and parallel loops of it that are functions, as bytecode.
    code: Vec<u8>,
    /// Whether its buffers may overlap.
    in_place: bool,
}

/// A compiled kernel.
#[derive(Debug)]
pub struct Object {
    /// The symbol that it defines.
    pub symbol: String,
    /// Names of the kernel in the model, for profilers and debuggers.
    pub names: Vec<String>,
    /// The relocatable object.
    pub bytes: Vec<u8>,
}

/// Moves the kernels out of `module`, which keeps a declaration of each; kernels that are equal but
/// for their names become one. Locations must have been stripped. `nodes` get the symbols.
pub(crate) fn take(module: Op, nodes: &mut [Node], target: &Target) -> Vec<Source> {
    let functions: HashMap<String, Op> = module
        .functions()
        .into_iter()
        .filter_map(|func| Some((func.symbol()?, func)))
        .collect();
    let mut sources: Vec<Source> = Vec::new();
    let mut symbols: HashMap<String, String> = HashMap::new();
    let calls: Vec<Op> = functions
        .values()
        .filter(|func| !func.has_attr("tir.kernel") && !func.has_attr(PARALLEL_BODY))
        .flat_map(|func| func.find_all("func.call"))
        .collect();
    let callees: HashSet<String> = calls
        .iter()
        .filter_map(|call| call.attr("callee")?.as_symbol())
        .collect();
    let is_kernel = |func: &Op| func.has_attr("tir.kernel");
    for kernel in module.functions().into_iter().filter(is_kernel) {
        let name = kernel.symbol().unwrap_or_default();
        let declaration = declare(kernel);
        let in_place = kernel.has_attr(IN_PLACE);
        let code = cut_out(module, kernel, &functions);
        if !callees.contains(&name) {
            declaration.erase();
            continue;
        }
        let symbol = format!(
            "relay_kernel_{}",
            Key::of(&[target.cpu.as_bytes(), &code]).short()
        );
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
                    in_place,
                });
            }
        }
        symbols.insert(name, symbol);
    }
    for call in calls {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        if let Some(symbol) = callee.and_then(|callee| symbols.get(&callee)) {
            call.set_attr("callee", Attr::symbol(module.ctx(), symbol));
        }
    }
    for node in nodes {
        if let Some(symbol) = symbols.get(&node.kernel) {
            node.symbol.clone_from(symbol);
        }
    }
    sources
}

/// A declaration of a function before it.
fn declare(func: Op) -> Op {
    let types: Vec<_> = func.body().args().iter().map(|value| value.ty()).collect();
    let private = Attr::str(func.ctx(), "private");
    let ty = Attr::ty(Type::function(func.ctx(), &types, &[]));
    let attrs = [
        ("sym_name", Attr::str(func.ctx(), "")),
        ("function_type", ty),
        ("sym_visibility", private),
    ];
    Builder::before(func).region_op("func.func", &[], &[], &attrs, &[None])
}

/// Moves a kernel, and parallel loops of it that are functions, into a module of their own; its
/// bytecode.
fn cut_out(module: Op, kernel: Op, functions: &HashMap<String, Op>) -> Vec<u8> {
    let ctx = module.ctx();
    let block = Block::new(ctx, &[]);
    let unit = Builder::at_end(module.body(), Loc::unknown(ctx), ctx).region_op(
        "builtin.module",
        &[],
        &[],
        &[],
        &[Some(block)],
    );
    let mut loops = 0;
    for call in kernel.find_all("func.call") {
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
    kernel.remove_attr("tir.flops");
    kernel.detach();
    block.append(kernel);
    declare_callees(module, unit);
    let code = unit.to_bytecode();
    unit.erase();
    code
}

/// Declares in `unit` what its functions call and `module` only declares, too: the runtime's functions.
fn declare_callees(module: Op, unit: Op) {
    let calls = unit.find_all("func.call").into_iter();
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

/// Compiles kernels on all threads that this process may use, or takes them from the cache.
///
/// # Errors
/// If a conversion fails or LLVM refuses a kernel.
pub fn compile(
    sources: &[Source],
    target: &Target,
    cache: Option<&Cache>,
) -> Result<Vec<Object>, CodegenError> {
    let (next, known) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let done: Mutex<Vec<(usize, Result<Object, CodegenError>)>> = Mutex::default();
    // The longest programs first, so that no thread begins with one when the others are done.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(sources[index].code.len()));
    let work = || {
        let mut worker = Worker::new(target, cache);
        while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let object = worker.object(&sources[index], &known);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((index, object));
        }
    };
    let threads = relay_runtime::pool::available_threads().min(sources.len());
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    tracing::debug!(
        "{} kernels, {} from the cache",
        sources.len(),
        known.into_inner()
    );
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, object)| object).collect()
}

/// A thread that compiles.
struct Worker<'a> {
    target: &'a Target,
    cache: Option<&'a Cache>,
    /// Made when the first kernel is not in the cache.
    context: Option<Context>,
}

impl<'a> Worker<'a> {
    fn new(target: &'a Target, cache: Option<&'a Cache>) -> Self {
        Self {
            target,
            cache,
            context: None,
        }
    }

    /// A kernel's object; one from the cache is counted as `known`.
    fn object(&mut self, source: &Source, known: &AtomicUsize) -> Result<Object, CodegenError> {
        let key = Key::of(&[
            b"kernel",
            self.target.identity().as_bytes(),
            source.symbol.as_bytes(),
            &source.code,
        ]);
        let bytes = match self.cache.and_then(|cache| cache.get(&key)) {
            Some(bytes) => {
                known.fetch_add(1, Ordering::Relaxed);
                bytes
            }
            None => {
                let bytes = self.compile(source)?;
                if let Some(cache) = self.cache {
                    cache.put(&key, &bytes);
                }
                bytes
            }
        };
        Ok(Object {
            symbol: source.symbol.clone(),
            names: source.names.clone(),
            bytes,
        })
    }

    fn compile(&mut self, source: &Source) -> Result<Vec<u8>, CodegenError> {
        let context = self.context.get_or_insert_with(|| {
            let context = relay_dialects::context();
            // There are as many of us as the process may use.
            context.enable_multi_threading(false);
            context
        });
        let mut module = relay_dialects::parse(context, &source.code, "-")
            .ok_or_else(|| CodegenError::Lowering("a kernel does not parse again".into()))?;
        let (bodies, diagnostics) = with_diagnostics(context, || {
            kernels_to_llvm(context, &mut module, self.target)
        });
        let bodies =
            bodies.map_err(|error| CodegenError::Lowering(format!("{error}\n{diagnostics}")))?;
        let llvm_context = LlvmContext::create();
        let llvm = emit::translate(Op::of_module(&module), &llvm_context)?;
        let writer = Writer::new(&llvm, Pool::Elsewhere);
        for body in &bodies {
            if let Some(function) = llvm.get_function(body) {
                function.set_linkage(Linkage::Internal);
            }
            writer.parallel_loop(body)?;
        }
        emit::annotate(
            &llvm,
            |name| !source.in_place && (name == NAME || bodies.iter().any(|body| body == name)),
            self.target,
        );
        if let Some(kernel) = llvm.get_function(NAME) {
            kernel.set_linkage(Linkage::External);
            kernel
                .as_global_value()
                .set_visibility(GlobalVisibility::Hidden);
            kernel.as_global_value().set_name(&source.symbol);
        }
        emit::optimize(&llvm, self.target)?;
        emit::machine_code(&llvm, self.target, FileType::Object)
    }
}
