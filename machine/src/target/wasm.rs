//! WebAssembly, whose vectors are a feature: `wasm32-unknown-unknown -mattr=+simd128`.

use super::{Architecture, Fused, Has, NO_LOADER, Vectors};
use inkwell::targets::Target;

/// The row.
pub const ARCHITECTURE: Architecture = Architecture {
    name: "wasm32",
    triple: "wasm32-unknown-unknown",
    baseline: "generic",
    vectors,
    rounds_to_bf16: |_| false,
    flushes_bf16: false,
    rounds_to_integers: false,
    initialize: Target::initialize_webassembly,
    fused: |_| Fused::Nothing,
    // Its objects are no ELF.
    machine: object::elf::EM_NONE,
    libraries: "wasm32-unknown-unknown",
    debian: "wasm32",
    loader: NO_LOADER,
};

/// Registers are the host's: those of the processors that have the fewest.
fn vectors(has: Has<'_>) -> Vectors {
    let (name, bits) = if has("+simd128") {
        ("SIMD128", 128)
    } else {
        ("no vectors", 64)
    };
    Vectors {
        name,
        bits,
        registers: 16,
    }
}
