//! What is said of an error of the driver: its name, its text, and a remedy.

use super::driver::{Driver, Function, Interface, SUCCESS, Status, text};
use std::{
    ffi::{CStr, c_char},
    ptr,
};

/// `CUDA_ERROR_INVALID_VALUE`, `hipErrorInvalidValue`.
pub(super) const INVALID_VALUE: Status = 1;

/// The remedies, by `CUresult`; `hipError_t` has the same numbers. Words in braces stand for those of the interface.
const REMEDIES: &[(&[Status], &str)] = &[
    (
        &[1],
        "the sizes exceed what the GPU can do; compile the model for this GPU",
    ),
    (
        &[2],
        "end other programs on the GPU, make fewer instances or a smaller batch, or name another GPU in {device}",
    ),
    (
        &[3, 4],
        "a process that was forked cannot use the GPU of its parent; begin to use the GPU after the fork",
    ),
    (
        &[46],
        "another program holds the GPU for itself; end it, or name another GPU in {device}",
    ),
    (
        &[100, 101],
        "check with {tool} which GPUs this machine has, and {device} and {visible}; or compile for \
         this machine's processor",
    ),
    (
        &[200, 209, 218],
        "the model has no code for this GPU; compile it for this one",
    ),
    (
        &[221, 222, 803],
        "the driver is too old for the model; install a newer one, or compile for an older GPU",
    ),
    (
        &[500],
        "the library was damaged, or its kernels are another compiler's; compile the model again",
    ),
    (
        &[700, 714, 715, 716, 717, 718, 719],
        "a kernel did what it must not do, which is a fault of the compiler: report it, with the name of the kernel that a run \
         with {waiting} gives. This process cannot use the GPU any more",
    ),
    (
        &[701],
        "a kernel has too many registers for its threads; compile the model for this GPU",
    ),
    (
        &[702],
        "a GPU with a screen ends kernels that take seconds; use a smaller batch, or another GPU",
    ),
    (
        &[214, 999],
        "the GPU is lost or damaged: look for it in the system's log, and restart the machine",
    ),
];

impl Driver {
    /// An error, if a function of the driver gave one.
    pub(super) fn check<F>(
        &self,
        function: Function<F>,
        status: Status,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        match status {
            SUCCESS => Ok(()),
            status => Err(describe(self, &what(), function.name, status)),
        }
    }
}

/// What `what` failed with: a sentence that names the function, the error and the remedy.
fn describe(driver: &Driver, what: &str, function: &CStr, status: Status) -> String {
    let name = known(driver.error_name.call, status);
    let name = name.unwrap_or_else(|| format!("error {status}"));
    let meaning = known(driver.error_text.call, status);
    let meaning = meaning.map(|text| format!(" ({text})")).unwrap_or_default();
    let function = function.to_string_lossy();
    let mut remedies = REMEDIES.iter();
    let remedy = remedies.find(|(codes, _)| codes.contains(&status));
    let remedy = remedy.map(|(_, remedy)| format!("; {}", complete(remedy, driver.interface)));
    let remedy = remedy.unwrap_or_default();
    format!("{what}: {function} returned {name}{meaning}{remedy}")
}

/// A remedy in the words of an interface.
fn complete(remedy: &str, interface: &Interface) -> String {
    remedy
        .replace("{device}", interface.device_variable)
        .replace("{visible}", interface.visible_variable)
        .replace("{tool}", interface.tool)
        .replace("{waiting}", interface.waiting)
}

/// What the driver says of an error, if it knows it.
fn known(
    ask: unsafe extern "C" fn(Status, *mut *const c_char) -> Status,
    status: Status,
) -> Option<String> {
    let mut said = ptr::null();
    // SAFETY: the function fills the pointer with a constant of the driver.
    let known = unsafe { ask(status, &raw mut said) } == SUCCESS;
    // SAFETY: as above.
    let said = unsafe { text(said) };
    (known && !said.is_empty()).then_some(said)
}
