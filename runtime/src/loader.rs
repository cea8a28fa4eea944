//! Loading compiled models.

use crate::{
    RuntimeError, Tensor,
    descriptor::{OUTPUT, WATCH, text},
    image::{About, Image},
    session::{
        NodeTime, Port, Session, before_run, check, check_prepared, check_shapes, is_computed,
    },
};
use libloading::{Library, Symbol};
use std::{
    ffi::{c_char, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::Arc,
};

/// A loaded library.
#[derive(Clone, Debug)]
pub struct Model {
    path: PathBuf,
    library: Arc<Library>,
    about: Arc<About>,
}

type Create = unsafe extern "C" fn(i32) -> *mut c_void;
type Prepare = unsafe extern "C" fn(*mut c_void, *const *const i64, *const *mut i64) -> i32;
type Run = unsafe extern "C" fn(*mut c_void, *const *const c_void, *const *mut c_void) -> i32;
type Destroy = unsafe extern "C" fn(*mut c_void);
type LastError = unsafe extern "C" fn() -> *const c_char;
type WatchFunction = unsafe extern "C" fn(*mut c_void, Option<GoOn>, *mut c_void);
type Output = unsafe extern "C" fn(*mut c_void, i32, *mut i64) -> *const c_void;
type Profile = unsafe extern "C" fn(*const c_void, i32, *mut u64, *mut u64) -> i32;

/// What is asked whether a program goes on: 0 if not. See [`Instance::watch`].
pub type GoOn = unsafe extern "C" fn(*mut c_void) -> i32;

impl Model {
    /// Loads a compiled model. Its constants are mapped, not read.
    ///
    /// # Errors
    /// If the file is no library, no model, one of another version, or damaged. What is damaged is found before any
    /// of the library's code runs, as far as tables tell ([`crate::image`]).
    pub fn load(path: &Path) -> Result<Self, RuntimeError> {
        let image = Image::read(path)?;
        let failed = |reason: String| RuntimeError::Load {
            path: path.into(),
            reason,
        };
        image.is_for_this_machine().map_err(failed)?;
        Ok(Self {
            path: path.into(),
            about: Arc::new(image.about),
            library: Arc::new(open(path).map_err(failed)?),
        })
    }

    /// The prefix of its exported functions.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// The target that it was compiled for.
    pub fn target(&self) -> &str {
        &self.about.target
    }

    /// The floats that its convolutions and matrix products read: `f32` or `bf16`.
    pub fn precision(&self) -> &str {
        &self.about.precision
    }

    /// Its inputs, in order.
    pub fn inputs(&self) -> &[Port] {
        &self.about.inputs
    }

    /// Its outputs, in order.
    pub fn outputs(&self) -> &[Port] {
        &self.about.outputs
    }

    /// The numbers that are known when it runs, of which open dimensions are forms; none if all dimensions are known.
    pub fn symbols(&self) -> &[crate::Symbol] {
        &self.about.symbols
    }

    /// Whether dimensions are open.
    pub fn is_open(&self) -> bool {
        !self.about.symbols.is_empty()
    }

    /// The kind of the device that its kernels run on, `cuda` or `rocm`; `None` if that is the processor.
    pub fn device(&self) -> Option<&str> {
        self.about.device.as_deref()
    }

    /// The bytes of its constants.
    pub fn weights_bytes(&self) -> u64 {
        self.about.weights_bytes
    }

    /// The bytes of memory that an instance works in; 0 if they depend on open dimensions.
    pub fn arena_bytes(&self) -> u64 {
        self.about.arena_bytes
    }

    /// An instance with its own threads; 0 for as many as this process may use.
    ///
    /// # Errors
    /// If the library lacks a function, or cannot make an instance.
    pub fn instance(&self, threads: usize) -> Result<Instance, RuntimeError> {
        let create: Create = self.function("create")?;
        let (prepare, run, destroy, profile) = (
            self.function("prepare")?,
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
            prepare,
            run,
            destroy,
            profile,
            model: self.clone(),
            raw,
        })
    }

    /// The exported function `<model>_<name>`; `T` is its type.
    fn function<T: Copy>(&self, name: &str) -> Result<T, RuntimeError> {
        let symbol = format!("{}_{name}", self.about.name);
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

/// Outputs of these shapes: the inputs that are donated to them, which are taken, and new tensors.
fn outputs_of(
    about: &About,
    shapes: &[Vec<i64>],
    inputs: &mut [Option<Tensor>],
) -> Result<Vec<Tensor>, RuntimeError> {
    let all = about.outputs.iter().zip(shapes).enumerate();
    let output = |(number, (port, shape)): (usize, (&Port, &Vec<i64>))| {
        let mut donors = about.inputs.iter();
        let donor = donors.position(|input| input.donated == Some(number));
        if let Some(tensor) = donor.and_then(|donor| inputs[donor].take()) {
            return Ok(tensor);
        }
        Tensor::try_zeros(port.dtype, &before_run(shape))
    };
    all.map(output).collect()
}

/// Hands a library to the system's loader.
fn open(path: &Path) -> Result<Library, String> {
    // The system would search its own folders for a name without a slash.
    let full = path.canonicalize();
    let full = full.map_err(|error| error.to_string())?;
    // SAFETY: a model's library has no initialisers but those of Rust's runtime, and its tables were checked.
    unsafe { Library::new(&full) }.map_err(|error| error.to_string())
}

/// A runnable copy of a model, with its own threads and memory.
pub struct Instance {
    model: Model,
    raw: *mut c_void,
    prepare: Prepare,
    run: Run,
    destroy: Destroy,
    profile: Profile,
}

// SAFETY: an instance may move between threads; it is used by one at a time.
unsafe impl Send for Instance {}

impl Instance {
    /// Has a program ask now and then whether it goes on, while it runs: it calls `go_on` with `data`, and a run ends with an error where
    /// that gives 0. A graph always ends, and does not ask. Neither does a library that an older compiler made.
    ///
    /// # Safety
    /// `go_on` may be called with `data` by each thread that runs the instance, as long as there is one.
    pub unsafe fn watch(&mut self, go_on: GoOn, data: *mut c_void) {
        if let Ok(watch) = self.model.function::<WatchFunction>(WATCH) {
            // SAFETY: the instance does not run now; the rest is as the caller promises.
            unsafe { watch(self.raw, Some(go_on), data) };
        }
    }

    /// Runs the model on inputs and into outputs at any addresses, at the sizes that it was [prepared](Session::prepare) for.
    ///
    /// # Errors
    /// If the number of inputs or outputs is not the model's, an open model was not prepared, or the run fails.
    ///
    /// # Safety
    /// Every pointer is to as many bytes as the model's input or output of that number has at these sizes, aligned for its
    /// elements. Those of outputs overlap no others, but for that of the input that is donated to one, which may be the same pointer: the
    /// input is written to then.
    pub unsafe fn run_pointers(
        &mut self,
        inputs: &[*const c_void],
        outputs: &[*mut c_void],
    ) -> Result<(), RuntimeError> {
        let wanted = (
            self.model.about.inputs.len(),
            self.model.about.outputs.len(),
        );
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

impl Instance {
    /// Copies of the outputs whose shapes the last run computed, with their numbers; `shapes` are those of the preparation.
    ///
    /// # Errors
    /// As [`Instance::output`].
    pub fn computed_outputs(
        &self,
        shapes: &[Vec<i64>],
    ) -> Result<Vec<(usize, Tensor)>, RuntimeError> {
        let computed = shapes.iter().enumerate();
        let computed = computed.filter(|(_, shape)| is_computed(shape));
        computed
            .map(|(index, _)| Ok((index, self.output(index)?)))
            .collect()
    }

    /// A copy of an output whose shape the last run computed.
    ///
    /// # Errors
    /// If the last run failed, the output is no such one, or there is not enough memory.
    pub fn output(&self, index: usize) -> Result<Tensor, RuntimeError> {
        let port = self.model.about.outputs.get(index);
        let port =
            port.ok_or_else(|| RuntimeError::Input(format!("there is no output {index}")))?;
        let output: Output = self.model.function(OUTPUT)?;
        let mut shape = port.shape.clone();
        // SAFETY: the shape has the output's rank.
        let memory = unsafe { output(self.raw, index as i32, shape.as_mut_ptr()) };
        if memory.is_null() {
            return Err(self.model.last_error());
        }
        let mut tensor = Tensor::try_zeros(port.dtype, &shape)?;
        let bytes = tensor.bytes_mut();
        // SAFETY: the memory has as many bytes as a tensor of the shape, and stays as it is until the next run.
        let made = unsafe { std::slice::from_raw_parts(memory.cast::<u8>(), bytes.len()) };
        bytes.copy_from_slice(made);
        Ok(tensor)
    }
}

impl Session for Instance {
    fn name(&self) -> &str {
        &self.model.about.name
    }

    fn inputs(&self) -> &[Port] {
        &self.model.about.inputs
    }

    fn outputs(&self) -> &[Port] {
        &self.model.about.outputs
    }

    fn prepare(&mut self, inputs: &[&[i64]]) -> Result<Vec<Vec<i64>>, RuntimeError> {
        let about = &self.model.about;
        check_shapes(&about.inputs, inputs)?;
        let outputs = about.outputs.iter();
        let mut outputs: Vec<Vec<i64>> = outputs.map(|port| port.shape.clone()).collect();
        if !self.model.is_open() {
            return Ok(outputs);
        }
        let given: Vec<*const i64> = inputs.iter().map(|shape| shape.as_ptr()).collect();
        let filled: Vec<*mut i64> = outputs.iter_mut().map(|shape| shape.as_mut_ptr()).collect();
        // SAFETY: the lists are as long as the model's, and each shape has its port's rank.
        let status = unsafe { (self.prepare)(self.raw, given.as_ptr(), filled.as_ptr()) };
        match status {
            0 => Ok(outputs),
            _ => Err(match self.model.last_error() {
                RuntimeError::Run(reason) => RuntimeError::Input(reason),
                other => other,
            }),
        }
    }

    fn run_into(&mut self, inputs: &[&Tensor], outputs: &mut [Tensor]) -> Result<(), RuntimeError> {
        check("input", &self.model.about.inputs, inputs)?;
        let known: Vec<&Tensor> = outputs.iter().collect();
        check("output", &self.model.about.outputs, &known)?;
        let mut shapes = Vec::new();
        if self.model.is_open() {
            let given: Vec<&[i64]> = inputs.iter().map(|tensor| tensor.shape()).collect();
            shapes = self.prepare(&given)?;
            check_prepared(&self.model.about.outputs, &shapes, &known)?;
        }
        let sources: Vec<*const c_void> = inputs
            .iter()
            .map(|tensor| tensor.bytes().as_ptr().cast())
            .collect();
        let targets: Vec<*mut c_void> = outputs
            .iter_mut()
            .map(|tensor| tensor.bytes_mut().as_mut_ptr().cast())
            .collect();
        // SAFETY: the lists are as long as the model's, and each tensor has its port's size, for which the model is prepared.
        unsafe { self.run_pointers(&sources, &targets) }?;
        for (index, tensor) in self.computed_outputs(&shapes)? {
            outputs[index] = tensor;
        }
        Ok(())
    }

    fn run_donating(&mut self, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, RuntimeError> {
        let about = Arc::clone(&self.model.about);
        let known: Vec<&Tensor> = inputs.iter().collect();
        check("input", &about.inputs, &known)?;
        let given: Vec<&[i64]> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let shapes = self.prepare(&given)?;
        let mut inputs: Vec<Option<Tensor>> = inputs.into_iter().map(Some).collect();
        let mut outputs = outputs_of(&about, &shapes, &mut inputs)?;
        let targets = outputs.iter_mut();
        let targets: Vec<*mut c_void> = targets
            .map(|tensor| tensor.bytes_mut().as_mut_ptr().cast())
            .collect();
        let sources = inputs.iter().zip(&about.inputs);
        let sources = sources.map(|(tensor, port)| match (tensor, port.donated) {
            (Some(tensor), _) => tensor.bytes().as_ptr().cast(),
            (None, output) => output.map_or(ptr::null(), |output| targets[output].cast_const()),
        });
        let sources: Vec<*const c_void> = sources.collect();
        // SAFETY: the lists are as long as the model's, and each tensor has its port's size, for which the model is prepared; an input
        // that became an output is donated to it.
        unsafe { self.run_pointers(&sources, &targets) }?;
        for (index, tensor) in self.computed_outputs(&shapes)? {
            outputs[index] = tensor;
        }
        Ok(outputs)
    }

    fn profile(&self) -> Vec<NodeTime> {
        let nodes = self.model.about.nodes.iter().enumerate();
        nodes
            .map(|(index, node)| {
                let (mut calls, mut nanoseconds) = (0, 0);
                // SAFETY: the instance lives, and both numbers can be written to.
                unsafe {
                    (self.profile)(self.raw, index as i32, &raw mut calls, &raw mut nanoseconds)
                };
                NodeTime {
                    name: node.name.clone(),
                    op: node.kernel.clone(),
                    flops: node.flops,
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
