//! The passes for GPUs, which run the loops of a kernel as grids of threads.

use super::Kind;

/// GPUs.
pub const GPU: Kind = Kind {
    plan: PLAN,
    kernel: KERNEL,
};

/// Conditions stay in loops: a thread that has nothing to do waits for the others anyway.
const PLAN: &[&str] = &[
    "func.func(lower-block)",
    "func.func(distribute-fragments)",
    "func.func(raise-scratch)",
    "func.func(hoist-if-then-else)",
    "func.func(tir-simplify)",
    "plan-memory",
    "bare-buffers",
    "skip-after-errors",
];

/// To functions of a thread, of scf, memref, vector and gpu, and their launches.
const KERNEL: &[&str] = &[
    "func.func(bind-grid)",
    "outline-grids",
    "func.func(insert-barriers)",
    "func.func(vectorize-loop)",
    "func.func(unroll-loop)",
    "func.func(lower-tir)",
    "place-shared",
    "erase-scopes",
    "math-extend-to-supported-types{target-type=f32}",
    "func.func(expand-device-math)",
    "func.func(approximate-math)",
    "canonicalize",
    "cse",
    "func.func(promote-accumulators)",
    "canonicalize",
    "cse",
    "func.func(align-vectors)",
];
