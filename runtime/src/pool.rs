//! A persistent pool of threads that share the iterations of a loop.
//!
//! The calling thread is worker 0. Workers wait for a loop by spinning briefly and then sleeping,
//! so that an idle pool uses no CPU. Iterations are cut into one contiguous range per thread.

use std::{
    cell::{Cell, UnsafeCell},
    ffi::c_void,
    hint::spin_loop,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// A range of a loop's iterations: `body(closure, begin, end)`.
pub type Body = unsafe extern "C" fn(closure: *const c_void, begin: i64, end: i64);

/// How often a waiting thread looks before it sleeps: some tens of microseconds, about the time
/// between two kernels.
const SPINS: u32 = 10_000;

#[derive(Clone, Copy)]
struct Job {
    body: Body,
    closure: *const c_void,
    extent: i64,
    threads: i64,
}

struct Shared {
    /// Written by the caller while `pending` is 0, read by workers after they see a new `epoch`.
    job: UnsafeCell<Option<Job>>,
    epoch: AtomicU32,
    pending: AtomicUsize,
    stop: AtomicBool,
    sleepers: Mutex<usize>,
    wake: Condvar,
}

// SAFETY: `job` is written only while no worker reads it: before `epoch` is raised and after
// `pending` is back at 0. The closure's pointer is used only during the call that passed it.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// A pool. Its threads end when it is dropped.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    busy: Cell<bool>,
}

impl Pool {
    /// A pool of `threads`, the caller included; 0 for as many as this process may use.
    pub fn new(threads: usize) -> Self {
        let count = if threads == 0 {
            available_threads()
        } else {
            threads
        };
        let shared = Arc::new(Shared {
            job: UnsafeCell::new(None),
            epoch: AtomicU32::new(0),
            pending: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            sleepers: Mutex::new(0),
            wake: Condvar::new(),
        });
        let workers = (1..count)
            .filter_map(|index| {
                let shared = Arc::clone(&shared);
                // With fewer threads than asked for, the loops run all the same.
                thread::Builder::new()
                    .name(format!("relay-{index}"))
                    .spawn(move || work(&shared, index as i64))
                    .ok()
            })
            .collect();
        Self {
            shared,
            workers,
            busy: Cell::new(false),
        }
    }

    /// The number of threads, the caller included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Runs `body` over `[0, extent)`. A call from inside a body runs on its own thread alone.
    ///
    /// # Safety
    /// `body` may be called with `closure` from several threads at once, on disjoint ranges, until
    /// this function returns.
    pub unsafe fn parallel_for(&self, body: Body, closure: *const c_void, extent: i64) {
        let threads = (self.threads() as i64).min(extent);
        if threads <= 1 || self.busy.get() {
            if extent > 0 {
                // SAFETY: as the caller promises.
                unsafe { body(closure, 0, extent) };
            }
            return;
        }
        self.busy.set(true);
        let job = Job {
            body,
            closure,
            extent,
            threads,
        };
        // SAFETY: `pending` is 0: no worker reads the job.
        unsafe { *self.shared.job.get() = Some(job) };
        self.shared
            .pending
            .store(self.workers.len(), Ordering::Relaxed);
        self.shared.epoch.fetch_add(1, Ordering::Release);
        // Taking the lock orders this with a worker that is about to sleep.
        if *self
            .shared
            .sleepers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            > 0
        {
            self.shared.wake.notify_all();
        }
        run_part(job, 0);
        let mut spins = 0;
        while self.shared.pending.load(Ordering::Acquire) != 0 {
            spins += 1;
            if spins < SPINS {
                spin_loop()
            } else {
                thread::yield_now()
            }
        }
        self.busy.set(false);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        drop(
            self.shared
                .sleepers
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            // A worker never panics: bodies are compiled code that does not unwind.
            let _ = worker.join();
        }
    }
}

/// A worker's life: wait for a loop, do a part, say so.
fn work(shared: &Shared, index: i64) {
    let mut seen = 0;
    loop {
        seen = match wait(shared, seen) {
            Some(epoch) => epoch,
            None => return,
        };
        // SAFETY: the epoch was raised after the job was written, and the caller waits for
        // `pending` before it writes again.
        if let Some(job) = unsafe { *shared.job.get() }
            && index < job.threads
        {
            run_part(job, index);
        }
        shared.pending.fetch_sub(1, Ordering::Release);
    }
}

/// Waits until the epoch differs from `seen`; `None` if the pool ends.
fn wait(shared: &Shared, seen: u32) -> Option<u32> {
    let news = || {
        if shared.stop.load(Ordering::Acquire) {
            return Some(None);
        }
        let epoch = shared.epoch.load(Ordering::Acquire);
        (epoch != seen).then_some(Some(epoch))
    };
    for _ in 0..SPINS {
        if let Some(result) = news() {
            return result;
        }
        spin_loop();
    }
    let mut sleepers = shared
        .sleepers
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    *sleepers += 1;
    loop {
        if let Some(result) = news() {
            *sleepers -= 1;
            return result;
        }
        sleepers = shared
            .wake
            .wait(sleepers)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

fn run_part(job: Job, index: i64) {
    let bound = |part: i64| job.extent * part / job.threads;
    // SAFETY: whoever started the loop promised that the body may be called so; parts are disjoint.
    unsafe { (job.body)(job.closure, bound(index), bound(index + 1)) };
}

/// The processors that this process may use: its affinity and its cgroup's quota, which is what
/// the standard library looks at.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
