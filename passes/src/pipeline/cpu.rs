//! The passes for processors, which run loops on the threads of the runtime's pool.

use super::Kind;

/// Processors.
pub const CPU: Kind = Kind {
    plan: PLAN,
    kernel: KERNEL,
};

/// A grid is loops here.
const PLAN: &[&str] = &[
    "func.func(lower-block)",
    "func.func(lower-thread-binding)",
    "func.func(hoist-if-then-else)",
    "func.func(loop-partition)",
    "func.func(tir-simplify)",
    "plan-memory",
    "bare-buffers",
    "skip-after-errors",
];

/// To scf, memref and vector.
const KERNEL: &[&str] = &[
    "func.func(vectorize-loop)",
    "func.func(unroll-loop)",
    "outline-parallel",
    "plan-workspace",
    "func.func(lower-tir)",
    "erase-scopes",
    "func.func(approximate-math)",
    "canonicalize",
    "cse",
    "func.func(promote-accumulators)",
    "canonicalize",
    "cse",
];
