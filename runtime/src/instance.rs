//! One runnable copy of a model: its pool, its arena and its timings.

use crate::{descriptor::Descriptor, pool::Pool};
use std::{
    alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error},
    cell::{Cell, RefCell},
    ffi::c_void,
    time::Instant,
};

/// Arenas start at a page: fewer of them are touched, and large ones can be huge pages.
const ARENA_ALIGNMENT: usize = 4096;

/// The calls of one node and the nanoseconds that they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeStats {
    /// The number of calls.
    pub calls: u64,
    /// The time of all calls.
    pub nanoseconds: u64,
}

/// An instance. It runs one call at a time.
pub struct Instance {
    descriptor: &'static Descriptor,
    pool: Pool,
    arena: Arena,
    nodes: RefCell<Vec<NodeStats>>,
    started: Cell<Option<Instant>>,
}

impl Instance {
    /// An instance with its own threads; 0 for as many as this process may use.
    pub fn new(descriptor: &'static Descriptor, threads: usize) -> Self {
        Self {
            descriptor,
            pool: Pool::new(threads),
            arena: Arena::new(descriptor.arena_bytes as usize),
            nodes: RefCell::new(vec![NodeStats::default(); descriptor.n_nodes as usize]),
            started: Cell::new(None),
        }
    }

    /// Its threads.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs the graph; 0 if all went well.
    ///
    /// # Safety
    /// The lists hold as many pointers as the descriptor has inputs and outputs, each to a buffer
    /// of that tensor's size; outputs overlap nothing.
    pub unsafe fn run(&self, inputs: *const *const c_void, outputs: *const *mut c_void) -> i32 {
        let this: *const Self = self;
        // SAFETY: as the caller promises; the arena has the size that the code was compiled for.
        unsafe {
            (self.descriptor.run_graph)(
                inputs,
                outputs,
                self.arena.data.cast(),
                self.descriptor.weights,
                this.cast(),
            )
        }
    }

    /// A node's kernel begins.
    pub fn node_begin(&self) {
        self.started.set(Some(Instant::now()));
    }

    /// A node's kernel has ended.
    pub fn node_end(&self, node: usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let (Some(started), Some(stats)) = (self.started.take(), nodes.get_mut(node)) {
            stats.calls += 1;
            stats.nanoseconds += started.elapsed().as_nanos() as u64;
        }
    }

    /// The timings of a node.
    pub fn node(&self, node: usize) -> Option<NodeStats> {
        self.nodes.borrow().get(node).copied()
    }
}

/// The memory that a run works in.
struct Arena {
    data: *mut u8,
    layout: Layout,
}

impl Arena {
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes.max(1), ARENA_ALIGNMENT)
            .expect("a compiled model's arena fits the address space");
        // SAFETY: the layout's size is not 0.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.data, self.layout) }
    }
}
