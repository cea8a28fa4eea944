//! The `relay`, `te` and `tir` dialects of MLIR.
//!
//! The dialects are declared in TableGen (`td/`); what their ops mean - type relations, verifiers,
//! folds - is Rust, in one table per dialect. The bridge (`cpp/`) forwards MLIR's hooks here and
//! puts passes written in Rust into MLIR's own registry.
//!
//! Without its default feature `dialects`, the crate holds neither the dialects' C++ classes nor the
//! mains of MLIR's tools: what a pass plugin needs. The dialects in a process are then those of the
//! tool that loads the plugin, and of no second copy.

pub mod attrs;
mod calls;
pub mod declared;
mod diagnostics;
pub mod dim;
pub mod element;
mod enums;
mod extents;
mod ffi;
pub mod hash;
mod hooks;
pub mod index;
pub mod inferred;
pub mod intrinsics;
pub mod ir;
pub mod limits;
pub mod minifloat;
pub mod names;
pub mod ops;
pub mod pass;
pub mod pipeline;
pub mod plugin;
pub mod relay;
pub mod rewrite;
pub mod signatures;
pub mod similar;
pub mod symbols;
pub mod te;
pub mod tir;
#[cfg(feature = "dialects")]
pub mod tool;
mod visible;

pub use element::{Element, Elements};
pub use visible::visible;

use melior::Context;
#[cfg(feature = "dialects")]
use melior::dialect::DialectRegistry;

/// A context that knows our dialects, all upstream ones and the translations to LLVM IR.
#[cfg(feature = "dialects")]
pub fn context() -> Context {
    tool::check_memory();
    let context = Context::new();
    context.append_dialect_registry(&registry());
    context.load_all_available_dialects();
    if relay::custom::is_on_one_thread() {
        context.enable_multi_threading(false);
    }
    context
}

/// Our dialects, all upstream ones and the translations to LLVM IR.
#[cfg(feature = "dialects")]
fn registry() -> DialectRegistry {
    let registry = DialectRegistry::new();
    // SAFETY: the registry lives through the call, and the bridge only adds to it.
    unsafe { ffi::relayInsertAllDialects(registry.to_raw()) };
    registry
}

/// Whether a CPU, with LLVM's `features` added or taken away (`+a,-b`), has all of `wanted` (`+c`).
/// LLVM's target for `triple` must have been initialised; one that was not has nothing.
#[cfg(feature = "dialects")]
pub fn target_has_features(triple: &str, cpu: &str, features: &str, wanted: &str) -> bool {
    let [triple, cpu, features, wanted] = [triple, cpu, features, wanted].map(ir::string_ref);
    // SAFETY: the strings live through the call.
    unsafe { ffi::relayTargetHasFeatures(triple, cpu, features, wanted) }
}

/// Whether LLVM knows a CPU of that name, for a target as above.
#[cfg(feature = "dialects")]
pub fn target_has_cpu(triple: &str, cpu: &str) -> bool {
    // SAFETY: the strings live through the call.
    unsafe { ffi::relayTargetHasCpu(ir::string_ref(triple), ir::string_ref(cpu)) }
}

/// Whether LLVM knows a feature of that name, `a` or `+a`, for a target as above.
#[cfg(feature = "dialects")]
pub fn target_has_feature(triple: &str, feature: &str) -> bool {
    // SAFETY: the strings live through the call.
    unsafe { ffi::relayTargetHasFeature(ir::string_ref(triple), ir::string_ref(feature)) }
}

/// The CPUs that LLVM knows of a target as above.
#[cfg(feature = "dialects")]
pub fn target_cpus(triple: &str) -> Vec<String> {
    target_names(triple, false)
}

/// The features that LLVM knows of a target as above.
#[cfg(feature = "dialects")]
pub fn target_features(triple: &str) -> Vec<String> {
    target_names(triple, true)
}

#[cfg(feature = "dialects")]
fn target_names(triple: &str, features: bool) -> Vec<String> {
    let mut text = String::new();
    // SAFETY: the string, and what the callback writes to, live through the call.
    unsafe {
        let (triple, sink) = (ir::string_ref(triple), (&raw mut text).cast());
        ffi::relayTargetNames(triple, features, Some(ir::collect_text), sink);
    }
    text.lines().map(str::to_owned).collect()
}

/// A copy of a module in its context: constants are shared.
pub fn copy<'c>(module: &melior::ir::Module<'c>) -> melior::ir::Module<'c> {
    let copy = ir::Op::of_module(module).clone_detached();
    // SAFETY: the copy is a module in the same context, and owned by what is returned.
    unsafe { melior::ir::Module::from_raw(mlir_sys::mlirModuleFromOperation(copy.to_raw())) }
}

/// A copy of a module in another context, by way of bytecode.
pub fn copy_to<'c>(context: &'c Context, module: ir::Op) -> Option<melior::ir::Module<'c>> {
    parse(context, &module.to_bytecode(), "-")
}

/// Parses a module from MLIR text or bytecode; its locations are in a file of that name. Diagnostics say what
/// is wrong if there is none.
pub fn parse<'c>(
    context: &'c Context,
    source: &[u8],
    name: &str,
) -> Option<melior::ir::Module<'c>> {
    // MLIR takes its sources zero-terminated.
    let source: Vec<u8> = source.iter().copied().chain([0]).collect();
    let text = mlir_sys::MlirStringRef {
        data: source.as_ptr().cast(),
        length: source.len() - 1,
    };
    // SAFETY: source and name live through the call, and the source ends in a zero; the module is owned by what is
    // returned.
    unsafe {
        let raw = ffi::relayParse(context.to_raw(), text, ir::string_ref(name));
        (!raw.ptr.is_null()).then(|| melior::ir::Module::from_raw(raw))
    }
}
