//! 32-bit ARM of microcontrollers with floating point: Cortex-M4F, M7 and later.

use super::{Architecture, Fused, Has, NO_LOADER, Vectors};
use inkwell::targets::Target;

/// The row.
pub const ARCHITECTURE: Architecture = Architecture {
    name: "thumbv7em",
    triple: "thumbv7em-none-eabihf",
    baseline: "cortex-m4",
    vectors,
    rounds_to_bf16: |_| false,
    flushes_bf16: false,
    rounds_to_integers: false,
    initialize: Target::initialize_arm,
    fused: |_| Fused::Singles,
    machine: object::elf::EM_ARM,
    libraries: "arm-none-eabi",
    debian: "armhf",
    loader: NO_LOADER,
};

/// There are 32 registers of one f32 each. LLVM takes two of them for a vector of two.
fn vectors(_: Has<'_>) -> Vectors {
    Vectors {
        name: "no vectors",
        bits: 64,
        registers: 16,
    }
}
