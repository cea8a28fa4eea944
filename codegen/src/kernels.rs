//! Compiles kernels to objects of their own: side by side, and equal ones once.
//!
//! A kernel is [cut out](crate::split) of the module while it is loops over buffers, under a name that is the
//! same for every kernel. The text of what is cut out is all that its machine code depends on. Its digest names
//! the object's one symbol, and the object in the [cache](crate::cache): a kernel that is there costs neither
//! passes nor LLVM.

use crate::{
    CodegenError, Target,
    cache::{self, Cache, Key},
    device, emit,
    launch::{image_symbol, write_launches},
    lower::{host_to_llvm, kernels_to_llvm},
    writer::{Pool, Writer},
};
use inkwell::{
    GlobalVisibility, context::Context as LlvmContext, module::Linkage, targets::FileType,
};
use melior::Context;
use relay_dialects::{ir::Op, pass::with_diagnostics};
use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The name of every kernel in its own module. Functions of its parallel loops have this name and a number.
pub(crate) const NAME: &str = "kernel";

/// A kernel to compile.
#[derive(Debug)]
pub struct Source {
    /// The symbol that the object defines.
    pub(crate) symbol: String,
    /// Names of the kernel in the model.
    pub(crate) names: Vec<String>,
    /// A module with the kernel, and parallel loops of it that are functions, as bytecode.
    pub(crate) code: Vec<u8>,
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
    /// Shared libraries that it needs.
    pub libraries: Vec<PathBuf>,
}

/// Compiles kernels on all threads that this process may use, or takes them from the cache. `is_done` is called
/// for each that is done, on any thread.
///
/// # Errors
/// If a conversion fails or LLVM refuses a kernel, or `is_done` gives an error. After an error, no other kernel is begun.
pub fn compile(
    sources: &[Source],
    target: &Target,
    cache: Option<&Cache>,
    is_done: &(dyn Fn() -> Result<(), CodegenError> + Sync),
) -> Result<Vec<Object>, CodegenError> {
    let (next, known) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let done: Mutex<Vec<(usize, Result<Object, CodegenError>)>> = Mutex::default();
    // The longest programs come first, so that no thread begins one when the others are done.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(sources[index].code.len()));
    let work = || {
        let mut worker = Worker::new(target, cache);
        while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let object = worker.object(&sources[index], &known);
            let object = object.and_then(|object| is_done().map(|()| object));
            if object.is_err() {
                next.store(order.len(), Ordering::Relaxed);
            }
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((index, object));
        }
    };
    let threads = relay_runtime::pool::available_threads().min(sources.len());
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no thread, there are fewer.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    tracing::info!(
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
    /// LLVM's target machine is made when the first kernel is not in the cache.
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
            cache::kernel_identity(self.target).as_bytes(),
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
            libraries: Vec::new(),
        })
    }

    fn compile(&mut self, source: &Source) -> Result<Vec<u8>, CodegenError> {
        let context = self.context.get_or_insert_with(|| {
            let context = relay_dialects::context();
            // As many threads compile kernels as the process may use.
            context.enable_multi_threading(false);
            context
        });
        let mut module = relay_dialects::parse(context, &source.code, "-")
            .ok_or_else(|| CodegenError::Lowering("a kernel does not parse again".into()))?;
        let mut images = Vec::new();
        let (functions, diagnostics) = with_diagnostics(context, || match &self.target.device {
            None => kernels_to_llvm(context, &mut module, self.target),
            Some(device) => {
                images = device::lower_to_launches(context, &mut module, self.target, device)?;
                host_to_llvm(context, &mut module)
            }
        });
        let functions =
            functions.map_err(|error| CodegenError::Lowering(format!("{error}\n{diagnostics}")))?;
        let llvm_context = LlvmContext::create();
        let llvm = emit::translate(Op::of_module(&module), &llvm_context)?;
        let writer = Writer::new(&llvm, Pool::Elsewhere);
        for body in functions.iter().filter(|function| function.name != NAME) {
            if let Some(function) = llvm.get_function(&body.name) {
                function.set_linkage(Linkage::Internal);
            }
            writer.parallel_loop(&body.name)?;
        }
        for image in &images {
            // The descriptor refers to it. A kernel has one image at most.
            let image = write_launches(&writer, image)?;
            image.set_linkage(Linkage::External);
            image.set_visibility(GlobalVisibility::Hidden);
            image.set_name(&image_symbol(&source.symbol));
        }
        emit::annotate(&llvm, &functions, self.target);
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
