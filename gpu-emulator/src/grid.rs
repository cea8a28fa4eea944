//! Runs all blocks of a launch, on the threads of the system.

use crate::{
    block::{Launch, Worker},
    status::{Failure, Status},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// The most threads of a block.
pub const MOST_THREADS: u64 = 1024;

/// The most threads of a block along each axis.
const MOST_OF_BLOCK: [u32; 3] = [1024, 1024, 64];

/// The most blocks of a grid along each axis.
const MOST_OF_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// The most bytes of shared memory of a block, as on GPUs of the compute capability 9.0.
pub const MOST_SHARED: u32 = 227 << 10;

/// The most workers. Each may have stacks for all threads of a block, and a process has 65530 mappings.
const MOST_WORKERS: usize = 16;

/// Runs a kernel on a grid. The results do not depend on how blocks are spread over threads of the system.
///
/// # Errors
/// If a size exceeds what GPUs can do, or a block fails.
///
/// # Safety
/// The kernel may run on the arguments, also several blocks at once.
pub unsafe fn run(launch: &Launch) -> Result<(), Failure> {
    check(launch).map_err(|reason| Failure::new(Status::InvalidValue, reason))?;
    let blocks: u64 = launch.grid.map(u64::from).iter().product();
    let next = AtomicU64::new(0);
    let failure = Mutex::new(None);
    let work = || {
        let run = || {
            let mut worker = Worker::new(launch.shared)?;
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks {
                    return Ok(());
                }
                // SAFETY: as the caller promises.
                unsafe { worker.run(launch, block) }?;
            }
        };
        let done = catch_unwind(AssertUnwindSafe(run));
        let done = done.unwrap_or_else(|_| Err("the emulator panicked".to_string()));
        if let Err(reason) = done {
            // No other block begins.
            next.store(blocks, Ordering::Relaxed);
            let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(reason);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let workers = workers.min(MOST_WORKERS).min(blocks as usize);
    thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        None => Ok(()),
        Some(reason) => Err(Failure::new(Status::LaunchFailed, reason)),
    }
}

/// Checks the sizes of a launch.
fn check(launch: &Launch) -> Result<(), String> {
    let fits = |sizes: [u32; 3], most: [u32; 3]| {
        let mut pairs = sizes.iter().zip(most);
        pairs.all(|(size, most)| (1..=most).contains(size))
    };
    let (grid, block, shared) = (launch.grid, launch.block, launch.shared);
    let threads: u64 = block.map(u64::from).iter().product();
    if !fits(grid, MOST_OF_GRID) {
        return Err(format!(
            "a grid has 1 to {MOST_OF_GRID:?} blocks, and not {grid:?}"
        ));
    }
    if !fits(block, MOST_OF_BLOCK) || threads > MOST_THREADS {
        return Err(format!(
            "a block has 1 to {MOST_THREADS} threads, and not {block:?}"
        ));
    }
    if shared > MOST_SHARED {
        return Err(format!(
            "a block has up to {MOST_SHARED} bytes of shared memory, and not {shared}"
        ));
    }
    Ok(())
}
