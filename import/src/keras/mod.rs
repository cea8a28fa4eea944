//! Imports models of Keras: `.keras`, a zip file of `config.json` and `model.weights.h5`; `.h5`, an HDF5 file with both, as Keras 2 and
//! Keras 3 write them; and `.json`, a description with a file of weights beside it.
//!
//! [`Keras`] reads all. A model is a graph of layers, and of operations of `keras.ops`; conversions are in `ops`, with a table row per layer
//! or operation. Nothing that is Python's is executed.

mod call;
mod config;
mod container;
mod convert;
mod element;
mod format;
mod hdf5;
mod item;
mod layer;
mod model;
mod network;
mod node;
mod ops;
mod scope;

pub use container::is_magic;
pub use model::Keras;
pub use ops::{layer_names, operation_names};
