//! Reads models of other frameworks into the relay dialect: [`graph`] is what importers share, [`frontend`] has a row for
//! each format of models, [`keras`] reads models of Keras, [`onnx`] ONNX, [`tflite`] TensorFlow Lite, [`relay_text`] Relay's own text, [`weights`] files of
//! weights beside a model.

mod archive;
mod compose;
pub mod error;
pub mod frontend;
pub mod gguf;
pub mod graph;
pub mod keras;
pub mod model;
pub mod mxnet;
pub mod onnx;
mod reader;
pub mod relay_text;
pub mod source;
pub mod tensorflow;
pub mod tflite;
pub mod torch;
mod tvm_arrays;
pub mod weights;
