//! The values of a program: tensors, data, closures.
//!
//! Each counts who holds it, and goes back to the heap with the last one. Only references make circles; what is in one
//! stays until the program has run, when [`Heap::end`] takes everything back. So does a program that ends with an error: no
//! code has to give back what it held then.
//!
//! Compiled code knows the layout of [`Object`], and of the first fields of [`Heap`].

use std::{
    alloc::{Layout, alloc, dealloc},
    ffi::c_void,
    mem::offset_of,
    ptr::{self, NonNull},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// What values begin at multiples of, in bytes, and tensors' elements, too: as the constants of a model do.
const ALIGNMENT: usize = 64;

/// Memory for small values is asked for in blocks of so many bytes.
const BLOCK: usize = 64 << 10;

/// The largest value that lies in such a block.
const SMALL: usize = 4 << 10;

/// How many lists there are of memory that was given back; the sizes of classes follow one another in [`class`].
const CLASSES: usize = 16 + 4 * 54;

/// So many calls a program makes, and a machine instructions, before the caller may be asked whether it goes on.
const STEPS: i64 = 1 << 10;

/// How long it goes on between two questions.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// What a program asks now and then whether it goes on: a function that says so, by a number that is not 0, and what that takes.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// The function. It is called by the thread that runs the program.
    pub go_on: unsafe extern "C" fn(*mut c_void) -> i32,
    /// What it takes.
    pub data: *mut c_void,
}

// SAFETY: whoever sets it promises that any thread may call it.
unsafe impl Send for Watch {}

/// What a value is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tensor: its elements, and the value that they are a part of, if they are not its own.
    Tensor = 0,
    /// Data of a type, a tuple, or a reference: its fields.
    Data = 1,
    /// A function with its first arguments.
    Closure = 2,
}

/// A value: what stands before its fields, or before the [place](Elements) of its elements.
#[repr(C)]
pub struct Object {
    /// How often it is held. In memory that was given back, the next such place.
    count: u64,
    kind: Kind,
    /// The number of the constructor, or of a closure's function.
    tag: u32,
    /// The number of fields, or the bytes of elements.
    length: u64,
    /// Which list its memory goes back to.
    class: u32,
}

/// The rest of a tensor.
#[repr(C)]
struct Elements {
    data: *mut u8,
    owner: *mut Object,
}

/// Where fields begin, in bytes after a value's begin; and where the address of a tensor's elements is.
pub const FIELDS: usize = 32;

/// Where the number of a constructor or a closure is.
pub const TAG: usize = offset_of!(Object, tag);

/// Where the number of fields, or of bytes, is.
pub const LENGTH: usize = offset_of!(Object, length);

/// Where the fields of [`Heap`] are that compiled code reads.
pub const STACK_LIMIT: usize = offset_of!(Heap, stack_limit);
/// As above.
pub const INSTANCE: usize = offset_of!(Heap, instance);
/// As above.
pub const WEIGHTS: usize = offset_of!(Heap, weights);
/// As above, and what it counts down.
pub const STEPS_LEFT: usize = offset_of!(Heap, steps_left);

/// Where a tensor's own elements begin.
const OWN: usize = 64;

/// The memory of an instance's values.
#[repr(C)]
pub struct Heap {
    /// A call whose frame would lie below goes on [on another stack](super::native::relay_rt_deeper).
    pub(super) stack_limit: usize,
    /// The instance whose kernels run.
    pub(super) instance: *const c_void,
    /// The model's constants.
    pub(super) weights: *const u8,
    /// The steps that are left until the next [question](Heap::goes_on).
    pub(super) steps_left: i64,
    /// Why the program ended, if it did not come to its end.
    pub(super) failure: Option<String>,
    /// How many stacks are in use beside the caller's.
    pub(super) stacks: usize,
    /// Whom to ask whether the program goes on.
    pub(super) watch: Option<Watch>,
    /// Whether a thread that waits for the one that runs the program was told to stop.
    pub(super) stopped: Arc<AtomicBool>,
    /// When the run began, or somebody was asked last.
    asked: Option<Instant>,
    free: [*mut Object; CLASSES],
    /// What is left of the last block.
    rest: *mut u8,
    rest_bytes: usize,
    blocks: Vec<(NonNull<u8>, Layout)>,
    bytes: usize,
    /// How many values there are, and how many there were since the run began.
    live: u64,
    made: u64,
}

// SAFETY: one run uses it at a time, on whichever threads; what it points to is its own, but for the instance and the
// constants, which are the library's.
unsafe impl Send for Heap {}

/// What a run has used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The values that it made.
    pub made: u64,
    /// Those that nothing gave back: they held each other, or the run failed.
    pub left: u64,
    /// The bytes that the heap has from the system.
    pub bytes: usize,
}

/// The class of a size in bytes, and the size of all of that class: multiples of 64 up to 1024, and then four sizes up to
/// each power of two.
fn class(bytes: usize) -> Option<(usize, usize)> {
    let bytes = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
    if bytes <= 1024 {
        return Some((bytes / ALIGNMENT - 1, bytes));
    }
    let power = (bytes - 1).ilog2();
    let step = 1usize << (power - 2);
    let size = bytes.checked_next_multiple_of(step)?;
    let quarter = size / step - 4;
    let class = 16 + 4 * (power as usize - 10) + quarter - 1;
    (class < CLASSES && size <= isize::MAX as usize).then_some((class, size))
}

impl Default for Heap {
    fn default() -> Self {
        Self {
            stack_limit: 0,
            instance: ptr::null(),
            weights: ptr::null(),
            steps_left: 0,
            failure: None,
            stacks: 0,
            watch: None,
            stopped: Arc::default(),
            asked: None,
            free: [ptr::null_mut(); CLASSES],
            rest: ptr::null_mut(),
            rest_bytes: 0,
            blocks: Vec::new(),
            bytes: 0,
            live: 0,
            made: 0,
        }
    }
}

impl Heap {
    /// Begins a run, which may be watched.
    pub(super) fn begin(&mut self, watch: Option<Watch>) {
        self.failure = None;
        self.steps_left = STEPS;
        self.asked = watch.map(|_| Instant::now());
        self.stopped = Arc::default();
        self.watch = watch;
    }

    /// After so many steps: whether the program goes on. If not, that is noted as the failure.
    pub(super) fn goes_on(&mut self) -> bool {
        self.steps_left = STEPS;
        let Some(Watch { go_on, data }) = self.watch else {
            return true;
        };
        if self.asked.is_some_and(|asked| asked.elapsed() < PAUSE) {
            return true;
        }
        // SAFETY: as whoever set it promises.
        let goes_on = unsafe { go_on(data) } != 0 && !self.stopped.load(Ordering::Relaxed);
        self.asked = Some(Instant::now());
        if !goes_on {
            self.failure = Some("the program was stopped by its caller".into());
        }
        goes_on
    }

    /// Ends a run: takes everything back that it left.
    pub(super) fn end(&mut self) -> Usage {
        let usage = Usage {
            made: self.made,
            left: self.live,
            bytes: self.bytes,
        };
        if self.live > 0 {
            self.clear();
        }
        (self.made, self.live) = (0, 0);
        usage
    }

    /// Gives all memory back to the system.
    fn clear(&mut self) {
        self.free = [ptr::null_mut(); CLASSES];
        (self.rest, self.rest_bytes, self.bytes) = (ptr::null_mut(), 0, 0);
        for (block, layout) in self.blocks.drain(..) {
            // SAFETY: it came from `alloc` with this layout, and nothing in it is used any more.
            unsafe { dealloc(block.as_ptr(), layout) };
        }
    }

    /// Memory for so many bytes; null if there is none, which is noted as the failure.
    fn place(&mut self, bytes: usize) -> (*mut u8, u32) {
        let Some((class, size)) = class(bytes) else {
            return (self.no_memory(bytes), 0);
        };
        let place = self.free[class];
        if !place.is_null() {
            // SAFETY: places in the list are of this heap and not in use; their first number is the next one.
            self.free[class] = unsafe { (*place).count } as usize as *mut Object;
            return (place.cast(), class as u32);
        }
        let place = if size > SMALL {
            self.block(size)
        } else {
            self.in_block(size)
        };
        if place.is_null() {
            return (self.no_memory(bytes), 0);
        }
        (place, class as u32)
    }

    fn no_memory(&mut self, bytes: usize) -> *mut u8 {
        self.failure = Some(format!(
            "there is no memory for a value of {bytes} bytes; the program's other values have {} bytes",
            self.bytes
        ));
        ptr::null_mut()
    }

    /// A part of a block.
    fn in_block(&mut self, size: usize) -> *mut u8 {
        if self.rest_bytes < size {
            let block = self.block(BLOCK);
            if block.is_null() {
                return block;
            }
            (self.rest, self.rest_bytes) = (block, BLOCK);
        }
        let place = self.rest;
        self.rest = self.rest.wrapping_add(size);
        self.rest_bytes -= size;
        place
    }

    /// Memory from the system; null if there is none.
    fn block(&mut self, size: usize) -> *mut u8 {
        let Ok(layout) = Layout::from_size_align(size, ALIGNMENT) else {
            return ptr::null_mut();
        };
        // SAFETY: the size is not 0.
        let Some(block) = NonNull::new(unsafe { alloc(layout) }) else {
            return ptr::null_mut();
        };
        self.blocks.push((block, layout));
        self.bytes += size;
        block.as_ptr()
    }

    /// A value that is held once; null if there is no memory.
    fn object(&mut self, bytes: usize, kind: Kind, tag: u32, length: u64) -> *mut Object {
        let (place, class) = self.place(bytes);
        let object: *mut Object = place.cast();
        if !object.is_null() {
            let header = Object {
                count: 1,
                kind,
                tag,
                length,
                class,
            };
            // SAFETY: the place has room for it and is not in use.
            unsafe { object.write(header) };
            self.live += 1;
            self.made += 1;
        }
        object
    }

    /// A tensor whose elements are not set; null if there is no memory.
    pub(super) fn tensor(&mut self, bytes: u64) -> *mut Object {
        let size = usize::try_from(bytes).unwrap_or(usize::MAX);
        let object = self.object(size.saturating_add(OWN), Kind::Tensor, 0, bytes);
        if !object.is_null() {
            let elements = Elements {
                data: own_elements(object),
                owner: ptr::null_mut(),
            };
            // SAFETY: a tensor has room for it.
            unsafe { elements_of(object).write(elements) };
        }
        object
    }

    /// A tensor of elements elsewhere, which are the constants', an input's, or those of `owner`, which it takes from the
    /// caller; null if there is no memory.
    pub(super) fn view(&mut self, data: *mut u8, bytes: u64, owner: *mut Object) -> *mut Object {
        let object = self.object(OWN, Kind::Tensor, 0, bytes);
        if !object.is_null() {
            // SAFETY: a tensor has room for it.
            unsafe { elements_of(object).write(Elements { data, owner }) };
        }
        object
    }

    /// Data or a closure whose fields the caller sets at once; null if there is no memory.
    pub(super) fn fields(&mut self, kind: Kind, tag: u32, fields: usize) -> *mut Object {
        let bytes = fields.saturating_mul(size_of::<*mut Object>());
        self.object(bytes.saturating_add(FIELDS), kind, tag, fields as u64)
    }

    /// Takes back a value that nothing holds any more, and what only it held: without recursion, because a list may have a
    /// million elements.
    ///
    /// # Safety
    /// The value is one of this heap's, and its count is 0.
    pub(super) unsafe fn take_back(&mut self, object: *mut Object) {
        // Those that are to be taken back hang together by their counts.
        let mut open = object;
        // SAFETY: what a value holds is a value, counted once for it; a tensor may have no owner. A value is put into the list
        // when its count comes to 0, which is once.
        unsafe {
            (*open).count = 0;
            while !open.is_null() {
                let current = open;
                open = (*current).count as usize as *mut Object;
                let mut let_go = |held: *mut Object| {
                    if held.is_null() {
                        return;
                    }
                    (*held).count -= 1;
                    if (*held).count == 0 {
                        (*held).count = open as usize as u64;
                        open = held;
                    }
                };
                match (*current).kind {
                    Kind::Tensor => let_go((*elements_of(current)).owner),
                    Kind::Data | Kind::Closure => {
                        for index in 0..(*current).length as usize {
                            let_go(*field_of(current, index));
                        }
                    }
                }
                let class = (*current).class as usize;
                (*current).count = self.free[class] as usize as u64;
                self.free[class] = current;
                self.live -= 1;
            }
        }
    }

    /// Lets go of a value.
    ///
    /// # Safety
    /// The value is one of this heap's, and the caller holds it.
    pub(super) unsafe fn release(&mut self, object: *mut Object) {
        // SAFETY: as the caller promises.
        unsafe {
            debug_assert!((*object).count > 0, "a value was given back twice");
            (*object).count -= 1;
            if (*object).count == 0 {
                self.take_back(object);
            }
        }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Where a tensor says where its elements are.
fn elements_of(object: *mut Object) -> *mut Elements {
    object.wrapping_byte_add(FIELDS).cast()
}

/// Where a tensor's own elements are.
fn own_elements(object: *mut Object) -> *mut u8 {
    object.cast::<u8>().wrapping_add(OWN)
}

/// Where a field is.
pub(super) fn field_of(object: *mut Object, index: usize) -> *mut *mut Object {
    object
        .wrapping_byte_add(FIELDS)
        .cast::<*mut Object>()
        .wrapping_add(index)
}

/// Holds a value once more.
///
/// # Safety
/// Somebody holds it.
pub(super) unsafe fn hold(object: *mut Object) -> *mut Object {
    // SAFETY: as the caller promises.
    unsafe { (*object).count += 1 };
    object
}

/// What a value is, as the machine looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub kind: Kind,
    pub tag: u32,
    pub length: u64,
    /// Whether nobody else holds it, and its elements are its own.
    pub is_own: bool,
}

/// What a value is.
///
/// # Safety
/// Somebody holds it.
pub(super) unsafe fn facts(object: *mut Object) -> Facts {
    // SAFETY: as the caller promises; a tensor has elements.
    unsafe {
        let kind = (*object).kind;
        Facts {
            kind,
            tag: (*object).tag,
            length: (*object).length,
            is_own: (*object).count == 1
                && (kind != Kind::Tensor || (*elements_of(object)).data == own_elements(object)),
        }
    }
}

/// Where a tensor's elements are.
///
/// # Safety
/// Somebody holds it, and it is a tensor.
pub(super) unsafe fn data(object: *mut Object) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { (*elements_of(object)).data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_classes() {
        let mut last = None;
        for bytes in 0..100_000 {
            let (number, size) = class(bytes).unwrap_or_else(|| panic!("no class for {bytes}"));
            assert!(
                size >= bytes && size % ALIGNMENT == 0 && size <= bytes * 5 / 4 + 64,
                "{bytes}: {size}"
            );
            if let Some((before, of)) = last {
                assert!(
                    (number, size) == (before, of) || (number == before + 1 && size > of),
                    "{bytes}"
                );
            }
            last = Some((number, size));
        }
        assert_eq!(class(isize::MAX as usize + 1), None);
        assert!(class(1 << 62).is_none_or(|(number, _)| number < CLASSES));
    }

    #[test]
    fn a_long_list_goes_back_and_is_used_again() {
        let mut heap = Heap::default();
        let mut bytes = 0;
        for _ in 0..2 {
            let mut list = heap.fields(Kind::Data, 0, 0);
            for number in 0..100_000_u64 {
                let (tensor, cell) = (heap.tensor(8), heap.fields(Kind::Data, 1, 2));
                // SAFETY: both are tensors and data that were just made.
                unsafe {
                    data(tensor).cast::<u64>().write(number);
                    *field_of(cell, 0) = tensor;
                    *field_of(cell, 1) = list;
                }
                list = cell;
            }
            // SAFETY: it is held once, here.
            unsafe { heap.release(list) };
            let usage = heap.end();
            assert_eq!((usage.made, usage.left), (200_001, 0));
            assert!(bytes == 0 || bytes == usage.bytes);
            bytes = usage.bytes;
        }
    }

    #[test]
    fn circles_end_with_the_run() {
        let mut heap = Heap::default();
        let reference = heap.fields(Kind::Data, 0, 1);
        // SAFETY: it was just made, and holds itself.
        unsafe { *field_of(reference, 0) = reference };
        assert_eq!(heap.end().left, 1);
        assert_eq!(
            heap.end(),
            Usage {
                made: 0,
                left: 0,
                bytes: 0
            }
        );
    }
}
