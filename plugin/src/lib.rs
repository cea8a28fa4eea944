//! The dialects and passes as a plugin, for tools that were built without them:
//!
//! ```text
//! mlir-opt-22 --load-dialect-plugin=librelay_mlir_plugin.so \
//!             --load-pass-plugin=librelay_mlir_plugin.so \
//!             --fuse-ops --relay-to-te --lower-te model.mlir
//! ```
//!
//! Flags of passes follow the flag that loads the plugin. They append to `--pass-pipeline`, which
//! MLIR does not combine with flags of single passes of its own; a pipeline mixes both:
//! `--pass-pipeline='builtin.module(cse,fuse-ops)'`.

use relay_codegen::{evaluate::EVALUATOR, pipelines};
use relay_dialects::{
    pass, pipeline,
    plugin::{self, DialectPluginInfo, PassPluginInfo},
};

/// What `--load-pass-plugin` looks up.
#[allow(non_snake_case, reason = "MLIR names this function")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginInfo {
    /// The tool has registered upstream's passes.
    extern "C" fn register() {
        let passes = relay_passes::all();
        pass::register_with(&passes, &EVALUATOR);
        pipeline::register(pipelines::ALL);
        plugin::add_pass_flags(&passes);
        plugin::add_pipeline_flags(pipelines::ALL);
    }
    PassPluginInfo::new(c"relay-mlir", register)
}

/// What `--load-dialect-plugin` looks up.
#[allow(non_snake_case, reason = "MLIR names this function")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginInfo {
    plugin::dialects(c"relay-mlir")
}
