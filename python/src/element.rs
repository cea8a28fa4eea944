//! Element types by numpy's names.

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use relay_runtime::DType;

/// What numpy, and `ml_dtypes` for those that numpy lacks, call an element type.
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
        DType::F8E4M3FN => "float8_e4m3fn",
        DType::F8E4M3FNUZ => "float8_e4m3fnuz",
        DType::F8E5M2 => "float8_e5m2",
        DType::F8E5M2FNUZ => "float8_e5m2fnuz",
        DType::F4E2M1FN => "float4_e2m1fn",
        DType::I4 => "int4",
        DType::U4 => "uint4",
        DType::I2 => "int2",
        DType::U2 => "uint2",
    }
}

/// Whether numpy itself lacks an element type.
fn is_of_ml_dtypes(dtype: DType) -> bool {
    dtype == DType::BF16 || dtype.is_stored_only()
}

/// numpy's object for an element type; none for one that only `ml_dtypes` has, where that is not installed or too old.
pub fn descriptor<'py>(
    py: Python<'py>,
    dtype: DType,
) -> PyResult<Option<Bound<'py, PyArrayDescr>>> {
    if is_of_ml_dtypes(dtype) {
        let module = py.import("ml_dtypes");
        let Ok(known) = module.and_then(|module| module.getattr(numpy_name(dtype))) else {
            return Ok(None);
        };
        return PyArrayDescr::new(py, known).map(Some);
    }
    PyArrayDescr::new(py, numpy_name(dtype)).map(Some)
}
