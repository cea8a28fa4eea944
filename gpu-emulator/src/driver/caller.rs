//! Whether a program calls the driver by CUDA's names or by HIP's.

use super::context;
use std::cell::Cell;

/// The threads of a warp, if the options do not say it: under HIP as on AMD's CDNA.
const WARP: u32 = 32;
const WARP_OF_HIP: u32 = 64;

thread_local! {
    /// The function of HIP's that this thread is in.
    static NAME: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Does what a function of HIP's does, in the device's context.
pub(super) fn called(name: &'static str, work: impl FnOnce() -> u32) -> u32 {
    let before = NAME.replace(Some(name));
    let status = context::within(work);
    NAME.set(before);
    status
}

/// The function of HIP's that this thread is in.
pub(super) fn name() -> Option<&'static str> {
    NAME.get()
}

/// The threads of a warp for the program that calls.
pub(super) fn usual_warp() -> u32 {
    match name() {
        Some(_) => WARP_OF_HIP,
        None => WARP,
    }
}
