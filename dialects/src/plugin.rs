//! Libraries that MLIR's tools load with `--load-pass-plugin` and `--load-dialect-plugin`.
//!
//! A pass plugin is a `cdylib` crate that says [`pass_plugin!`](crate::pass_plugin) once. It shares
//! MLIR's library with the tool that loads it, and nothing of Rust.

use crate::{
    ffi,
    ir::string_ref,
    pass::{self, PassSpec},
    pipeline::{self, PipelineSpec},
};
use mlir_sys::MlirDialectRegistry;
use std::ffi::{CStr, c_char};

/// The version of MLIR's plugin interfaces that this is written for.
const API_VERSION: u32 = 1;

/// The function that MLIR's tools look up in a pass plugin.
#[cfg(feature = "dialects")]
const PASS_ENTRY: &[u8] = b"mlirGetPassPluginInfo";

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

/// Loads a pass plugin into this process, which keeps it: its passes are in MLIR's registry from then on.
///
/// # Errors
/// Why it cannot be loaded.
#[cfg(feature = "dialects")]
pub fn load(path: &std::path::Path) -> Result<(), String> {
    // SAFETY: loading runs the library's initialisers. Who names it trusts it, as in MLIR's tools.
    let library = unsafe { libloading::Library::new(path) }.map_err(|error| error.to_string())?;
    // SAFETY: MLIR defines what the function of this name is.
    let entry = unsafe { library.get::<extern "C" fn() -> PassPluginInfo>(PASS_ENTRY) };
    let entry = entry.map_err(|_| {
        let name = String::from_utf8_lossy(PASS_ENTRY);
        format!("has no function {name}, with which a pass plugin begins")
    })?;
    let info = entry();
    if info.api_version != API_VERSION {
        return Err(format!(
            "is made for version {} of MLIR's plugins, and this is version {API_VERSION}",
            info.api_version
        ));
    }
    (info.register)();
    // The registry points into it.
    std::mem::forget(library);
    Ok(())
}

/// The plugin that adds the `relay`, `te` and `tir` dialects.
#[cfg(feature = "dialects")]
pub const fn dialects(name: &'static CStr) -> DialectPluginInfo {
    extern "C" fn register(registry: MlirDialectRegistry) {
        // SAFETY: MLIR passes the registry of the tool that loads the plugin; the C API's handle is
        // a pointer to it.
        unsafe { ffi::relayInsertDialects(registry) }
    }
    PluginInfo::new(name, register)
}

/// Registers a plugin's passes with the tool that loads it: in MLIR's registry, and as flags of the
/// tool. [`pass_plugin!`](crate::pass_plugin) calls this.
pub fn register_passes(specs: &[&'static PassSpec]) {
    pass::register(specs);
    add_pass_flags(specs);
}

/// Adds the flags of passes that are registered to the tool that loads the plugin.
pub fn add_pass_flags(specs: &[&'static PassSpec]) {
    let flags = specs.iter();
    flags.for_each(|spec| add_flag(spec.flag, spec.summary, spec.anchor));
}

/// Adds the flags of pipelines that are registered, likewise.
pub fn add_pipeline_flags(specs: &[PipelineSpec]) {
    let flags = specs.iter();
    flags.for_each(|spec| add_flag(spec.flag, spec.summary, pipeline::ANCHOR));
}

/// Adds a flag to the tool whose command line is being parsed, because the tool made its flags before it loaded
/// the plugin. An existing flag stays as it is.
fn add_flag(flag: &'static str, summary: &'static str, anchor: &'static str) {
    let (flag, summary) = (string_ref(flag), string_ref(summary));
    // SAFETY: the strings live as long as the process.
    unsafe { ffi::relayAddPassFlag(flag, summary, string_ref(anchor)) };
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
