//! The ops of `te`: a type for each, as [`crate::ops`] has them for MLIR's.

#![allow(
    missing_docs,
    clippy::too_many_arguments,
    reason = "the build writes them from ODS, which describes operands and attributes"
)]

include!(concat!(env!("OUT_DIR"), "/te_ops.rs"));

#[cfg(test)]
mod tests {
    #[test]
    fn mlir_finds_the_types_that_builders_do_not_take() {
        crate::ops::support::require_inference(super::INFERRED);
    }
}
