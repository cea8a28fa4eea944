//! What a compiled library says about itself: the structs of `include/relay_runtime.h`.

use std::{
    ffi::{CStr, c_char, c_void},
    slice,
};

/// The version of the interface between libraries and the runtime.
pub const ABI_VERSION: u32 = 7;

/// The functions that a library exports, behind its model's name and `_`.
pub const FUNCTIONS: [&str; 7] = [
    "create",
    "prepare",
    "run",
    "destroy",
    "last_error",
    "profile",
    "descriptor",
];

/// A function that libraries of older compilers do not export.
pub const WATCH: &str = "watch";

/// The function of an output's memory, which libraries of older compilers do not export.
pub const OUTPUT: &str = "output";

/// As the number of a symbol's input: the graph computes the symbol while it runs.
pub const COMPUTED: u32 = u32::MAX;

/// As the number of an output in [`Descriptor::donated`]: the input lies in memory of its own.
pub const NOT_DONATED: u32 = u32::MAX;

/// In a shape: the extent is open, and known when the model is prepared, or has run.
pub const OPEN: i64 = -1;

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
    /// The dimensions; [`OPEN`] where one is open.
    pub shape: *const i64,
    /// For each dimension the text of its form if it is open, or null; null if none is.
    pub dims: *const *const c_char,
}

/// A symbol: a number of the model that is known when it is prepared, because it is a dimension of an input, or that the graph
/// computes. Symbols of the second kind come last, in the order in which they are computed.
#[repr(C)]
#[derive(Debug)]
pub struct SymbolInfo {
    /// Its name.
    pub name: *const c_char,
    /// The least value that the model takes.
    pub least: i64,
    /// The greatest one; `i64::MAX` if there is no bound.
    pub most: i64,
    /// What its value is a multiple of.
    pub multiple: i64,
    /// The number of the input; [`COMPUTED`] if the graph computes the value.
    pub input: u32,
    /// The dimension of the input.
    pub dimension: u32,
}

/// Two forms of symbols that must be equal when the model is prepared. The symbols are dimensions of inputs: the graph computes
/// none of them.
#[repr(C)]
#[derive(Debug)]
pub struct ConditionInfo {
    /// The text of one form.
    pub lhs: *const c_char,
    /// The text of the other one.
    pub rhs: *const c_char,
    /// The node of the model that needs them to be equal.
    pub node: *const c_char,
}

/// The compiled graph: reads the inputs, fills the outputs; 0 if all went well.
pub type RunGraph = unsafe extern "C" fn(
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    arena: *mut c_void,
    weights: *const u8,
    pool: *const c_void,
    symbols: *const i64,
) -> i32;

/// Computes extents from the values of symbols: all open dimensions of the inputs, then of the outputs, then the bytes of the
/// arena, then those of an arena for each computed symbol, and last both sides of each condition. A computed symbol is -1 before
/// it is known, and so are the extents that depend on it; conditions depend on none. It gives 0 if 64 bits hold each, and no
/// other one is negative but a side of a condition.
pub type Extents = unsafe extern "C" fn(symbols: *const i64, extents: *mut i64) -> i32;

/// Opens the device of a model for an instance. It is a function of the runtime, which gives it the descriptor, and what it fills.
pub type OpenDevice = unsafe extern "C" fn(descriptor: *const c_void, opened: *mut c_void);

/// `relay_device_image_t`: the machine code of kernels, or text that the driver compiles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DeviceImage {
    /// Its first byte.
    pub data: *const c_void,
    /// Its bytes.
    pub bytes: u64,
}

/// `relay_device_code_t`: what a device loads if it has a chip.
#[repr(C)]
#[derive(Debug)]
pub struct DeviceCode {
    /// LLVM's name of the chip: `sm_90`, `gfx942`.
    pub chip: *const c_char,
    /// The number of images.
    pub n_images: u32,
    /// The images; null for kernels that have nothing there.
    pub images: *const *const DeviceImage,
}

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
    /// The number of symbols; 0 if all dimensions are known.
    pub n_symbols: u32,
    /// The symbols.
    pub symbols: *const SymbolInfo,
    /// The bytes of memory that one run works in; 0 if `extents` says it.
    pub arena_bytes: u64,
    /// The constants.
    pub weights: *const u8,
    /// Their bytes.
    pub weights_bytes: u64,
    /// Its code.
    pub run_graph: RunGraph,
    /// Its sizes; null if there are no symbols.
    pub extents: Option<Extents>,
    /// The number of timed nodes; 0 unless compiled for profiling.
    pub n_nodes: u32,
    /// The nodes' names in the model.
    pub node_names: *const *const c_char,
    /// What the nodes do.
    pub node_ops: *const *const c_char,
    /// Their floating-point operations; 0 where not counted.
    pub node_flops: *const u64,
    /// The number of conditions.
    pub n_conditions: u32,
    /// What must be equal when the model is prepared.
    pub conditions: *const ConditionInfo,
    /// For each input the number of the output that may lie in its memory, or [`NOT_DONATED`]; null if no input has one. Both have the
    /// same type and dimensions. The graph reads such an input from the output's memory.
    pub donated: *const u32,
    /// What opens the device that the kernels run on; `None` if that is the processor. With a device the graph is called with addresses of
    /// the device's memory.
    pub device: Option<OpenDevice>,
    /// The kind of the device, `cuda` or `rocm`; null if there is none.
    pub device_name: *const c_char,
    /// The number of chips that there is code for.
    pub n_codes: u32,
    /// The code for each chip. The graph runs that of the place that an instance has chosen.
    pub codes: *const DeviceCode,
}

impl DeviceCode {
    /// The name of the chip.
    ///
    /// # Safety
    /// This is part of a compiled model's descriptor.
    pub(crate) unsafe fn chip(&self) -> String {
        // SAFETY: as the caller promises.
        unsafe { text(self.chip) }
    }

    /// What the device loads.
    ///
    /// # Safety
    /// This is part of a compiled model's descriptor.
    pub(crate) unsafe fn images(&self) -> Vec<&DeviceImage> {
        // SAFETY: as the caller promises.
        let images = unsafe { list(self.images, self.n_images) }.iter();
        // SAFETY: as the caller promises.
        images
            .filter_map(|image| unsafe { image.as_ref() })
            .collect()
    }
}

impl Descriptor {
    /// The inputs.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn inputs(&self) -> &[TensorInfo] {
        // SAFETY: as the caller promises.
        unsafe { list(self.inputs, self.n_inputs) }
    }

    /// The outputs.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn outputs(&self) -> &[TensorInfo] {
        // SAFETY: as the caller promises.
        unsafe { list(self.outputs, self.n_outputs) }
    }

    /// The code for each chip.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn codes(&self) -> &[DeviceCode] {
        // SAFETY: as the caller promises.
        unsafe { list(self.codes, self.n_codes) }
    }

    /// How many symbols are dimensions of inputs. The graph computes the others.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn given_symbols(&self) -> usize {
        // SAFETY: as the caller promises.
        let symbols = unsafe { self.symbols() }.iter();
        symbols.filter(|symbol| symbol.input != COMPUTED).count()
    }

    /// The symbols.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn symbols(&self) -> &[SymbolInfo] {
        // SAFETY: as the caller promises.
        unsafe { list(self.symbols, self.n_symbols) }
    }

    /// The numbers of inputs that may lie in the memory of outputs, each with that of its output.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn donations(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = if self.donated.is_null() {
            0
        } else {
            self.n_inputs
        };
        // SAFETY: as the caller promises.
        let outputs = unsafe { list(self.donated, count) };
        let all = outputs.iter().enumerate();
        let donated = all.filter(|(_, output)| **output != NOT_DONATED);
        donated.map(|(input, output)| (input, *output as usize))
    }

    /// The conditions.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn conditions(&self) -> &[ConditionInfo] {
        // SAFETY: as the caller promises.
        unsafe { list(self.conditions, self.n_conditions) }
    }
}

impl TensorInfo {
    /// The bytes of an element. A type is called by its bits: `f32`, `ui8`, `i1`, `f8E4M3FN`.
    ///
    /// # Safety
    /// This is part of a compiled model's descriptor.
    pub(crate) unsafe fn element_bytes(&self) -> usize {
        // SAFETY: as the caller promises.
        element_bytes(&unsafe { text(self.dtype) })
    }

    /// The dimensions, [`OPEN`] where one is open.
    ///
    /// # Safety
    /// This is part of a compiled model's descriptor.
    pub(crate) unsafe fn shape(&self) -> &[i64] {
        // SAFETY: as the caller promises.
        unsafe { list(self.shape, self.rank) }
    }

    /// The text of a dimension's form; empty if it is not open.
    ///
    /// # Safety
    /// This is part of a compiled model's descriptor.
    pub(crate) unsafe fn form(&self, dimension: usize) -> String {
        if self.dims.is_null() {
            return String::new();
        }
        // SAFETY: as the caller promises.
        unsafe { text(list(self.dims, self.rank)[dimension]) }
    }
}

/// # Safety
/// `start` points to `count` elements that live as long as the result, or `count` is 0.
pub(crate) unsafe fn list<'a, T>(start: *const T, count: u32) -> &'a [T] {
    match count {
        0 => &[],
        // SAFETY: as the caller promises.
        count => unsafe { slice::from_raw_parts(start, count as usize) },
    }
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

/// The bytes of an element of a type, which is called by its bits: `f32`, `ui8`, `i1`, `f8E4M3FN`.
fn element_bytes(dtype: &str) -> usize {
    let is_digit = |letter: &char| letter.is_ascii_digit();
    let bits = dtype.chars().skip_while(|letter| !is_digit(letter));
    let bits: String = bits.take_while(is_digit).collect();
    bits.parse::<usize>().unwrap_or(0).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_their_bytes() {
        let few = [("i1", 1), ("ui4", 1), ("ui8", 1), ("f8E4M3FN", 1)];
        let more = [("bf16", 2), ("f32", 4), ("i64", 8)];
        let all = few.into_iter().chain(more);
        for (dtype, bytes) in all {
            assert_eq!(element_bytes(dtype), bytes);
        }
    }
}
