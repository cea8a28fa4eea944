//! Whether a program calls the driver by CUDA's names or by HIP's.

use super::context;
use crate::options::Chip;
use std::cell::Cell;

/// The threads of a warp, if the options do not say it: under HIP as on AMD's CDNA, unless the chip is one of RDNA.
const WARP: u32 = 32;
const WARP_OF_HIP: u32 = 64;

/// What the names of RDNA's chips begin with.
const RDNA: &[u8] = b"gfx1";

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
pub(super) fn usual_warp(chip: Option<&Chip>) -> u32 {
    let is_of_rdna = matches!(chip, Some(Chip::Name(name)) if name.to_bytes().starts_with(RDNA));
    match name() {
        Some(_) if !is_of_rdna => WARP_OF_HIP,
        _ => WARP,
    }
}
