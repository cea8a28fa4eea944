//! Libraries that MLIR's tools load with `--load-pass-plugin` and `--load-dialect-plugin`.
//!
//! A pass plugin is a `cdylib` crate that says [`pass_plugin!`](crate::pass_plugin) once. It shares
//! MLIR's library with the tool that loads it, and nothing of Rust.

use crate::pass::{self, PassSpec};
use mlir_sys::MlirDialectRegistry;
use std::ffi::{CStr, c_char};

/// The version of MLIR's plugin interfaces that this is written for.
const API_VERSION: u32 = 1;

/// A plugin's description for MLIR's tools; how it registers depends on the kind of plugin.
#[repr(C)]
pub struct PluginInfo<Register> {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Register,
}

/// `mlir::PassPluginLibraryInfo`.
pub type PassPluginInfo = PluginInfo<extern "C" fn()>;

/// `mlir::DialectPluginLibraryInfo`.
pub type DialectPluginInfo = PluginInfo<extern "C" fn(MlirDialectRegistry)>;

impl<Register> PluginInfo<Register> {
    /// A plugin called `name`; MLIR calls `register` when it has loaded it.
    pub const fn new(name: &'static CStr, register: Register) -> Self {
        Self {
            api_version: API_VERSION,
            name: name.as_ptr(),
            version: c"0.1".as_ptr(),
            register,
        }
    }
}

/// The plugin that adds the `relay`, `te` and `tir` dialects.
#[cfg(feature = "dialects")]
pub const fn dialects(name: &'static CStr) -> DialectPluginInfo {
    extern "C" fn register(registry: MlirDialectRegistry) {
        // SAFETY: MLIR passes the registry of the tool that loads the plugin; the C API's handle is
        // a pointer to it.
        unsafe { crate::ffi::relayInsertDialects(registry) }
    }
    PluginInfo::new(name, register)
}

/// Registers a plugin's passes with the tool that loads it: in MLIR's registry, and as flags of the
/// tool. [`pass_plugin!`](crate::pass_plugin) calls this.
pub fn register_passes(specs: &[&'static PassSpec]) {
    pass::register(specs);
    pass::add_flags(specs);
}

/// Makes the crate a pass plugin: `pass_plugin!(c"its-name", &[&SPEC])` exports what
/// `--load-pass-plugin` looks up. The passes are a `&[&'static PassSpec]`.
#[macro_export]
macro_rules! pass_plugin {
    ($name:expr, $passes:expr) => {
        /// What `--load-pass-plugin` looks up.
        #[allow(non_snake_case, reason = "MLIR names this function")]
        #[unsafe(no_mangle)]
        pub extern "C" fn mlirGetPassPluginInfo() -> $crate::plugin::PassPluginInfo {
            extern "C" fn register() {
                $crate::plugin::register_passes($passes);
            }
            $crate::plugin::PluginInfo::new($name, register)
        }
    };
}
