//! Imports MXNet: the graph in `NAME-symbol.json`, and the arrays in `NAME-0000.params` beside it, as `export` and `save_checkpoint`
//! write them.
//!
//! [`Mxnet`] reads both. Conversions are in `ops`, one table row per operator.

mod attrs;
mod model;
mod node;
mod ops;
mod params;
mod symbol;

pub use model::Mxnet;
pub use ops::names;
pub use params::{is_arrays, read_stored as read_arrays};
