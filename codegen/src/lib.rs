//! From lowered modules to machine code.
//!
//! [`lower`] takes kernels from scf, memref and vector to the llvm dialect with upstream's
//! conversions; [`emit`] makes LLVM IR of that, optimises it and writes assembly or an object;
//! [`split`](split::split) cuts the kernels out, [`kernels`] compiles each on its own, on several threads, and [`cache`] keeps what comes
//! out; [`program`] is for models of the whole language, [`external`] for kernels that somebody else writes the code of; [`link`] makes a self-contained shared library, with the linker and the runtime that [`installation`] finds.

mod append;
pub mod bare;
mod bf16;
pub mod cache;
pub mod device;
mod device_memory;
pub mod emit;
pub mod error;
pub mod evaluate;
mod extents;
pub mod external;
mod extremes;
pub mod files;
mod host_calls;
pub mod image;
pub mod installation;
pub mod interface;
pub mod kernels;
mod launch;
pub mod library;
pub mod link;
mod linker;
pub mod lower;
pub mod pipelines;
mod ports;
pub mod program;
pub mod split;
pub mod stop;
mod symbols;
pub mod timing;
mod variants;
pub mod weights;
mod writer;

pub use error::CodegenError;
pub use relay_machine::{Target, target};
pub use stop::Stop;

/// The version of MLIR and LLVM that is in this process, as in their libraries' names: `22.1`.
pub fn mlir_version() -> String {
    let (major, minor, _) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}")
}
