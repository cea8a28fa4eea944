//! What a compiled model needs at run time, and how to load one.
//!
//! This crate has two uses. As a static library it is linked into every compiled model: [`pool`] and
//! [`instance`] run the model's code, [`program`] is for models of the whole language, [`ffi`] is what that code and the model's C interface call. As a Rust
//! library it loads such models (`Model`, feature `loader`) and calls them through their C interface alone, so that each model
//! runs with the runtime that it was linked with.
//!
//! It depends on no other crate of the compiler.

mod affinity;
mod amx;
mod arena;
mod cpu;
pub mod descriptor;
pub mod device;
#[cfg(feature = "loader")]
pub mod dlpack;
mod donation;
#[cfg(feature = "loader")]
mod dtype;
#[cfg(feature = "loader")]
mod error;
#[cfg(feature = "loader")]
mod exchange;
pub mod features;
pub mod ffi;
#[cfg(feature = "loader")]
pub mod host_cache;
#[cfg(feature = "loader")]
pub mod image;
pub mod instance;
#[cfg(feature = "loader")]
mod loader;
mod parts;
pub mod pool;
pub mod program;
#[cfg(feature = "loader")]
mod session;
mod sizes;
#[cfg(feature = "loader")]
mod tensor;

#[cfg(feature = "loader")]
pub use dtype::{DType, Element};
#[cfg(feature = "loader")]
pub use error::RuntimeError;
#[cfg(feature = "loader")]
pub use loader::{GoOn, Instance, Model};
#[cfg(feature = "loader")]
pub use session::{NodeTime, Port, Session, Symbol, before_run, check, is_computed};
#[cfg(feature = "loader")]
pub use tensor::Tensor;
