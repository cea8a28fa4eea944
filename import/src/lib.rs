//! Reads models of other frameworks into the relay dialect: [`graph`] is what importers share, [`onnx`] reads ONNX.

pub mod graph;
pub mod onnx;
