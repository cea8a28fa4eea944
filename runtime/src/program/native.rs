//! What the machine code of programs calls, and what a library says of its program.
//!
//! A function of a program takes the heap and its arguments, which it owns, and gives a value that the caller owns; null after
//! a failure, which is noted in the heap. Nobody gives anything back after a failure: the run's end does.

use super::heap::{Heap, Kind, Object, PAUSE, Watch};
use std::{
    ffi::{CStr, c_char},
    ptr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// A function of a program with its arguments in a list.
pub type Entry =
    unsafe extern "C" fn(heap: *mut Heap, arguments: *const *mut Object) -> *mut Object;

/// A kernel with the addresses of its tensors in a list, and after them those of the memory that it works in.
pub type Kernel = unsafe extern "C" fn(tensors: *const *mut u8);

/// A library's program.
#[repr(C)]
#[derive(Debug)]
pub struct Linked {
    /// The entry's machine code; null if the program is bytecode.
    pub entry: Option<Entry>,
    /// The bytecode, or null.
    pub bytecode: *const u8,
    /// Its bytes.
    pub bytecode_bytes: u64,
    /// The kernels that the bytecode runs.
    pub kernels: *const Kernel,
    /// How many.
    pub n_kernels: u64,
    /// What the compiler knows of the kernels: their [sizes](super::sizes). The bytecode has to say the same.
    pub sizes: *const u64,
    /// How many numbers these are.
    pub n_sizes: u64,
    /// The bytes of the model's constants.
    pub weights_bytes: u64,
    /// The number of inputs.
    pub inputs: u64,
    /// The bytes of each.
    pub input_bytes: *const u64,
    /// The number of outputs.
    pub outputs: u64,
    /// The bytes of each.
    pub output_bytes: *const u64,
}

/// The bytes of each stack that a deep recursion goes on on. The system gives out memory for what is touched.
const STACK: usize = 256 << 20;

/// The most of them.
const MOST_STACKS: usize = 4;

/// What a call may use of a stack beyond the limit: a kernel, and the runtime.
pub(super) const STACK_RESERVE: usize = 128 << 10;

/// A tensor whose elements are not set; null if there is no memory.
///
/// # Safety
/// Called by compiled code with the heap of its run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_tensor(heap: *mut Heap, bytes: u64) -> *mut Object {
    // SAFETY: as the caller promises.
    unsafe { (*heap).tensor(bytes) }
}

/// Data whose fields the caller sets at once; null if there is no memory.
///
/// # Safety
/// Called by compiled code with the heap of its run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_data(heap: *mut Heap, tag: u32, fields: u64) -> *mut Object {
    // SAFETY: as the caller promises.
    unsafe { (*heap).fields(Kind::Data, tag, fields as usize) }
}

/// A closure whose fields the caller sets at once; null if there is no memory.
///
/// # Safety
/// Called by compiled code with the heap of its run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_closure(heap: *mut Heap, tag: u32, fields: u64) -> *mut Object {
    // SAFETY: as the caller promises.
    unsafe { (*heap).fields(Kind::Closure, tag, fields as usize) }
}

/// A tensor of elements elsewhere, in `owner` if it is not null; null if there is no memory.
///
/// # Safety
/// Called by compiled code with the heap of its run; it gives `owner` away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_view(
    heap: *mut Heap,
    data: *mut u8,
    bytes: u64,
    owner: *mut Object,
) -> *mut Object {
    // SAFETY: as the caller promises.
    unsafe { (*heap).view(data, bytes, owner) }
}

/// Takes back a value that nothing holds any more.
///
/// # Safety
/// Called by compiled code with the heap of its run and a value whose count has come to 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_take_back(heap: *mut Heap, object: *mut Object) {
    // SAFETY: as the caller promises.
    unsafe { (*heap).take_back(object) }
}

/// Asks whether the program goes on, after so many calls: 0 if not.
///
/// # Safety
/// Called by compiled code with the heap of its run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_goes_on(heap: *mut Heap) -> i32 {
    // SAFETY: as the caller promises.
    i32::from(unsafe { (*heap).goes_on() })
}

/// Notes why the program ends.
///
/// # Safety
/// Called by compiled code with the heap of its run and a text of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_fatal(heap: *mut Heap, message: *const c_char) {
    // SAFETY: as the caller promises.
    unsafe {
        let message = CStr::from_ptr(message).to_string_lossy();
        (*heap).failure = Some(message.into_owned());
    }
}

/// Runs a function on a stack of its own, because the present one is used up.
///
/// # Safety
/// Called by compiled code with the heap of its run, and a function of its own with its arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_deeper(
    heap: *mut Heap,
    function: Entry,
    arguments: *const *mut Object,
) -> *mut Object {
    /// What the other thread gets. The present one waits for it meanwhile.
    struct Handed(*mut Heap, Entry, *const *mut Object);
    // SAFETY: one thread uses it at a time.
    unsafe impl Send for Handed {}
    /// What the present thread gets back.
    struct Given(*mut Object);
    // SAFETY: as above.
    unsafe impl Send for Given {}

    // SAFETY: as the caller promises.
    let (watch, stopped) = unsafe { ((*heap).watch, Arc::clone(&(*heap).stopped)) };
    // SAFETY: as the caller promises.
    let outer = unsafe {
        if (*heap).stacks == MOST_STACKS {
            (*heap).failure = Some(too_deep());
            return ptr::null_mut();
        }
        (*heap).stacks += 1;
        (*heap).stack_limit
    };
    let handed = Handed(heap, function, arguments);
    let run = move || {
        // The whole of it moves to this thread.
        let Handed(heap, function, arguments) = { handed };
        let here: u8 = 0;
        let top = (&raw const here).addr();
        // SAFETY: as the caller promises; the stack reaches this far below.
        unsafe {
            (*heap).stack_limit = top - STACK + 2 * STACK_RESERVE;
            Given(function(heap, arguments))
        }
    };
    let given = on_deep_stack(run, watch, &stopped);
    // SAFETY: the other thread has ended.
    unsafe {
        (*heap).stacks -= 1;
        (*heap).stack_limit = outer;
        let Some(Given(object)) = given else {
            (*heap).failure = Some("there is no memory for a deeper recursion".into());
            return ptr::null_mut();
        };
        object
    }
}

/// Runs something on a thread of a deep stack; none if the system gives no such thread. The present one asks meanwhile whether it
/// goes on: a system tells some threads alone that it should not.
fn on_deep_stack<T: Send>(
    run: impl FnOnce() -> T + Send,
    watch: Option<Watch>,
    stopped: &AtomicBool,
) -> Option<T> {
    let (waiting, done) = (thread::current(), AtomicBool::new(false));
    let ended = &done;
    let run = move || {
        let given = run();
        ended.store(true, Ordering::Release);
        waiting.unpark();
        given
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, run).ok()?;
        while !done.load(Ordering::Acquire) && !thread.is_finished() {
            thread::park_timeout(PAUSE);
            ask_here(watch, stopped);
        }
        thread.join().ok()
    })
}

/// Asks whether a program goes on that another thread runs.
fn ask_here(watch: Option<Watch>, stopped: &AtomicBool) {
    if let Some(Watch { go_on, data }) = watch
        && !stopped.load(Ordering::Relaxed)
        // SAFETY: as whoever set it promises.
        && unsafe { go_on(data) } == 0
    {
        stopped.store(true, Ordering::Relaxed);
    }
}

/// What the failure of an endless recursion says.
pub(super) fn too_deep() -> String {
    format!(
        "the recursion is too deep: it needs more than {} MiB of stack. A call that ends its function needs none",
        (MOST_STACKS * STACK) >> 20
    )
}
