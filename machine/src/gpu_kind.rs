//! The kinds of GPUs.

use serde::Deserialize;

/// The interfaces by which GPUs are driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GpuKind {
    /// NVIDIA's driver; kernels are PTX.
    Cuda,
    /// AMD's HIP; kernels are machine code for one chip.
    Rocm,
}

impl GpuKind {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Cuda, Self::Rocm];

    /// Its name in targets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Rocm => "rocm",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The chip of a kind alone, if kernels for it run on all later ones.
    pub fn usual_chip(self) -> Option<&'static str> {
        match self {
            Self::Cuda => Some("sm_80"),
            Self::Rocm => None,
        }
    }
}
