//! A persistent pool of threads that share the iterations of a loop.
//!
//! The calling thread is worker 0. Every other worker has a slot of its own: a loop is posted to as
//! many slots as it has [parts](crate::parts), so a loop of few iterations does not disturb the other
//! workers. A worker that has nothing to do looks at its slot for [`SPIN`] and then sleeps until it is
//! woken, so that an idle pool uses no CPU. It is woken on another processor than the
//! [caller's](crate::affinity).
//!
//! Who runs an iteration does not change what it computes: when a thread is done with its own part, it
//! helps the others with theirs. The caller leaves out workers that have not even begun then, so that
//! nobody waits for a worker to be woken or to be given a processor.
//!
//! A process that forks has the pool in its child, too, and none of the threads: see [`Pool::is_inherited`].
//!
//! Each instance of a model has a pool of its own. If the loops that run at one time have more parts
//! than there are processors, because several instances run or more threads were asked for, threads
//! sleep without looking first: looking would take the processor from one that works.

pub use crate::parts::Body;
use crate::{
    affinity::Affinity,
    parts::{Loop, Parts},
};
use std::{
    cell::UnsafeCell,
    ffi::c_void,
    hint::spin_loop,
    mem, process,
    sync::{
        Arc, Condvar, LockResult, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a worker looks for work before it sleeps: longer than most gaps between two kernels, and
/// about as long as it takes to wake a thread on a virtual machine.
const SPIN: Duration = Duration::from_micros(200);

/// How long the caller looks for the workers' end before it sleeps. They are at work, so this is
/// most often the difference between two threads' speed.
const WAIT: Duration = Duration::from_millis(1);

/// Looks between two readings of the clock.
const LOOKS: u32 = 32;

/// Kernels may keep buffers on the stack: workers get as much of it as a main thread has.
const STACK_BYTES: usize = 8 << 20;

/// The parts of all loops that run now, in all pools of this library.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The process whose parts these are.
static COUNTED_IN: AtomicU32 = AtomicU32::new(0);

/// Where a worker learns of loops. Aligned to two cache lines, because some processors fetch pairs of lines.
#[repr(align(128))]
#[derive(Default)]
struct Slot {
    /// The number of the latest loop.
    posted: AtomicU32,
    /// The number of the latest loop that the worker takes part in, or is left out of.
    claimed: AtomicU32,
    asleep: AtomicBool,
    /// Where the worker may run; none before it has begun to.
    affinity: Mutex<Option<Affinity>>,
}

/// Where the caller learns that the workers are done.
#[repr(align(128))]
struct Done {
    pending: AtomicUsize,
    waiting: AtomicBool,
    lock: Mutex<()>,
    wake: Condvar,
}

struct Shared {
    slots: Vec<Slot>,
    /// The loop that runs now.
    work: UnsafeCell<Option<Loop>>,
    parts: Parts,
    done: Done,
    stop: AtomicBool,
    /// The parts of the loop that runs now.
    running: AtomicUsize,
    /// The processors that we may use.
    available: usize,
}

// SAFETY: the loop is read only by a worker that has claimed it, until it reports, and written by the
// caller only when all workers have reported or were left out of the loop before: after `pending` came
// back to 0, and before `posted` is raised. The closure's pointer is used only during the call that
// passed it.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// A pool. Its threads end when it is dropped.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    busy: AtomicBool,
    /// The number of the process that started the threads.
    process: u32,
}

impl Pool {
    /// A pool of `threads`, the caller included; 0 for as many as this process may use.
    ///
    /// # Errors
    /// If the system does not give us that many threads.
    pub fn new(threads: usize) -> Result<Self, String> {
        let process = process::id();
        if COUNTED_IN.swap(process, Ordering::SeqCst) != process {
            // What the parent ran when it forked does not run here.
            RUNNING.store(0, Ordering::SeqCst);
        }
        let available = available_threads();
        let count = if threads == 0 { available } else { threads };
        let mut pool = Self {
            shared: Arc::new(Shared {
                slots: (1..count).map(|_| Slot::default()).collect(),
                work: UnsafeCell::new(None),
                parts: Parts::new(count),
                done: Done {
                    pending: AtomicUsize::new(0),
                    waiting: AtomicBool::new(false),
                    lock: Mutex::new(()),
                    wake: Condvar::new(),
                },
                stop: AtomicBool::new(false),
                running: AtomicUsize::new(0),
                available,
            }),
            workers: Vec::new(),
            busy: AtomicBool::new(false),
            process,
        };
        for index in 0..pool.shared.slots.len() {
            let shared = Arc::clone(&pool.shared);
            let worker = thread::Builder::new()
                .name(format!("relay-{}", index + 1))
                .stack_size(STACK_BYTES)
                .spawn(move || work(&shared, index))
                .map_err(|error| {
                    format!(
                        "cannot start thread {} of {count}: {error}; ask for fewer threads",
                        index + 2
                    )
                })?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }

    /// The number of threads, the caller included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Whether another process started the threads: this one is its child by a fork, and has none of them. Such a pool must
    /// run nothing.
    pub fn is_inherited(&self) -> bool {
        self.process != process::id()
    }

    /// Runs `body` over `[0, extent)`, on at most `threads` threads, or on all if that is 0. A call from inside a body runs on its own
    /// thread alone.
    ///
    /// # Safety
    /// `body` may be called with `closure` from several threads at once, on disjoint ranges, until
    /// this function returns.
    pub unsafe fn parallel_for(
        &self,
        body: Body,
        closure: *const c_void,
        extent: i64,
        threads: i64,
    ) {
        if extent <= 0 {
            return;
        }
        let most = if threads == 0 { i64::MAX } else { threads };
        let parts = (self.threads() as i64).min(extent).min(most);
        if parts <= 1 || self.busy.swap(true, Ordering::Acquire) {
            // SAFETY: as the caller promises.
            unsafe { body(closure, 0, extent) };
            return;
        }
        let work = Loop {
            body,
            closure,
            extent,
            parts,
        };
        let helpers = parts as usize - 1;
        self.shared.count(helpers + 1);
        self.shared.done.pending.store(helpers, Ordering::Relaxed);
        self.shared.parts.fill(&work);
        // SAFETY: no worker takes part in a loop.
        unsafe { *self.shared.work.get() = Some(work) };
        let slots = &self.shared.slots[..helpers];
        for (slot, worker) in slots.iter().zip(&self.workers) {
            if slot.post() {
                self.shared.wake(slot, worker);
            }
        }
        self.shared.parts.run(&work, 0);
        for slot in slots {
            if slot.claim(slot.posted.load(Ordering::Relaxed)) {
                self.shared.done.pending.fetch_sub(1, Ordering::Relaxed);
            }
        }
        self.shared.wait_for_workers();
        self.shared.count(0);
        self.busy.store(false, Ordering::Release);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.is_inherited() {
            // The threads are the parent's. The system may give what stands for one to a thread of this process.
            mem::forget(mem::take(&mut self.workers));
            return;
        }
        self.shared.stop.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker never panics: bodies are compiled code that does not unwind.
            let _ = worker.join();
        }
    }
}

impl Slot {
    /// Tells the worker of a loop. Returns whether it is asleep.
    fn post(&self) -> bool {
        // Either this thread sees `asleep`, or the worker sees `posted` before it sleeps.
        self.posted.fetch_add(1, Ordering::SeqCst);
        self.asleep.load(Ordering::SeqCst)
    }

    /// Decides for the worker whether it takes part in loop `number`, the latest, or is left out. Returns
    /// whether that was still undecided.
    fn claim(&self, number: u32) -> bool {
        let before = number.wrapping_sub(1);
        self.claimed
            .compare_exchange(before, number, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }
}

impl Shared {
    /// Wakes a worker: on another processor than this one, where there is room for all threads.
    fn wake(&self, slot: &Slot, worker: &JoinHandle<()>) {
        if self.has_room()
            && let Some(affinity) = &mut *unpoisoned(slot.affinity.lock())
        {
            affinity.leave_this_processor();
        }
        worker.thread().unpark();
    }

    /// Publishes the number of parts that this pool runs now. The order of the updates matters: a reader between them computes too few
    /// parts of other pools, never too many.
    fn count(&self, parts: usize) {
        let before = self.running.load(Ordering::Relaxed);
        if parts > before {
            self.running.store(parts, Ordering::SeqCst);
            RUNNING.fetch_add(parts - before, Ordering::SeqCst);
        } else {
            RUNNING.fetch_sub(before - parts, Ordering::SeqCst);
            self.running.store(parts, Ordering::SeqCst);
        }
    }

    /// Whether there are enough processors for all pools that run now, so that looking for work takes none from
    /// others.
    fn has_room(&self) -> bool {
        self.parts_of_others() + self.slots.len() < self.available
    }

    /// The parts that other pools run now. They are what all run without our own, which the caller may change
    /// while a worker reads: then it reads again, lest it take our own for those of others, and sleep.
    fn parts_of_others(&self) -> usize {
        loop {
            let own = self.running.load(Ordering::SeqCst);
            let all = RUNNING.load(Ordering::SeqCst);
            if self.running.load(Ordering::SeqCst) == own {
                return all.saturating_sub(own);
            }
        }
    }

    /// Looks for news for as long as `limit`; returns whether there are any. Where it `yields`, it gives up the
    /// processor now and then.
    fn spin(&self, limit: Duration, yields: bool, news: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        loop {
            if !self.has_room() {
                return news();
            }
            for _ in 0..LOOKS {
                if news() {
                    return true;
                }
                spin_loop();
            }
            if start.elapsed() > limit {
                return false;
            }
            if yields {
                // The thread that brings the news may be waiting for this processor.
                thread::yield_now();
            }
        }
    }

    fn wait_for_workers(&self) {
        let done = &self.done;
        if self.spin(WAIT, false, || done.pending.load(Ordering::Acquire) == 0) {
            return;
        }
        let mut guard = unpoisoned(done.lock.lock());
        // Either this thread sees the last worker's report, or that worker sees `waiting`.
        done.waiting.store(true, Ordering::SeqCst);
        while done.pending.load(Ordering::SeqCst) != 0 {
            guard = unpoisoned(done.wake.wait(guard));
        }
        done.waiting.store(false, Ordering::SeqCst);
    }

    fn report(&self) {
        let done = &self.done;
        if done.pending.fetch_sub(1, Ordering::SeqCst) == 1 && done.waiting.load(Ordering::SeqCst) {
            // While we hold the lock, the caller either has not looked at `pending` yet or is asleep.
            drop(unpoisoned(done.lock.lock()));
            done.wake.notify_one();
        }
    }
}

/// The life of a worker: it waits for a loop, takes part in it, and reports.
fn work(shared: &Shared, index: usize) {
    let slot = &shared.slots[index];
    *unpoisoned(slot.affinity.lock()) = Affinity::of_this_thread();
    let mut seen = 0;
    loop {
        let news =
            || slot.posted.load(Ordering::SeqCst) != seen || shared.stop.load(Ordering::SeqCst);
        if !shared.spin(SPIN, true, news) {
            slot.asleep.store(true, Ordering::SeqCst);
            while !news() {
                thread::park();
            }
            slot.asleep.store(false, Ordering::Relaxed);
        }
        let posted = slot.posted.load(Ordering::Acquire);
        if posted == seen {
            // No loop, so the news is that the pool ends.
            return;
        }
        seen = posted;
        // The caller may have done it all.
        if slot.claim(posted) {
            // SAFETY: this worker takes part, so that the loop is not written before its report.
            if let Some(work) = unsafe { *shared.work.get() } {
                // The caller has the first part.
                shared.parts.run(&work, index + 1);
            }
            shared.report();
        }
    }
}

/// What a lock guards, also where a thread that held it has panicked: nothing here is left half done.
fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// The processors that this process may use by its affinity and its cgroup's quota; the standard library reads
/// both.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
