//! Imports ONNX.
//!
//! [`Onnx`] reads a model and checks its structure; [`Onnx::import`] makes a module of relay operators,
//! [`Onnx::inspect`] describes the model. Conversions are in [`ops`], one table row per operator and range of
//! operator set versions.

mod convert;
pub mod coverage;
mod declared;
mod dims;
mod element;
mod error;
mod extent;
mod function;
mod item;
mod model;
mod node;
mod ops;
mod ports;
pub mod proto;
mod scope;
mod structure;
mod subgraph;
mod tensor;
mod types;

pub use error::{Group, ImportError, Unsupported, group};
pub use extent::{Extent, Opening, Unsaid};
pub use model::{
    Metadata, NEWEST_OPSET, NodeInfo, OLDEST_OPSET, Onnx, Options, Summary, TensorInfo,
};
