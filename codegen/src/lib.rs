//! From lowered modules to machine code.
//!
//! [`lower`] takes kernels from scf, memref and vector to the llvm dialect with upstream's
//! conversions; [`emit`] makes LLVM IR of that, optimises it and writes assembly or an object;
//! [`link`] makes a self-contained shared library.

pub mod emit;
pub mod error;
pub mod evaluate;
pub mod library;
pub mod link;
pub mod lower;
pub mod target;

pub use error::CodegenError;
pub use target::Target;
