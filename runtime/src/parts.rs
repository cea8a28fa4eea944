//! The iterations of a loop, as the threads of a pool divide them.
//!
//! Each thread has a part, of iterations that follow one another: of most loops of a model it is the
//! same rows of an image, which then stay in the caches of its processor. A part is cut into chunks. Its
//! thread takes them from the front, half of what is left each time. A thread that is done helps the others,
//! from the back of their parts, so that the loop ends for all at about the same time, also where one
//! processor is slower than another or has other work to do.

use std::{
    ffi::c_void,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// A range of a loop's iterations: `body(closure, begin, end)`.
pub type Body = unsafe extern "C" fn(closure: *const c_void, begin: i64, end: i64);

/// The most chunks of a part. A thread may have to wait for one while another runs it.
const CHUNKS: i64 = 16;

/// A loop, and among how many threads it is divided.
#[derive(Clone, Copy)]
pub struct Loop {
    pub body: Body,
    pub closure: *const c_void,
    pub extent: i64,
    pub parts: i64,
}

/// The range of part `index` of `count` of `range`: where they cannot be equal, the first ones are longer by
/// one.
fn cut(range: &Range<i64>, count: i64, index: i64) -> i64 {
    let (length, longer) = (
        (range.end - range.start) / count,
        (range.end - range.start) % count,
    );
    range.start + index * length + index.min(longer)
}

impl Loop {
    fn part(&self, index: usize) -> Range<i64> {
        let at = |index| cut(&(0..self.extent), self.parts, index);
        at(index as i64)..at(index as i64 + 1)
    }

    fn chunks(&self, index: usize) -> i64 {
        let part = self.part(index);
        (part.end - part.start).min(CHUNKS)
    }

    fn run(&self, index: usize, chunks: Range<u32>) {
        let (part, count) = (self.part(index), self.chunks(index));
        let at = |chunk: u32| cut(&part, count, i64::from(chunk));
        // SAFETY: whoever started the loop promised that the body may be called so. Chunks are disjoint,
        // and each is taken once.
        unsafe { (self.body)(self.closure, at(chunks.start), at(chunks.end)) };
    }
}

/// The chunks of a part that no thread has taken: the number of the first one, and, in the upper half, of the
/// one behind the last. Aligned to two cache lines, because some processors fetch pairs of lines.
#[repr(align(128))]
#[derive(Default)]
struct Chunks(AtomicU64);

/// Which end of a part chunks are taken from.
#[derive(Clone, Copy)]
enum End {
    Front,
    Back,
}

impl Chunks {
    fn fill(&self, count: i64) {
        self.0.store((count as u64) << 32, Ordering::Relaxed);
    }

    /// Takes half of what is left.
    fn take(&self, end: End) -> Option<Range<u32>> {
        let mut before = self.0.load(Ordering::Relaxed);
        loop {
            let (first, last) = (before as u32, (before >> 32) as u32);
            let left = last.checked_sub(first).filter(|left| *left > 0)?;
            let count = (left / 2).max(1);
            let (taken, first, last) = match end {
                End::Front => (first..first + count, first + count, last),
                End::Back => (last - count..last, first, last - count),
            };
            let after = u64::from(first) | u64::from(last) << 32;
            match self
                .0
                .compare_exchange_weak(before, after, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Some(taken),
                Err(now) => before = now,
            }
        }
    }
}

/// What is left of a loop's parts.
#[derive(Default)]
pub struct Parts(Vec<Chunks>);

impl Parts {
    /// Of loops among so many threads at most.
    pub fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Chunks::default()).collect())
    }

    /// Marks everything of a loop as to be done. A thread that does it must see a later store of the caller's
    /// first.
    pub fn fill(&self, work: &Loop) {
        for (index, chunks) in self.0.iter().take(work.parts as usize).enumerate() {
            chunks.fill(work.chunks(index));
        }
    }

    /// Runs part `own` of the loop, and then what no thread has taken of the others. When it returns, every
    /// chunk has been begun by some thread.
    pub fn run(&self, work: &Loop, own: usize) {
        let parts = &self.0[..work.parts as usize];
        while let Some(taken) = parts[own].take(End::Front) {
            work.run(own, taken);
        }
        let after = (own + 1..parts.len()).chain(0..own);
        for other in after {
            while let Some(taken) = parts[other].take(End::Back) {
                work.run(other, taken);
            }
        }
    }
}
