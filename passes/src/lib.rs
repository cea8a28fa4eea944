//! The passes of the `relay`, `te` and `tir` dialects.
//!
//! One pass, one file, one [`PassSpec`](relay_dialects::pass::PassSpec); each folder's `ALL` lists
//! its passes. `analysis` never changes IR.

pub mod analysis;
pub(crate) mod buffers;
pub(crate) mod copying;
pub mod cpu;
pub mod evaluator;
pub mod executor;
pub(crate) mod graph;
pub(crate) mod kernel_limits;
pub mod machine;
pub mod pattern;
pub mod pipeline;
pub(crate) mod records;
pub mod relay;
pub mod te;
pub mod testing;
pub mod tir;

use evaluator::Evaluator;
use relay_dialects::pass::{self, PassSpec, Service};

pub use relay_topi::{Candidate, F32_BYTES, Fitted, Machine, Plan};

/// Every pass, by folder of `src/`.
pub const FOLDERS: &[(&str, &[&PassSpec])] = &[
    ("relay", relay::ALL),
    ("te", te::ALL),
    ("executor", executor::ALL),
    ("tir", tir::ALL),
    ("cpu", cpu::ALL),
    ("testing", testing::ALL),
];

/// Every pass.
pub fn all() -> Vec<&'static PassSpec> {
    FOLDERS
        .iter()
        .flat_map(|(_, passes)| passes.iter().copied())
        .collect()
}

/// Puts every pass, and upstream's, into MLIR's registry. Once per process: what comes later changes nothing.
pub fn register() {
    register_for(&());
}

/// As [`register`], in a program that can compute constants.
pub fn register_with(evaluator: &'static Evaluator) {
    register_for(evaluator);
}

fn register_for(service: Service) {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        pass::register_upstream();
        pass::register_with(&all(), service);
    });
}
