//! What a kernel calls. A kernel of an emulated GPU is a function `void NAME(void *const *arguments)`, where `arguments[i]` points to the value of
//! parameter `i`, and each call of it is one thread.

use crate::{memory::FILL, multiply::Multiply};
use corosensei::Yielder;
use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    ptr,
};

/// A kernel. It may unwind, because kernels in tests are Rust.
pub type Kernel = unsafe extern "C-unwind" fn(arguments: *const *mut c_void);

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// All threads of the block.
    Barrier,
    /// The other lanes of the warp, which exchange numbers, each with what it asks for.
    Shuffle(Shuffle),
    /// The other lanes of the warp, which multiply matrices together.
    Multiply(Multiply),
    /// Nothing: the launch has failed.
    End,
}

/// An exchange of numbers between the lanes of a warp, as a lane asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shuffle {
    pub(crate) value: i32,
    mode: i32,
    offset: i32,
    width: i32,
}

/// The numbers by which kernels ask for indices.
const INDICES: usize = 13;

/// The block that runs on a thread of the system, and the thread of it that runs now.
pub(crate) struct Running {
    /// Index in the block, of the block, the extents of block and grid along x, y and z, and the lane.
    indices: [Cell<i64>; INDICES],
    thread: Cell<u32>,
    warp: u32,
    shared: *mut u8,
    shared_bytes: usize,
    yielder: Cell<*const Yielder<i32, Wait>>,
    failure: RefCell<Option<String>>,
    /// The copies that are under way, each with its thread.
    copies: RefCell<Vec<(u32, Copy)>>,
}

/// A copy that is done when its thread waits for it.
#[derive(Clone, Copy, Debug)]
struct Copy {
    to: *mut u8,
    from: *const u8,
    bytes: usize,
}

thread_local! {
    static RUNNING: Cell<*const Running> = const { Cell::new(ptr::null()) };
}

impl Running {
    /// A block at a place of a grid. Its shared memory is there as long as the result.
    pub(crate) fn new(
        at: [u32; 3],
        (block, grid): ([u32; 3], [u32; 3]),
        warp: u32,
        (shared, shared_bytes): (*mut u8, usize),
    ) -> Self {
        let indices = [const { Cell::new(0) }; INDICES];
        let numbers = [at, block, grid].into_iter().flatten();
        for (index, number) in indices[3..].iter().zip(numbers) {
            index.set(i64::from(number));
        }
        Self {
            indices,
            thread: Cell::new(0),
            warp,
            shared,
            shared_bytes,
            yielder: Cell::new(ptr::null()),
            failure: RefCell::default(),
            copies: RefCell::default(),
        }
    }

    /// Has the functions that kernels call on this thread of the system speak of this block, while `work` runs.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = RUNNING.replace(self);
        let result = work();
        RUNNING.set(before);
        result
    }

    /// The number of the thread that runs.
    pub(crate) fn thread(&self) -> u32 {
        self.thread.get()
    }

    /// The threads of a warp.
    pub(crate) fn warp(&self) -> u32 {
        self.warp
    }

    /// A thread runs now, in the coroutine of this yielder.
    pub(crate) fn enter(&self, thread: u32, yielder: *const Yielder<i32, Wait>) {
        let (x, y) = (self.indices[6].get() as u32, self.indices[7].get() as u32);
        let place = [thread % x, thread / x % y, thread / x / y];
        for (index, number) in self.indices.iter().zip(place) {
            index.set(i64::from(number));
        }
        self.indices[12].set(i64::from(thread % self.warp));
        self.thread.set(thread);
        self.yielder.set(yielder);
    }

    /// `thread (1, 0, 0) of block (2, 0, 0)`.
    pub(crate) fn describe(&self, thread: u32) -> String {
        let at = |first: usize| self.indices[first].get() as u32;
        let (x, y) = (at(6), at(7));
        let place = (thread % x, thread / x % y, thread / x / y);
        format!("thread {place:?} of block {:?}", (at(3), at(4), at(5)))
    }

    /// Ends the launch with an error of the thread that runs.
    pub(crate) fn fail(&self, reason: &str) {
        let who = self.describe(self.thread());
        self.failure.replace(Some(format!("{who} {reason}")));
    }

    /// Why the launch has failed.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.borrow().clone()
    }

    /// Waits; what the thread gets then.
    fn wait(&self, wait: Wait) -> i32 {
        let (thread, yielder) = (self.thread.get(), self.yielder.get());
        // SAFETY: the thread runs in the coroutine of this yielder, which lives as long as that runs.
        let answer = unsafe { (*yielder).suspend(wait) };
        self.enter(thread, yielder);
        answer
    }

    /// As [`Running::fail`], and does not come back: the coroutine is not resumed.
    fn give_up(&self, reason: &str) {
        self.fail(reason);
        self.wait(Wait::End);
    }
}

impl Wait {
    /// What the lanes of a warp do together; none if a thread waits for others.
    pub(crate) fn of_warp(self) -> Option<&'static str> {
        match self {
            Self::Shuffle(_) => Some("shuffle"),
            Self::Multiply(_) => Some("matrix instruction"),
            Self::Barrier | Self::End => None,
        }
    }
}

impl Shuffle {
    /// The lane whose value a lane gets; `None` if it gets its own.
    pub(crate) fn source(&self, lane: u32) -> Option<u32> {
        let (width, offset) = (self.width as u32, self.offset as u32);
        let first = lane & !(width - 1);
        let within = first..first + width;
        let source = match self.mode {
            0 => lane ^ offset,
            1 => lane.checked_sub(offset)?,
            2 => lane.checked_add(offset)?,
            _ => first | (offset & (width - 1)),
        };
        within.contains(&source).then_some(source)
    }

    /// What a lane gets from the values of all.
    pub(crate) fn answer(&self, lane: u32, asked: &[Shuffle]) -> i32 {
        let Some(source) = self.source(lane) else {
            return self.value;
        };
        // A lane that the block does not have has no number.
        let nothing = i32::from_ne_bytes([FILL; 4]);
        let found = asked.get(source as usize);
        found.map_or(nothing, |source| source.value)
    }
}

/// The block that runs on this thread of the system.
fn running<'a>() -> Option<&'a Running> {
    // SAFETY: it is null, or set while the block runs, which is while its kernel calls these functions.
    unsafe { RUNNING.get().as_ref() }
}

/// An index: 0 to 2 of the thread in its block along x, y and z, 3 to 5 of the block in the grid, 6 to 8 the extents of blocks, 9 to 11 of the
/// grid, 12 the lane in the warp.
#[unsafe(no_mangle)]
pub extern "C" fn relay_emulator_index(what: i32) -> i64 {
    let Some(running) = running() else { return -1 };
    let index = usize::try_from(what).ok();
    match index.and_then(|index| running.indices.get(index)) {
        Some(index) => index.get(),
        None => {
            running.give_up(&format!("asks for index {what}, which there is not"));
            -1
        }
    }
}

/// The address of a byte of the block's shared memory.
#[unsafe(no_mangle)]
pub extern "C" fn relay_emulator_shared(offset: i64) -> *mut c_void {
    let Some(running) = running() else {
        return ptr::null_mut();
    };
    match usize::try_from(offset) {
        Ok(offset) if offset < running.shared_bytes => running.shared.wrapping_add(offset).cast(),
        _ => {
            let bytes = running.shared_bytes;
            running.give_up(&format!(
                "asks for byte {offset} of the shared memory, which has {bytes}"
            ));
            ptr::null_mut()
        }
    }
}

/// Waits for all threads of the block.
#[unsafe(no_mangle)]
pub extern "C" fn relay_emulator_barrier() {
    if let Some(running) = running() {
        running.wait(Wait::Barrier);
    }
}

/// The value of another lane of the warp, in groups of `width` lanes: the lane's number xor `offset` (mode 0), minus `offset` (1), plus `offset` (2),
/// or the lane `offset` of the group (3). A lane outside of the group gives the caller's own value. All lanes of the warp take part.
#[unsafe(no_mangle)]
pub extern "C" fn relay_emulator_shuffle(value: i32, mode: i32, offset: i32, width: i32) -> i32 {
    let Some(running) = running() else {
        return value;
    };
    let is_group = (1..=running.warp as i32).contains(&width) && width.count_ones() == 1;
    if !is_group || !(0..4).contains(&mode) {
        running.give_up(&format!(
            "shuffles by mode {mode} in groups of {width} lanes"
        ));
    }
    running.wait(Wait::Shuffle(Shuffle {
        value,
        mode,
        offset,
        width,
    }))
}

/// Begins to copy bytes from one address to another one: they are there when the thread has [waited](relay_emulator_wait).
#[unsafe(no_mangle)]
pub extern "C" fn relay_emulator_copy(to: i64, from: i64, bytes: i64) {
    let Some(running) = running() else { return };
    let copy = Copy {
        to: ptr::with_exposed_provenance_mut(to as usize),
        from: ptr::with_exposed_provenance(from as usize),
        bytes: bytes as usize,
    };
    running.copies.borrow_mut().push((running.thread(), copy));
}

/// Waits for the copies that the thread has begun.
///
/// # Safety
/// Their memory is there, and does not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_emulator_wait() {
    let Some(running) = running() else { return };
    let own = running.thread();
    let mut copies = running.copies.borrow_mut();
    copies.retain(|(thread, copy)| {
        if *thread != own {
            return true;
        }
        // SAFETY: as the caller promises.
        unsafe { ptr::copy_nonoverlapping(copy.from, copy.to, copy.bytes) };
        false
    });
}

/// Multiplies matrices with the other lanes of the warp: [`crate::multiply`] says where a lane's elements are in its memory of 192 bytes.
/// The instructions are: 0 `mma.m16n8k16` of f16, 1 of bf16; 2 `mfma` 16x16x16 of f16, 3 of bf16.
///
/// # Safety
/// The memory is the lane's own, and has 192 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_emulator_multiply(unit: i32, memory: *mut u8) {
    if let Some(running) = running() {
        running.wait(Wait::Multiply(Multiply { unit, memory }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_find_their_sources() {
        let shuffle = |mode, offset, width| Shuffle {
            value: 0,
            mode,
            offset,
            width,
        };
        assert_eq!(shuffle(0, 16, 32).source(3), Some(19));
        assert_eq!(shuffle(0, 8, 8).source(3), None);
        assert_eq!(shuffle(1, 1, 8).source(8), None);
        assert_eq!(shuffle(1, 1, 8).source(9), Some(8));
        assert_eq!(shuffle(2, 1, 8).source(15), None);
        assert_eq!(shuffle(2, 4, 32).source(5), Some(9));
        assert_eq!(shuffle(3, 2, 8).source(21), Some(18));
        assert_eq!(shuffle(1, -1, 32).source(4), None);
    }
}
