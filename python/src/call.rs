//! The call of a compiled model on values that Python holds.

use crate::{errors::InputError, ports::Slot, runner::Runner, value::Value};
use pyo3::prelude::*;
use relay_runtime::{Instance, RuntimeError, Session as _, Tensor};
use std::{ffi::c_void, ops::Range};

/// The starts of all inputs and outputs of a call.
struct Addresses {
    inputs: Vec<*const c_void>,
    outputs: Vec<*mut c_void>,
}

// SAFETY: they are numbers; who reads and writes there is said where they are used.
unsafe impl Send for Addresses {}

/// The shapes of a call of a model with open dimensions.
pub struct Sizes {
    inputs: Vec<Vec<i64>>,
    /// The shapes of outputs, with -1 for each dimension that the run computes.
    pub outputs: Vec<Vec<i64>>,
}

/// Finds the shapes of outputs for inputs.
///
/// # Errors
/// If the shapes of inputs do not fit the model or each other.
pub fn sizes(py: Python<'_>, runner: &Runner, inputs: &[Value<'_>]) -> Result<Sizes, RuntimeError> {
    let inputs: Vec<Vec<i64>> = inputs.iter().map(Value::shape).collect();
    // A call that has the instance may be waiting for Python.
    let outputs = py.detach(|| runner.with(|instance| prepare(instance, &inputs)))?;
    Ok(Sizes { inputs, outputs })
}

fn prepare(instance: &mut Instance, inputs: &[Vec<i64>]) -> Result<Vec<Vec<i64>>, RuntimeError> {
    let inputs: Vec<&[i64]> = inputs.iter().map(Vec::as_slice).collect();
    instance.prepare(&inputs)
}

/// Runs an instance on values of its inputs and outputs, which are [apart](check_apart), while other threads of
/// Python go on. Calls on one instance take turns. `sizes` are those of a model with open dimensions. Returns the outputs of a shape
/// that the run has computed, with their numbers.
///
/// # Errors
/// If the numbers of values are not the model's, or the model reports an error.
pub fn run(
    py: Python<'_>,
    runner: &Runner,
    inputs: &[Value<'_>],
    outputs: &mut [Value<'_>],
    sizes: Option<&Sizes>,
) -> Result<Vec<(usize, Tensor)>, RuntimeError> {
    let addresses = Addresses {
        inputs: inputs.iter().map(Value::source).collect(),
        outputs: outputs.iter_mut().map(Value::target).collect(),
    };
    py.detach(move || {
        let addresses = addresses;
        let Addresses { inputs, outputs } = &addresses;
        runner.with(|instance| {
            if let Some(sizes) = sizes {
                // Another call may have had the instance since.
                prepare(instance, &sizes.inputs)?;
            }
            // SAFETY: the values were checked to be of their slots' types and of these shapes, dense and aligned, in host memory or that of
            // the model's device, and outlive the call, because the caller holds them; outputs are apart. That no other thread of Python changes them
            // meanwhile is asked of users, as numpy asks it of them.
            unsafe { instance.run_pointers(inputs, outputs) }?;
            let shapes = sizes.map(|sizes| &sizes.outputs[..]);
            instance.computed_outputs(shapes.unwrap_or_default())
        })
    })
}

/// Has an instance stop where Python was told to: a model that is a program may run for long, or for ever.
pub fn watch(instance: &mut Instance) {
    // SAFETY: the function takes nothing, and any thread may call it.
    unsafe { instance.watch(goes_on, std::ptr::null_mut()) };
}

/// Whether no signal's handler has raised an exception, such as Ctrl-C's. If one has, it waits for the end of the call.
unsafe extern "C" fn goes_on(_: *mut c_void) -> i32 {
    Python::attach(|py| match py.check_signals() {
        Ok(()) => 1,
        Err(exception) => {
            exception.restore(py);
            0
        }
    })
}

/// Checks that outputs share memory with nothing but inputs that are donated to them.
///
/// # Errors
/// For the first output that does.
pub fn check_apart(
    (inputs, input_slots): (&[Value<'_>], &[Slot]),
    (outputs, output_slots): (&mut [Value<'_>], &[Slot]),
) -> PyResult<()> {
    let range = |start: usize, bytes: usize| start..start + bytes;
    let sources = inputs.iter().zip(input_slots);
    let sources = sources.map(|(value, slot)| (range(value.source().addr(), value.bytes()), slot));
    let mut known: Vec<(Range<usize>, &Slot)> = sources.collect();
    for (number, (value, slot)) in outputs.iter_mut().zip(output_slots).enumerate() {
        let target = range(value.target().addr(), value.bytes());
        let overlaps = |(other, slot): &&(Range<usize>, &Slot)| {
            let is_donated = slot.port.donated == Some(number) && *other == target;
            target.start < other.end && other.start < target.end && !is_donated
        };
        if let Some((_, other)) = known.iter().find(overlaps) {
            let (output, other) = (slot.title(), other.title());
            return Err(InputError::new_err(format!(
                "{output} shares memory with {other}; give it an array of its own"
            )));
        }
        known.push((target, slot));
    }
    Ok(())
}
