//! Loading compiled models.

use crate::{
    DType, RuntimeError, Tensor,
    descriptor::{ABI_VERSION, Descriptor, TensorInfo, text},
    session::{NodeTime, Port, Session, check},
    tensor::byte_length,
};
use libloading::{Library, Symbol};
use std::{
    ffi::{c_char, c_void},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A timed node: its name, its kernel, and the floating-point operations of a call.
type Node = (String, String, u64);

/// A loaded library.
#[derive(Clone, Debug)]
pub struct Model {
    path: PathBuf,
    library: Arc<Library>,
    name: String,
    target: String,
    precision: String,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    sizes: (u64, u64),
    nodes: Vec<Node>,
}

type Create = unsafe extern "C" fn(i32) -> *mut c_void;
type Run = unsafe extern "C" fn(*mut c_void, *const *const c_void, *const *mut c_void) -> i32;
type Destroy = unsafe extern "C" fn(*mut c_void);
type LastError = unsafe extern "C" fn() -> *const c_char;
type Profile = unsafe extern "C" fn(*const c_void, i32, *mut u64, *mut u64) -> i32;

impl Model {
    /// Loads a compiled model. Its constants are mapped, not read.
    ///
    /// # Errors
    /// If the file is no library, no model, or one of another version.
    pub fn load(path: &Path) -> Result<Self, RuntimeError> {
        let library = open(path)?;
        let not_a_model = |reason: String| RuntimeError::NotAModel {
            path: path.into(),
            reason,
        };
        let descriptor = descriptor(&library).map_err(not_a_model)?;
        // SAFETY: the descriptor is of this version; its pointers are to constants of the library.
        let (inputs, outputs, nodes) = unsafe {
            (
                ports(descriptor.inputs, descriptor.n_inputs),
                ports(descriptor.outputs, descriptor.n_outputs),
                nodes(descriptor),
            )
        };
        Ok(Self {
            path: path.into(),
            // SAFETY: as above.
            name: unsafe { text(descriptor.name) },
            // SAFETY: as above.
            target: unsafe { text(descriptor.target) },
            // SAFETY: as above.
            precision: unsafe { text(descriptor.precision) },
            inputs: inputs.map_err(not_a_model)?,
            outputs: outputs.map_err(not_a_model)?,
            sizes: (descriptor.weights_bytes, descriptor.arena_bytes),
            nodes,
            library: Arc::new(library),
        })
    }

    /// The prefix of its exported functions.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The target that it was compiled for.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The floats that its convolutions and matrix products read: `f32` or `bf16`.
    pub fn precision(&self) -> &str {
        &self.precision
    }

    /// Its inputs, in order.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Its outputs, in order.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The bytes of its constants.
    pub fn weights_bytes(&self) -> u64 {
        self.sizes.0
    }

    /// The bytes of memory that an instance works in.
    pub fn arena_bytes(&self) -> u64 {
        self.sizes.1
    }

    /// An instance with its own threads; 0 for as many as this process may use.
    ///
    /// # Errors
    /// If the library lacks a function, or cannot make an instance.
    pub fn instance(&self, threads: usize) -> Result<Instance, RuntimeError> {
        let create: Create = self.function("create")?;
        let (run, destroy, profile) = (
            self.function("run")?,
            self.function("destroy")?,
            self.function("profile")?,
        );
        let threads = i32::try_from(threads)
            .map_err(|_| RuntimeError::Input(format!("{threads} threads are too many")))?;
        // SAFETY: the function is of this type in every model.
        let raw = unsafe { create(threads) };
        if raw.is_null() {
            return Err(self.last_error());
        }
        Ok(Instance {
            run,
            destroy,
            profile,
            model: self.clone(),
            raw,
        })
    }

    /// The exported function `<model>_<name>`; `T` is its type.
    fn function<T: Copy>(&self, name: &str) -> Result<T, RuntimeError> {
        let symbol = format!("{}_{name}", self.name);
        // SAFETY: the callers name each function with the type that the header declares.
        let function: Result<Symbol<'_, T>, _> = unsafe { self.library.get(symbol.as_bytes()) };
        function
            .map(|function| *function)
            .map_err(|_| RuntimeError::NotAModel {
                path: self.path.clone(),
                reason: format!("it has no function {symbol}"),
            })
    }

    fn last_error(&self) -> RuntimeError {
        match self.function::<LastError>("last_error") {
            // SAFETY: the function returns a C string that lives until the next call.
            Ok(last_error) => RuntimeError::Run(unsafe { text(last_error()) }),
            Err(error) => error,
        }
    }
}

/// The library at `path`.
fn open(path: &Path) -> Result<Library, RuntimeError> {
    let failed = |reason: String| RuntimeError::Load {
        path: path.into(),
        reason,
    };
    // The system would search its own folders for a name without a slash.
    let full = path.canonicalize();
    let full = full.map_err(|error| failed(error.to_string()))?;
    // SAFETY: a model's library has no initialisers but those of Rust's runtime.
    unsafe { Library::new(&full) }.map_err(|error| failed(error.to_string()))
}

/// What a library says of its model, in this version of the interface.
fn descriptor(library: &Library) -> Result<&Descriptor, String> {
    // SAFETY: the symbol is a constant of this type in every library that has it; its first
    // field says so before anything else is read.
    let descriptor: &Descriptor = unsafe {
        let symbol: Symbol<'_, *const Descriptor> = library
            .get(b"relay_model_descriptor")
            .map_err(|_| "it has no symbol relay_model_descriptor")?;
        &**symbol
    };
    let version = descriptor.abi_version;
    if version != ABI_VERSION {
        return Err(format!(
            "it has version {version} of the interface, this is {ABI_VERSION}"
        ));
    }
    Ok(descriptor)
}

/// The nodes' names, their kernels, and the operations on floats that each takes.
///
/// # Safety
/// The descriptor is of this version, of a library that is loaded.
unsafe fn nodes(descriptor: &Descriptor) -> Vec<(String, String, u64)> {
    let node = |i: usize| {
        // SAFETY: the three lists have as many entries as there are nodes.
        unsafe {
            (
                text(*descriptor.node_names.add(i)),
                text(*descriptor.node_ops.add(i)),
                *descriptor.node_flops.add(i),
            )
        }
    };
    (0..descriptor.n_nodes as usize).map(node).collect()
}

/// # Safety
/// `infos` points to `count` tensor infos.
unsafe fn ports(infos: *const TensorInfo, count: u32) -> Result<Vec<Port>, String> {
    (0..count as usize)
        .map(|index| {
            // SAFETY: as the caller promises; a shape has `rank` dimensions.
            unsafe {
                let info = &*infos.add(index);
                let (name, dtype) = (text(info.name), text(info.dtype));
                let shape: Vec<i64> = (0..info.rank as usize)
                    .map(|dim| *info.shape.add(dim))
                    .collect();
                let dtype = DType::parse(&dtype)
                    .ok_or_else(|| format!("tensor '{name}' has the unknown type {dtype}"))?;
                byte_length(dtype, &shape)
                    .ok_or_else(|| format!("tensor '{name}' has the shape {shape:?}"))?;
                Ok(Port { name, dtype, shape })
            }
        })
        .collect()
}

/// A runnable copy of a model, with its own threads and memory.
pub struct Instance {
    model: Model,
    raw: *mut c_void,
    run: Run,
    destroy: Destroy,
    profile: Profile,
}

// SAFETY: an instance may move between threads; it is used by one at a time.
unsafe impl Send for Instance {}

impl Instance {
    /// Runs the model on inputs and into outputs at any addresses.
    ///
    /// # Errors
    /// If the number of inputs or outputs is not the model's, or the run fails.
    ///
    /// # Safety
    /// Every pointer is to as many bytes as the model's input or output of that number has, aligned for its
    /// elements; those of outputs overlap no others.
    pub unsafe fn run_pointers(
        &mut self,
        inputs: &[*const c_void],
        outputs: &[*mut c_void],
    ) -> Result<(), RuntimeError> {
        let wanted = (self.model.inputs.len(), self.model.outputs.len());
        if (inputs.len(), outputs.len()) != wanted {
            return Err(RuntimeError::Input(format!(
                "the model has {} inputs and {} outputs, but {} and {} were given",
                wanted.0,
                wanted.1,
                inputs.len(),
                outputs.len()
            )));
        }
        // SAFETY: as the caller promises; the lists are as long as the model's.
        let status = unsafe { (self.run)(self.raw, inputs.as_ptr(), outputs.as_ptr()) };
        if status == 0 {
            Ok(())
        } else {
            Err(self.model.last_error())
        }
    }
}

impl Session for Instance {
    fn name(&self) -> &str {
        &self.model.name
    }

    fn inputs(&self) -> &[Port] {
        &self.model.inputs
    }

    fn outputs(&self) -> &[Port] {
        &self.model.outputs
    }

    fn run_into(&mut self, inputs: &[&Tensor], outputs: &mut [Tensor]) -> Result<(), RuntimeError> {
        check("input", &self.model.inputs, inputs)?;
        let known: Vec<&Tensor> = outputs.iter().collect();
        check("output", &self.model.outputs, &known)?;
        let sources: Vec<*const c_void> = inputs
            .iter()
            .map(|tensor| tensor.bytes().as_ptr().cast())
            .collect();
        let targets: Vec<*mut c_void> = outputs
            .iter_mut()
            .map(|tensor| tensor.bytes_mut().as_mut_ptr().cast())
            .collect();
        // SAFETY: the lists are as long as the model's, and each tensor has its port's size.
        unsafe { self.run_pointers(&sources, &targets) }
    }

    fn profile(&self) -> Vec<NodeTime> {
        let nodes = self.model.nodes.iter().enumerate();
        nodes
            .map(|(index, (name, op, flops))| {
                let (mut calls, mut nanoseconds) = (0, 0);
                // SAFETY: the instance lives, and both numbers can be written to.
                unsafe {
                    (self.profile)(self.raw, index as i32, &raw mut calls, &raw mut nanoseconds)
                };
                NodeTime {
                    name: name.clone(),
                    op: op.clone(),
                    flops: *flops,
                    calls,
                    nanoseconds,
                }
            })
            .collect()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: made by `create`, and not used again.
        unsafe { (self.destroy)(self.raw) }
    }
}
