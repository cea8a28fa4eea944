//! Reads models of other frameworks into the relay dialect: [`graph`] is what importers share, [`onnx`] reads ONNX,
//! [`relay_text`] Relay's own text.

pub mod graph;
pub mod onnx;
pub mod relay_text;
