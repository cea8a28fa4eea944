//! Where elements of numpy's arrays lie.

use crate::{
    element,
    errors::{self, InputError},
};
use numpy::{
    PY_ARRAY_API, PyArrayDescr, PyArrayDescrMethods as _, PyUntypedArray,
    PyUntypedArrayMethods as _,
    npyffi::{_PyArray_GET_ITEM_DATA, NPY_ARRAY_WRITEABLE},
};
use pyo3::{intern, prelude::*};
use relay_runtime::{DType, Tensor};
use std::ffi::{c_int, c_void};

/// Where an array's first element is.
pub fn start(array: &Bound<'_, PyUntypedArray>) -> *mut c_void {
    // SAFETY: the array is alive, and this is a field of it.
    unsafe { (*_PyArray_GET_ITEM_DATA(array.as_array_ptr())).data.cast() }
}

/// Whether an array may be written into.
pub fn is_writable(array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: the array is alive, and this is a field of it.
    let flags = unsafe { (*_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags };
    flags & NPY_ARRAY_WRITEABLE != 0
}

/// A new array in row-major order, whose elements are whatever was in its memory.
pub fn empty<'py>(
    descriptor: &Bound<'py, PyArrayDescr>,
    shape: &[i64],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = descriptor.py();
    let mut dimensions: Vec<isize> = shape.iter().map(|extent| *extent as isize).collect();
    // SAFETY: the list has as many dimensions as are said, and the function takes over the reference to the
    // descriptor that it is given.
    let array = unsafe {
        let raw = PY_ARRAY_API.PyArray_Empty(
            py,
            dimensions.len() as c_int,
            dimensions.as_mut_ptr(),
            descriptor.clone().into_dtype_ptr(),
            0,
        );
        Bound::from_owned_ptr_or_err(py, raw)?
    };
    Ok(array.cast_into()?)
}

/// A new array with the elements of a tensor.
pub fn array_of<'py>(
    descriptor: &Bound<'py, PyArrayDescr>,
    tensor: &Tensor,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = empty(descriptor, tensor.shape())?;
    fill(start(&array), tensor.bytes());
    Ok(array)
}

/// A tensor with the elements of an array.
pub fn tensor_of(array: &Bound<'_, PyUntypedArray>) -> PyResult<Tensor> {
    let py = array.py();
    let found = array.dtype();
    let dtype = DType::all().find_map(|dtype| match element::descriptor(py, dtype) {
        Ok(known) => known
            .filter(|known| known.is_equiv_to(&found))
            .map(|_| Ok(dtype)),
        Err(error) => Some(Err(error)),
    });
    let dtype = dtype
        .transpose()?
        .ok_or_else(|| InputError::new_err(format!("no model has elements of the type {found}")))?;
    let array = array.call_method1(intern!(py, "astype"), (&found, "C"))?;
    let array = array.cast::<PyUntypedArray>()?;
    let shape: Vec<i64> = array.shape().iter().map(|extent| *extent as i64).collect();
    let mut tensor =
        Tensor::try_zeros(dtype, &shape).map_err(|error| errors::of_runtime(&error))?;
    let bytes = tensor.bytes_mut();
    // SAFETY: the array is dense, has the type and the shape, and lives; the tensor is new.
    unsafe {
        start(array)
            .cast::<u8>()
            .copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
    }
    Ok(tensor)
}

/// Copies bytes into the elements of a new array, which has as many.
fn fill(start: *mut c_void, bytes: &[u8]) {
    // SAFETY: the caller has just made the array, of as many bytes; nobody else has it.
    unsafe {
        start
            .cast::<u8>()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
    };
}
