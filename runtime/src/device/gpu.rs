//! GPUs, by the functions of their drivers. HIP's functions are those of CUDA's driver under other names, so both are driven by one code.

use super::{
    Address, Device, Image, Kernel, LaunchSizes, Stream,
    chip::Chip,
    driver::{
        self, CAPABILITY, Chips, Contexts, DEVICE_ORDINAL, Driver, Handle, Interface, MEMORY_TYPE,
        OF_DEVICE, Properties,
    },
    failure::INVALID_VALUE,
    modules::Modules,
};
use std::{
    env,
    ffi::{CStr, c_char, c_void},
    process, ptr,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// The bytes of a GPU's name.
const NAME_BYTES: usize = 128;

/// What is said in the child of a fork.
pub(super) const FORKED: &str = "a process that was forked cannot use the GPU that its parent uses; create the model \
     in the child alone, or start a new process in the place of a fork";

/// A GPU.
struct Gpu {
    driver: &'static Driver,
    number: i32,
    device: i32,
    /// Its context; 0 if the driver has none.
    context: Handle,
    /// What messages call it.
    shown: String,
    chip: Chip,
    /// The process that opened it. The child of a fork cannot use it.
    process: u32,
    modules: Modules,
}

/// The GPUs that instances use.
static OPENED: Mutex<Vec<Weak<Gpu>>> = Mutex::new(Vec::new());

/// Opens the GPU whose number the environment says, or the first one.
///
/// # Errors
/// If there is no driver, or no such GPU.
pub(super) fn open(interface: &'static Interface) -> Result<Arc<dyn Device>, String> {
    let number = number(interface.device_variable)?;
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.retain(|device| device.strong_count() > 0);
    let mut devices = opened.iter().filter_map(Weak::upgrade);
    let is_same =
        |device: &Arc<Gpu>| device.number == number && ptr::eq(device.driver.interface, interface);
    if let Some(device) = devices.find(is_same) {
        if device.process == process::id() {
            return Ok(device);
        }
        return Err(FORKED.into());
    }
    let device = Arc::new(Gpu::new(driver::open(interface)?, number)?);
    opened.push(Arc::downgrade(&device));
    Ok(device)
}

/// The number that the environment says.
fn number(variable: &str) -> Result<i32, String> {
    let Some(text) = env::var_os(variable).filter(|text| !text.is_empty()) else {
        return Ok(0);
    };
    let text = text.to_string_lossy();
    let number = text.trim().parse().ok().filter(|number| *number >= 0);
    number.ok_or_else(|| {
        format!("{variable} is '{text}', and must be the number of a GPU, from 0 on")
    })
}

impl Gpu {
    fn new(driver: &'static Driver, number: i32) -> Result<Self, String> {
        let (mut device, mut context, mut memory, mut count) = (0, 0, 0, 0);
        let mut name: [c_char; NAME_BYTES] = [0; NAME_BYTES];
        let what = || format!("cannot use GPU {number}");
        // SAFETY: each function fills what it is given a pointer to; the name has the bytes that the call says.
        unsafe {
            let d = driver;
            d.check(d.init, (d.init.call)(0), || {
                format!("cannot start the {}", d.interface.name)
            })?;
            let status = (d.count_devices.call)(&raw mut count);
            d.check(d.count_devices, status, what)?;
            if number >= count {
                let (name, variable) = (d.interface.name, d.interface.device_variable);
                let visible = d.interface.visible_variable;
                return Err(format!(
                    "there is no GPU {number}: the {name} finds {count}; check {variable} and {visible}, or \
                     compile for this machine's processor"
                ));
            }
            let status = (d.get_device.call)(&raw mut device, number);
            d.check(d.get_device, status, what)?;
            let status = (d.name_device.call)(name.as_mut_ptr(), NAME_BYTES as i32 - 1, device);
            d.check(d.name_device, status, what)?;
            let status = (d.total_memory.call)(&raw mut memory, device);
            d.check(d.total_memory, status, what)?;
            if let Contexts::OfStack { retain, .. } = d.particular.contexts {
                let status = (retain.call)(&raw mut context, device);
                d.check(retain, status, what)?;
            }
        }
        // SAFETY: the driver wrote a C string.
        let name = unsafe { driver::text(name.as_ptr()) };
        let chip = find_chip(driver, device)?;
        let shown = format!("GPU {number} ({name}, {} MiB)", memory >> 20);
        Ok(Self {
            driver,
            number,
            device,
            context,
            modules: Modules::new(driver, shown.clone()),
            shown,
            chip,
            process: process::id(),
        })
    }

    /// Makes the GPU that of this thread, as long as the result lives.
    fn enter(&self) -> Result<Entered<'_>, String> {
        let what = || format!("cannot use {}", self.describe());
        let mut before = 0;
        match self.driver.particular.contexts {
            Contexts::OfStack { push, .. } => {
                // SAFETY: the context is retained.
                let status = unsafe { (push.call)(self.context) };
                self.driver.check(push, status, what)?;
            }
            Contexts::OfDevice { get, set } => {
                // SAFETY: the function fills the number.
                let status = unsafe { (get.call)(&raw mut before) };
                self.driver.check(get, status, what)?;
                // SAFETY: there is a device of this number.
                let status = unsafe { (set.call)(self.device) };
                self.driver.check(set, status, what)?;
            }
        }
        Ok(Entered { gpu: self, before })
    }

    /// A number that the driver knows of a pointer; `None` if it does not know the pointer.
    fn attribute(&self, pointer: *const c_void, attribute: u32) -> Result<Option<u32>, String> {
        let mut value = 0_u32;
        // SAFETY: both attributes that are asked for are numbers of 32 bits.
        let status = unsafe {
            let value = (&raw mut value).cast();
            (self.driver.pointer_attribute.call)(value, attribute, pointer.addr() as u64)
        };
        if status == INVALID_VALUE {
            return Ok(None);
        }
        self.driver
            .check(self.driver.pointer_attribute, status, || {
                "cannot find out where a tensor lies".into()
            })?;
        Ok(Some(value))
    }
}

/// The time for which the GPU is that of a thread.
struct Entered<'a> {
    gpu: &'a Gpu,
    /// The number of the thread's GPU before, if the driver has no stack of contexts.
    before: i32,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut context = 0;
        match self.gpu.driver.particular.contexts {
            // SAFETY: what was pushed is popped.
            Contexts::OfStack { pop, .. } => unsafe { (pop.call)(&raw mut context) },
            // SAFETY: the driver gave the number.
            Contexts::OfDevice { set, .. } => unsafe { (set.call)(self.before) },
        };
    }
}

/// The chip of a GPU.
fn find_chip(driver: &Driver, device: i32) -> Result<Chip, String> {
    let what = || "cannot find out which chip the GPU has".to_owned();
    match driver.particular.chips {
        Chips::OfAttributes(ask) => {
            let mut numbers = [0; 2];
            for (number, attribute) in numbers.iter_mut().zip(CAPABILITY) {
                // SAFETY: the function fills the number.
                let status = unsafe { (ask.call)(number, attribute, device) };
                driver.check(ask, status, what)?;
            }
            let [major, minor] = numbers.map(i32::unsigned_abs);
            Ok(Chip::of_capability(major, minor))
        }
        Chips::OfProperties(ask) => {
            let mut properties = Properties::NONE;
            // SAFETY: the struct has room for all that the function fills.
            let status = unsafe { (ask.call)(&raw mut properties, device) };
            driver.check(ask, status, what)?;
            // SAFETY: the driver wrote a C string; without one, the bytes are zero.
            let name = unsafe { driver::text(properties.chip.as_ptr()) };
            Ok(Chip::of_name(&name))
        }
    }
}

impl Device for Gpu {
    fn number(&self) -> i32 {
        self.number
    }

    fn describe(&self) -> String {
        self.shown.clone()
    }

    fn choose(&self, chips: &[String]) -> Result<usize, String> {
        self.chip.choose(chips).ok_or_else(|| {
            let own = self.chip.name().unwrap_or_else(|| "unknown".into());
            format!(
                "{} has the chip {own}, and the model has code for {}; compile it for this chip, too: --target \"{} -arch={own},{}\"",
                self.describe(),
                chips.join(", "),
                self.driver.interface.target,
                chips.join(",")
            )
        })
    }

    fn create_stream(&self) -> Result<Stream, String> {
        let _entered = self.enter()?;
        let mut stream = 0;
        // A stream without flags waits for the default stream, in which other libraries may compute the inputs.
        // SAFETY: the function fills the handle.
        let status = unsafe { (self.driver.create_stream.call)(&raw mut stream, 0) };
        self.driver.check(self.driver.create_stream, status, || {
            format!("cannot make a stream of {}", self.describe())
        })?;
        Ok(Stream(stream))
    }

    fn destroy_stream(&self, stream: Stream) {
        if let Ok(_entered) = self.enter() {
            // SAFETY: the stream is from `create_stream`.
            unsafe { (self.driver.destroy_stream.call)(stream.0) };
        }
    }

    fn allocate(&self, bytes: u64) -> Result<Address, String> {
        let _entered = self.enter()?;
        let mut address = 0;
        // SAFETY: the function fills the address.
        let status = unsafe { (self.driver.allocate.call)(&raw mut address, bytes as usize) };
        self.driver.check(self.driver.allocate, status, || {
            format!("cannot allocate {bytes} bytes on {}", self.describe())
        })?;
        Ok(address)
    }

    unsafe fn free(&self, address: Address) {
        if let Ok(_entered) = self.enter() {
            // SAFETY: as the caller promises.
            unsafe { (self.driver.free.call)(address) };
        }
    }

    unsafe fn copy_to(
        &self,
        stream: Stream,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), String> {
        let _entered = self.enter()?;
        // SAFETY: as the caller promises.
        let status = unsafe { (self.driver.copy_to.call)(to, from, bytes, stream.0) };
        self.driver.check(self.driver.copy_to, status, || {
            format!("cannot copy {bytes} bytes to {}", self.describe())
        })
    }

    unsafe fn copy_from(
        &self,
        stream: Stream,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), String> {
        let _entered = self.enter()?;
        // SAFETY: as the caller promises.
        let status = unsafe { (self.driver.copy_from.call)(to, from, bytes, stream.0) };
        self.driver.check(self.driver.copy_from, status, || {
            format!("cannot copy {bytes} bytes from {}", self.describe())
        })
    }

    unsafe fn copy_within(
        &self,
        stream: Stream,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), String> {
        let _entered = self.enter()?;
        // SAFETY: as the caller promises.
        let status = unsafe { (self.driver.copy_within.call)(to, from, bytes, stream.0) };
        self.driver.check(self.driver.copy_within, status, || {
            format!("cannot copy {bytes} bytes within {}", self.describe())
        })
    }

    unsafe fn load(&self, images: &[&Image]) -> Result<(), String> {
        // SAFETY: as the caller promises.
        unsafe { self.modules.load_all(images, &|| self.enter()) }
    }

    unsafe fn find_kernel(
        &self,
        image: &Image,
        name: &CStr,
        shared: u32,
    ) -> Result<Kernel, String> {
        if let Some(known) = self.modules.known(image, name, shared) {
            return Ok(known);
        }
        let _entered = self.enter()?;
        // SAFETY: as the caller promises.
        unsafe { self.modules.kernel(image, name, shared) }
    }

    unsafe fn launch(
        &self,
        stream: Stream,
        kernel: Kernel,
        sizes: &LaunchSizes,
        arguments: &[*mut c_void],
    ) -> Result<(), String> {
        let _entered = self.enter()?;
        let ([gx, gy, gz], [bx, by, bz]) = (sizes.grid, sizes.block);
        // SAFETY: as the caller promises. The driver reads the arguments before it returns.
        let status = unsafe {
            (self.driver.launch.call)(
                kernel.0,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                sizes.shared,
                stream.0,
                arguments.as_ptr().cast_mut(),
                ptr::null_mut(),
            )
        };
        self.driver.check(self.driver.launch, status, || {
            format!(
                "cannot run it on {} with a grid of {gx} x {gy} x {gz} blocks of {bx} x {by} x {bz} threads and {} bytes of \
                 shared memory",
                self.describe(),
                sizes.shared
            )
        })
    }

    fn synchronise(&self, stream: Stream) -> Result<(), String> {
        let _entered = self.enter()?;
        // SAFETY: the stream is from `create_stream`.
        let status = unsafe { (self.driver.synchronise.call)(stream.0) };
        self.driver.check(self.driver.synchronise, status, || {
            format!("the work on {} failed", self.describe())
        })
    }

    fn is_device_pointer(&self, pointer: *const c_void) -> Result<bool, String> {
        if pointer.is_null() {
            return Ok(false);
        }
        let _entered = self.enter()?;
        if self.attribute(pointer, MEMORY_TYPE)? != Some(OF_DEVICE) {
            return Ok(false);
        }
        match self.attribute(pointer, DEVICE_ORDINAL)? {
            Some(other) if other as i32 != self.number => Err(format!(
                "a tensor lies in the memory of GPU {other}, and the model runs on {}; copy the tensor, or say {}",
                self.describe(),
                self.driver.interface.device_variable
            )),
            _ => Ok(true),
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.process != process::id() {
            return;
        }
        if let Ok(_entered) = self.enter() {
            self.modules.unload();
        }
        if let Contexts::OfStack { release, .. } = self.driver.particular.contexts {
            // SAFETY: it was retained, and nothing uses it any more.
            unsafe { (release.call)(self.device) };
        }
    }
}
