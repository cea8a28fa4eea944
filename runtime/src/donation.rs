//! Inputs that may lie in the memory of outputs: what a run is given of both.

use crate::{
    descriptor::{Descriptor, TensorInfo, text},
    sizes::Sizes,
};
use std::{ffi::c_void, ptr};

/// Checks that each donated input has the type and the dimensions of its output.
///
/// # Errors
/// Names the first one that does not.
///
/// # Safety
/// The descriptor is a compiled model's.
pub(crate) unsafe fn check(descriptor: &Descriptor) -> Result<(), String> {
    // SAFETY: as the caller promises.
    let (inputs, outputs, mut donations) = unsafe {
        let tensors = (descriptor.inputs(), descriptor.outputs());
        (tensors.0, tensors.1, descriptor.donations())
    };
    let wrong = donations.find(|(input, output)| {
        let output = outputs.get(*output);
        // SAFETY: as the caller promises.
        output.is_none_or(|output| unsafe { describe(output) != describe(&inputs[*input]) })
    });
    let Some((input, output)) = wrong else {
        return Ok(());
    };
    // SAFETY: as the caller promises.
    let name = unsafe { text(inputs[input].name) };
    Err(format!(
        "input {input}, '{name}', is donated to output {output}, which has another type or shape"
    ))
}

/// The type and the dimensions of a tensor.
///
/// # Safety
/// This is part of a compiled model's descriptor.
unsafe fn describe(info: &TensorInfo) -> (String, &[i64], Vec<String>) {
    // SAFETY: as the caller promises.
    unsafe {
        let forms = (0..info.rank as usize).map(|dimension| info.form(dimension));
        (text(info.dtype), info.shape(), forms.collect())
    }
}

/// The outputs of a run: those without memory lie in that of the inputs that are donated to them. `None` if the caller's list stays.
///
/// # Safety
/// The lists hold as many pointers as the descriptor has inputs and outputs.
pub(crate) unsafe fn bind(
    descriptor: &Descriptor,
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
) -> Option<Vec<*mut c_void>> {
    // SAFETY: as the caller promises.
    unsafe {
        let mut missing = descriptor.donations();
        missing.find(|(_, output)| (*outputs.add(*output)).is_null())?;
        let count = descriptor.n_outputs as usize;
        let mut bound: Vec<*mut c_void> = (0..count).map(|index| *outputs.add(index)).collect();
        for (input, output) in descriptor.donations() {
            if bound[output].is_null() {
                bound[output] = (*inputs.add(input)).cast_mut();
            }
        }
        Some(bound)
    }
}

/// Copies donated inputs that do not lie in the memory of their outputs there.
///
/// # Safety
/// The lists hold pointers to the tensors of these sizes.
pub(crate) unsafe fn fill(
    descriptor: &Descriptor,
    sizes: &Sizes,
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
) {
    // SAFETY: as the caller promises.
    unsafe {
        for (input, output) in descriptor.donations() {
            let (from, to) = (*inputs.add(input), *outputs.add(output));
            if !ptr::eq(from, to) {
                let bytes = sizes.input_bytes(descriptor, input);
                ptr::copy(from.cast::<u8>(), to.cast(), bytes);
            }
        }
    }
}
