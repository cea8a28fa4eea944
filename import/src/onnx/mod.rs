//! ONNX.
//!
//! [`Onnx`] reads a model and checks its structure; [`Onnx::import`] makes a module of relay
//! operators, [`Onnx::inspect`] tells what the model holds. Conversions are in [`ops`], one table
//! row per operator and range of operator set versions.

mod builder;
pub mod coverage;
mod error;
mod fold;
mod graph;
mod model;
mod node;
mod ops;
pub mod proto;
mod tensor;

pub use error::{ImportError, Unsupported};
pub use model::{NEWEST_OPSET, OLDEST_OPSET, Onnx, Options, Summary, TensorInfo};
