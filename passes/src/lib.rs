//! The passes of the `relay` and `te` dialects, the standard orders, and the registration of all passes, those on
//! loop programs (`relay_loops`) included.
//!
//! One pass, one file, one [`PassSpec`](relay_dialects::pass::PassSpec); each folder's `ALL` lists
//! its passes. `analysis` never changes IR.

pub mod analysis;
pub mod evaluator;
pub mod executor;
pub(crate) mod graph;
mod machine;
pub mod pattern;
pub mod pipeline;
pub(crate) mod records;
pub mod relay;
pub mod te;
pub mod testing;

use evaluator::Evaluator;
use relay_dialects::pass::{self, Folder, PassSpec, Service};

pub use graph::{few_bits, simulated};
pub use relay_topi::{Candidate, F32_BYTES, Fitted, Machine, Plan};

/// This crate's passes, by folder.
const FOLDERS: &[Folder] = &[
    Folder {
        path: "passes/src/relay",
        passes: relay::ALL,
    },
    Folder {
        path: "passes/src/te",
        passes: te::ALL,
    },
    Folder {
        path: "passes/src/executor",
        passes: executor::ALL,
    },
    Folder {
        path: "passes/src/testing",
        passes: testing::ALL,
    },
];

/// Every pass, by folder.
pub fn folders() -> impl Iterator<Item = &'static Folder> {
    FOLDERS.iter().chain(relay_loops::FOLDERS)
}

/// The passes that choose layouts, kernels and schedules by the machine that a module names.
pub const DECIDING: &[&PassSpec] = &[
    &relay::alter_op_layout::SPEC,
    &relay::collage_partition::SPEC,
    &relay::fuse_ops::SPEC,
    &te::relay_to_te::SPEC,
    &te::te_auto_schedule::SPEC,
];

/// Every pass.
pub fn all() -> Vec<&'static PassSpec> {
    folders()
        .flat_map(|folder| folder.passes.iter().copied())
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
