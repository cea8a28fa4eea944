//! A model for an emulated GPU, written by hand as the compiler would make it:
//!
//! `y = reverse(weights[0] * x + weights[1])`, reversed in each block of 256 numbers.
//!
//! The sum lies in the arena, and is copied to a workspace in between.

use crate::BY_HIP;
use relay_runtime::{
    descriptor::{
        ABI_VERSION, Descriptor, DeviceCode, Extents, OpenDevice, RunGraph, SymbolInfo, TensorInfo,
    },
    device::Image,
    ffi::{
        device::{
            relay_rt_cuda, relay_rt_device_copy, relay_rt_device_workspace, relay_rt_launch,
            relay_rt_rocm,
        },
        relay_rt_node_begin, relay_rt_node_end,
    },
    instance::Instance,
};
use std::{
    env,
    ffi::{CStr, c_char, c_void},
    fs,
    path::Path,
    process::Command,
    ptr,
    sync::OnceLock,
};

/// The numbers of a model whose sizes are known.
pub(crate) const COUNT: usize = 1000;

/// The threads of a block.
pub(crate) const BLOCK: i64 = 256;

/// The constants.
pub(crate) const WEIGHTS: [f32; 64] = {
    let mut weights = [0.0; 64];
    (weights[0], weights[1]) = (3.0, 0.5);
    weights
};

/// What a test has the model do in another way.
#[derive(Clone, Copy)]
pub(crate) struct Changes {
    pub(crate) run: RunGraph,
    pub(crate) is_open: bool,
    pub(crate) donated: bool,
    pub(crate) is_on_processor: bool,
    /// What the device loads when an instance is made.
    pub(crate) image: fn() -> &'static Image,
    /// The chips that there is code for.
    pub(crate) chips: &'static [&'static CStr],
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            run: run_graph,
            is_open: false,
            donated: false,
            is_on_processor: false,
            image,
            chips: &[c"sm_90", c"sm_80", c"gfx942"],
        }
    }
}

/// What the kernels compute of `x`.
pub(crate) fn expected(x: &[f32]) -> Vec<f32> {
    let scaled: Vec<f32> = x.iter().map(|x| 3.0 * x + 0.5).collect();
    let blocks = scaled.chunks(BLOCK as usize);
    blocks
        .flat_map(|block| block.iter().rev().copied())
        .collect()
}

/// The image of the kernels in `tests/c/kernels.c`.
pub(crate) fn image() -> &'static Image {
    static BYTES: OnceLock<Loaded> = OnceLock::new();
    &BYTES.get_or_init(|| Loaded::new(compile())).image
}

/// An image whose bytes live as long as the process.
pub(crate) struct Loaded {
    pub(crate) image: Image,
}

// SAFETY: nobody writes to the bytes.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let bytes = bytes.leak();
        Self {
            image: Image {
                data: bytes.as_ptr().cast(),
                bytes: bytes.len() as u64,
            },
        }
    }
}

fn compile() -> Vec<u8> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let image = folder.path().join("kernels.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/kernels.c");
    let is_installed = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let compilers = ["clang-22", "cc", "gcc", "clang"];
    let compiler = compilers.iter().find(is_installed).unwrap();
    let mut command = Command::new(compiler);
    command.args([
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-shared",
        "-fPIC",
        "-nostdlib",
        "-o",
    ]);
    let output = command.arg(&image).arg(source).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::read(image).unwrap()
}

/// Launches a kernel on so many threads, with 4 bytes of shared memory for each thread of a block.
///
/// # Safety
/// As for `relay_rt_launch`.
pub(crate) unsafe fn launch(
    instance: *const c_void,
    image: &Image,
    kernel: &CStr,
    (threads, block, shared): (i64, i64, i64),
    arguments: &[*mut c_void],
) {
    let sizes = [(threads + block - 1) / block, 1, 1, block, 1, 1, shared];
    // SAFETY: as the caller promises.
    unsafe {
        relay_rt_launch(
            instance,
            image,
            kernel.as_ptr(),
            sizes.as_ptr(),
            arguments.as_ptr(),
            arguments.len() as i64,
        );
    }
}

/// A pointer to an argument.
pub(crate) fn argument<T>(value: &mut T) -> *mut c_void {
    ptr::from_mut(value).cast()
}

/// The graph.
pub(crate) unsafe extern "C" fn run_graph(
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    arena: *mut c_void,
    weights: *const u8,
    instance: *const c_void,
    symbols: *const i64,
) -> i32 {
    // SAFETY: the runtime calls it with as many tensors as the descriptor has, and with the numbers of its symbols.
    unsafe {
        let mut n = if symbols.is_null() {
            COUNT as i64
        } else {
            *symbols
        };
        let (mut x, mut y) = (*inputs, *outputs);
        let (mut sums, mut constants) = (arena, weights);
        relay_rt_node_begin(instance, 0);
        let arguments = [
            argument(&mut sums),
            argument(&mut x),
            argument(&mut constants),
            argument(&mut n),
        ];
        launch(instance, image(), c"scale", (n, BLOCK, 0), &arguments);
        relay_rt_node_end(instance, 0);
        let mut copied = relay_rt_device_workspace(instance, 1, 4 * n);
        relay_rt_device_copy(instance, copied, arena, 4 * n);
        let arguments = [argument(&mut y), argument(&mut copied), argument(&mut n)];
        launch(
            instance,
            image(),
            c"reverse",
            (n, BLOCK, 4 * BLOCK),
            &arguments,
        );
    }
    0
}

/// The extents of the open model: of `x`, of `y`, and the bytes of the arena.
unsafe extern "C" fn extents(symbols: *const i64, extents: *mut i64) -> i32 {
    // SAFETY: the runtime has room for so many.
    unsafe {
        let n = *symbols;
        for (index, extent) in [n, n, 4 * n].into_iter().enumerate() {
            *extents.add(index) = extent;
        }
        i32::from(n < 0)
    }
}

/// Has a value live as long as the process.
fn keep<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}

/// What the device loads for each chip: the first one has the kernels.
fn codes(changes: Changes) -> *const DeviceCode {
    let codes = changes.chips.iter().map(|chip| DeviceCode {
        chip: chip.as_ptr(),
        n_images: 1,
        images: keep(ptr::from_ref((changes.image)())),
    });
    codes.collect::<Vec<_>>().leak().as_ptr()
}

/// The descriptor of a model.
pub(crate) fn descriptor(changes: Changes) -> &'static Descriptor {
    let is_open = changes.is_open;
    let extent = if is_open { -1 } else { COUNT as i64 };
    let dims: *const *const c_char = match is_open {
        true => keep(c"n".as_ptr()),
        false => ptr::null(),
    };
    let tensor = |name: &'static CStr| TensorInfo {
        name: name.as_ptr(),
        dtype: c"f32".as_ptr(),
        rank: 1,
        shape: keep(extent),
        dims,
    };
    let symbol = SymbolInfo {
        name: c"n".as_ptr(),
        least: 0,
        most: i64::MAX,
        multiple: 1,
        input: 0,
        dimension: 0,
    };
    let (device, kind): (OpenDevice, _) = match env::var_os(BY_HIP) {
        None => (relay_rt_cuda, c"cuda"),
        Some(_) => (relay_rt_rocm, c"rocm"),
    };
    Box::leak(Box::new(Descriptor {
        abi_version: ABI_VERSION,
        name: c"emulated".as_ptr(),
        target: c"emulated".as_ptr(),
        precision: c"f32".as_ptr(),
        features: c"".as_ptr(),
        n_inputs: 1,
        inputs: keep(tensor(c"x")),
        n_outputs: 1,
        outputs: keep(tensor(c"y")),
        n_symbols: u32::from(is_open),
        symbols: keep(symbol),
        arena_bytes: if is_open { 0 } else { 4 * COUNT as u64 },
        weights: WEIGHTS.as_ptr().cast(),
        weights_bytes: size_of_val(&WEIGHTS) as u64,
        run_graph: changes.run,
        extents: is_open.then_some(extents as Extents),
        n_nodes: 1,
        node_names: keep(c"scale".as_ptr()),
        node_ops: keep(c"scale".as_ptr()),
        node_flops: keep(0),
        n_conditions: 0,
        conditions: ptr::null(),
        donated: if changes.donated {
            keep(0)
        } else {
            ptr::null()
        },
        device: (!changes.is_on_processor).then_some(device),
        device_name: kind.as_ptr(),
        n_codes: changes.chips.len() as u32,
        codes: codes(changes),
    }))
}

/// The numbers 0, 1, 2 ...
pub(crate) fn ramp(count: usize) -> Vec<f32> {
    (0..count).map(|number| number as f32).collect()
}

/// Runs an instance on tensors of the host.
pub(crate) fn run_on(instance: &Instance, x: &[f32], y: &mut [f32]) -> Result<(), String> {
    run_pointers(instance, x.as_ptr().cast(), y.as_mut_ptr().cast())
}

/// Runs an instance on tensors anywhere.
pub(crate) fn run_pointers(
    instance: &Instance,
    x: *const c_void,
    y: *mut c_void,
) -> Result<(), String> {
    // SAFETY: callers have tensors of the model's sizes.
    unsafe { instance.run(&raw const x, &raw const y) }
}
