//! The stack of the thread that runs a program.

use std::{cell::Cell, mem, ptr};

/// What is known of the stack of a thread.
#[derive(Clone, Copy)]
enum Known {
    /// Nobody asked yet.
    Nothing,
    /// The system does not tell.
    Untold,
    /// Its lowest address.
    Lowest(usize),
}

/// The lowest address of this thread's stack that may be used; none where the system does not tell. It is asked once for each
/// thread: of the first thread of a process, the C library reads it out of a file.
pub(super) fn lowest() -> Option<usize> {
    thread_local! {
        static KNOWN: Cell<Known> = const { Cell::new(Known::Nothing) };
    }
    KNOWN.with(|known| {
        if let Known::Nothing = known.get() {
            known.set(ask().map_or(Known::Untold, Known::Lowest));
        }
        match known.get() {
            Known::Lowest(address) => Some(address),
            Known::Nothing | Known::Untold => None,
        }
    })
}

/// Asks the C library.
fn ask() -> Option<usize> {
    // SAFETY: the attributes are written by the first call before others read them, and given back once; this thread lives.
    unsafe {
        let mut attributes: libc::pthread_attr_t = mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let (mut address, mut size) = (ptr::null_mut(), 0);
        let told =
            libc::pthread_attr_getstack(&raw const attributes, &raw mut address, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        (told == 0 && size > 0).then(|| address.addr())
    }
}

#[cfg(test)]
mod tests {
    use super::lowest;
    use std::thread;

    #[test]
    fn a_thread_has_as_much_as_it_was_given() {
        for bytes in [256 << 10, 1 << 20, 8 << 20] {
            let thread = thread::Builder::new().stack_size(bytes).spawn(|| {
                let here: u8 = 0;
                lowest().map(|lowest| (&raw const here).addr() - lowest)
            });
            let left = thread.expect("it starts").join().expect("it ends");
            let left = left.expect("the system tells");
            assert!(left <= bytes && left > bytes / 2, "{left} of {bytes}");
        }
    }
}
