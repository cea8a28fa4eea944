//! What importers share: tensors known or computed, the builder of relay operators, and the evaluation of shape
//! arithmetic.
//!
//! Nothing here knows a format: an importer decodes its files, and says with a [`builder::GraphBuilder`] which
//! operators a node becomes.

pub mod attr;
pub mod branches;
pub mod builder;
pub mod constant;
pub mod diagnostics;
mod equal;
pub mod error;
pub mod file;
mod forms;
pub mod loops;
mod request;
mod shape;
pub mod value;
