//! What a compiled model needs at run time, and how to load one.
//!
//! This crate has two uses. As a static library it is linked into every compiled model: [`pool`] and
//! [`instance`] run the model's code, [`ffi`] is what that code and the model's C interface call. As a Rust
//! library it loads such models ([`Model`]) and calls them through their C interface alone, so that each model
//! runs with the runtime that it was linked with.
//!
//! It depends on no other crate of the compiler.

mod affinity;
mod amx;
mod arena;
mod cpu;
pub mod descriptor;
pub mod dlpack;
mod dtype;
mod error;
mod exchange;
pub mod ffi;
pub mod instance;
mod loader;
mod parts;
pub mod pool;
mod session;
mod tensor;

pub use dtype::{DType, Element};
pub use error::RuntimeError;
pub use loader::{Instance, Model};
pub use session::{NodeTime, Port, Session, check};
pub use tensor::Tensor;
