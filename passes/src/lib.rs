//! The passes of the `relay`, `te` and `tir` dialects.
//!
//! One pass, one file, one [`PassSpec`](relay_dialects::pass::PassSpec); each folder's `ALL` lists
//! its passes. `analysis` never changes IR.

pub mod analysis;
pub mod evaluator;
pub mod pipeline;
pub mod relay;
pub mod te;
pub mod tir;

use relay_dialects::pass::{self, PassSpec};

/// Every pass.
pub fn all() -> Vec<&'static PassSpec> {
    [relay::ALL, te::ALL, tir::ALL].concat()
}

/// Puts every pass, and upstream's, into MLIR's registry. Once per process.
pub fn register() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        pass::register_upstream();
        pass::register(&all());
    });
}
