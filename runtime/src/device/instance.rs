//! What an instance has on a device: a stream, its arena, buffers for tensors, and workspaces.

use super::{
    Address, Device, Image, LaunchSizes, Stream,
    buffer::{Buffer, upload},
    gpu::FORKED,
    host::{self, HostBuffer},
    offload::{Copied, Offload, Placement},
};
use crate::{descriptor::Descriptor, sizes::Sizes};
use std::{
    ffi::{CStr, CString, c_void},
    mem::{self, ManuallyDrop},
    process, ptr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The alignment that compiled code takes for granted of tensors: that of a vector of four floats.
const ALIGNMENT: usize = 16;

/// The most workspaces of an instance. More are a fault of the compiler.
const MOST_SLOTS: i64 = 1 << 16;

/// An instance's part of a device.
pub(super) struct DeviceInstance {
    device: Arc<dyn Device>,
    stream: Stream,
    process: u32,
    /// The place of the code that runs here.
    variant: usize,
    /// Not dropped in the child of a fork: all of it is the parent's.
    owned: ManuallyDrop<Owned>,
}

/// What is given back at the end.
struct Owned {
    weights: Arc<Buffer>,
    memory: Mutex<Memory>,
}

/// The memory of an instance, and how its run goes.
struct Memory {
    arena: Buffer,
    inputs: Vec<Buffer>,
    outputs: Vec<Buffer>,
    workspaces: Vec<Buffer>,
    /// The tensors of a kernel that the host runs.
    hosted: Vec<HostBuffer>,
    /// Why the run has failed.
    failure: Option<String>,
    /// The kernel that was launched last.
    kernel: CString,
}

impl DeviceInstance {
    /// What a new instance has on a device.
    ///
    /// # Errors
    /// If the model has no code for the device, or there is not enough memory for the constants.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(super) unsafe fn new(
        device: Arc<dyn Device>,
        descriptor: &Descriptor,
    ) -> Result<Self, String> {
        // SAFETY: as the caller promises.
        let codes = unsafe { descriptor.codes() };
        // SAFETY: as the caller promises.
        let chips: Vec<String> = codes.iter().map(|code| unsafe { code.chip() }).collect();
        let variant = device.choose(&chips)?;
        let stream = device.create_stream()?;
        // SAFETY: as the caller promises.
        let weights = unsafe {
            upload(
                &device,
                stream,
                descriptor.weights,
                descriptor.weights_bytes,
            )
        };
        let weights = weights.inspect_err(|_| device.destroy_stream(stream))?;
        let buffers = |count| (0..count).map(|_| Buffer::new(&device)).collect();
        let memory = Memory {
            arena: Buffer::new(&device),
            inputs: buffers(descriptor.n_inputs),
            outputs: buffers(descriptor.n_outputs),
            workspaces: Vec::new(),
            hosted: Vec::new(),
            failure: None,
            kernel: CString::default(),
        };
        let owned = Owned {
            weights,
            memory: Mutex::new(memory),
        };
        let instance = Self {
            stream,
            variant,
            process: process::id(),
            owned: ManuallyDrop::new(owned),
            device,
        };
        // A model that does not fit says so now, not when it runs.
        // SAFETY: as the caller promises.
        unsafe { instance.device.load(&codes[variant].images()) }?;
        if descriptor.extents.is_none() {
            instance.memory().arena.grow(descriptor.arena_bytes)?;
        }
        Ok(instance)
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        let memory = self.owned.memory.lock();
        memory.unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something for a run that goes well so far. Its error ends the run.
    fn attempt<T>(&self, failed: T, work: impl FnOnce(&mut Memory) -> Result<T, String>) -> T {
        let memory = &mut *self.memory();
        if memory.failure.is_some() {
            return failed;
        }
        work(memory).unwrap_or_else(|reason| {
            memory.failure = Some(reason);
            failed
        })
    }

    /// Copies to an address of the device from wherever the source is.
    ///
    /// # Safety
    /// Both ranges are there.
    unsafe fn bring(
        &self,
        to: Address,
        from: *const c_void,
        bytes: usize,
        is_on_device: bool,
    ) -> Result<(), String> {
        match bytes {
            0 => Ok(()),
            // SAFETY: as the caller promises.
            _ if is_on_device => unsafe {
                (self.device).copy_within(self.stream, to, from.addr() as u64, bytes)
            },
            // SAFETY: as the caller promises.
            _ => unsafe { self.device.copy_to(self.stream, to, from, bytes) },
        }
    }

    /// Whether a tensor is in the device's memory, and whether kernels can use it where it is.
    fn locate(&self, tensor: *const c_void) -> Result<(bool, bool), String> {
        let is_on_device = self.device.is_device_pointer(tensor)?;
        let is_aligned = tensor.addr().is_multiple_of(ALIGNMENT);
        Ok((is_on_device, is_on_device && is_aligned))
    }

    /// Places the tensors of a run, and brings the inputs there.
    ///
    /// # Safety
    /// As for [`Offload::begin`].
    unsafe fn place(
        &self,
        memory: &mut Memory,
        descriptor: &Descriptor,
        sizes: &Sizes,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<Placement, String> {
        let mut placement = Placement {
            inputs: Vec::with_capacity(memory.inputs.len()),
            outputs: Vec::with_capacity(memory.outputs.len()),
            arena: pointer(memory.arena.grow(sizes.arena_bytes(descriptor))?),
            weights: pointer(self.owned.weights.address()).cast(),
            results: Vec::new(),
        };
        // SAFETY: the descriptor is a compiled model's; the lists are as the caller promises.
        unsafe {
            let donations: Vec<(usize, usize)> = descriptor.donations().collect();
            for (index, buffer) in memory.outputs.iter_mut().enumerate() {
                let to = *outputs.add(index);
                let bytes = sizes.output_bytes(descriptor, index);
                let (is_on_device, is_usable) = self.locate(to)?;
                if is_usable {
                    placement.outputs.push(to);
                    continue;
                }
                let from = pointer(buffer.grow(bytes as u64)?);
                placement.outputs.push(from);
                placement.results.push(Copied {
                    from,
                    to,
                    bytes,
                    is_on_device,
                });
            }
            for (index, buffer) in memory.inputs.iter_mut().enumerate() {
                let from = *inputs.add(index);
                let bytes = sizes.input_bytes(descriptor, index);
                let (is_on_device, is_usable) = self.locate(from)?;
                let mut donated = donations.iter().filter(|(input, _)| *input == index);
                // The graph reads a donated input from the memory of its output.
                let output = donated.next().map(|(_, output)| placement.outputs[*output]);
                let place = match output {
                    Some(output) => output,
                    None if is_usable => from.cast_mut(),
                    None => pointer(buffer.grow(bytes as u64)?),
                };
                if !ptr::eq(place, from) {
                    self.bring(place.addr() as u64, from, bytes, is_on_device)?;
                }
                placement.inputs.push(place);
            }
        }
        Ok(placement)
    }

    /// Waits for the stream; an error names the kernel that was launched last.
    fn wait(&self, memory: &Memory) -> Result<(), String> {
        let done = self.device.synchronise(self.stream);
        done.map_err(|reason| format!("{reason} (the last kernel was {:?})", memory.kernel))
    }
}

/// The bytes of a number that the graph reads or writes.
///
/// # Errors
/// If a number has not so many.
fn number_bytes(bytes: i64) -> Result<usize, String> {
    let known = usize::try_from(bytes).ok().filter(|bytes| *bytes <= 8);
    known.ok_or_else(|| {
        format!("the graph accesses a number of {bytes} bytes, which is a fault of the compiler")
    })
}

/// A pointer of the host's type to an address of the device.
fn pointer(address: Address) -> *mut c_void {
    ptr::without_provenance_mut(address as usize)
}

/// The sizes of a launch; `None` if it has no threads.
///
/// # Errors
/// If a size is negative, or no driver takes it.
fn launch_sizes(sizes: &[i64; 7]) -> Result<Option<LaunchSizes>, String> {
    if sizes[..6].contains(&0) {
        return Ok(None);
    }
    let mut narrow = [0; 7];
    for (narrow, size) in narrow.iter_mut().zip(sizes) {
        *narrow = u32::try_from(*size).map_err(|_| {
            format!("its grid, block and shared memory are {sizes:?}, which no GPU can do")
        })?;
    }
    let [gx, gy, gz, bx, by, bz, shared] = narrow;
    Ok(Some(LaunchSizes {
        grid: [gx, gy, gz],
        block: [bx, by, bz],
        shared,
    }))
}

impl Offload for DeviceInstance {
    unsafe fn begin(
        &self,
        descriptor: &Descriptor,
        sizes: &Sizes,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<Placement, String> {
        if !self.is_own() {
            return Err(FORKED.into());
        }
        let memory = &mut *self.memory();
        memory.failure = None;
        memory.kernel = CString::default();
        // SAFETY: as the caller promises.
        let placed = unsafe { self.place(memory, descriptor, sizes, inputs, outputs) };
        if placed.is_err() {
            // Nothing reads the caller's memory after the run.
            let _ = self.device.synchronise(self.stream);
        }
        placed
    }

    unsafe fn end(&self, placement: &Placement, is_done: bool) -> Result<(), String> {
        let memory = &mut *self.memory();
        let waited = self.wait(memory);
        if let Some(reason) = memory.failure.take() {
            return Err(reason);
        }
        waited?;
        if !is_done {
            return Ok(());
        }
        for copied in placement.results.iter().filter(|copied| copied.bytes > 0) {
            let (from, bytes) = (copied.from.addr() as u64, copied.bytes);
            let (device, stream) = (&self.device, self.stream);
            // SAFETY: the graph's output has so many bytes, and so has the caller's memory.
            unsafe {
                match copied.is_on_device {
                    true => device.copy_within(stream, copied.to.addr() as u64, from, bytes),
                    false => device.copy_from(stream, copied.to, from, bytes),
                }
            }?;
        }
        self.wait(memory)
    }

    unsafe fn launch(
        &self,
        image: &Image,
        kernel: &CStr,
        sizes: &[i64; 7],
        arguments: &[*mut c_void],
    ) {
        self.attempt((), |memory| {
            let name = || kernel.to_string_lossy();
            let sizes = launch_sizes(sizes)
                .map_err(|reason| format!("kernel '{}' cannot be launched: {reason}", name()))?;
            let Some(sizes) = sizes else {
                return Ok(());
            };
            // SAFETY: the image is a constant of the model, and its arguments are as the caller promises.
            let launched = unsafe {
                let found = self.device.find_kernel(image, kernel, sizes.shared);
                found.and_then(|found| self.device.launch(self.stream, found, &sizes, arguments))
            };
            launched.map_err(|reason| format!("kernel '{}': {reason}", name()))?;
            if memory.kernel.as_c_str() != kernel {
                memory.kernel = kernel.into();
            }
            Ok(())
        });
    }

    unsafe fn copy(&self, to: *mut c_void, from: *const c_void, bytes: i64) {
        self.attempt((), |_| {
            let bytes = usize::try_from(bytes);
            let bytes = bytes.map_err(|_| "a copy has a negative number of bytes".to_string())?;
            // SAFETY: as the caller promises.
            unsafe { self.bring(to.addr() as u64, from, bytes, true) }
        });
    }

    unsafe fn read(&self, from: *const c_void, bytes: i64) -> i64 {
        self.attempt(0, |memory| {
            let mut value = [0_u8; 8];
            let (place, count) = (value.as_mut_ptr().cast(), number_bytes(bytes)?);
            // SAFETY: the value has so many bytes, and is there until the copy is done; the device's memory is as the caller promises.
            unsafe {
                self.device
                    .copy_from(self.stream, place, from.addr() as u64, count)
            }?;
            self.wait(memory)?;
            Ok(i64::from_le_bytes(value))
        })
    }

    unsafe fn write(&self, to: *mut c_void, value: i64, bytes: i64) {
        self.attempt((), |memory| {
            let value = value.to_le_bytes();
            let (place, count) = (value.as_ptr().cast(), number_bytes(bytes)?);
            // SAFETY: as for `read`.
            unsafe {
                self.device
                    .copy_to(self.stream, to.addr() as u64, place, count)
            }?;
            self.wait(memory)
        });
    }

    unsafe fn fetch(&self, from: *const c_void, bytes: i64, slot: i64) -> *mut c_void {
        let bytes = usize::try_from(bytes).unwrap_or_default();
        let slot = usize::try_from(slot).unwrap_or_default();
        let place = host::place(&mut self.memory().hosted, slot, bytes);
        self.attempt((), |memory| {
            if from.is_null() || bytes == 0 {
                return Ok(());
            }
            // SAFETY: the host's buffer has so many bytes, and stays until the copy is done; the device's memory is as the caller promises.
            unsafe {
                self.device
                    .copy_from(self.stream, place, from.addr() as u64, bytes)
            }?;
            self.wait(memory)
        });
        place
    }

    unsafe fn send(&self, to: *mut c_void, from: *const c_void, bytes: i64) {
        self.attempt((), |memory| {
            let bytes = usize::try_from(bytes);
            let bytes = bytes.map_err(|_| "a copy has a negative number of bytes".to_string())?;
            // SAFETY: as the caller promises.
            unsafe { self.bring(to.addr() as u64, from, bytes, false) }?;
            self.wait(memory)
        });
    }

    fn workspace(&self, slot: i64, bytes: i64) -> *mut c_void {
        self.attempt(ptr::null_mut(), |memory| {
            let known = u64::try_from(bytes).ok().filter(|_| (0..MOST_SLOTS).contains(&slot));
            let bytes = known.ok_or_else(|| {
                format!("the model asks for workspace {slot} of {bytes} bytes, which is a fault of the compiler")
            })?;
            let slot = slot as usize;
            while memory.workspaces.len() <= slot {
                memory.workspaces.push(Buffer::new(&self.device));
            }
            Ok(pointer(memory.workspaces[slot].grow(bytes)?))
        })
    }

    fn synchronise(&self) {
        self.attempt((), |memory| self.wait(memory));
    }

    fn variant(&self) -> usize {
        self.variant
    }

    fn is_own(&self) -> bool {
        self.process == process::id()
    }
}

impl Drop for DeviceInstance {
    fn drop(&mut self) {
        if !self.is_own() {
            // The count of those who use the device stays, too.
            mem::forget(Arc::clone(&self.device));
            return;
        }
        // Kernels may still run on the memory.
        let _ = self.device.synchronise(self.stream);
        // SAFETY: nothing uses it after this.
        unsafe { ManuallyDrop::drop(&mut self.owned) };
        self.device.destroy_stream(self.stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_has_sizes_of_32_bits() {
        let sizes = launch_sizes(&[2, 1, 1, 32, 4, 1, 128]).unwrap_or_default();
        let expected = LaunchSizes {
            grid: [2, 1, 1],
            block: [32, 4, 1],
            shared: 128,
        };
        assert_eq!(sizes, Some(expected));
        assert_eq!(launch_sizes(&[2, 0, 1, 32, 4, 1, 128]), Ok(None));
        assert!(launch_sizes(&[2, -1, 1, 32, 4, 1, 128]).is_err());
        assert!(launch_sizes(&[1 << 32, 1, 1, 32, 4, 1, 0]).is_err());
    }
}
