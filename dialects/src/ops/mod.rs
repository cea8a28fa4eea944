//! The ops of MLIR's dialects: a type for each op, such as [`arith::AddF`] for `arith.addf`.
//!
//! A type has the op's `NAME`. `build` makes the op from required operands, attributes and regions, and `build_with`
//! takes its optional attributes, too. Types of results are parameters only where MLIR cannot find them. `of` is an op as
//! this type, if it is one; then each operand, result, region and attribute has a function of its ODS name. Enums of
//! attributes, such as [`arith::CmpIPredicate`], are Rust's.
//!
//! The build makes all this from the ODS files of the MLIR that is installed, so what is not declared does not compile.

mod functions;
mod predicates;
mod short;
#[doc(hidden)]
pub mod support;

#[allow(
    missing_docs,
    clippy::all,
    reason = "the build writes them from ODS, which describes operands and attributes"
)]
mod generated {
    use super::support;
    include!(concat!(env!("OUT_DIR"), "/upstream_ops.rs"));
}

pub use generated::*;

#[cfg(test)]
mod tests;
