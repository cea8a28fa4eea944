//! AArch64.

use super::{Architecture, Fused, Has, Vectors};
use inkwell::targets::Target;

/// The row.
pub const ARCHITECTURE: Architecture = Architecture {
    name: "aarch64",
    triple: "aarch64-unknown-linux-gnu",
    baseline: "generic",
    vectors,
    rounds_to_bf16: |_| true,
    flushes_bf16: false,
    rounds_to_integers: false,
    initialize: Target::initialize_aarch64,
    fused: |_| Fused::All,
    machine: object::elf::EM_AARCH64,
    libraries: "aarch64-linux-gnu",
    debian: "arm64",
    loader: "ld-linux-aarch64.so.1",
};

/// NEON's width. Code for SVE would need vectors whose width is not known when it is compiled.
fn vectors(has: Has<'_>) -> Vectors {
    let (name, bits) = if has("+neon") {
        ("NEON", 128)
    } else {
        ("no vectors", 64)
    };
    Vectors {
        name,
        bits,
        registers: 32,
    }
}
