//! Element types by numpy's names.

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use relay_runtime::DType;

/// What numpy, and `ml_dtypes` for bf16, call an element type.
pub fn numpy_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I8 => "int8",
        DType::I16 => "int16",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::U8 => "uint8",
        DType::U16 => "uint16",
        DType::U32 => "uint32",
        DType::U64 => "uint64",
        DType::F16 => "float16",
        DType::BF16 => "bfloat16",
        DType::F32 => "float32",
        DType::F64 => "float64",
    }
}

/// numpy's object for an element type; none for bf16 where `ml_dtypes` is not installed.
pub fn descriptor<'py>(
    py: Python<'py>,
    dtype: DType,
) -> PyResult<Option<Bound<'py, PyArrayDescr>>> {
    if dtype == DType::BF16 {
        let Ok(module) = py.import("ml_dtypes") else {
            return Ok(None);
        };
        return PyArrayDescr::new(py, module.getattr("bfloat16")?).map(Some);
    }
    PyArrayDescr::new(py, numpy_name(dtype)).map(Some)
}
