//! MLIR's IR, lent to Python.
//!
//! A module owns its context. What Python holds of it - operations, blocks, values - are numbers by which the module
//! finds what it has, and references that keep the module alive; so an operation that was erased is found to be gone,
//! and nothing dangles. Types and attributes are texts, and numbers, strings and lists where they are such.

mod attribute;
mod block;
mod handles;
mod module;
mod operation;
mod store;
mod value;

pub use attribute::{Attribute, keyword, to_python};
pub use handles::{Block, Operation, Value};
pub use store::Module;
