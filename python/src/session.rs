//! A loaded model with its threads and memory, as Python calls it.

use crate::{
    call::{self, Sizes},
    errors::{self, InputError},
    held::Form,
    ports::{Slot, TensorInfo},
    runner::Runner,
    value::Value,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyMapping, PyString, PyTuple},
};
use relay_runtime::{Model, Session as _, is_computed};
use std::path::PathBuf;

/// A compiled model, ready to run. `relay_mlir.Model` is what users see of it.
#[pyclass(subclass, frozen, module = "relay_mlir._runtime")]
pub struct Session {
    runner: Runner,
    /// Why the model could not run when it was loaded.
    hindrance: Option<String>,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
}

/// A time: a node's name, its kernel, the floating-point operations of a call, its calls, and their nanoseconds.
type NodeTime = (String, String, u64, u64, u64);

#[pymethods]
impl Session {
    /// Loads a library, or makes another instance of one that is loaded. A model that `may_wait` for its GPU is loaded without it, and the
    /// first run needs it.
    #[new]
    #[pyo3(signature = (source, threads=None, *, may_wait=false))]
    fn new(source: &Bound<'_, PyAny>, threads: Option<i64>, may_wait: bool) -> PyResult<Self> {
        let py = source.py();
        let threads = usize::try_from(threads.unwrap_or(0))
            .map_err(|_| InputError::new_err("the number of threads must not be negative"))?;
        let model = match source.cast::<Self>() {
            Ok(known) => known.get().runner.model.clone(),
            Err(_) => {
                let path: PathBuf = source.extract()?;
                py.detach(|| Model::load(&path))
                    .map_err(|error| errors::of_runtime(&error))?
            }
        };
        let made = py.detach(|| Runner::new(model, threads, may_wait, call::watch));
        let (runner, hindrance) = made.map_err(|error| errors::of_runtime(&error))?;
        let slots = |kind, ports: &[relay_runtime::Port]| {
            let slots = ports.iter().map(|port| Slot::new(py, kind, port));
            slots.collect::<PyResult<Vec<_>>>()
        };
        Ok(Self {
            inputs: slots("input", runner.model.inputs())?,
            outputs: slots("output", runner.model.outputs())?,
            hindrance,
            runner,
        })
    }

    /// The prefix of the library's functions.
    #[getter]
    fn name(&self) -> &str {
        self.runner.model.name()
    }

    /// The target that it was compiled for.
    #[getter]
    fn target(&self) -> &str {
        self.runner.model.target()
    }

    /// The kind of the device that its kernels run on: `cpu`, `cuda` or `rocm`.
    #[getter]
    fn device(&self) -> &str {
        self.runner.model.device().unwrap_or("cpu")
    }

    /// Why it could not run when it was loaded, if it was allowed to wait for its GPU.
    #[getter]
    fn hindrance(&self) -> Option<&str> {
        self.hindrance.as_deref()
    }

    /// What its convolutions and matrix products read: `f32` or `bf16`.
    #[getter]
    fn precision(&self) -> &str {
        self.runner.model.precision()
    }

    /// The number of threads that it was made with; none for as many as the process may use.
    #[getter]
    fn threads(&self) -> Option<usize> {
        (self.runner.threads > 0).then_some(self.runner.threads)
    }

    /// The bytes of its constants.
    #[getter]
    fn weights_bytes(&self) -> u64 {
        self.runner.model.weights_bytes()
    }

    /// The bytes of memory that an instance works in; 0 if they depend on open dimensions.
    #[getter]
    fn arena_bytes(&self) -> u64 {
        self.runner.model.arena_bytes()
    }

    /// Its inputs, in order.
    #[getter]
    fn inputs(&self) -> Vec<TensorInfo> {
        tensors(self.runner.model.inputs(), &self.runner.model)
    }

    /// Its outputs, in order.
    #[getter]
    fn outputs(&self) -> Vec<TensorInfo> {
        tensors(self.runner.model.outputs(), &self.runner.model)
    }

    /// Runs the model on inputs in its order, or by name; returns its output, or a tuple of its outputs.
    #[pyo3(signature = (*inputs, **named))]
    fn __call__<'py>(
        &self,
        inputs: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = inputs.py();
        let inputs = self.bind(inputs, named)?;
        let form = self.form(&inputs, None, Form::Array)?;
        let sizes = self.sizes(py, &inputs)?;
        let mut outputs = self.new_outputs(py, sizes.as_ref(), form)?;
        self.execute(py, &inputs, &mut outputs, (sizes.as_ref(), form))?;
        let single = (outputs.len() == 1).then(|| outputs.pop()).flatten();
        if let Some(output) = single {
            return output.into_python(py);
        }
        let outputs = outputs.into_iter().map(|output| output.into_python(py));
        let outputs = outputs.collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(py, outputs)?.into_any())
    }

    /// Runs the model on inputs by name; returns its outputs by name. Those that inputs are donated to are written into the inputs' arrays
    /// if `donate` says so. `device` says where new outputs lie: `cpu`, or the model's device.
    #[pyo3(signature = (inputs, outputs=None, *, dlpack=false, donate=false, device=None))]
    fn run<'py>(
        &self,
        inputs: &Bound<'py, PyMapping>,
        outputs: Option<&Bound<'py, PyMapping>>,
        dlpack: bool,
        donate: bool,
        device: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = inputs.py();
        let memory = self.runner.device(py)?;
        check_names("input", &self.inputs, inputs)?;
        let sources = self.inputs.iter().map(|slot| {
            let given = inputs
                .get_item(&slot.name)
                .map_err(|_| self.missing(slot))?;
            Value::for_input(&given, slot, memory)
        });
        let sources = sources.collect::<PyResult<Vec<_>>>()?;
        let host = if dlpack { Form::Host } else { Form::Array };
        let form = self.form(&sources, device, host)?;
        let sizes = self.sizes(py, &sources)?;
        if let Some(given) = outputs {
            check_names("output", &self.outputs, given)?;
        }
        let slots = self.outputs.iter().enumerate();
        let targets = slots.map(|(index, slot)| {
            let shape = shape_of(slot, index, sizes.as_ref());
            let donor = self.donor(index).filter(|_| donate);
            let given = match (outputs, donor) {
                (Some(outputs), _) if outputs.contains(&slot.name)? => {
                    outputs.get_item(&slot.name)?
                }
                (_, Some(donor)) => inputs.get_item(&donor.name)?,
                _ => return Value::new_output(py, slot, shape, form),
            };
            check_is_known(slot, shape)?;
            let value = Value::for_output(&given, slot, memory)?;
            check_output(slot, shape, &value)?;
            Ok(value)
        });
        let mut targets = targets.collect::<PyResult<Vec<_>>>()?;
        if outputs.is_some() || donate {
            let outputs = (&mut targets[..], &self.outputs[..]);
            call::check_apart((&sources, &self.inputs), outputs)?;
        }
        self.execute(py, &sources, &mut targets, (sizes.as_ref(), form))?;
        let results = PyDict::new(py);
        for (slot, target) in self.outputs.iter().zip(targets) {
            results.set_item(&slot.name, target.into_python(py)?)?;
        }
        Ok(results)
    }

    /// The time that each node has taken so far; empty unless the model was compiled for profiling.
    fn node_times(&self, py: Python<'_>) -> Vec<NodeTime> {
        let times = || self.runner.with(|instance| Ok(instance.profile()));
        // A model that cannot run has taken no time.
        let nodes = py.detach(times).unwrap_or_default().into_iter();
        nodes
            .map(|node| (node.name, node.op, node.flops, node.calls, node.nanoseconds))
            .collect()
    }
}

impl Session {
    fn execute<'py>(
        &self,
        py: Python<'py>,
        inputs: &[Value<'py>],
        outputs: &mut [Value<'py>],
        (sizes, form): (Option<&Sizes>, Form<'_>),
    ) -> PyResult<()> {
        let done = call::run(py, &self.runner, inputs, outputs, sizes);
        // What a handler of signals raised meanwhile says why the run was stopped.
        if let Some(raised) = PyErr::take(py) {
            return Err(raised);
        }
        for (index, tensor) in done.map_err(|error| errors::of_runtime(&error))? {
            outputs[index] = Value::filled(py, &self.outputs[index], tensor, form)?;
        }
        Ok(())
    }

    /// The shapes of a call, if the model has open dimensions.
    fn sizes(&self, py: Python<'_>, inputs: &[Value<'_>]) -> PyResult<Option<Sizes>> {
        let is_open = self.runner.model.is_open();
        let sizes = is_open.then(|| call::sizes(py, &self.runner, inputs));
        sizes
            .transpose()
            .map_err(|error| errors::of_runtime(&error))
    }

    /// The form of a call's new outputs: that of the device of this name, or without a name that of the inputs.
    fn form<'a>(
        &'a self,
        inputs: &[Value<'_>],
        device: Option<&str>,
        host: Form<'a>,
    ) -> PyResult<Form<'a>> {
        let has_inputs_there = inputs.iter().any(Value::is_on_device);
        self.runner.form(device, has_inputs_there, host)
    }

    /// The input that is donated to an output.
    fn donor(&self, output: usize) -> Option<&Slot> {
        let mut inputs = self.inputs.iter();
        inputs.find(|slot| slot.port.donated == Some(output))
    }

    fn new_outputs<'py>(
        &self,
        py: Python<'py>,
        sizes: Option<&Sizes>,
        form: Form<'_>,
    ) -> PyResult<Vec<Value<'py>>> {
        let slots = self.outputs.iter().enumerate();
        slots
            .map(|(index, slot)| Value::new_output(py, slot, shape_of(slot, index, sizes), form))
            .collect()
    }

    /// The values of a call's arguments, in the model's order.
    fn bind<'py>(
        &self,
        inputs: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Value<'py>>> {
        let given = inputs.len();
        let named_count = named.map_or(0, |named| named.len());
        if given + named_count > self.inputs.len() || named_count > 0 {
            self.check_arguments(given, named)?;
        }
        let memory = self.runner.device(inputs.py())?;
        let values = self.inputs.iter().enumerate().map(|(number, slot)| {
            let value = if number < given {
                Some(inputs.get_borrowed_item(number)?.to_owned())
            } else {
                named.map_or(Ok(None), |named| named.get_item(&slot.name))?
            };
            Value::for_input(&value.ok_or_else(|| self.missing(slot))?, slot, memory)
        });
        values.collect()
    }

    /// Checks that there are no more arguments than inputs, and none that is no input, or is given twice.
    fn check_arguments(&self, given: usize, named: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        if given > self.inputs.len() {
            let (takes, names) = (self.inputs.len(), names(&self.inputs));
            return Err(InputError::new_err(format!(
                "the model takes {takes} input(s) ({names}), but {given} were given"
            )));
        }
        let Some(named) = named else {
            return Ok(());
        };
        check_names("input", &self.inputs, named.as_mapping())?;
        for slot in &self.inputs[..given] {
            if named.contains(&slot.name)? {
                let title = slot.title();
                return Err(InputError::new_err(format!("{title} is given twice")));
            }
        }
        Ok(())
    }

    fn missing(&self, slot: &Slot) -> PyErr {
        let (title, names) = (slot.title(), names(&self.inputs));
        InputError::new_err(format!(
            "{title} is missing; the model's inputs are {names}"
        ))
    }
}

/// What Python is told of inputs or outputs.
fn tensors(ports: &[relay_runtime::Port], model: &Model) -> Vec<TensorInfo> {
    let ports = ports.iter();
    ports
        .map(|port| TensorInfo::of(port, model.outputs()))
        .collect()
}

/// The shape of an output in a call.
fn shape_of<'a>(slot: &'a Slot, index: usize, sizes: Option<&'a Sizes>) -> &'a [i64] {
    sizes.map_or(&slot.port.shape, |sizes| &sizes.outputs[index])
}

/// Checks that an output has a shape before the run.
fn check_is_known(slot: &Slot, shape: &[i64]) -> PyResult<()> {
    if !is_computed(shape) {
        return Ok(());
    }
    let title = slot.title();
    Err(InputError::new_err(format!(
        "{title}: the run computes its shape, so it cannot be written into what is given; take what run returns"
    )))
}

/// Checks the shape of what an output is written into.
fn check_output(slot: &Slot, shape: &[i64], value: &Value<'_>) -> PyResult<()> {
    let given = value.shape();
    match given == shape {
        true => Ok(()),
        false => Err(InputError::new_err(format!(
            "{}: expected the shape {shape:?} of these inputs, got {given:?}",
            slot.title()
        ))),
    }
}

/// Checks that a mapping has no key that names no slot.
fn check_names(kind: &str, slots: &[Slot], given: &Bound<'_, PyMapping>) -> PyResult<()> {
    for name in given.keys()? {
        let known = match name.cast::<PyString>() {
            Ok(name) => slots.iter().any(|slot| *name == slot.name.as_str()),
            Err(_) => false,
        };
        if !known {
            let (name, names) = (name.repr()?, names(slots));
            return Err(InputError::new_err(format!(
                "the model has no {kind} {name}; its {kind}s are {names}"
            )));
        }
    }
    Ok(())
}

/// `'x', 'y'`.
fn names(slots: &[Slot]) -> String {
    let names: Vec<String> = slots
        .iter()
        .map(|slot| format!("'{}'", slot.name))
        .collect();
    names.join(", ")
}
