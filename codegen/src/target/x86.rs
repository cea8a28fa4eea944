//! x86-64.

use super::Architecture;
use inkwell::targets::Target;

/// The row.
pub const ARCHITECTURE: Architecture = Architecture {
    name: "x86_64",
    baseline: "x86-64",
    vectors,
    initialize: Target::initialize_x86,
    object: object::Architecture::X86_64,
    libraries: "x86_64-linux-gnu",
    loader: "ld-linux-x86-64.so.2",
};

fn vectors(cpu: &str, features: &str) -> (u32, u32) {
    let has = |name: &str| {
        features
            .split(',')
            .any(|feature| feature == format!("+{name}"))
    };
    if has("avx512f") || cpu == "x86-64-v4" {
        (512, 32)
    } else if has("avx2") || cpu == "x86-64-v3" {
        (256, 16)
    } else {
        (128, 16)
    }
}
