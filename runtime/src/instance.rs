//! An instance: a model with its pool, its sizes, its arena and its timings, ready to run.
//!
//! Compiled code gets a pointer to it as its last argument, and hands it back to the functions of
//! [`crate::ffi`].

use crate::{
    amx,
    descriptor::{Descriptor, text},
    device::{self, Offload},
    donation,
    pool::Pool,
    program::{heap::Watch, native::Linked, run::Running},
    sizes::Sizes,
};

use std::{
    cell::UnsafeCell,
    ffi::c_void,
    mem, process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Instant,
};

/// What `run` says of a null pointer.
pub(crate) const NULL: &str = "a null pointer was passed to run";

/// The value that a graph of several variants returns where the processor can run none of them.
const UNSUPPORTED: i32 = 64;

/// The value that a graph returns whose program ended with an error.
const FAILED: i32 = 66;

/// The calls of one node and the nanoseconds that they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeStats {
    /// The number of calls.
    pub calls: u64,
    /// The time of all calls.
    pub nanoseconds: u64,
}

#[derive(Default)]
struct Node {
    calls: AtomicU64,
    nanoseconds: AtomicU64,
}

/// What an instance has of one process. The child of a fork makes its own: of what it has of its parent, another thread may
/// have held locks, or been about to change a heap.
struct Own {
    pool: Pool,
    /// What a program keeps between runs.
    running_program: Mutex<Running>,
    /// Why the last program failed.
    failure: Mutex<String>,
}

impl Own {
    fn new(threads: usize) -> Result<Self, String> {
        Ok(Self {
            pool: Pool::new(threads)?,
            running_program: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// In the child of a fork, keeps what the parent made from being given back: another thread may have been about to change
    /// it.
    fn leave_inherited(&mut self) {
        if self.pool.is_inherited() {
            let program = self.running_program.get_mut();
            mem::forget(mem::take(program.unwrap_or_else(PoisonError::into_inner)));
            let failure = self.failure.get_mut();
            mem::forget(mem::take(failure.unwrap_or_else(PoisonError::into_inner)));
        }
    }
}

/// The number of no process.
const NOBODY: u32 = 0;

/// An instance. It runs one call at a time.
pub struct Instance {
    descriptor: &'static Descriptor,
    /// What it has on a device, if its kernels run on one.
    device: Option<Box<dyn Offload>>,
    /// Changed by a run alone, before it runs the graph.
    own: UnsafeCell<Own>,
    /// What it runs at. Changed by [`Instance::prepare`], and read by a run.
    sizes: UnsafeCell<Sizes>,
    /// The process that runs it now, or [`NOBODY`].
    running: AtomicU32,
    nodes: Vec<Node>,
    /// When the current node began, in nanoseconds after `made`.
    began: AtomicU64,
    made: Instant,
}

// SAFETY: the only parts that are no `Sync` are `own` and `sizes`. They change between `begin` and `end`, where one call is at a
// time, and are read by that call, and by the threads that it started, alone.
unsafe impl Sync for Instance {}

impl Instance {
    /// An instance with its own threads; 0 for as many as this process may use.
    ///
    /// # Errors
    /// If the system does not give us the threads or the memory, an input is donated to an output of another type, or there is no device that
    /// the model needs.
    pub fn new(descriptor: &'static Descriptor, threads: usize) -> Result<Self, String> {
        // SAFETY: the descriptor is a compiled model's.
        unsafe { donation::check(descriptor) }?;
        Ok(Self {
            descriptor,
            // SAFETY: the descriptor is a compiled model's.
            device: unsafe { device::open(descriptor) }?,
            own: UnsafeCell::new(Own::new(threads)?),
            // SAFETY: the descriptor is a compiled model's.
            sizes: UnsafeCell::new(unsafe { Sizes::new(descriptor) }?),
            running: AtomicU32::new(NOBODY),
            nodes: (0..descriptor.n_nodes).map(|_| Node::default()).collect(),
            began: AtomicU64::new(0),
            made: Instant::now(),
        })
    }

    fn own(&self) -> &Own {
        // SAFETY: it changes at the begin of a run, before what calls this.
        unsafe { &*self.own.get() }
    }

    /// Its threads. Called by what runs the graph.
    pub fn pool(&self) -> &Pool {
        &self.own().pool
    }

    /// What it has on a device.
    pub(crate) fn device(&self) -> Option<&dyn Offload> {
        self.device.as_deref()
    }

    /// What it has on a device, for a graph that runs now. Without a device the run fails.
    ///
    /// # Safety
    /// Called by the graph, between its kernels.
    pub(crate) unsafe fn device_of_run(&self) -> Option<&dyn Offload> {
        if self.device.is_none() {
            // SAFETY: the graph runs on this thread, and nothing else has the sizes while it does.
            unsafe { (*self.sizes.get()).computed.has_failed = true };
            *lock(&self.own().failure) =
                "the model launches kernels on a device, and its descriptor names none; compile it again".into();
        }
        self.device()
    }

    /// Begins a run: no other one of this process is under way until [`Instance::end`].
    fn begin(&self) -> Result<(), String> {
        let here = process::id();
        let before = self.running.load(Ordering::Relaxed);
        // A run that was under way when the process forked goes on in the parent alone.
        let is_free = before != here
            && (self.running)
                .compare_exchange(before, here, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if !is_free {
            return Err(
                "this instance runs on another thread now; make one for each concurrent caller"
                    .into(),
            );
        }
        let renewed = self.renew();
        if renewed.is_err() {
            self.end();
        }
        renewed
    }

    fn end(&self) {
        self.running.store(NOBODY, Ordering::Release);
    }

    /// In the child of a fork, makes what the parent does not share.
    fn renew(&self) -> Result<(), String> {
        if !self.pool().is_inherited() {
            return Ok(());
        }
        let own = Own::new(self.pool().threads())?;
        if let Ok(program) = self.own().running_program.try_lock() {
            lock(&own.running_program).watch = program.watch;
        }
        // SAFETY: this is the only run, and nothing of it has begun.
        let mut inherited = unsafe { mem::replace(&mut *self.own.get(), own) };
        inherited.leave_inherited();
        Ok(())
    }

    /// Sets the sizes that runs have from now on, by the shapes of inputs, and fills the shapes of outputs. After an error, an open
    /// model has no sizes. Either list may be null, and each entry of it: such an input must have no open dimension, and such
    /// an output's shape is not asked for.
    ///
    /// # Errors
    /// If another call runs now, the shapes do not fit the model or each other, or there is not so much memory.
    ///
    /// # Safety
    /// The lists hold as many pointers as the descriptor has inputs and outputs, each to as many numbers as that tensor has
    /// dimensions.
    pub unsafe fn prepare(
        &self,
        inputs: *const *const i64,
        outputs: *const *mut i64,
    ) -> Result<(), String> {
        self.begin()?;
        // SAFETY: as the caller promises; nobody else has the sizes now.
        let prepared = unsafe { (*self.sizes.get()).prepare(self.descriptor, inputs, outputs) };
        self.end();
        prepared
    }

    /// Runs the graph at the sizes that it was prepared for.
    ///
    /// # Errors
    /// If another call runs now, an open model was not prepared, or the compiled code says that it failed.
    ///
    /// # Safety
    /// The lists hold as many pointers as the descriptor has inputs and outputs, each to a buffer
    /// of that tensor's size. Outputs overlap nothing, but for the input that is donated to one: that is another buffer, or the same
    /// one. Such an output may be null: then it lies in the memory of the input, which may be written to.
    pub unsafe fn run(
        &self,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<(), String> {
        let is_missing = |is_null: bool, count: u32| is_null && count > 0;
        if is_missing(inputs.is_null(), self.descriptor.n_inputs)
            || is_missing(outputs.is_null(), self.descriptor.n_outputs)
        {
            return Err(NULL.into());
        }
        self.begin()?;
        // SAFETY: as the caller promises.
        let done = unsafe { self.run_graph(inputs, outputs) };
        self.end();
        done
    }

    /// # Safety
    /// As for [`Instance::run`], between `begin` and `end`.
    unsafe fn run_graph(
        &self,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<(), String> {
        // SAFETY: as the caller promises; the arena has the size that the code takes at these sizes. The code changes the sizes
        // between its kernels, where nothing here reads them.
        let status = unsafe {
            let sizes = &mut *self.sizes.get();
            sizes.begin(self.descriptor)?;
            let bound = donation::bind(self.descriptor, inputs, outputs);
            let outputs = bound.as_ref().map_or(outputs, |bound| bound.as_ptr());
            sizes.check(self.descriptor, inputs, outputs)?;
            let symbols = sizes.symbols();
            match self.device() {
                None => {
                    donation::fill(self.descriptor, sizes, inputs, outputs);
                    let (arena, weights) = (sizes.arena(), self.descriptor.weights);
                    self.call(inputs, outputs, arena, weights, symbols)
                }
                Some(device) => {
                    let mut placed = device.begin(self.descriptor, sizes, inputs, outputs)?;
                    let (inputs, outputs) = (placed.inputs.as_ptr(), placed.outputs.as_ptr());
                    let status = self.call(inputs, outputs, placed.arena, placed.weights, symbols);
                    let sizes = &*self.sizes.get();
                    for output in sizes.computed_outputs(self.descriptor) {
                        let bytes = sizes.output_bytes(self.descriptor, output);
                        let from = device.workspace(output as i64, bytes as i64);
                        placed.add_result(from, sizes.computed.output(output), bytes);
                    }
                    device.end(&placed, status == 0)?;
                    status
                }
            }
        };
        self.judge(status)
    }

    /// Calls the compiled graph; its status.
    ///
    /// # Safety
    /// The tensors, the arena and the constants are where the graph's kernels run, and have the sizes that the symbols give.
    unsafe fn call(
        &self,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
        arena: *mut c_void,
        weights: *const u8,
        symbols: *const i64,
    ) -> i32 {
        let this: *const Self = self;
        // SAFETY: as the caller promises.
        unsafe {
            (self.descriptor.run_graph)(inputs, outputs, arena, weights, this.cast(), symbols)
        }
    }

    /// What a status of the graph means.
    fn judge(&self, status: i32) -> Result<(), String> {
        // SAFETY: the code has ended.
        let computed = unsafe { &mut (*self.sizes.get()).computed };
        computed.is_done = status == 0 && !computed.has_failed;
        match status {
            0 if computed.has_failed => Err(mem::take(&mut *lock(&self.own().failure))),
            0 => Ok(()),
            UNSUPPORTED => {
                // SAFETY: a descriptor's target is a constant of the library.
                let targets = unsafe { text(self.descriptor.target) };
                Err(format!(
                    "this processor has not the instructions of any target that the model was \
                     compiled for ({targets}); compile it for an older one"
                ))
            }
            amx::REFUSED => Err(amx::refusal()),
            FAILED => Err(mem::take(&mut *lock(&self.own().failure))),
            _ => Err(format!("the compiled graph returned status {status}")),
        }
    }

    /// Sets the value of a symbol that the graph computes: the value, or -1 if the graph must not go on.
    ///
    /// # Safety
    /// Called by the graph between its kernels, with a symbol of its own.
    pub(crate) unsafe fn define(
        &self,
        index: usize,
        value: i64,
        bounds: (i64, i64),
        nodes: &str,
    ) -> i64 {
        // SAFETY: the graph runs on this thread, and nothing else has the sizes while it does.
        let sizes = unsafe { &mut *self.sizes.get() };
        if sizes.computed.has_failed {
            return -1;
        }
        // SAFETY: as the caller promises.
        match unsafe { sizes.define(self.descriptor, index, value, (bounds, nodes)) } {
            Ok(()) => value,
            Err(reason) => {
                sizes.computed.has_failed = true;
                *lock(&self.own().failure) = reason;
                -1
            }
        }
    }

    /// 0, or -1 if the graph must not go on.
    ///
    /// # Safety
    /// As for [`Instance::define`].
    pub(crate) unsafe fn go_on(&self) -> i64 {
        // SAFETY: as for `define`.
        match unsafe { (*self.sizes.get()).computed.has_failed } {
            true => -1,
            false => 0,
        }
    }

    /// The memory that was taken when the symbol of this number among the computed ones got its value.
    ///
    /// # Safety
    /// As for [`Instance::define`].
    pub(crate) unsafe fn later_arena(&self, number: usize) -> *mut c_void {
        // SAFETY: as for `define`.
        let sizes = unsafe { &*self.sizes.get() };
        match self.device() {
            None => sizes.computed.arena(number),
            // The outputs come first.
            Some(device) => {
                let slot = i64::from(self.descriptor.n_outputs) + number as i64;
                device.workspace(slot, sizes.later_arena_bytes(number))
            }
        }
    }

    /// The memory of an output whose shape the graph has computed.
    ///
    /// # Safety
    /// As for [`Instance::define`].
    pub(crate) unsafe fn output_memory(&self, index: usize) -> *mut c_void {
        // SAFETY: as for `define`.
        let sizes = unsafe { &*self.sizes.get() };
        match self.device() {
            None => sizes.computed.output(index),
            Some(device) => {
                let bytes = sizes.output_bytes(self.descriptor, index);
                device.workspace(index as i64, bytes as i64)
            }
        }
    }

    /// The memory of an output whose shape the last run computed; it fills the shape. It stays as it is until the next run or preparation.
    ///
    /// # Errors
    /// If another call runs now, the last run failed, or the output is no such one.
    ///
    /// # Safety
    /// `shape` is null, or to as many numbers as the output has dimensions.
    pub unsafe fn output(&self, index: usize, shape: *mut i64) -> Result<*const c_void, String> {
        self.begin()?;
        // SAFETY: nobody else has the sizes now; the shape is as the caller promises.
        let output = unsafe {
            let output = (*self.sizes.get()).output(self.descriptor, index);
            output.map(|(memory, dimensions)| {
                if !shape.is_null() {
                    shape.copy_from_nonoverlapping(dimensions.as_ptr(), dimensions.len());
                }
                memory
            })
        };
        self.end();
        output
    }

    /// Has programs ask now and then whether they go on, from the next run on.
    pub fn watch(&self, watch: Option<Watch>) {
        lock(&self.own().running_program).watch = watch;
    }

    /// Runs the program that the graph is; the status that the graph returns.
    ///
    /// # Safety
    /// Called by the graph, with its own program and what it was called with.
    pub(crate) unsafe fn run_program(
        &self,
        linked: &Linked,
        weights: *const u8,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> i32 {
        if self.device.is_some() {
            let reason = "programs with functions and data types are not supported on a GPU yet; compile the model for this machine's processor";
            *lock(&self.own().failure) = reason.into();
            return FAILED;
        }
        let this: *const Self = self;
        let mut running = lock(&self.own().running_program);
        // SAFETY: as the caller promises.
        match unsafe { running.run(linked, this.cast(), weights, inputs, outputs) } {
            Ok(()) => 0,
            Err(reason) => {
                *lock(&self.own().failure) = reason;
                FAILED
            }
        }
    }

    /// A node's kernel begins.
    pub fn node_begin(&self) {
        self.began.store(self.now(), Ordering::Relaxed);
    }

    /// A node's kernel has ended.
    pub fn node_end(&self, node: usize) {
        if let Some(device) = self.device() {
            device.synchronise();
        }
        let took = self
            .now()
            .saturating_sub(self.began.load(Ordering::Relaxed));
        if let Some(node) = self.nodes.get(node) {
            node.calls.fetch_add(1, Ordering::Relaxed);
            node.nanoseconds.fetch_add(took, Ordering::Relaxed);
        }
    }

    /// The timings of a node.
    pub fn node(&self, node: usize) -> Option<NodeStats> {
        self.nodes.get(node).map(|node| NodeStats {
            calls: node.calls.load(Ordering::Relaxed),
            nanoseconds: node.nanoseconds.load(Ordering::Relaxed),
        })
    }

    fn now(&self) -> u64 {
        self.made.elapsed().as_nanos() as u64
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.own.get_mut().leave_inherited();
    }
}

/// What a mutex holds. A run that panicked left nothing that the next one would not set anew.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
