//! The ops of `te`: a type for each, as [`crate::ops`] has them for MLIR's.

#![allow(missing_docs, clippy::too_many_arguments)]

include!(concat!(env!("OUT_DIR"), "/te_ops.rs"));
