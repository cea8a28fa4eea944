//! Imports ONNX.
//!
//! [`Onnx`] reads a model and checks its structure; its [`import`](crate::model::Model::import) makes a module of relay
//! operators, its [`inspect`](crate::model::Model::inspect) describes the model. Conversions are in [`ops`], one table row per operator and range of
//! operator set versions.

mod convert;
pub mod coverage;
mod declared;
mod element;
mod function;
mod item;
mod model;
mod node;
mod ops;
mod opset;
mod ports;
pub mod proto;
mod scope;
mod structure;
mod subgraph;
mod tensor;
mod types;

pub use model::{Metadata, Onnx};
pub use opset::{NEWEST_OPSET, OLDEST_OPSET};
