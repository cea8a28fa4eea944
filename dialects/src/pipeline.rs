//! Orders of passes that have a name, in MLIR's pass registry.
//!
//! After [`register`], `relay-opt --flag`, textual pipelines, `--help` and plugins know a pipeline, as they know a
//! pass. MLIR puts its passes in its place.

use crate::{
    calls::{guard, slice},
    ffi,
    ir::string_ref,
    ops::builtin,
    pass::{OptionSpec, Options, host_spec},
};
use mlir_sys::{MlirStringCallback, MlirStringRef};
use std::ffi::c_void;

/// The op that all pipelines run on.
pub(crate) const ANCHOR: &str = builtin::Module::NAME;

/// A pipeline.
pub struct PipelineSpec {
    /// The flag.
    pub flag: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Its passes, each as in a textual pipeline on modules; or what is wrong with the options.
    pub passes: fn(&Options) -> Result<Vec<String>, String>,
}

/// Puts pipelines into MLIR's registry. Once per pipeline and process.
pub fn register(specs: &'static [PipelineSpec]) {
    for spec in specs {
        let host = host_spec((spec.flag, spec.summary, ANCHOR), spec.options, spec);
        // SAFETY: `host` and all that it points to live as long as the process.
        unsafe { ffi::relayRegisterPipeline(host, expand) };
    }
}

/// Writes a pipeline's passes, or why there are none; the bridge has its address from the registration.
unsafe extern "C" fn expand(
    host: *const c_void,
    option_count: isize,
    options: *const MlirStringRef,
    append: MlirStringCallback,
    sink: *mut c_void,
) -> bool {
    // SAFETY: `host` is the `&'static PipelineSpec` that was registered; the rest is live for the call, and `sink` is what
    // `append` expects.
    unsafe {
        let spec = &*host.cast::<PipelineSpec>();
        let options = Options::given(spec.options, slice(options, option_count));
        let passes = guard(|| (spec.passes)(&options));
        let (text, done) = match passes {
            Ok(passes) => (passes.join(","), true),
            Err(message) => (message, false),
        };
        if let Some(append) = append {
            append(string_ref(&text), sink);
        }
        done
    }
}
