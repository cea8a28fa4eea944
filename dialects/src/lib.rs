//! The `relay`, `te` and `tir` dialects of MLIR.
//!
//! The dialects are declared in TableGen (`td/`); what their ops mean - type relations, verifiers,
//! folds - is Rust, in one table per dialect. The bridge (`cpp/`) forwards MLIR's hooks here and
//! puts passes written in Rust into MLIR's own registry.

mod ffi;
mod hooks;
pub mod index;
pub mod ir;
pub mod pass;
pub mod relay;
pub mod te;
pub mod tir;
pub mod tool;

use melior::{Context, dialect::DialectRegistry};

/// A context that knows our dialects, all upstream ones and the translations to LLVM IR.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    // SAFETY: the registry lives through the call, and the bridge only adds to it.
    unsafe { ffi::relayInsertAllDialects(registry.to_raw()) };
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}
