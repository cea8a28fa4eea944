//! What compiled code and its C interface call. `include/relay_runtime.h` documents the functions
//! under the names that a model exports them with.

pub mod device;

use crate::{
    arena,
    descriptor::{Descriptor, text},
    features,
    instance::{Instance, NULL},
    pool::Body,
    program::{heap::Watch, native::Linked},
};
use std::{
    cell::RefCell,
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

fn set_error(message: &str) {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    LAST_ERROR.with(|last| *last.borrow_mut() = text);
}

/// Runs `work`. An error or a panic becomes the thread's last error. No panic leaves the runtime, because that
/// would end the program that the model is linked into.
fn guarded<T>(failed: T, work: impl FnOnce() -> Result<T, String>) -> T {
    let result = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("internal error: the runtime panicked".into()));
    result.unwrap_or_else(|message| {
        set_error(&message);
        failed
    })
}

/// Runs a parallel loop on the threads of the instance that runs the graph: on at most `threads` of them, or on all if that is 0.
///
/// # Safety
/// Called by compiled code: `instance` is the one that runs it, and `body` may be called with
/// `closure` on disjoint ranges from several threads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_parallel_for(
    instance: *const c_void,
    body: Body,
    closure: *const c_void,
    extent: i64,
    threads: i64,
) {
    // SAFETY: as the caller promises.
    unsafe {
        (*instance.cast::<Instance>())
            .pool()
            .parallel_for(body, closure, extent, threads);
    }
}

/// Memory of this thread's own, for a kernel (`level` 0) or for the body of its parallel loop (1): at least
/// `bytes`, aligned for any vector. Its content is undefined.
#[unsafe(no_mangle)]
pub extern "C" fn relay_rt_workspace(level: i64, bytes: i64) -> *mut u8 {
    arena::workspace(usize::from(level != 0), bytes.try_into().unwrap_or(0))
}

/// Runs the program of a graph; the status that the graph returns.
///
/// # Safety
/// Called by compiled code, with what its graph was called with, and its own program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_program(
    instance: *const c_void,
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    weights: *const u8,
    linked: *const Linked,
) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).run_program(&*linked, weights, inputs, outputs) }
}

/// A node's kernel begins.
///
/// # Safety
/// `instance` is the one that runs the calling code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_node_begin(instance: *const c_void, _node: i32) {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).node_begin() }
}

/// A node's kernel has ended.
///
/// # Safety
/// `instance` is the one that runs the calling code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_node_end(instance: *const c_void, node: i32) {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).node_end(node as usize) }
}

/// The level of x86-64's instructions that this processor has, 1 to 4 as in the psABI; 0 on others.
#[unsafe(no_mangle)]
pub extern "C" fn relay_rt_cpu_level() -> i32 {
    crate::cpu::level()
}

/// Asks the system whether this process may use the processor's AMX tiles: 0, or the value that a graph that
/// needs them returns.
#[unsafe(no_mangle)]
pub extern "C" fn relay_rt_amx() -> i32 {
    crate::amx::status()
}

/// Checks the value of a symbol that the graph has computed: the value, or -1 if the graph must not go on.
///
/// # Safety
/// Called by the graph that `instance` runs, between its kernels, with a symbol of its own and a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_define(
    instance: *const c_void,
    symbol: i32,
    value: i64,
    least: i64,
    most: i64,
    nodes: *const c_char,
) -> i64 {
    guarded(-1, || {
        // SAFETY: as the caller promises.
        let (instance, nodes) = unsafe { (&*instance.cast::<Instance>(), text(nodes)) };
        // SAFETY: as the caller promises.
        Ok(unsafe { instance.define(symbol as usize, value, (least, most), &nodes) })
    })
}

/// 0, or -1 if the graph must not go on, because a branch or a loop computed a wrong value. There is nothing to be said about `_number`.
///
/// # Safety
/// As for [`relay_rt_define`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_go_on(instance: *const c_void, _number: i32) -> i64 {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).go_on() }
}

/// The memory for buffers that need the value of a computed symbol.
///
/// # Safety
/// As for [`relay_rt_define`], after it gave that value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_arena(instance: *const c_void, number: i32) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).later_arena(number as usize) }
}

/// The memory of an output whose shape the graph has computed.
///
/// # Safety
/// As for [`relay_rt_define`], after the values of the output's symbols are known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_output_memory(
    instance: *const c_void,
    output: i32,
) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { (*instance.cast::<Instance>()).output_memory(output as usize) }
}

/// The memory of an output whose shape the last run computed, and the shape; null on error.
///
/// # Safety
/// `instance` is null or from `relay_rt_create`; `shape` is as for [`Instance::output`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_output(
    instance: *const Instance,
    output: i32,
    shape: *mut i64,
) -> *const c_void {
    guarded(std::ptr::null(), || {
        // SAFETY: the caller promises that it is null or an instance.
        let instance = unsafe { instance.as_ref() };
        let instance = instance.ok_or("a null pointer was passed to output")?;
        let output = usize::try_from(output).map_err(|_| format!("there is no output {output}"))?;
        // SAFETY: as the caller promises.
        unsafe { instance.output(output, shape) }
    })
}

/// Makes an instance with `threads` threads (0: as many as the process may use); null on error, and where the
/// processor lacks instructions of the model's.
///
/// # Safety
/// `descriptor` is that of the library that this runtime is linked into.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_create(
    descriptor: *const Descriptor,
    threads: i32,
) -> *mut Instance {
    guarded(std::ptr::null_mut(), || {
        let threads = usize::try_from(threads)
            .map_err(|_| format!("the number of threads is {threads}, and must not be negative"))?;
        // SAFETY: the descriptor is a constant of the library.
        let descriptor = unsafe { &*descriptor };
        // SAFETY: its texts are constants of the library, too.
        let (wanted, target) = unsafe { (text(descriptor.features), text(descriptor.target)) };
        features::check(&wanted, &target)?;
        Ok(Box::into_raw(Box::new(Instance::new(descriptor, threads)?)))
    })
}

/// Sets the sizes that a model runs at by the shapes of its inputs, and fills those of its outputs; 0 if all went well.
///
/// # Safety
/// `instance` is null or from `relay_rt_create`; the lists are as for [`Instance::prepare`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_prepare(
    instance: *const Instance,
    input_shapes: *const *const i64,
    output_shapes: *const *mut i64,
) -> i32 {
    guarded(1, || {
        // SAFETY: the caller promises that it is null or an instance.
        let instance = unsafe { instance.as_ref() };
        let instance = instance.ok_or("a null pointer was passed to prepare")?;
        // SAFETY: as the caller promises.
        unsafe { instance.prepare(input_shapes, output_shapes) }?;
        Ok(0)
    })
}

/// Runs a model; 0 if all went well. A list of no tensors may be null.
///
/// # Safety
/// `instance` is null or from `relay_rt_create`; the lists are as for
/// [`Instance::run`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_run(
    instance: *const Instance,
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
) -> i32 {
    guarded(1, || {
        // SAFETY: the caller promises that it is null or an instance.
        let instance = unsafe { instance.as_ref() }.ok_or(NULL)?;
        // SAFETY: as the caller promises.
        unsafe { instance.run(inputs, outputs) }?;
        Ok(0)
    })
}

/// Has a model ask now and then, while it runs, whether it goes on: it calls `go_on` with `data`, and ends with an error where that gives
/// 0. A graph always ends, and does not ask. No function: it asks nobody.
///
/// # Safety
/// `instance` is null or from `relay_rt_create`, and does not run now; `go_on` may be called with `data` from any thread that runs the
/// model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_watch(
    instance: *const Instance,
    go_on: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
    data: *mut c_void,
) {
    guarded((), || {
        // SAFETY: as the caller promises.
        let instance = unsafe { instance.as_ref() }.ok_or(NULL)?;
        instance.watch(go_on.map(|go_on| Watch { go_on, data }));
        Ok(())
    });
}

/// Frees an instance and ends its threads.
///
/// # Safety
/// `instance` is null or from `relay_rt_create`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_destroy(instance: *mut Instance) {
    if !instance.is_null() {
        guarded((), || {
            // SAFETY: as the caller promises.
            drop(unsafe { Box::from_raw(instance) });
            Ok(())
        });
    }
}

/// The last error of this thread; empty if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn relay_rt_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// Writes the calls of a node and the nanoseconds that they took; returns 0 if there is such a node.
///
/// # Safety
/// `instance` is from `relay_rt_create`; `calls` and `nanoseconds` can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_profile(
    instance: *const Instance,
    node: i32,
    calls: *mut u64,
    nanoseconds: *mut u64,
) -> i32 {
    guarded(1, || {
        if instance.is_null() || calls.is_null() || nanoseconds.is_null() {
            return Err("a null pointer was passed to profile".into());
        }
        // SAFETY: as the caller promises.
        let stats = unsafe { (*instance).node(node as usize) }
            .ok_or_else(|| format!("there is no timed node {node}; compile for profiling"))?;
        // SAFETY: as the caller promises.
        unsafe { (*calls, *nanoseconds) = (stats.calls, stats.nanoseconds) };
        Ok(0)
    })
}
