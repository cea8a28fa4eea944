//! What a library is to be: fast, small, or both.

use super::Cycles;
use crate::schedule::F32_BYTES;

/// What is weighed against what where a faster kernel needs larger weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The fewest cycles, whatever the size of the weights.
    #[default]
    Speed,
    /// Larger weights only where they save enough cycles.
    Balanced,
    /// No weight in more bytes than the model has it.
    Size,
}

/// The cycles of a run that an additional byte of a weight must save. Fitted by hand to two networks: ResNet-18 loses Winograd's
/// algorithm on 7 x 7 pixels, which saves a seventh of its latency for half of the model's bytes. VGG-16 keeps it everywhere, which
/// saves two thirds of its latency for a fifth of the bytes.
const CYCLES_PER_BYTE: f64 = 0.5;

impl Goal {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Speed, Self::Balanced, Self::Size];

    /// Its name, for options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Balanced => "balanced",
            Self::Size => "size",
        }
    }

    /// The goal of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|goal| goal.name() == name)
    }

    /// What a weight of this number of f32 costs beside the time to read it.
    pub fn price(self, elements: f64) -> Cycles {
        let bytes = F32_BYTES as f64 * elements;
        match self {
            Self::Speed => Cycles::default(),
            Self::Balanced => Cycles(CYCLES_PER_BYTE * bytes),
            Self::Size => Cycles::NEVER,
        }
    }
}
