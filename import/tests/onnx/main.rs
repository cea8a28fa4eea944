//! Importing ONNX models, well-formed and malformed, that are made in memory.

#![allow(clippy::unwrap_used)]

mod external_data;
mod malformed;
mod module;
mod shape_arithmetic;
mod support;
