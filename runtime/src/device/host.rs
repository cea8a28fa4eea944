//! Memory of the host for kernels that run there, in a model for a device.

use std::ffi::c_void;

/// What kernels take for granted of tensors, and more: a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    _bytes: [u8; 64],
}

/// Memory that grows.
#[derive(Default)]
pub(super) struct HostBuffer(Vec<Line>);

impl HostBuffer {
    /// Its address, after it has taken at least so many bytes.
    fn grow(&mut self, bytes: usize) -> *mut c_void {
        let lines = bytes.div_ceil(size_of::<Line>()).max(1);
        if self.0.len() < lines {
            self.0.resize(lines, Line { _bytes: [0; 64] });
        }
        self.0.as_mut_ptr().cast()
    }
}

/// The address of the buffer of a slot, which has at least so many bytes.
pub(super) fn place(buffers: &mut Vec<HostBuffer>, slot: usize, bytes: usize) -> *mut c_void {
    if buffers.len() <= slot {
        buffers.resize_with(slot + 1, HostBuffer::default);
    }
    buffers[slot].grow(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_keeps_its_place_while_others_grow() {
        let mut buffers = Vec::new();
        let first = place(&mut buffers, 0, 100);
        let third = place(&mut buffers, 2, 0);
        place(&mut buffers, 1, 100_000);
        assert_eq!(first, place(&mut buffers, 0, 64));
        assert_eq!(third, place(&mut buffers, 2, 64));
        assert!(!third.is_null() && third.addr().is_multiple_of(64));
    }
}
