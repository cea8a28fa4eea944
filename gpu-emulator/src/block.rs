//! Runs a block: each of its threads is a coroutine that gives way where it waits for others. A thread that never waits leaves its coroutine to
//! the next one, so a kernel without barriers costs a call for each thread.

use crate::{
    kernel::{Kernel, Running, Shuffle, Wait},
    memory::Mapping,
    multiply::{self, Multiply},
    options::Order,
};
use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};
use std::{
    cell::Cell,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

/// The bytes of a thread's stack, which holds its local buffers. Those that are not touched take no memory.
const STACK_BYTES: usize = 256 << 10;

/// The most stacks that are kept between launches.
const MOST_STACKS: usize = 4096;

/// Stacks for the next launches.
static STACKS: Mutex<Vec<DefaultStack>> = Mutex::new(Vec::new());

/// What all blocks of a launch have in common.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: Kernel,
    /// Its arguments.
    pub arguments: *const *mut c_void,
    /// The blocks of the grid along x, y and z.
    pub grid: [u32; 3],
    /// The threads of a block.
    pub block: [u32; 3],
    /// The bytes of shared memory of a block.
    pub shared: u32,
    /// The threads of a warp.
    pub warp: u32,
    /// The order of threads.
    pub order: Order,
}

// SAFETY: threads read the arguments, and whoever launches a kernel promises that its threads may run at once.
unsafe impl Send for Launch {}
// SAFETY: as above.
unsafe impl Sync for Launch {}

type Thread = Coroutine<i32, Wait, (), DefaultStack>;

/// A coroutine that is not run to its end if its launch fails.
struct Suspended(Option<Thread>);

impl Suspended {
    /// Takes the coroutine's stack.
    fn end(mut self) -> Option<DefaultStack> {
        self.reset();
        self.0.take().map(Coroutine::into_stack)
    }

    fn reset(&mut self) {
        if let Some(thread) = &mut self.0 {
            // SAFETY: nothing on the stack has to be dropped: it holds frames of the kernel, and references.
            unsafe { thread.force_reset() };
        }
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        self.reset();
    }
}

/// A thread that waits.
struct Waiting {
    coroutine: Suspended,
    wait: Wait,
}

/// Runs blocks, one after the other.
pub(crate) struct Worker {
    stacks: Vec<DefaultStack>,
    shared: Mapping,
    waiting: Vec<Option<Waiting>>,
}

impl Worker {
    /// A worker for blocks with so many bytes of shared memory.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new(shared: u32) -> Result<Self, String> {
        Ok(Self {
            stacks: Vec::new(),
            shared: Mapping::new(shared as usize)?,
            waiting: Vec::new(),
        })
    }

    /// Runs the block of this number.
    ///
    /// # Errors
    /// If a thread fails, or some threads wait for others that do not come.
    ///
    /// # Safety
    /// The kernel may run on the launch's arguments.
    pub(crate) unsafe fn run(&mut self, launch: &Launch, number: u64) -> Result<(), String> {
        let [x, y, _] = launch.grid.map(u64::from);
        let at = [number % x, number / x % y, number / x / y].map(|index| index as u32);
        if self.shared.size() > 0 {
            self.shared.fill();
        }
        let shared = (self.shared.data(), self.shared.size());
        let running = Running::new(at, (launch.block, launch.grid), launch.warp, shared);
        let mut sequence = Sequence::new(launch, number);
        self.waiting.resize_with(sequence.threads as usize, || None);
        let queue = Queue {
            threads: sequence.next(),
            begun: Cell::new(0),
        };
        let done = running.during(|| {
            // SAFETY: as the caller promises; the queue lives until no coroutine is left.
            unsafe { self.start(launch, &running, &queue) }?;
            self.finish(&running, &mut sequence)
        });
        // What waits after an error waits in vain.
        for waiting in self.waiting.drain(..).flatten() {
            self.stacks.extend(waiting.coroutine.end());
        }
        done
    }

    /// Runs all threads to their ends, or to where they wait first.
    ///
    /// # Safety
    /// As for [`Worker::run`]; what is borrowed lives as long as the coroutines.
    unsafe fn start(
        &mut self,
        launch: &Launch,
        running: &Running,
        queue: &Queue,
    ) -> Result<(), String> {
        while !queue.is_empty() {
            let stack = match self.stacks.pop() {
                Some(stack) => stack,
                None => take_stack()?,
            };
            let threads = |yielder: &Yielder<i32, Wait>, _| {
                while let Some(thread) = queue.next() {
                    running.enter(thread, yielder);
                    // SAFETY: as the caller promises.
                    let call = || unsafe { (launch.kernel)(launch.arguments) };
                    if catch_unwind(AssertUnwindSafe(call)).is_err() {
                        running.fail("panicked");
                        return;
                    }
                }
            };
            // SAFETY: as the caller promises.
            let coroutine = unsafe { Coroutine::with_stack_unchecked(stack, threads) };
            self.resume(running, Suspended(Some(coroutine)), 0)?;
        }
        Ok(())
    }

    /// Runs a coroutine until it waits or ends.
    fn resume(
        &mut self,
        running: &Running,
        mut coroutine: Suspended,
        answer: i32,
    ) -> Result<(), String> {
        let result = coroutine.0.as_mut().map(|thread| thread.resume(answer));
        if let Some(reason) = running.failure() {
            self.stacks.extend(coroutine.end());
            return Err(reason);
        }
        match result {
            Some(CoroutineResult::Yield(wait)) => {
                let place = &mut self.waiting[running.thread() as usize];
                *place = Some(Waiting { coroutine, wait });
            }
            _ => self.stacks.extend(coroutine.end()),
        }
        Ok(())
    }

    /// Has a thread that waits go on.
    fn release(&mut self, running: &Running, thread: u32, answer: i32) -> Result<(), String> {
        match self.waiting[thread as usize].take() {
            Some(waiting) => self.resume(running, waiting.coroutine, answer),
            None => Ok(()),
        }
    }

    /// Runs all threads that wait to their ends.
    fn finish(&mut self, running: &Running, sequence: &mut Sequence) -> Result<(), String> {
        loop {
            for first in (0..sequence.threads).step_by(running.warp() as usize) {
                let lanes = running.warp().min(sequence.threads - first);
                while self.meet(running, first, lanes)? {
                    self.exchange(running, first, lanes)?;
                }
            }
            let waiting = self.waiting.iter().position(Option::is_some);
            let missing = self.waiting.iter().position(Option::is_none);
            let Some(waiting) = waiting else {
                return Ok(());
            };
            if let Some(missing) = missing {
                return Err(format!(
                    "{} waits at a barrier, and {} has ended without it",
                    running.describe(waiting as u32),
                    running.describe(missing as u32)
                ));
            }
            for thread in sequence.next() {
                self.release(running, thread, 0)?;
            }
        }
    }

    /// Whether the lanes of a warp wait for each other.
    ///
    /// # Errors
    /// If some do, and others do not, or for something else.
    fn meet(&self, running: &Running, first: u32, lanes: u32) -> Result<bool, String> {
        let wait = |lane: u32| {
            self.waiting[(first + lane) as usize]
                .as_ref()
                .map(|waiting| waiting.wait)
        };
        let what = |lane: u32| wait(lane).and_then(Wait::of_warp);
        let Some(waiting) = (0..lanes).find(|lane| what(*lane).is_some()) else {
            return Ok(false);
        };
        let name = what(waiting);
        let Some(other) = (0..lanes).find(|lane| what(*lane) != name) else {
            return Ok(true);
        };
        Err(format!(
            "{} waits at a {}, and {} of its warp {}",
            running.describe(first + waiting),
            name.unwrap_or_default(),
            running.describe(first + other),
            match (wait(other), what(other)) {
                (_, Some(name)) => format!("waits at a {name}"),
                (Some(_), _) => "waits at a barrier".into(),
                (None, _) => "has ended without it".into(),
            }
        ))
    }

    /// Does what the lanes of a warp wait for, and gives each its answer.
    fn exchange(&mut self, running: &Running, first: u32, lanes: u32) -> Result<(), String> {
        let waiting = self.waiting[first as usize..][..lanes as usize].iter();
        let waits: Vec<Wait> = waiting.flatten().map(|waiting| waiting.wait).collect();
        let shuffles = waits.iter().filter_map(|wait| match wait {
            Wait::Shuffle(shuffle) => Some(*shuffle),
            _ => None,
        });
        let shuffles: Vec<Shuffle> = shuffles.collect();
        let products = waits.iter().filter_map(|wait| match wait {
            Wait::Multiply(multiply) => Some(*multiply),
            _ => None,
        });
        let products: Vec<Multiply> = products.collect();
        if !products.is_empty() {
            // SAFETY: a kernel promises that each lane's memory is there.
            let done = unsafe { multiply::run(&products) };
            done.map_err(|reason| format!("{}: {reason}", running.describe(first)))?;
        }
        for lane in 0..lanes {
            let answer = shuffles.get(lane as usize);
            let answer = answer.map_or(0, |shuffle| shuffle.answer(lane, &shuffles));
            self.release(running, first + lane, answer)?;
        }
        Ok(())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut kept = STACKS.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_STACKS.saturating_sub(kept.len());
        kept.extend(self.stacks.drain(..).take(room));
    }
}

/// A stack that another launch left, or a new one.
fn take_stack() -> Result<DefaultStack, String> {
    let kept = STACKS.lock().unwrap_or_else(PoisonError::into_inner).pop();
    match kept {
        Some(stack) => Ok(stack),
        None => DefaultStack::new(STACK_BYTES)
            .map_err(|error| format!("there is no memory for the stack of a thread: {error}")),
    }
}

/// The threads of a block that have not begun.
struct Queue {
    threads: Vec<u32>,
    begun: Cell<usize>,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.begun.get() >= self.threads.len()
    }

    /// Takes the next thread.
    fn next(&self) -> Option<u32> {
        let thread = self.threads.get(self.begun.get()).copied();
        self.begun.set(self.begun.get() + 1);
        thread
    }
}

/// The orders in which the threads of a block run, one for each time that all may go on.
struct Sequence {
    threads: u32,
    order: Order,
    random: fastrand::Rng,
}

impl Sequence {
    fn new(launch: &Launch, block: u64) -> Self {
        let seed = match launch.order {
            Order::Shuffled(seed) => seed,
            _ => 0,
        };
        Self {
            threads: launch.block.iter().product(),
            order: launch.order,
            // Each block has orders of its own, and the same ones in each run.
            random: fastrand::Rng::with_seed(seed ^ block.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        }
    }

    fn next(&mut self) -> Vec<u32> {
        let mut threads: Vec<u32> = (0..self.threads).collect();
        match self.order {
            Order::Forward => {}
            Order::Backward => threads.reverse(),
            Order::Shuffled(_) => self.random.shuffle(&mut threads),
        }
        threads
    }
}
