//! Targets: what machine code is made for, and what schedules know of it.
//!
//! A [`Target`] is a triple, a CPU and its features. A [`Machine`] is what passes decide by: every number with its unit, from a
//! [file](files) of the CPU's microarchitecture, and the [matrix units](units) that the features give. A module carries both as
//! its attribute [`relay.machine`](ir), which `attach-target` writes and passes read.

pub mod dots;
mod files;
mod fitted;
pub mod gpu;
mod gpu_kind;
pub mod ir;
mod machine;
mod number;
pub mod target;
pub mod units;
pub mod warp_units;

pub use dots::ByteDot;
pub use fitted::Fitted;
pub use gpu::{Card, Gpu};
pub use gpu_kind::GpuKind;
pub use machine::{EVALUATIONS_OF_A_THREAD, F32_BYTES, LINE_BYTES, Machine};
pub use target::{Target, TargetError};
pub use units::{MatrixUnit, Units};
pub use warp_units::{WarpUnit, WarpUnits};
