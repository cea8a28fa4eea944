//! Memory of a device, and constants that instances share.

use super::{Address, Device, Stream};
use std::{
    ffi::c_void,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// Memory of a device that grows. It has an address once it has bytes.
pub(super) struct Buffer {
    device: Arc<dyn Device>,
    address: Address,
    bytes: u64,
}

impl Buffer {
    /// Memory of no bytes.
    pub(super) fn new(device: &Arc<dyn Device>) -> Self {
        Self {
            device: Arc::clone(device),
            address: 0,
            bytes: 0,
        }
    }

    /// Its address, after it has taken at least so many bytes. Then what was in it is lost. 0 for no bytes.
    ///
    /// # Errors
    /// If there is not so much memory. What it had is given back then.
    pub(super) fn grow(&mut self, bytes: u64) -> Result<Address, String> {
        if bytes > self.bytes {
            let ample = bytes.max(self.bytes.saturating_add(self.bytes / 2));
            self.give_back();
            // A size that grows by little each time moves the memory seldom.
            let taken = match self.device.allocate(ample) {
                Err(_) if ample > bytes => (self.device.allocate(bytes)?, bytes),
                taken => (taken?, ample),
            };
            (self.address, self.bytes) = taken;
        }
        Ok(self.address)
    }

    fn give_back(&mut self) {
        if self.bytes > 0 {
            // SAFETY: it was taken, and kernels that use it have ended: those who own the buffer wait for them first.
            unsafe { self.device.free(self.address) };
        }
        (self.address, self.bytes) = (0, 0);
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// The constants of one model on one device, as long as an instance uses them.
struct Shared {
    device: i32,
    host: usize,
    bytes: u64,
    memory: Weak<Buffer>,
}

/// The constants that are on devices.
static SHARED: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// The constants of a model on a device. The instances of the model share them.
///
/// # Errors
/// If there is not so much memory.
///
/// # Safety
/// `host` points to so many bytes, constants of a library.
pub(super) unsafe fn upload(
    device: &Arc<dyn Device>,
    stream: Stream,
    host: *const u8,
    bytes: u64,
) -> Result<Arc<Buffer>, String> {
    // Another instance of the model waits until they are there.
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.retain(|constants| constants.memory.strong_count() > 0);
    let is_same = |constants: &&Shared| {
        (constants.device, constants.host, constants.bytes) == (device.number(), host.addr(), bytes)
    };
    let found = shared.iter().find(is_same);
    if let Some(memory) = found.and_then(|constants| constants.memory.upgrade()) {
        return Ok(memory);
    }
    let mut memory = Buffer::new(device);
    let address = memory.grow(bytes)?;
    if bytes > 0 {
        // SAFETY: both ranges have so many bytes.
        unsafe { device.copy_to(stream, address, host.cast::<c_void>(), bytes as usize) }?;
        device.synchronise(stream)?;
    }
    let memory = Arc::new(memory);
    shared.push(Shared {
        device: device.number(),
        host: host.addr(),
        bytes,
        memory: Arc::downgrade(&memory),
    });
    Ok(memory)
}

impl Buffer {
    /// Where it is.
    pub(super) fn address(&self) -> Address {
        self.address
    }
}
