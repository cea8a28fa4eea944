//! Reads models of other frameworks into the relay dialect.

pub mod onnx;
