//! Images, kernels and launches.

use super::{Handle, MEMORY, answer_here, caller, fill, invalid, modules, options};
use crate::{
    block::Launch,
    grid,
    image::Image,
    kernel::Kernel,
    status::{Failure, Status},
};
use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_uint, c_void},
    slice,
};

/// `CU_JIT_ERROR_LOG_BUFFER` and `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`.
const LOG: c_uint = 5;
const LOG_BYTES: c_uint = 6;

/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
pub(super) const MOST_SHARED: c_uint = 8;

/// The bytes of shared memory that a kernel may use which was not allowed more.
const USUAL_SHARED: u32 = 48 << 10;

/// The images that are loaded, and their kernels.
#[derive(Default)]
pub(super) struct Modules {
    images: HashMap<Handle, Image>,
    functions: HashMap<Handle, Function>,
    last: Handle,
}

/// A kernel.
#[derive(Clone)]
struct Function {
    module: Handle,
    name: CString,
    kernel: Kernel,
    most_shared: u32,
}

impl Modules {
    fn next(&mut self) -> Handle {
        self.last += 1;
        self.last
    }

    fn function(&mut self, handle: Handle) -> Result<&mut Function, Failure> {
        let function = self.functions.get_mut(&handle);
        function.ok_or_else(|| invalid(format!("there is no kernel {handle}")))
    }
}

/// Loads an image: a shared object for this processor. Text for a GPU is refused.
///
/// # Safety
/// The image is a shared object, or a text that ends with a zero byte; the options are as `cuda.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    names: *mut c_uint,
    values: *mut *mut c_void,
) -> u32 {
    answer_here("cuModuleLoadDataEx", || {
        if image.is_null() {
            return Err(invalid("the image is a null pointer"));
        }
        // SAFETY: as the caller promises.
        let loaded = unsafe { Image::load(image.cast()) };
        let loaded = loaded.inspect_err(|failure| {
            // SAFETY: as the caller promises.
            unsafe { log(&failure.reason, count, names, values) };
        })?;
        let all = &mut *modules();
        let all = all.get_or_insert_default();
        let handle = all.next();
        // SAFETY: as the caller promises.
        unsafe { fill(module, handle) }?;
        all.images.insert(handle, loaded);
        Ok(())
    })
}

/// Writes a reason to the buffer of errors, if the options have one.
///
/// # Safety
/// The options are as `cuda.h` says.
unsafe fn log(reason: &str, count: c_uint, names: *const c_uint, values: *const *mut c_void) {
    if count == 0 || names.is_null() || values.is_null() {
        return;
    }
    // SAFETY: as the caller promises.
    let options = unsafe {
        let names = slice::from_raw_parts(names, count as usize);
        names
            .iter()
            .zip(slice::from_raw_parts(values, count as usize))
    };
    let value = |wanted: c_uint| {
        let mut options = options.clone();
        options
            .find(|(name, _)| **name == wanted)
            .map(|(_, value)| *value)
    };
    // The number of bytes stands in the place of a pointer.
    let (Some(buffer), Some(bytes)) = (value(LOG), value(LOG_BYTES)) else {
        return;
    };
    let length = reason
        .len()
        .min((bytes.addr() as u32 as usize).saturating_sub(1));
    if length > 0 && !buffer.is_null() {
        // SAFETY: the buffer has more bytes than these.
        unsafe {
            let buffer = buffer.cast::<u8>();
            buffer.copy_from_nonoverlapping(reason.as_ptr(), length);
            buffer.add(length).write(0);
        }
    }
}

/// Unloads an image.
#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: Handle) -> u32 {
    answer_here("cuModuleUnload", || {
        let all = &mut *modules();
        let all = all.get_or_insert_default();
        all.functions
            .retain(|_, function| function.module != module);
        let unloaded = all.images.remove(&module);
        let failed = || invalid(format!("there is no module {module}"));
        unloaded.map(drop).ok_or_else(failed)
    })
}

/// Finds a kernel of an image.
///
/// # Safety
/// The function is null, or can be written to; the name is null, or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> u32 {
    answer_here("cuModuleGetFunction", || {
        if name.is_null() {
            return Err(invalid("the name is a null pointer"));
        }
        // SAFETY: as the caller promises.
        let name = unsafe { CStr::from_ptr(name) };
        let all = &mut *modules();
        let all = all.get_or_insert_default();
        let image = all.images.get(&module);
        let image = image.ok_or_else(|| invalid(format!("there is no module {module}")))?;
        let kernel = image.kernel(name).ok_or_else(|| {
            let reason = format!("the image exports no {}", name.to_string_lossy());
            Failure::new(Status::NotFound, reason)
        })?;
        let handle = all.next();
        // SAFETY: as the caller promises.
        unsafe { fill(function, handle) }?;
        let found = Function {
            module,
            name: name.into(),
            kernel,
            most_shared: USUAL_SHARED,
        };
        all.functions.insert(handle, found);
        Ok(())
    })
}

/// Lets a kernel use so many bytes of shared memory; other attributes mean nothing here.
#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetAttribute(function: Handle, attribute: c_uint, value: c_int) -> u32 {
    answer_here("cuFuncSetAttribute", || {
        let all = &mut *modules();
        let function = all.get_or_insert_default().function(function)?;
        if attribute == MOST_SHARED {
            let bytes = u32::try_from(value).ok();
            let bytes = bytes.filter(|bytes| *bytes <= grid::MOST_SHARED);
            function.most_shared = bytes.ok_or_else(|| {
                let most = grid::MOST_SHARED;
                invalid(format!(
                    "a block has up to {most} bytes of shared memory, and not {value}"
                ))
            })?;
        }
        Ok(())
    })
}

/// Runs a kernel. It has ended when this returns.
///
/// # Safety
/// The arguments are those of the kernel, which may run on them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    _stream: Handle,
    arguments: *mut *mut c_void,
    _extra: *mut *mut c_void,
) -> u32 {
    let sizes = (
        [grid_x, grid_y, grid_z],
        [block_x, block_y, block_z],
        shared,
    );
    answer_here("cuLaunchKernel", || {
        // SAFETY: as the caller promises.
        unsafe { launch(function, sizes, arguments) }
    })
}

/// Runs a kernel on a grid and blocks with so many bytes of shared memory.
///
/// # Safety
/// As for [`cuLaunchKernel`].
unsafe fn launch(
    function: Handle,
    (grid, block, shared): ([u32; 3], [u32; 3], u32),
    arguments: *const *mut c_void,
) -> Result<(), Failure> {
    let function = modules()
        .get_or_insert_default()
        .function(function)?
        .clone();
    let options = options()?;
    let name = function.name.to_string_lossy();
    if shared > function.most_shared {
        let most = function.most_shared;
        return Err(invalid(format!(
            "kernel {name} may use {most} bytes of shared memory, and not {shared}; cuFuncSetAttribute allows more"
        )));
    }
    let launch = Launch {
        kernel: function.kernel,
        arguments,
        grid,
        block,
        shared,
        warp: (options.warp).unwrap_or_else(|| caller::usual_warp(options.chip.as_ref())),
        order: options.order,
    };
    if options.is_traced {
        eprintln!(
            "relay-gpu-emulator: {name}: grid {grid:?}, block {block:?}, {shared} bytes of shared memory"
        );
    }
    let _reach = MEMORY.reach()?;
    // SAFETY: as the caller promises.
    let done = unsafe { grid::run(&launch) };
    done.map_err(|failure| {
        let Failure { status, reason } = failure;
        Failure::new(status, format!("kernel {name}: {reason}"))
    })
}
