//! Reads programs of TorchScript (`torch.jit.save`): the archive, its source text and its tensors, without PyTorch.
//!
//! A program is source text in a subset of Python, and the objects that it works on. It is read as it would run: operators on tensors are
//! written by the conversions of ATen's operators, and all else is computed at once.

mod apply;
mod builtin;
mod collection;
mod control;
mod eval;
mod expr;
mod model;
mod number;
mod operator;
mod packed;
mod parser;
mod program;
mod quantized;
mod scalar;
mod signature;
mod syntax;
mod token;
mod value;

pub use model::TorchScript;
pub use program::is_magic;
