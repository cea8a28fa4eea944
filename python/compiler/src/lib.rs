//! `relay_mlir._compiler`: compiles models, describes them, and lends MLIR's IR to Python. Python imports it when it is
//! needed first, because it links MLIR and LLVM.

mod compile;
mod errors;
mod inspect;
mod interruptible;
mod ir;
mod notes;
mod tune;

use pyo3::pymodule;

/// Compiles models and works on IR; `relay_mlir` says how it is used.
#[pymodule]
mod _compiler {
    #[pymodule_export]
    use crate::{
        compile::{compile, passes},
        inspect::{inspect, inspect_library},
        ir::{Attribute, Block, Module, Operation, Value, keyword},
        tune::{tune, tune_worker, usual_records},
    };
}
