//! x86-64.

use super::{Architecture, Fused, Has, Vectors};
use inkwell::targets::Target;

/// The row.
pub const ARCHITECTURE: Architecture = Architecture {
    name: "x86_64",
    triple: TRIPLE,
    baseline: "x86-64",
    vectors,
    rounds_to_bf16: |has| has("+avx512bf16") || has("+avxneconvert"),
    flushes_bf16: true,
    rounds_to_integers: true,
    initialize: Target::initialize_x86,
    fused: |has| match has("+fma") || has("+fma4") {
        true => Fused::All,
        false => Fused::Nothing,
    },
    machine: object::elf::EM_X86_64,
    libraries: "x86_64-linux-gnu",
    debian: "amd64",
    loader: "ld-linux-x86-64.so.2",
};

fn vectors(has: Has<'_>) -> Vectors {
    let (name, bits, registers) = if has("+avx512f") {
        ("AVX-512", 512, 32)
    } else if has("+avx2") {
        ("AVX2", 256, 16)
    } else {
        ("SSE2", 128, 16)
    };
    Vectors {
        name,
        bits,
        registers,
    }
}

/// The triple that a level alone means.
pub const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// The CPUs that stand for a level of the architecture's instructions, and the level.
pub const LEVELS: &[(&str, i32)] = &[
    ("x86-64", 1),
    ("x86-64-v2", 2),
    ("x86-64-v3", 3),
    ("x86-64-v4", 4),
];
