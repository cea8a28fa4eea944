//! `relay_mlir._compiler`: compiles models, describes them, and lends MLIR's IR to Python. Python imports it when it is
//! needed first, because it links MLIR and LLVM.

mod command;
mod compile;
mod custom;
mod errors;
mod inspect;
mod interruptible;
mod ir;
mod quantize;
mod relay;
mod report;
mod tune;

use pyo3::pymodule;

/// Compiles models and works on IR; `relay_mlir` says how it is used.
#[pymodule]
mod _compiler {
    #[pymodule_export]
    use crate::{
        command::command,
        compile::{compile, load_pass_plugin, passes},
        custom::{count_results, dimension, load_operators, register_op},
        inspect::{inspect, inspect_library, onnx_metadata},
        ir::{Attribute, Block, Module, Operation, Value, keyword},
        quantize::quantize,
        relay::{passes as relay_passes, relay_module, relay_parse, relay_text, relay_tree},
        report::{bench, diff, explain},
        tune::{tune, tune_worker, usual_records},
    };
}
