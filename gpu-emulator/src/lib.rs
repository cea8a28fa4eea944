//! A driver of GPUs that runs kernels on the processor: for tests without a GPU, and for finding faults of kernels.
//!
//! `RELAY_CUDA_DRIVER=librelay_gpu_emulator.so` has a model use it in the place of NVIDIA's driver, and
//! `RELAY_HIP_DRIVER` in that of AMD's HIP, if the model was compiled for an emulated GPU. Its kernels are functions of a shared object for the processor; each call of such a function is one thread ([`kernel`]). Nothing of
//! this crate becomes part of a model.
//!
//! It finds faults that a GPU may hide:
//!
//! - Memory of the device is out of reach of the host between launches and copies, and unmapped pages surround it ([`memory`]).
//! - New memory, and the shared memory of each block, holds NaN.
//! - Threads run in an order that `RELAY_EMULATOR_ORDER` chooses, so a missing barrier shows.
//! - A barrier or shuffle that threads skip is an error.

pub mod block;
mod driver;
pub mod grid;
mod image;
pub mod kernel;
pub mod memory;
mod multiply;
pub mod options;
pub mod status;
