//! `relay_mlir._runtime`: loads compiled models and runs them on what Python has for tensors. It needs neither MLIR
//! nor LLVM.

mod call;
mod dlpack;
mod element;
mod errors;
mod held;
mod memory;
mod ports;
mod runner;
mod session;
mod value;

use pyo3::pymodule;

/// Loads and runs compiled models; `relay_mlir` says how it is used.
#[pymodule]
mod _runtime {
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::{dlpack::Tensor, ports::TensorInfo, session::Session};
}
