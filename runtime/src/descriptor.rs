//! What a compiled library says about itself: the structs of `include/relay_runtime.h`.

use std::ffi::{CStr, c_char, c_void};

/// The version of the interface between libraries and the runtime.
pub const ABI_VERSION: u32 = 3;

/// The functions that a library exports, behind its model's name and `_`.
pub const FUNCTIONS: [&str; 6] = [
    "create",
    "run",
    "destroy",
    "last_error",
    "profile",
    "descriptor",
];

/// A function that libraries of older compilers do not export.
pub const WATCH: &str = "watch";

/// An input or output.
#[repr(C)]
#[derive(Debug)]
pub struct TensorInfo {
    /// Its name in the model.
    pub name: *const c_char,
    /// Its element type: `f32`, `i64`, `i1` (one byte per element) ...
    pub dtype: *const c_char,
    /// The number of dimensions.
    pub rank: u32,
    /// The dimensions.
    pub shape: *const i64,
}

/// The compiled graph: reads the inputs, fills the outputs; 0 if all went well.
pub type RunGraph = unsafe extern "C" fn(
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    arena: *mut c_void,
    weights: *const u8,
    pool: *const c_void,
) -> i32;

/// A compiled model.
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    /// [`ABI_VERSION`] of the compiler that made it.
    pub abi_version: u32,
    /// The prefix of its exported functions.
    pub name: *const c_char,
    /// The target that it was compiled for.
    pub target: *const c_char,
    /// The floats that its products read: `f32` or `bf16`.
    pub precision: *const c_char,
    /// The features of the processor that its code needs, by LLVM's names, with commas between them.
    pub features: *const c_char,
    /// The number of inputs.
    pub n_inputs: u32,
    /// The inputs.
    pub inputs: *const TensorInfo,
    /// The number of outputs.
    pub n_outputs: u32,
    /// The outputs.
    pub outputs: *const TensorInfo,
    /// The bytes of memory that one run works in.
    pub arena_bytes: u64,
    /// The constants.
    pub weights: *const u8,
    /// Their bytes.
    pub weights_bytes: u64,
    /// Its code.
    pub run_graph: RunGraph,
    /// The number of timed nodes; 0 unless compiled for profiling.
    pub n_nodes: u32,
    /// The nodes' names in the model.
    pub node_names: *const *const c_char,
    /// What the nodes do.
    pub node_ops: *const *const c_char,
    /// Their floating-point operations; 0 where not counted.
    pub node_flops: *const u64,
}

/// Copies a C string that a descriptor points to.
///
/// # Safety
/// `text` is null or points to a zero-terminated string.
pub(crate) unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
