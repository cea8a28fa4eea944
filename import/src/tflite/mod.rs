//! Reads models of TensorFlow Lite.
//!
//! [`flat`] reads the format that files are written in, [`schema`] what a model consists of, and [`constant`] the elements of its
//! constants. [`ops`] has the conversions, one row for each operator; images stay in the layout NHWC, which the compiler changes.
//! Quantised integers stay integers: where TensorFlow Lite's reference kernels compute in integers, so does what is imported, with
//! the same rounding ([`fixed`]).

mod constant;
mod convert;
mod element;
mod fixed;
mod fixed_root;
mod flat;
mod flex;
mod grain;
mod model;
mod node;
mod operators;
mod ops;
mod schema;
mod signatures;
mod state;

pub use self::{model::Tflite, ops::coverage};
