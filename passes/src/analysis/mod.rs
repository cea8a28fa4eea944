//! Facts about IR; nothing here changes it.

pub mod bytes;
pub mod cost;
#[cfg(test)]
mod described_loops;
pub mod dtypes;
pub mod features;
pub mod flops;
pub mod layers;
pub mod liveness;
pub mod macs;
pub mod weights;
