//! Importing ONNX models, well-formed and malformed, that are made in memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod control_flow;
mod external_data;
mod malformed;
mod microsoft;
mod module;
mod sequences;
mod shape_arithmetic;
mod support;
mod weights;
