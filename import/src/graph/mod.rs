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
mod dims;
pub mod entry;
mod equal;
pub mod error;
pub mod extent;
pub mod file;
mod forms;
pub mod literal;
pub mod loops;
pub mod names;
pub mod options;
pub mod port;
mod request;
mod shape;
pub mod signature;
pub mod state;
pub mod stored;
pub mod value;
pub mod weights;
