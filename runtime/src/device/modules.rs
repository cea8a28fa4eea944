//! The images that a GPU has loaded, and their kernels.

use super::{
    Image, Kernel,
    driver::{Driver, ERROR_LOG, Handle, MOST_SHARED},
};
use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    ffi::{CStr, CString, c_void},
    ptr, slice,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The bytes of the text that the driver may say of an image that it cannot load.
const LOG_BYTES: usize = 8192;

/// How a file of machine code begins. Other images are text.
const ELF: &[u8] = b"\x7fELF";

/// How a file of images for several GPUs begins.
const FAT: [u8; 4] = 0xBA55_ED50_u32.to_le_bytes();

/// The most threads that load images. Drivers compile text on each thread, and take much memory for it.
const MOST_THREADS: usize = 8;

/// The images of a GPU, by their addresses.
pub(super) struct Modules {
    driver: &'static Driver,
    /// What messages call the GPU.
    gpu: String,
    loaded: Mutex<HashMap<usize, Module>>,
}

/// An image that was loaded.
struct Module {
    handle: Handle,
    kernels: HashMap<CString, Known>,
}

/// A kernel that was found.
#[derive(Clone, Copy)]
struct Known {
    kernel: Kernel,
    /// The bytes of shared memory that it may use.
    shared: u32,
}

impl Module {
    fn new(handle: Handle) -> Self {
        Self {
            handle,
            kernels: HashMap::new(),
        }
    }
}

impl Modules {
    /// Those of a GPU that has loaded none.
    pub(super) fn new(driver: &'static Driver, gpu: String) -> Self {
        Self {
            driver,
            gpu,
            loaded: Mutex::default(),
        }
    }

    fn loaded(&self) -> MutexGuard<'_, HashMap<usize, Module>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads images that are not loaded, several at once. `enter` makes the GPU that of the calling thread, as long as its result lives.
    ///
    /// # Errors
    /// The first one of an image, or of `enter`.
    ///
    /// # Safety
    /// The images are constants of a model.
    pub(super) unsafe fn load_all<E>(
        &self,
        images: &[&Image],
        enter: &(dyn Fn() -> Result<E, String> + Sync),
    ) -> Result<(), String> {
        let missing: Vec<(usize, &[u8])> = {
            let loaded = self.loaded();
            let images = images.iter().map(|image| {
                // SAFETY: as the caller promises.
                (image.data.addr(), unsafe { bytes_of(image) })
            });
            images
                .filter(|(place, _)| !loaded.contains_key(place))
                .collect()
        };
        let next = AtomicUsize::new(0);
        let work = || {
            let _entered = enter()?;
            while let Some((place, bytes)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                let handle = self
                    .load(bytes)
                    .inspect_err(|_| next.store(missing.len(), Ordering::Relaxed))?;
                self.keep(*place, handle);
            }
            Ok(())
        };
        match missing.len() {
            0 => Ok(()),
            1 => work(),
            count => in_threads(count.min(MOST_THREADS), &work),
        }
    }

    /// Keeps a module, unless another thread has loaded its image, too.
    fn keep(&self, place: usize, handle: Handle) {
        match self.loaded().entry(place) {
            // SAFETY: nobody has a kernel of it.
            Entry::Occupied(_) => unsafe {
                (self.driver.unload_module.call)(handle);
            },
            Entry::Vacant(free) => {
                free.insert(Module::new(handle));
            }
        }
    }

    /// A kernel that was found before, and may use so much shared memory.
    pub(super) fn known(&self, image: &Image, name: &CStr, shared: u32) -> Option<Kernel> {
        let loaded = self.loaded();
        let known = loaded.get(&image.data.addr())?.kernels.get(name)?;
        (shared <= known.shared).then_some(known.kernel)
    }

    /// A kernel of an image, which may use so much shared memory. The GPU is that of the calling thread.
    ///
    /// # Errors
    /// If the GPU cannot run the image, or the image has no such kernel.
    ///
    /// # Safety
    /// The image is a constant of a model.
    pub(super) unsafe fn kernel(
        &self,
        image: &Image,
        name: &CStr,
        shared: u32,
    ) -> Result<Kernel, String> {
        let mut loaded = self.loaded();
        let place = image.data.addr();
        let module = match loaded.get_mut(&place) {
            Some(module) => module,
            None => {
                // SAFETY: as the caller promises.
                let handle = self.load(unsafe { bytes_of(image) })?;
                loaded.entry(place).or_insert(Module::new(handle))
            }
        };
        let mut known = match module.kernels.get(name) {
            Some(known) => *known,
            None => self.find(module.handle, name)?,
        };
        self.allow(&mut known, name, shared)?;
        module.kernels.insert(name.into(), known);
        Ok(known.kernel)
    }

    /// Unloads all images. The GPU is that of the calling thread, and runs none of their kernels.
    pub(super) fn unload(&self) {
        for (_, module) in self.loaded().drain() {
            // SAFETY: no kernel of it runs.
            unsafe { (self.driver.unload_module.call)(module.handle) };
        }
    }

    /// Loads an image. The driver compiles it, if it is text.
    fn load(&self, image: &[u8]) -> Result<Handle, String> {
        let bytes = ended(image);
        let mut log = vec![0_u8; LOG_BYTES];
        let mut names = ERROR_LOG;
        // The second option is a number in the place of a pointer.
        let room = ptr::without_provenance_mut(LOG_BYTES - 1);
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), room];
        let mut module = 0;
        // SAFETY: the image ends as the driver expects it, and the log has the bytes that the option says.
        let status = unsafe {
            (self.driver.load_module.call)(
                &raw mut module,
                bytes.as_ptr().cast(),
                names.len() as u32,
                names.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let loaded = self.driver.check(self.driver.load_module, status, || {
            format!("cannot load the model's kernels to {}", self.gpu)
        });
        loaded.map_err(|reason| {
            let said = log.split(|byte| *byte == 0).next().unwrap_or_default();
            let said = String::from_utf8_lossy(said);
            match said.trim() {
                "" => reason,
                said => format!("{reason}. The driver says: {said}"),
            }
        })?;
        Ok(module)
    }

    /// A kernel of a module.
    fn find(&self, module: Handle, name: &CStr) -> Result<Known, String> {
        let mut kernel = 0;
        // SAFETY: the module is loaded, and the name a C string.
        let status =
            unsafe { (self.driver.find_function.call)(&raw mut kernel, module, name.as_ptr()) };
        self.driver.check(self.driver.find_function, status, || {
            let name = name.to_string_lossy();
            format!("the model's image has no kernel '{name}'")
        })?;
        Ok(Known {
            kernel: Kernel(kernel),
            shared: 0,
        })
    }

    /// Lets a kernel use so many bytes of shared memory, where the driver wants to be asked.
    fn allow(&self, known: &mut Known, name: &CStr, shared: u32) -> Result<(), String> {
        if shared <= known.shared {
            return Ok(());
        }
        known.shared = shared;
        let Some(set) = self.driver.particular.set_attribute else {
            return Ok(());
        };
        let most = i32::try_from(shared).unwrap_or(i32::MAX);
        // SAFETY: the kernel is of a loaded module.
        let status = unsafe { (set.call)(known.kernel.0, MOST_SHARED, most) };
        self.driver.check(set, status, || {
            let name = name.to_string_lossy();
            format!(
                "{} has not the {shared} bytes of shared memory for a block that kernel '{name}' takes",
                self.gpu
            )
        })
    }
}

/// Does work on several threads; its first error.
fn in_threads(count: usize, work: &(dyn Fn() -> Result<(), String> + Sync)) -> Result<(), String> {
    thread::scope(|scope| {
        let threads: Vec<_> = (1..count)
            // Where the system gives no thread, there are fewer.
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut done = work();
        for thread in threads {
            let other = thread.join();
            let other =
                other.unwrap_or_else(|_| Err("internal error: the runtime panicked".into()));
            done = done.and(other);
        }
        done
    })
}

/// The bytes of an image.
///
/// # Safety
/// The image is a constant of a model.
unsafe fn bytes_of<'a>(image: &Image) -> &'a [u8] {
    // SAFETY: as the caller promises.
    unsafe { slice::from_raw_parts(image.data.cast(), image.bytes as usize) }
}

/// An image that ends as the driver expects it: text ends with a zero byte.
fn ended(image: &[u8]) -> Cow<'_, [u8]> {
    let is_code = image.starts_with(ELF) || image.starts_with(&FAT);
    match is_code || image.ends_with(&[0]) {
        true => Cow::Borrowed(image),
        false => Cow::Owned([image, &[0]].concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_with_a_zero_byte() {
        assert_eq!(*ended(b".version 8.0"), *b".version 8.0\0");
        assert_eq!(*ended(b".version 8.0\0"), *b".version 8.0\0");
        assert_eq!(*ended(b"\x7fELF\x02"), *b"\x7fELF\x02");
    }

    #[test]
    fn threads_give_the_first_error() {
        let next = AtomicUsize::new(0);
        let work = || match next.fetch_add(1, Ordering::Relaxed) {
            2 => Err("the third".into()),
            _ => Ok(()),
        };
        assert_eq!(in_threads(4, &work), Err("the third".into()));
        assert_eq!(in_threads(4, &work), Ok(()));
    }
}
