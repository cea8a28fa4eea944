//! The standard pass orders; every one is written here and only here.

/// From kernels of `tir` loops to scf, memref and vector, with memory planned.
const TIR: &[&str] = &[
    "func.func(vectorize-loop)",
    "func.func(unroll-loop)",
    "plan-memory",
    "lower-tir",
    "canonicalize",
    "cse",
    "func.func(promote-accumulators)",
    "canonicalize",
    "cse",
];

/// A level of the IR, from the model down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Operators on tensors, optimised and fused.
    Relay,
    /// Tensor expressions with their schedules.
    Te,
    /// Loops over buffers.
    Tir,
    /// Upstream dialects, ready for LLVM.
    Lowered,
}

/// The passes from a module at any level down to `to`, at optimisation level `opt` (0 to 3).
pub fn passes(to: Level, opt: u8) -> Vec<&'static str> {
    let mut all = Vec::new();
    let _ = opt;
    if to >= Level::Tir {
        all.push("lower-te");
    }
    if to >= Level::Lowered {
        all.extend(TIR);
    }
    all
}
