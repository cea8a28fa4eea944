//! The dialects and passes as a plugin, for tools that were built without them:
//!
//! ```text
//! mlir-opt-22 --load-dialect-plugin=librelay_mlir_plugin.so \
//!             --load-pass-plugin=librelay_mlir_plugin.so \
//!             --pass-pipeline='builtin.module(fuse-ops)' model.mlir
//! ```
//!
//! `mlir-opt` makes its flags for single passes before it loads plugins, so that a pass of a plugin
//! is named in a pipeline.

use std::ffi::{c_char, c_void};

/// The version of MLIR's plugin interfaces that this is written for.
const API_VERSION: u32 = 1;

/// `mlir::DialectPluginLibraryInfo`.
#[repr(C)]
pub struct DialectPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(registry: *mut c_void),
}

/// `mlir::PassPluginLibraryInfo`.
#[repr(C)]
pub struct PassPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(),
}

/// What `--load-dialect-plugin` looks up.
#[allow(non_snake_case, reason = "MLIR names this function")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginInfo {
    DialectPluginInfo {
        api_version: API_VERSION,
        name: c"relay-mlir".as_ptr(),
        version: c"0.1".as_ptr(),
        register: register_dialects,
    }
}

/// What `--load-pass-plugin` looks up.
#[allow(non_snake_case, reason = "MLIR names this function")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginInfo {
    PassPluginInfo {
        api_version: API_VERSION,
        name: c"relay-mlir".as_ptr(),
        version: c"0.1".as_ptr(),
        register: register_passes,
    }
}

unsafe extern "C" fn register_dialects(registry: *mut c_void) {
    // SAFETY: MLIR passes the registry of the tool that loads the plugin.
    unsafe { relay_dialects::tool::insert_dialects(registry) }
}

unsafe extern "C" fn register_passes() {
    // The tool has upstream's passes already.
    relay_dialects::pass::register(&relay_passes::all());
}
