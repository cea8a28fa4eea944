//! What passes on Relay's graphs share: questions about operators, makers of some, and the driver of rewrites.

pub mod operators;
pub mod rewrite;
pub mod shapes;
