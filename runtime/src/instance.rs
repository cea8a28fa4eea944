//! An instance: a model with its pool, its arena and its timings, ready to run.
//!
//! Compiled code gets a pointer to it as its last argument, and hands it back to the functions of
//! [`crate::ffi`].

use crate::{
    amx,
    arena::Arena,
    descriptor::{Descriptor, TensorInfo, text},
    pool::Pool,
    program::{native::Linked, run::Running},
};

use std::{
    ffi::c_void,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
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

/// Checks that a list has no null pointer but to a tensor without elements.
///
/// # Safety
/// Both lists have `count` entries, the infos of a descriptor's.
unsafe fn no_null(
    kind: &str,
    infos: *const TensorInfo,
    count: u32,
    list: *const *const c_void,
) -> Result<(), String> {
    for index in 0..count as usize {
        // SAFETY: as the caller promises; a shape has `rank` dimensions.
        unsafe {
            if !(*list.add(index)).is_null() {
                continue;
            }
            let info = &*infos.add(index);
            let is_empty = (0..info.rank as usize).any(|dim| *info.shape.add(dim) == 0);
            if !is_empty {
                let name = text(info.name);
                return Err(format!("{kind} {index}, '{name}', is a null pointer"));
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Node {
    calls: AtomicU64,
    nanoseconds: AtomicU64,
}

/// An instance. It runs one call at a time.
pub struct Instance {
    descriptor: &'static Descriptor,
    pool: Pool,
    arena: Arena,
    running: AtomicBool,
    nodes: Vec<Node>,
    /// When the current node began, in nanoseconds after `made`.
    began: AtomicU64,
    made: Instant,
    /// What a program keeps between runs.
    running_program: Mutex<Running>,
    /// Why the last program failed.
    failure: Mutex<String>,
}

impl Instance {
    /// An instance with its own threads; 0 for as many as this process may use.
    ///
    /// # Errors
    /// If the system does not give us the threads or the memory.
    pub fn new(descriptor: &'static Descriptor, threads: usize) -> Result<Self, String> {
        Ok(Self {
            descriptor,
            pool: Pool::new(threads)?,
            arena: Arena::new(descriptor.arena_bytes)?,
            running: AtomicBool::new(false),
            nodes: (0..descriptor.n_nodes).map(|_| Node::default()).collect(),
            began: AtomicU64::new(0),
            made: Instant::now(),
            running_program: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// Its threads.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs the graph.
    ///
    /// # Errors
    /// If another call runs now, or the compiled code says that it failed.
    ///
    /// # Safety
    /// The lists hold as many pointers as the descriptor has inputs and outputs, each to a buffer
    /// of that tensor's size; outputs overlap nothing.
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
        // SAFETY: as the caller promises; a pointer to what is read and one to what is written look the same.
        unsafe {
            let (taken, given) = (self.descriptor.inputs, self.descriptor.outputs);
            no_null("input", taken, self.descriptor.n_inputs, inputs)?;
            no_null("output", given, self.descriptor.n_outputs, outputs.cast())?;
        }
        if self.running.swap(true, Ordering::Acquire) {
            return Err(
                "this instance runs on another thread now; make one for each concurrent caller"
                    .into(),
            );
        }
        let this: *const Self = self;
        // SAFETY: as the caller promises; the arena has the size that the code was compiled for.
        let status = unsafe {
            (self.descriptor.run_graph)(
                inputs,
                outputs,
                self.arena.data(),
                self.descriptor.weights,
                this.cast(),
            )
        };
        self.running.store(false, Ordering::Release);
        match status {
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
            FAILED => Err(lock(&self.failure).clone()),
            _ => Err(format!("the compiled graph returned status {status}")),
        }
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
        let this: *const Self = self;
        let mut running = lock(&self.running_program);
        // SAFETY: as the caller promises.
        match unsafe { running.run(linked, this.cast(), weights, inputs, outputs) } {
            Ok(()) => 0,
            Err(reason) => {
                *lock(&self.failure) = reason;
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

/// What a mutex holds. A run that panicked left nothing that the next one would not set anew.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
